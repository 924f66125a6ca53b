"""The command `dataprotection adopt`, run as a user runs it."""

from pathlib import Path

from click.testing import Result

from pulumi_dataprotection.testing import Emulator
from support.cli.getting import run_unset, settings

__all__ = ["adopt", "files"]


def adopt(emulator: Emulator, out: Path, *words: str, key: str | None = None) -> Result:
    """Run it with the settings for an emulator in the environment.

    Args:
        emulator: the service.
        out: the folder of the project.
        words: further options.
        key: the key; without one the key that cannot write.
    """
    return run_unset("adopt", "--out", str(out), *words, **settings(emulator, key or emulator.read_only_key))


def files(folder: Path) -> dict[str, str]:
    """Return the text of each file of a folder by its path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}
