"""A run of `dataprotection drift`: its settings, its progress, and its exit status."""

from __future__ import annotations

import click
from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.ctrl_c import keeping_result_at_ctrl_c
from pulumi_dataprotection.cli.drift.output import FORMATS
from pulumi_dataprotection.cli.estate import GATE_FAILED, TEXT, open_progress
from pulumi_dataprotection.cli.stack_settings import load_stack_config
from pulumi_dataprotection.cli.states import read_until_ctrl_c
from pulumi_dataprotection.fleet.drift import find_drift
from pulumi_dataprotection.fleet.drift_records import Drift
from pulumi_dataprotection.functions._data_source import open_program_account
from pulumi_dataprotection.inventory import StateSelection

__all__ = ["run"]

_UNREADABLE = 1
"""The exit status if something could not be read."""


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
    with keeping_result_at_ctrl_c():
        load_stack_config(stack)
        drift = _find_drift(selection)
        for text in FORMATS[output_format](drift):
            click.echo(text, nl=False)
        if not drift.is_complete:
            client.process_clock().check()
            raise click.exceptions.Exit(_UNREADABLE)
    if drift.is_drift:
        raise click.exceptions.Exit(GATE_FAILED)


def _find_drift(selection: StateSelection) -> Drift:
    progress = open_progress(TEXT, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    reading, comparing = progress.add_task("states", total=None), progress.add_task("tenants", total=None)
    states = read_until_ctrl_c(selection, lambda done, count: progress.update(reading, completed=done, total=count))
    with progress:
        return find_drift(
            states, open_program_account, lambda done, count: progress.update(comparing, completed=done, total=count)
        )
