"""The organizations and tenants that a command is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import Account, calls
from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.inventory import LEFT_OUT, OrgTenants, Report, Scope, walk_orgs

__all__ = ["find_orgs"]


def find_orgs(account: Account, tenant_id: str | None, scope: Scope, report: Report) -> Iterator[OrgTenants]:
    """Yield the organizations with their tenants: those of a scope, or one tenant.

    Args:
        account: the account of the key.
        tenant_id: the only tenant; None for the tenants of the scope.
        scope: the scope.
        report: shows what cannot be read, and is left out.

    Raises:
        DataProtectionError: The service lists no installation, or a call failed with another error than `LEFT_OUT`.
    """
    if tenant_id is None:
        for found in walk_orgs(account, scope, report):
            yield found if found.org or not found.id else _named(account, found)
        return
    try:
        yield OrgTenants("", tenants=[account.ask(calls.get_tenant(tenant_id))])
    except LEFT_OUT as error:
        report(f"tenant {printable(tenant_id)}", error)


def _named(account: Account, found: OrgTenants) -> OrgTenants:
    """Read the organization that a walk began with, if it has a tenant: only its id is known."""
    org = Org(id=found.id)
    if found.tenants:
        with suppress(*LEFT_OUT):
            org = account.ask(calls.get_org(found.id))
    return OrgTenants(found.id, org, found.parent_org_id, found.tenants)
