"""A machine without a fault, which tests change, and the rows of `dataprotection doctor`."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pulumi_dataprotection.cli import main
from support.shell import write_script

KEY = "key-of-the-patient-5f0b"

PULUMI = """
case "$1" in
  version) echo v3.300.0 ;;
  config) while read -r line; do printf '%s\\n' "$line"; done < "$CONFIG" ;;
esac
"""


@dataclass(frozen=True)
class Row:
    """The row of one check."""

    name: str
    result: str
    found: str
    advice: str


class Visit:
    """A machine with fake programs on PATH, an empty folder for a project, and no settings but a key.

    Attributes:
        folder: the current folder.
        path: the only folder on PATH.
        config: what the fake `pulumi config` prints.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.path, self.config = folder / "project", folder / "path", folder / "config.json"
        self.folder.mkdir()
        self.path.mkdir()
        self._patch = patch
        patch.chdir(self.folder)
        for name in [*os.environ]:
            if name.startswith(("DATAPROTECTION_", "PULUMI_", "SSL_CERT_")) or name.lower().endswith("_proxy"):
                patch.delenv(name)
        self.set(PATH=str(self.path), CONFIG=str(self.config), DATAPROTECTION_API_KEY=KEY)
        self.program("pulumi", PULUMI)
        for name in ("pulumi-language-python", "pulumi-resource-pulumi-python"):
            self.program(name, "")
        self.program("python3", "echo 1.2.3")

    def set(self, **variables: str) -> None:
        """Set environment variables."""
        for name, value in variables.items():
            self._patch.setenv(name, value)

    def assert_row(self, name: str, result: str, found: str, *options: str) -> None:
        """Assert the result of one check, and a part of what it found."""
        row = self.rows(*options)[name]
        assert (result, True) == (row.result, found in row.found), row

    def unset(self, name: str) -> None:
        """Remove an environment variable."""
        self._patch.delenv(name)

    def program(self, name: str, script: str) -> Path:
        """Put a shell script on PATH."""
        return write_script(self.path / name, script)

    def file(self, name: str, text: str) -> None:
        """Write a file of the project."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def environment(self, name: str, script: str = f'exec {sys.executable} "$@"') -> None:
        """Make a folder of the project that looks like a virtual environment."""
        (self.folder / name / "bin").mkdir(parents=True)
        write_script(self.folder / name / "bin" / "python", script)

    def distribution(self, name: str, version: str, *fields: str) -> None:
        """Add a distribution to the path, before the installed one."""
        folder = self.folder.parent / "distributions"
        information = folder / f"{name.replace('-', '_')}-{version}.dist-info"
        information.mkdir(parents=True)
        text = "\n".join(("Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *fields))
        (information / "METADATA").write_text(f"{text}\n")
        self._patch.setattr(sys, "path", [str(folder), *sys.path])

    def run(self, *options: str) -> Result:
        """Run the command; it never ends with a traceback, and never shows a key."""
        result = CliRunner().invoke(main, ["doctor", *options])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "Traceback" not in result.output
        assert KEY not in result.output
        return result

    def rows(self, *options: str) -> dict[str, Row]:
        """Run the command, and return the row of each check; the exit status is 1 if a check failed."""
        result = self.run("--json", *options)
        rows = [Row(**row) for row in json.loads(result.stdout)]
        assert int(any(row.result == "failed" for row in rows)) == result.exit_code
        assert [row for row in rows if bool(row.advice) == (row.result == "ok")] == []
        return {row.name: row for row in rows}


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Return a machine without a fault."""
    return Visit(tmp_path, monkeypatch)
