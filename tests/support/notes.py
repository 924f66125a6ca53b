"""The facts that tests note for the account of their run; see `account`."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

__all__ = ["ANSWERED", "NOTED", "PROCESSES", "SELECTED", "note", "note_process", "note_selection"]

NOTED: defaultdict[str, set[str]] = defaultdict(set)
"""The names that were noted in this process, by subject."""

SELECTED = "folders selected in whole"
PROCESSES = "measured processes"
ANSWERED = "operations that the emulator answered with a success in a test of their own"


def note(subject: str, names: Iterable[str]) -> None:
    """Note names under a subject, such as the operations that were called."""
    NOTED[subject].update(names)


def note_process(pid: int, name: str) -> None:
    """Note a process that has to leave its coverage data, if coverage is measured."""
    note(PROCESSES, [f"{pid} {name}"])


def note_selection(config: pytest.Config, items: Sequence[pytest.Item], folder: Path) -> None:
    """Note a folder if all of its tests are going to run."""
    chosen = any(
        config.getoption(name, default=None) for name in ("keyword", "markexpr", "lf", "deselect", "collectonly")
    )
    single = any("::" in argument for argument in config.args)
    if not chosen and not single and {*folder.rglob("test_*.py")} <= {item.path for item in items}:
        note(SELECTED, [folder.name])
