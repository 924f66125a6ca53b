"""The options of `dataprotection drift`."""

from __future__ import annotations

from pathlib import Path

import click

from pulumi_dataprotection.cli.options import format_options, state_options

__all__ = ["drift"]


@click.command()
@state_options
@click.option("--stack", help="The stack of the current folder's project whose settings count; the selected stack.")
@format_options
def drift(
    *,
    stacks: tuple[str, ...],
    projects: tuple[Path, ...],
    files: tuple[str, ...],
    stack: str | None,
    output_format: str,
) -> None:
    """Compare the states of stacks with the service, without a program and without an engine.

    By default, these are all stacks of the project in the current folder.

    The command changes neither the service nor a state. It exits with 0 if each state is in step, with 7 if a refresh
    would change a state, and with 1 if anything could not be read.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.drift.run import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.states import select_states  # noqa: PLC0415 - see above

    run(select_states(stacks or ("*",), projects, files), stack, output_format)
