"""The options of `dataprotection licences`."""

from __future__ import annotations

import click

from pulumi_dataprotection.cli.options import estate_options, format_options

__all__ = ["licences"]


@click.command()
@estate_options
@format_options
def licences(
    *,
    tenant_id: str | None,
    org_id: str | None,
    recursive: bool,
    profile: str | None,
    stack: str | None,
    output_format: str,
) -> None:
    """List limit, use and free units of the licences of all tenants, exceeded limits first.

    The command only reads. It exits with 7 if a limit is exceeded, and with 1 if a tenant could not be read.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.estate import Choice  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.licences.run import run  # noqa: PLC0415 - see above

    choice = Choice(tenant_id=tenant_id, org_id=org_id, recursive=recursive, profile=profile, stack=stack)
    run(choice, output_format)
