"""The states of stacks that a command reads, to tell the policies of stacks from the policies of the portal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.estate import Estate
from pulumi_dataprotection.inventory import StackState, StateSelection, read_states

__all__ = ["load_states", "read_until_ctrl_c", "select_states"]


def select_states(stacks: Sequence[str], projects: Sequence[Path], files: Sequence[str]) -> StateSelection:
    """Return the states that the options of a command name.

    Args:
        stacks: the globs of names of stacks; without another option they are stacks of the current folder's project.
        projects: the folders of projects.
        files: the files with states.

    Raises:
        click.UsageError: An option is empty.
    """
    if not all(word.strip() for word in (*stacks, *map(str, projects), *files)):
        raise click.UsageError("Options '--stacks', '--project' and '--state' must not be empty.")
    return StateSelection(projects or ([] if files else [Path.cwd()]), files, stacks or ("*",))


def load_states(estate: Estate, selection: StateSelection | None) -> list[StackState] | None:
    """Read states; a state that cannot be read is reported and left out.

    Args:
        estate: the run of the command.
        selection: the states; None for no state.

    Returns:
        The states that were read; None for no selection.
    """
    if selection is None:
        return None
    states: list[StackState] = []
    for state in read_until_ctrl_c(selection, lambda done, count: estate.show(f"{done:,} of {count:,} states")):
        if state.problem:
            source = f" ({printable(state.source)})" if state.source != state.name else ""
            estate.leave_out(f"the state of {printable(state.name)}{source}", printable(state.problem, limit=None))
        else:
            states.append(state)
    return states


def read_until_ctrl_c(selection: StateSelection, progress: Callable[[int, int], None]) -> Iterator[StackState]:
    """Yield states as `read_states` does; after Ctrl-C, only one more, whose problem is the interruption."""
    for state in read_states(selection, progress):
        if client.process_clock().is_interrupted():
            yield StackState("…", "…", problem="interrupted: this state and the states after it were not read")
            return
        yield state
