"""Names what breaks for users of the last release; run as `python -m tools.public_api`."""

import subprocess
import sys
import tomllib
from pathlib import Path

import griffe
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "pulumi_dataprotection"


def main() -> int:
    """Compare the working tree with the last tag; fail where a breaking change comes without a version that says so."""
    tag = last_tag()
    if not tag:
        print("public API: no release is tagged, so there is nothing to compare with")
        return 0
    breakages = broken_since(tag)
    for breakage in breakages:
        print(f"{breakage.obj.module.path}: {breakage.explain(griffe.ExplanationStyle.MARKDOWN).removeprefix('- ')}")
    least = next_breaking(Version(tag))
    count = f"{len(breakages)} breaking change{'' if len(breakages) == 1 else 's'} since {tag}"
    if breakages and version() < least:
        print(f"public API: {count}: take back what is not meant, or raise the version in pyproject.toml to {least}")
        return 1
    print(f"public API: {count}")
    return 0


def last_tag() -> str:
    """Return the tag of the newest release that this commit comes after; "" without one."""
    describe = ["git", "describe", "--tags", "--match", "v[0-9]*", "--abbrev=0"]
    answer = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    return answer.stdout.strip()


def broken_since(tag: str) -> list[griffe.Breakage]:
    """Read both packages without importing them, and find what the tag's has and this one has not."""
    old = griffe.load_git(PACKAGE, ref=tag, repo=ROOT, search_paths=["provider"], allow_inspection=False)
    new = griffe.load(PACKAGE, search_paths=[ROOT / "provider"], allow_inspection=False)
    return list(griffe.find_breaking_changes(old, new))


def next_breaking(released: Version) -> Version:
    """Return the first version after a release that may break its users: a minor one below 1.0, else a major one."""
    return Version(f"{released.major + 1}.0.0" if released.major else f"0.{released.minor + 1}.0")


def version() -> Version:
    """Return the version that the package will have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Version(project["version"])


if __name__ == "__main__":
    sys.exit(main())
