"""A command of `dataprotection`, run as a user runs it."""

import contextvars
import os

from click.testing import CliRunner, Result

from pulumi_dataprotection.cli import main
from pulumi_dataprotection.functions._data_source import open_session
from pulumi_dataprotection.resources._sdk import of_program
from support import Emulator
from support.cli.getting import settings

__all__ = ["run_command"]


def run_command(emulator: Emulator, *words: str, key: str | None = None, **variables: str) -> Result:
    """Run a command with the settings for an emulator in the environment, in a process that has read nothing yet.

    Args:
        emulator: the service.
        words: the words after `dataprotection`.
        key: the key; by default the key with all permissions.
        variables: more environment variables.
    """
    unset = {name: None for name in os.environ if name.startswith("DATAPROTECTION_")}
    environment = {**unset, **settings(emulator, key), **variables}
    try:
        return contextvars.copy_context().run(CliRunner().invoke, main, words, env=environment)
    finally:
        of_program(open_session).close()
