"""A command of `dataprotection`, run as a user runs it."""

from click.testing import Result

from support import Emulator
from support.cli.getting import run_unset, settings

__all__ = ["run_command"]


def run_command(
    emulator: Emulator, *words: str, key: str | None = None, charset: str = "utf-8", **variables: str
) -> Result:
    """Run a command with the settings for an emulator in the environment, in a process that has read nothing yet.

    Args:
        emulator: the service.
        words: the words after `dataprotection`.
        key: the key; by default the key with all permissions.
        charset: the encoding of the output.
        variables: more environment variables.
    """
    return run_unset(*words, charset=charset, **{**settings(emulator, key), **variables})
