"""The options of `dataprotection drift`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pulumi_dataprotection.cli.options import format_options, state_options

if TYPE_CHECKING:
    from pulumi_dataprotection.inventory import StateSelection

__all__ = ["drift"]


@click.command()
@state_options
@click.option("--stack", help="The stack of the current folder's project whose settings count; the selected stack.")
@format_options
def drift(*, states: StateSelection | None, stack: str | None, output_format: str) -> None:
    """Compare the states of stacks with the service, without a program and without an engine.

    By default, these are all stacks of the project in the current folder.

    The command changes neither the service nor a state. It exits with 0 if each state is in step, with 7 if a refresh
    would change a state, and with 1 if anything could not be read.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.drift.run import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.states import select_states  # noqa: PLC0415 - see above

    run(states or select_states((), (), ()), stack, output_format)
