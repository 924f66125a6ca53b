"""The installer of the pulumi command: the order of its sources, and its errors."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support import HANG, ROOT

Program = Callable[[str, str], Path]

INSTALL = ROOT / "tools" / "pulumi-cli" / "install.py"
PROGRAMS = ["pulumi", "pulumi-language-python", "pulumi-language-python-exec", "pulumi-resource-pulumi-python"]

# Stands in for Go: notes each build, "builds" an empty program, and has an SDK module with the two scripts.
GO = """
case "$1 $2" in
  "env GOVERSION") echo go1.99.0; echo auto ;;
  "list -deps") echo some/package ;;
  "list -mod=readonly") echo "$SDK" ;;
  "build -v") echo build >> "$BUILDS"; while [ "$1" != -o ]; do shift; done; echo > "$2"; /bin/chmod +x "$2" ;;
esac
"""


class Installer:
    """The script, in an environment with only `path_folder` on PATH."""

    def __init__(self, folder: Path, path_folder: Path) -> None:
        sdk = folder / "sdk"
        for script in ("cmd/pulumi-language-python-exec", "dist/pulumi-resource-pulumi-python"):
            (sdk / "python" / script).parent.mkdir(parents=True)
            (sdk / "python" / script).touch()
        self.cache = folder / "cache"
        self.builds = folder / "builds"
        self.environment = {
            "PATH": str(path_folder),
            "XDG_CACHE_HOME": str(self.cache),
            "SDK": str(sdk),
            "BUILDS": str(self.builds),
            "https_proxy": "http://127.0.0.1:9",  # nothing listens there: the installer fails at once
        }

    def start(self, sources: str) -> "subprocess.Popen[str]":
        """Start the script with these sources."""
        environment = {**self.environment, "PULUMI_CLI_SOURCES": sources}
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, INSTALL], env=environment, stdout=pipe, stderr=pipe, text=True)

    def run(self, sources: str) -> tuple[int, str, str]:
        """Run the script with these sources; return its exit code, stdout and stderr."""
        with self.start(sources) as process:
            stdout, stderr = process.communicate(timeout=HANG)
        return process.returncode, stdout, stderr


@pytest.fixture
def installer(tmp_path: Path, path_folder: Path) -> Installer:
    return Installer(tmp_path, path_folder)


def test_a_pulumi_on_path_is_used(installer: Installer, program: Program, path_folder: Path) -> None:
    program("pulumi", "echo v3.254.0")
    program("pulumi-language-python", "")
    program("go", GO)

    code, stdout, stderr = installer.run("")

    assert (0, f"{path_folder}\n") == (code, stdout)
    assert f"using pulumi 3.254.0 on PATH, {path_folder}" in stderr


TOO_OLD = r"build: {path}/go is go{version}, too old: Go >= [\d.]+ is needed"
UNUSABLE: dict[str, tuple[dict[str, str], str, str]] = {
    "an old pulumi": (
        {"pulumi": "echo v3.253.9", "pulumi-language-python": ""},
        "path",
        "path: {path}/pulumi .*3.253.9, older than 3.254.0",
    ),
    "no language host": ({"pulumi": "echo v3.300.0"}, "path", "path: {path}/pulumi.*pulumi-language-python"),
    "a broken pulumi": ({"pulumi": "exit 1"}, "path", "path: `{path}/pulumi version` "),
    "no version of pulumi": ({"pulumi": "echo nonsense"}, "path", "path: `{path}/pulumi version` "),
    "an old go": ({"go": "echo go1.20.14"}, "build", TOO_OLD.replace("{version}", "1.20.14") + "\n"),
    "an old go without a newer": (
        {"go": "echo go1.25.1; echo local"},
        "build",
        TOO_OLD.replace("{version}", "1.25.1") + ", and GOTOOLCHAIN=local keeps it from fetching a newer",
    ),
}


@pytest.mark.parametrize(("programs", "source", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_source_is_an_error_with_its_reason(
    installer: Installer, program: Program, path_folder: Path, *, programs: dict[str, str], source: str, reason: str
) -> None:
    for name, script in programs.items():
        program(name, script)
    code, stdout, stderr = installer.run(source)
    assert (1, "") == (code, stdout)
    assert re.search(reason.replace("{path}", re.escape(str(path_folder))), stderr), stderr


def test_a_build_follows_if_the_other_sources_fail_and_is_kept_in_the_cache(
    installer: Installer, program: Program
) -> None:
    go = program("go", GO)

    code, stdout, stderr = installer.run("")

    folder = Path(stdout.strip())
    assert 0 == code, stderr
    assert f"{folder}\n" == stdout
    assert PROGRAMS == sorted(file.name for file in folder.iterdir())
    assert installer.cache == folder.parents[2]
    go.unlink()
    assert (0, stdout) == installer.run("")[:2]


@pytest.mark.parametrize("missing", PROGRAMS)
def test_an_incomplete_cache_is_built_again(installer: Installer, program: Program, missing: str) -> None:
    program("go", GO)
    built = installer.run("build")[1]
    Path(built.strip(), missing).unlink()

    code, stdout, _ = installer.run("build")

    assert (0, built) == (code, stdout)
    assert PROGRAMS == sorted(file.name for file in Path(built.strip()).iterdir())


def test_a_build_that_fails_leaves_nothing_behind(installer: Installer, program: Program) -> None:
    program("go", GO.replace("/bin/chmod +x", "echo no space left on device; false"))

    code, stdout, stderr = installer.run("build")

    assert (1, "") == (code, stdout)
    assert "build: compiling pulumi (at most 1 packages) failed: no space left on device" in stderr
    assert ["pulumi-dataprotection"] == [folder.name for folder in installer.cache.iterdir()]
    assert [".lock"] == [file.suffix for file in (installer.cache / "pulumi-dataprotection").iterdir()]


def test_two_parallel_installers_build_once(installer: Installer, program: Program) -> None:
    program("go", GO)

    with installer.start("build") as first, installer.start("build") as second:
        outputs = [process.communicate(timeout=HANG)[0] for process in (first, second)]

    assert outputs[0] == outputs[1]
    assert ["build", "build"] == installer.builds.read_text(encoding="utf-8").split()


def test_the_error_names_the_reason_of_each_source_and_the_remedy(installer: Installer) -> None:
    code, stdout, stderr = installer.run("")

    assert (1, "") == (code, stdout)
    for reason in ("path: ", "installer: ", "<urlopen error", "build: ", "pulumi >= 3.254.0", "Go >= 1."):
        assert reason in stderr
    code, stdout, stderr = installer.run("path,brew")
    assert (2, "", True) == (code, stdout, stderr.startswith("PULUMI_CLI_SOURCES: "))
