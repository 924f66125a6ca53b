"""The check of breaking changes since the last release, in its own repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import HANG, ROOT, run_process

pytestmark = pytest.mark.thorough

PROTECTION = "provider/pulumi_dataprotection/resources/protection.py"
PARAMETER = r'        on_destroy: pulumi\.Input\[OnDestroy\] = "unprotect",\n'


class Repository:
    """A repository whose only commit is the working tree of today, without a tag."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / "tools").mkdir()
        shutil.copy(ROOT / "tools" / "public_api.py", root / "tools")
        shutil.copytree(ROOT / "provider", root / "provider", ignore=shutil.ignore_patterns("__pycache__"))
        self.set_version("0.3.1")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", "All")

    def git(self, *arguments: str) -> None:
        """Run git, without the settings of whoever runs the tests."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root)}
        subprocess.run(["git", *arguments], cwd=self.root, env=environment, timeout=HANG, check=True)

    def set_version(self, version: str) -> None:
        """Write down the version that the package has."""
        (self.root / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n', encoding="utf-8")

    def replace(self, pattern: str, by: str) -> None:
        """Change the resource `Protection`."""
        text, count = re.subn(pattern, by, (self.root / PROTECTION).read_text(encoding="utf-8"))
        assert 1 == count
        (self.root / PROTECTION).write_text(text, encoding="utf-8")

    def check(self) -> tuple[int, list[str]]:
        """Run the check; return its exit code and what it prints."""
        command = [sys.executable, "-m", "tools.public_api"]
        ended = run_process(command, cwd=self.root)
        assert "" == ended.stderr
        return ended.returncode, ended.stdout.splitlines()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "check out")


def test_a_repository_without_a_tag_passes(repository: Repository) -> None:
    repository.replace(PARAMETER, "")

    assert (0, ["public API: no release is tagged, so there is nothing to compare with"]) == repository.check()


def test_an_equal_or_extended_release_passes_and_leaves_the_repository_unchanged(repository: Repository) -> None:
    repository.git("tag", "v0.3.1")
    repository.git("tag", "a-tag-of-something-else")

    assert (0, ["public API: 0 breaking changes since v0.3.1"]) == repository.check()
    assert ["v0.3.1"] == [path.name for path in (repository.root / ".git" / "refs").rglob("*") if "v0" in path.name]
    assert not (repository.root / ".git" / "worktrees").exists()
    repository.replace(PARAMETER, r"\g<0>        colour: str | None = None,\n")
    assert (0, ["public API: 0 breaking changes since v0.3.1"]) == repository.check()


@pytest.mark.parametrize(
    ("pattern", "by", "named"),
    [
        (PARAMETER, "", "`Protection.__init__(on_destroy)`: *Parameter was removed*"),
        (PARAMETER, r"\g<0>        colour: str,\n", "`Protection.__init__(colour)`: *Parameter was added as required*"),
        (r"\nclass Protection\(", r"\nclass Shield(", "`Protection`: *Public object was removed*"),
        (r"\n    job_id: pulumi.Output.*", r"\n", "`Protection.job_id`: *Public object was removed*"),
    ],
    ids=["a removed parameter", "a new parameter that must be given", "a renamed resource", "a removed output"],
)
def test_a_breaking_change_is_named_and_needs_a_new_version(
    repository: Repository, pattern: str, by: str, named: str
) -> None:
    repository.git("tag", "v0.3.1")
    repository.replace(pattern, by)

    failed, *told = repository.check()
    repository.set_version("0.4.0")
    passed, *told_again = repository.check()

    named = f"pulumi_dataprotection.resources.protection: {named}"
    count = "public API: 1 breaking change since v0.3.1"
    advice = "take back what is not meant, or raise the version in pyproject.toml to 0.4.0"
    assert (1, [[named, f"{count}: {advice}"]]) == (failed, told)
    assert (0, [[named, count]]) == (passed, told_again)


@pytest.mark.parametrize(
    ("tag", "version", "code"),
    [("v1.2.3", "1.3.0", 1), ("v1.2.3", "2.0.0", 0), ("v0.3.1", "0.3.2", 1), ("v0.3.1", "1.0.0", 0)],
)
def test_a_release_after_the_first_major_version_breaks_only_by_the_next(
    repository: Repository, tag: str, version: str, code: int
) -> None:
    repository.git("tag", tag)
    repository.replace(PARAMETER, "")
    repository.set_version(version)

    assert code == repository.check()[0]
