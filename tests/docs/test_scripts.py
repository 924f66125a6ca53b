"""The script of the page on functions, which runs without an engine."""

import os
import sys
from pathlib import Path

import pytest

from support import Emulator, run_process
from support.cli.getting import settings
from support.pages import blocks

(SCRIPT,) = blocks("functions/index.md", r'\{\.python title="unprotected\.py"\}')


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return the script of the page as a file."""
    file = tmp_path / "unprotected.py"
    file.write_text(SCRIPT)
    return file


def run(script: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """Run a script with an organization as its argument, and without the `pulumi` command."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("DATAPROTECTION_")}
    ended = run_process([sys.executable, str(script), "org-contoso"], env={**others, "PATH": "", **environment})
    return ended.returncode, ended.stdout, ended.stderr


def test_a_script_calls_functions_without_an_engine(script: Path, emulator: Emulator) -> None:
    assert (0, "Contoso Workspace: 21\n", "") == run(script, settings(emulator, emulator.read_only_key))
    assert [] == emulator.writes()


@pytest.mark.parametrize("key", ["", "key-of-nobody"])
def test_the_text_of_a_caught_error_is_the_text_of_a_program(script: Path, emulator: Emulator, key: str) -> None:
    code, output, error = run(script, {**settings(emulator), "DATAPROTECTION_API_KEY": key})
    assert (1, "") == (code, output)
    assert error.startswith("no report: get_tenants: ")
    assert "Traceback" not in error


def test_an_error_that_a_script_does_not_catch_ends_with_the_same_text(script: Path, emulator: Emulator) -> None:
    script.write_text(SCRIPT.replace("except pulumi.RunError", "except KeyError"))
    code, _, error = run(script, settings(emulator, "key-of-nobody"))
    assert 1 == code
    assert error.splitlines()[-1].startswith("pulumi.errors.RunError: get_tenants: ")
