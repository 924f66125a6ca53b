"""The command `dataprotection get`, or another command of `dataprotection`, run as a user runs it."""

import contextvars
import csv
import io
import os

from click.testing import CliRunner, Result

from pulumi_dataprotection.cli import main
from pulumi_dataprotection.functions._data_source import open_session
from pulumi_dataprotection.resources._sdk import of_program
from pulumi_dataprotection.testing import Emulator as PublicEmulator
from support import Emulator

__all__ = ["csv_rows", "get", "get_unset", "run_unset", "settings"]


def get(emulator: Emulator, *words: str, key: str | None = None) -> Result:
    """Run it with the settings for an emulator in the environment.

    Args:
        emulator: the service.
        words: what stands after `dataprotection get`.
        key: the key; without one the key with all permissions.
    """
    return get_unset(*words, **settings(emulator, key))


def get_unset(*words: str, charset: str = "utf-8", **variables: str) -> Result:
    """Run it with no other settings in the environment than these, in a process that has read nothing yet."""
    return run_unset("get", *words, charset=charset, **variables)


def run_unset(*words: str, charset: str = "utf-8", **variables: str) -> Result:
    """Run any command that reads, in the same way."""
    unset = {name: None for name in os.environ if name.startswith("DATAPROTECTION_")}
    invoke = CliRunner(charset).invoke
    try:
        return contextvars.copy_context().run(invoke, main, [*words], env={**unset, **variables})
    finally:
        of_program(open_session).close()


def csv_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a text in CSV, by the names in its first line."""
    return list(csv.DictReader(io.StringIO(text)))


def settings(emulator: PublicEmulator, key: str | None = None) -> dict[str, str]:
    """The variables that lead to an emulator."""
    return {
        "DATAPROTECTION_API_KEY": key or emulator.api_key,
        "DATAPROTECTION_BASE_URL": emulator.url,
        "DATAPROTECTION_CALLS_PER_SECOND": "0",
        "DATAPROTECTION_READ_LAG": "0",
    }
