"""The version is only in pyproject.toml and the changelog."""

import re
import tomllib

from support import ROOT

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_changelog_begins_with_it() -> None:
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert VERSION == sections[0]


def test_no_other_file_of_the_package_or_of_the_build_has_it() -> None:
    files = [*(ROOT / "provider").rglob("*.py"), *(ROOT / "provider").rglob("*.json"), ROOT / "pyproject.toml"]
    assert ["pyproject.toml"] == [path.name for path in files for _ in re.findall(f'"{VERSION}"', path.read_text())]
