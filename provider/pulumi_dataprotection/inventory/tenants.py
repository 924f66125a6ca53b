"""The tenants of a command that runs for several tenants."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import Account, calls, errors
from pulumi_dataprotection.client.records import Tenant

__all__ = ["LEFT_OUT", "Report", "Scope", "find_tenants"]

LEFT_OUT = (
    errors.ForbiddenError,
    errors.NotFoundError,
    errors.UnresolvedReferenceError,
    errors.IncompleteListError,
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


def find_tenants(account: Account, scope: Scope, report: Report) -> Iterator[Tenant]:
    """Yield the tenants of a scope as they are listed, each once, without deleted tenants.

    Args:
        account: the account of the key.
        scope: the scope.
        report: shows an organization or a tenant that cannot be read, which is left out.

    Raises:
        DataProtectionError: The service lists no installation, or a call failed with another error than `LEFT_OUT`.
    """
    if scope.org_id is not None:
        tenants = _below(account, scope.org_id, report, recursive=scope.recursive)
    else:
        account.require_installation()
        tenants = _installed(account, report)
    seen: set[str] = set()
    for tenant in tenants:
        if not tenant.deleted and tenant.id not in seen:
            seen.add(tenant.id)
            yield tenant


def _installed(account: Account, report: Report) -> Iterator[Tenant]:
    for installation in account.installations():
        if installation.org_id:
            yield from _below(account, installation.org_id, report, recursive=True)
        elif installation.tenant_id:
            found: list[Tenant] = []
            with _left_out(f"tenant {printable(installation.tenant_id)}", report):
                found = [account.ask(calls.get_tenant(installation.tenant_id))]
            yield from found


def _below(account: Account, org_id: str, report: Report, *, recursive: bool) -> Iterator[Tenant]:
    org_ids = [org_id]
    # The list grows while it is read. The service may answer with a cycle.
    for id in org_ids:
        tenants: list[Tenant] = []
        with _left_out(f"the tenants of organization {printable(id)}", report):
            tenants = account.ask(calls.list_tenants(id))
        yield from tenants
        if recursive:
            with _left_out(f"the organizations below {printable(id)}", report):
                org_ids += [org.id for org in account.children(id) if org.id not in org_ids]


@contextmanager
def _left_out(what: str, report: Report) -> Generator[None]:
    try:
        yield
    except LEFT_OUT as error:
        report(what, error)
