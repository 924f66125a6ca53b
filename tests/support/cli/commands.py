"""The commands of `dataprotection` and their options, and runs of them in a terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Mapping

import click

from pulumi_dataprotection.cli import main
from support import HANG

__all__ = ["COMMANDS", "PYTHON", "in_terminal", "options"]

PYTHON = (sys.executable, "-c", "from pulumi_dataprotection.cli import main; main()")
"""The command as a process."""


def options(command: click.Command) -> set[str]:
    """Return the options of a command, as they are typed."""
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


def _commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            if child := command.get_command(context, word):
                yield from _commands(f"{name} {word}", child)


COMMANDS = dict(_commands("dataprotection", main))
"""All commands and groups, as they are typed."""


def in_terminal(columns: int, environment: Mapping[str, str], *words: str) -> tuple[int, str]:
    """Run the command in a terminal of a width, and return its status and its output."""
    ours, its = pty.openpty()
    variables = {**environment, "COLUMNS": str(columns), "TERM": "xterm-256color"}
    with subprocess.Popen([*PYTHON, *words], env=variables, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        written = b""
        # Linux answers the end of a terminal with an error.
        try:
            while piece := os.read(ours, 65536):
                written += piece
        except OSError:
            pass
        status = process.wait(timeout=HANG)
    os.close(ours)
    return status, written.decode()
