"""The options of `dataprotection coverage`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pulumi_dataprotection.cli.options import estate_options, format_options, ignore_option, state_options

if TYPE_CHECKING:
    from pulumi_dataprotection.cli.estate import Choice
    from pulumi_dataprotection.inventory import StateSelection

__all__ = ["coverage"]


@click.command()
@estate_options
@state_options
@ignore_option
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Exit with 7 if fewer items than this percentage have a policy.",
)
@click.option(
    "--max-unprotected",
    type=click.IntRange(0),
    metavar="NUMBER",
    help="Exit with 7 if more items than this number have no policy.",
)
@format_options
def coverage(
    *,
    choice: Choice,
    states: StateSelection | None,
    ignore_file: Path | None,
    fail_under: float | None,
    max_unprotected: int | None,
    output_format: str,
) -> None:
    """Count the items with and without a policy, by organization, tenant and kind.

    By default this counts all tenants that the key reaches. With --stacks, --project or --state, policies that a stack
    declares are counted apart from policies that were assigned in the portal.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.coverage.run import Gates, run  # noqa: PLC0415 - see above

    run(choice, states, ignore_file, Gates(fail_under, max_unprotected), output_format)
