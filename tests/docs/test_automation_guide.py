"""The guide to the Automation API: its script runs, with the settings of the stack's config."""

import subprocess
import sys
from pathlib import Path

import pytest

from support import Emulator, run_process
from support.engine.stack import Stack
from support.pages import blocks

(SCRIPT,) = blocks("guides/automation-api.md", "python")


def run(folder: Path, environment: dict[str, str], command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the guide's script."""
    (folder / "protect.py").write_text(SCRIPT)
    return run_process([sys.executable, "protect.py", "crm-1002", command], cwd=folder, env=environment)


@pytest.fixture
def environment(stack: Stack, emulator: Emulator) -> dict[str, str]:
    """Return an environment with the backend of a stack, and with the script's own variables for the service."""
    stack.set_environment(DATAPROTECTION_API_KEY=None, DATAPROTECTION_BASE_URL=None)
    return {**stack.environment, "BACKUP_URL": emulator.url, "BACKUP_KEY": emulator.read_only_key}


def test_the_script_previews_with_a_read_only_key_and_protects_everybody_once(
    emulator: Emulator, environment: dict[str, str], tmp_path: Path
) -> None:
    preview = run(tmp_path, environment, "preview")
    assert (0, []) == (preview.returncode, emulator.writes()), preview.stdout + preview.stderr
    assert "{'create': 3}" in preview.stdout

    environment["BACKUP_KEY"] = emulator.api_key
    for writes in (21, 0):
        emulator.clear_requests()
        up = run(tmp_path, environment, "up")
        assert (0, writes) == (up.returncode, len(emulator.writes())), up.stdout + up.stderr
        assert up.stdout.splitlines()[-1] == "{'tenant-contoso': 21}"


def test_an_error_of_a_function_is_one_line_without_a_traceback(
    emulator: Emulator, environment: dict[str, str], tmp_path: Path
) -> None:
    failed = run(tmp_path, {**environment, "BACKUP_KEY": "key-of-nobody"}, "up")
    assert 1 == failed.returncode
    assert failed.stderr.startswith("up of crm-1002 failed: ")
    assert "get_org: cannot " in failed.stderr
    assert "Traceback" not in failed.stderr
    assert "key-of-nobody" not in failed.stdout + failed.stderr
    assert [] == emulator.writes()
