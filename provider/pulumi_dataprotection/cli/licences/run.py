"""A run of `dataprotection licences`: the walk over the tenants, its output, and its exit status."""

from __future__ import annotations

from collections.abc import Iterator

import click

from pulumi_dataprotection.cli.estate import GATE_FAILED, Choice, Estate, open_estate
from pulumi_dataprotection.cli.get.formats import FORMATS, Block
from pulumi_dataprotection.cli.get.layout import Layout
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.client.records import Tenant
from pulumi_dataprotection.core.tenant_licence import TenantLicence
from pulumi_dataprotection.fleet.estate import find_orgs
from pulumi_dataprotection.fleet.licences import most_used_first, read_licences
from pulumi_dataprotection.inventory import find_tenants

__all__ = ["run"]


def run(choice: Choice, output_format: str) -> None:
    """Read the licences of tenants one tenant after the other, and print them at the end.

    Args:
        choice: the tenants and the settings.
        output_format: a key of `FORMATS`.

    Raises:
        click.ClickException: A call failed; the licences that were read before it are printed.
        click.exceptions.Exit: A tenant was left out, or a limit is exceeded.
    """
    found: list[list[TenantLicence]] = []
    failure: DataProtectionError | None = None
    with open_estate(choice) as estate:
        try:
            found.extend(read_licences(estate.account, _tenants(estate, choice), estate.leave_out))
        except DataProtectionError as error:
            failure = error
        licences = most_used_first(licence for of_tenant in found for licence in of_tenant)
        if found or not (estate.unseen or failure):
            for text in FORMATS[output_format](Layout.of(TenantLicence), (), [Block(licences, {}, is_list=True)]):
                estate.echo(text)
            estate.tell(_summary(licences, tenants=len(found)))
        if failure:
            raise failure
    if estate.unseen:
        raise click.exceptions.Exit(1)
    if any(licence.exceeded for licence in licences):
        raise click.exceptions.Exit(GATE_FAILED)


def _tenants(estate: Estate, choice: Choice) -> Iterator[Tenant]:
    tenants = find_tenants(estate.account, choice.scope, estate.leave_out)
    if choice.tenant_id is not None:
        orgs = find_orgs(estate.account, choice.tenant_id, choice.scope, estate.leave_out)
        tenants = (tenant for org in orgs for tenant in org.tenants)
    for number, tenant in enumerate(tenants, 1):
        estate.show_tenant(number, tenant)
        yield tenant


def _summary(licences: list[TenantLicence], *, tenants: int) -> str:
    exceeded = sum(bool(licence.exceeded) for licence in licences)
    used_up = sum(licence.free == 0 and not licence.exceeded for licence in licences)
    return f"tenants: {tenants:,}, licences: {len(licences):,}, exceeded: {exceeded:,}, used up: {used_up:,}"
