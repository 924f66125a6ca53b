"""The options of `dataprotection licences`."""

from __future__ import annotations

import click

__all__ = ["licences"]


@click.command()
@click.option("--tenant", "tenant_id", metavar="ID", help="Only this tenant.")
@click.option("--org", "org_id", metavar="ID", help="Only the tenants of this organization.")
@click.option("--recursive", is_flag=True, help="Include the tenants of all organizations below --org.")
@click.option("--profile", metavar="NAME", help="The profile in the settings whose key is used.")
@click.option(
    "--stack",
    metavar="NAME",
    help="The stack of the current folder's project whose settings count; the selected stack.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "csv", "md"]),
    default="table",
    show_default=True,
    help="A table for people, JSON or CSV for programs, Markdown for a pull request.",
)
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
    if tenant_id is not None and org_id is not None:
        raise click.UsageError("Use only one of '--tenant' and '--org'.")
    if recursive and org_id is None:
        raise click.UsageError("Option '--recursive' needs '--org'.")
    if not all(value is None or value.strip() for value in (tenant_id, org_id)):
        raise click.UsageError("Options '--tenant' and '--org' must not be empty.")
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.licences.run import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.inventory import Scope  # noqa: PLC0415 - see above

    run(tenant_id or Scope(org_id, recursive), output_format, profile=profile, stack=stack)
