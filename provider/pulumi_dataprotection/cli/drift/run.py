"""A run of `dataprotection drift`: its settings, its progress, its end at Ctrl-C, and its exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import FrameType

import click
from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.ctrl_c import INTERRUPTED, handling_ctrl_c
from pulumi_dataprotection.cli.drift.output import FORMATS
from pulumi_dataprotection.cli.estate import GATE_FAILED, TEXT, open_progress
from pulumi_dataprotection.cli.stack_settings import load_stack_config
from pulumi_dataprotection.fleet.drift import Drift, find_drift
from pulumi_dataprotection.functions._data_source import open_program_account
from pulumi_dataprotection.inventory import StackState, StateSelection, read_states

__all__ = ["run"]

_UNREADABLE = 1
"""The exit status if something could not be read."""

_ENDING = b"Interrupted: waiting for the calls that are under way. Press Ctrl-C again to end now.\n"


def run(selection: StateSelection, stack: str | None, output_format: str) -> None:
    """Compare states with the service, and print the result.

    Args:
        selection: the states.
        stack: the stack whose config has settings; None for the selected stack.
        output_format: `table`, `json`, `csv` or `md`.

    Raises:
        click.ClickException: The config of the named stack cannot be read.
        click.exceptions.Exit: There is a drift, or something could not be read.
    """
    load_stack_config(stack)
    with _interruptible() as is_interrupted:
        drift = _find_drift(selection, is_interrupted)
        for text in FORMATS[output_format](drift):
            click.echo(text, nl=False)
        if is_interrupted():
            click.echo("The result is not complete.", err=True)
            sys.stdout.flush()
            # Without a wait for the processes and calls that are still under way: they only read.
            os._exit(INTERRUPTED)
    if not drift.is_complete:
        raise click.exceptions.Exit(_UNREADABLE)
    if drift.is_drift:
        raise click.exceptions.Exit(GATE_FAILED)


def _find_drift(selection: StateSelection, is_interrupted: Callable[[], bool]) -> Drift:
    progress = open_progress(TEXT, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    reading, comparing = progress.add_task("states", total=None), progress.add_task("tenants", total=None)

    def states() -> Iterator[StackState]:
        found = read_states(selection, lambda done, count: progress.update(reading, completed=done, total=count))
        for state in found:
            if is_interrupted():
                yield StackState("…", "", problem="interrupted: this state and the states after it were not compared")
                return
            yield state

    with progress:
        return find_drift(
            states(), open_program_account, lambda done, count: progress.update(comparing, completed=done, total=count)
        )


@contextmanager
def _interruptible() -> Generator[Callable[[], bool]]:
    """Keep the result at the first Ctrl-C, and end at once at the second."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if client.process_clock().is_interrupted():
            os._exit(INTERRUPTED)
        client.interrupt()
        os.write(sys.stderr.fileno(), _ENDING)

    with handling_ctrl_c(interrupt):
        yield lambda: client.process_clock().is_interrupted()
