"""The command `dataprotection drift`, run on files with states."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from click.testing import Result

from support import HANG, Emulator
from support.cli.commands import PYTHON
from support.cli.getting import settings
from support.cli.running import run_command
from support.resources.servicer import HURRIED

__all__ = ["Found", "drift", "find", "hurried"]

Found = dict[str, Any]


def drift(emulator: Emulator, *words: str, charset: str = "utf-8", **variables: str) -> Result:
    """Run the command with a read-only key, in a process that has read nothing yet.

    Args:
        emulator: the service, which must not be written to.
        words: the options.
        charset: the encoding of the output.
        variables: more variables of the environment.
    """
    result = run_command(emulator, "drift", *words, key=emulator.read_only_key, charset=charset, **variables)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert [] == emulator.writes()
    return result


def hurried(emulator: Emulator, *paths: Path, **variables: str) -> tuple[int, Found]:
    """Do as `find` in a process of its own, whose waits end at once."""
    words = [word for path in paths for word in ("--state", str(path))]
    environment = {**os.environ, **settings(emulator, emulator.read_only_key), **HURRIED, **variables}
    command = [*PYTHON, "drift", *words, "--format", "json"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANG, check=False)
    found: Found = json.loads(ended.stdout)
    return ended.returncode, found


def find(emulator: Emulator, *paths: Path, **variables: str) -> tuple[int, Found]:
    """Compare the states in files, and return the exit status and the result."""
    words = [word for path in paths for word in ("--state", str(path))]
    result = drift(emulator, *words, "--format", "json", **variables)
    found: Found = json.loads(result.stdout)
    return result.exit_code, found
