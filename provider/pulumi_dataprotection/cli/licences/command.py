"""The options of `dataprotection licences`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pulumi_dataprotection.cli.options import estate_options, format_options

if TYPE_CHECKING:
    from pulumi_dataprotection.cli.estate import Choice

__all__ = ["licences"]


@click.command()
@estate_options
@format_options
def licences(*, choice: Choice, output_format: str) -> None:
    """List limit, use and free units of the licences of all tenants, exceeded limits first.

    The command only reads. It exits with 7 if a limit is exceeded, and with 1 if a tenant could not be read.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.licences.run import run  # noqa: PLC0415 - see above

    run(choice, output_format)
