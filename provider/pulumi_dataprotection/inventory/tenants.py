"""The tenants of a command that runs for several tenants."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import Account, calls, errors
from pulumi_dataprotection.client.records import Org, Tenant

__all__ = ["LEFT_OUT", "OrgTenants", "Report", "Scope", "find_tenants", "tenant_label", "walk_orgs"]

LEFT_OUT = (
    errors.AnswerError,
    errors.ForbiddenError,
    errors.IncompleteListError,
    errors.InvalidArgumentError,
    errors.InvalidIdError,
    errors.NotFoundError,
    errors.UnresolvedReferenceError,
)
"""The errors of one tenant or organization, after which the others are read all the same."""

Report = Callable[[str, object], None]
"""Shows what is left out, and the error."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The tenants that a command is run for.

    Attributes:
        org_id: the organization that owns the tenants; None for all tenants that the key reaches.
        recursive: whether the tenants of all organizations below are meant too.
    """

    org_id: str | None
    recursive: bool


@dataclass(frozen=True, slots=True)
class OrgTenants:
    """An organization and its tenants.

    Attributes:
        id: the id of the organization; empty for a tenant that the key is installed for.
        org: the organization; None if the walk began with it, or if there is none.
        parent_org_id: the organization above it; empty if the walk began with it.
        tenants: its tenants, without deleted tenants and those of earlier organizations.
    """

    id: str
    org: Org | None = None
    parent_org_id: str = ""
    tenants: Sequence[Tenant] = ()


def tenant_label(tenant: Tenant) -> str:
    """Return a tenant as messages name it."""
    name = f' "{printable(tenant.name)}"' if tenant.name else ""
    return f"tenant {printable(tenant.id)}{name}"


def find_tenants(account: Account, scope: Scope, report: Report) -> Iterator[Tenant]:
    """Yield the tenants of a scope as they are listed, each once, without deleted tenants.

    Args:
        account: the account of the key.
        scope: the scope.
        report: shows an organization or a tenant that cannot be read, which is left out.

    Raises:
        DataProtectionError: The service lists no installation, or a call failed with another error than `LEFT_OUT`.
    """
    for found in walk_orgs(account, scope, report):
        yield from found.tenants


def walk_orgs(account: Account, scope: Scope, report: Report) -> Iterator[OrgTenants]:
    """Yield the organizations of a scope, each once and before those below it, and each tenant once.

    Args:
        account: the account of the key.
        scope: the scope.
        report: shows an organization or a tenant that cannot be read, which is left out.

    Raises:
        DataProtectionError: As `find_tenants`.
    """
    if scope.org_id is not None:
        walk = _below(account, scope.org_id, report, recursive=scope.recursive)
    else:
        account.require_installation()
        walk = _installed(account, report)
    tenant_ids: set[str] = set()
    org_ids: set[str] = set()
    for found in walk:
        tenants = {tenant.id: tenant for tenant in found.tenants if not tenant.deleted and tenant.id not in tenant_ids}
        tenant_ids.update(tenants)
        if found.id not in org_ids or tenants:
            org_ids.add(found.id)
            yield replace(found, tenants=[*tenants.values()])


def _installed(account: Account, report: Report) -> Iterator[OrgTenants]:
    for installation in account.installations():
        if installation.org_id:
            yield from _below(account, installation.org_id, report, recursive=True)
        elif installation.tenant_id:
            tenants: list[Tenant] = []
            with _left_out(f"tenant {printable(installation.tenant_id)}", report):
                tenants = [account.ask(calls.get_tenant(installation.tenant_id))]
            yield OrgTenants("", tenants=tenants)


def _below(account: Account, org_id: str, report: Report, *, recursive: bool) -> Iterator[OrgTenants]:
    orgs = {org_id: OrgTenants(org_id)}
    order = [org_id]
    # The list grows while it is read. The service may answer with a cycle.
    for id in order:
        tenants: list[Tenant] = []
        with _left_out(f"the tenants of organization {printable(id)}", report):
            tenants = account.ask(calls.list_tenants(id))
        yield replace(orgs[id], tenants=tenants)
        if recursive:
            with _left_out(f"the organizations below {printable(id)}", report):
                children = {org.id: OrgTenants(org.id, org, id) for org in account.children(id) if org.id not in orgs}
                orgs |= children
                order += children


@contextmanager
def _left_out(what: str, report: Report) -> Generator[None]:
    try:
        yield
    except LEFT_OUT as error:
        report(what, error)
