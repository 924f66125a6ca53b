"""The `pulumi` command, run to read from a project: its stacks and their states."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

__all__ = ["PulumiError", "run_pulumi"]

SECONDS = 60
"""The seconds that the `pulumi` command may take: the state may be remote."""


class PulumiError(Exception):
    """The `pulumi` command failed; the text is its reason, without anything of a config or a state."""


def run_pulumi(folder: Path, *arguments: str) -> str:
    """Run the `pulumi` command, and return its output.

    Args:
        folder: the folder of the project.
        arguments: the command's arguments.

    Raises:
        PulumiError: It cannot be run, or failed.
    """
    command = ["pulumi", *arguments, "--non-interactive", "--color=never"]
    try:
        ended = subprocess.run(  # noqa: S603 - a list of arguments, without a shell
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        # A missing folder is the same error as a missing command.
        missing = "the command `pulumi` is not on PATH" if folder.is_dir() else f"no folder {error.filename}"
        raise PulumiError(missing) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PulumiError(str(error)) from None
    if ended.returncode:
        # Only the first line, because the next lines may quote a file.
        reasons = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
        reason = reasons[0].removeprefix("error: ") if reasons else f"pulumi ended with status {ended.returncode}"
        raise PulumiError(reason)
    return ended.stdout
