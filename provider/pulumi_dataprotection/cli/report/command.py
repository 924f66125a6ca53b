"""The options of `dataprotection report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pulumi_dataprotection.cli.options import estate_options, ignore_option, state_options

if TYPE_CHECKING:
    from pulumi_dataprotection.cli.estate import Choice
    from pulumi_dataprotection.inventory import StateSelection

__all__ = ["report"]


@click.command()
@click.option(
    "--out",
    "outs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write: .html for people, .md for a comment, .json for programs. Repeat it for more files.",
)
@estate_options
@state_options
@ignore_option
@click.option(
    "--days",
    type=click.IntRange(1, 31),
    default=7,
    show_default=True,
    help="The number of days whose failed tasks are counted.",
)
@click.option(
    "--since",
    "since_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An earlier report as JSON: the new report shows the changes and the trend.",
)
@click.option("--anonymous", is_flag=True, help="Replace all names and ids by aliases.")
def report(
    *,
    outs: tuple[Path, ...],
    choice: Choice,
    states: StateSelection | None,
    ignore_file: Path | None,
    days: int,
    since_file: Path | None,
    anonymous: bool,
) -> None:
    """Write a report of all customers: coverage, licences, failed tasks, and the changes since an earlier report."""
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.report.run import Wish, run  # noqa: PLC0415 - see above

    run(choice, Wish(outs, states, ignore_file, days, since_file, anonymous))
