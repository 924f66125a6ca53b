"""The options of `dataprotection adopt`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

__all__ = ["adopt"]


@click.command()
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the project. It must not exist, or it must be empty.",
)
@click.option("--org", "org_ids", multiple=True, help="Only the tenants of this organization, and of all below it.")
@click.option("--tenant", "tenant_ids", multiple=True, help="Only this tenant.")
@click.option(
    "--layout",
    type=click.Choice(["stack-per-customer", "single"]),
    default="stack-per-customer",
    show_default=True,
    help="A stack for each customer, or a single stack.",
)
@click.option(
    "--as",
    "style",
    type=click.Choice(["names", "rules"]),
    default="names",
    show_default=True,
    help="Whether data files list members by name, or have rules that give the policies of today.",
)
@click.option("--own", is_flag=True, help="Let the sets own the policies, so that a destroy removes them.")
@click.option(
    "--on-conflict",
    type=click.Choice(["fail", "accept"]),
    default="fail",
    show_default=True,
    help="Whether any policy of a member will do, because the portal protects people automatically.",
)
@click.option(
    "--check", "checks", is_flag=True, help="Write nothing, and compare the project in --out with the service."
)
@click.option(
    "--update", "updates", is_flag=True, help="Merge the service into the project in --out, and keep edits by hand."
)
@click.option("--force", is_flag=True, help="With --update: overwrite what was edited by hand.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--stack", help="The stack of the current folder's project whose settings count; the selected stack.")
def adopt(
    *,
    out: Path,
    org_ids: tuple[str, ...],
    tenant_ids: tuple[str, ...],
    layout: Literal["stack-per-customer", "single"],
    style: Literal["names", "rules"],
    on_conflict: Literal["fail", "accept"],
    stack: str | None,
    own: bool,
    checks: bool,
    updates: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write a Pulumi project that adopts all that is protected.

    The command writes nothing to the service, and a read-only key is enough. It ends with the preview of the project:
    the number of protections and organizations to adopt, and the number to write, which is 0.
    """
    if checks and (org_ids or tenant_ids):
        raise click.UsageError("Use '--check' without '--org' and '--tenant'.")
    if checks and updates:
        raise click.UsageError("Use only one of '--check' and '--update'.")
    if force and not updates:
        raise click.UsageError("Use '--force' with '--update'.")
    if updates and (own or click.get_current_context().get_parameter_source("layout") != ParameterSource.DEFAULT):
        raise click.UsageError("Use '--update' without '--layout' and '--own', because the project has them.")
    if not all(id.strip() for id in (*org_ids, *tenant_ids)):
        raise click.UsageError("Options '--org' and '--tenant' must not be empty.")
    if own and on_conflict == "accept":
        # docs/guides/portal-auto-protection.md: after a destroy, the portal would assign the policies again.
        raise click.UsageError("Use only one of '--own' and '--on-conflict accept'.")
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.adopt.run import open_run  # noqa: PLC0415 - see above

    with open_run(out, stack, as_json=as_json) as run:
        if checks:
            run.check()
        elif updates:
            run.update(org_ids, tenant_ids, style=style, on_conflict=on_conflict, force=force)
        else:
            run.adopt(layout, org_ids, tenant_ids, style=style, on_conflict=on_conflict, own=own)
