"""Functions for tenants."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account
from pulumi_dataprotection.functions.orgs import find_orgs_below

__all__ = [
    "get_tenant",
    "get_tenant_output",
    "get_tenant_quotas",
    "get_tenant_quotas_output",
    "get_tenants",
    "get_tenants_output",
]


@data_source
def get_tenant(
    id: str | None = None, *, name: str | None = None, org_id: str | None = None, profile: str | None = None
) -> client.records.Tenant:
    """Get one tenant, by its id (operation 8) or by its name in an organization (operation 5).

    Args:
        id: the tenant's id.
        name: the exact name of a tenant that is not deleted; it needs the organization too.
        org_id: the id of the organization that owns the tenant.
        profile: the profile in the settings whose key is used.

    Returns:
        The tenant: `id`, `external_id`, `kind`, `name`, `region`, `deleted`, and in `fields` everything that the
        service sent.

    Raises:
        pulumi.RunError: no tenant or several tenants match, or they cannot be read; the text says why.
    """
    if (id is None) == (name is None) or (name is None) != (org_id is None):
        raise errors.DataProtectionError("give either id, or name and org_id")
    account = open_program_account(profile)
    if id is not None:
        return account.ask(client.calls.get_tenant(id))
    tenants = _tenants_of(account, org_id or "")
    matches = [tenant for tenant in tenants if client.same_text(tenant.name, name) and not tenant.deleted]
    if len(matches) == 1:
        return matches[0]
    if matches:
        ids = ", ".join(printable(match.id) for match in matches)
        raise errors.AmbiguousReferenceError(
            f'"{printable(name)}" is the name of {len(matches)} tenants of {printable(org_id)}: {ids}'
        )
    known = (
        ", ".join(f'"{printable(tenant.name)}"{" (deleted)" if tenant.deleted else ""}' for tenant in tenants) or "none"
    )
    raise errors.ReferenceNotFoundError(
        f'no tenant "{printable(name)}" in the organization {printable(org_id)}; there are: {known}'
    )


def get_tenant_output(
    id: pulumi.Input[str] | None = None,
    *,
    name: pulumi.Input[str] | None = None,
    org_id: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[client.records.Tenant]:
    """Call `get_tenant` as soon as its arguments are known."""
    return as_output(get_tenant, locals())


@data_source
def get_tenants(
    org_id: str, *, recursive: bool = False, deleted: bool | None = False, profile: str | None = None
) -> ListResult[client.records.Tenant]:
    """List the tenants of an organization (operation 5), by default without deleted tenants.

    Args:
        org_id: the organization's id.
        recursive: include the tenants of all organizations below.
        deleted: whether the tenants are deleted, and cannot be queried any more; None for both.
        profile: the profile in the settings whose key is used.

    Returns:
        Tenants, in the order of their organizations.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    account = open_program_account(profile)
    tenants = find_tenants(account, org_id, recursive=recursive)
    return ListResult(
        [tenant for _, found in tenants for tenant in found if deleted is None or tenant.deleted == deleted]
    )


def get_tenants_output(
    org_id: pulumi.Input[str],
    *,
    recursive: pulumi.Input[bool] = False,
    deleted: pulumi.Input[bool] | None = False,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Tenant]]:
    """Call `get_tenants` as soon as its arguments are known."""
    return as_output(get_tenants, locals())


@data_source
def get_tenant_quotas(tenant_id: str, *, profile: str | None = None) -> client.records.TenantQuotas:
    """Get the quotas of a tenant and their use (operation 9).

    Args:
        tenant_id: the tenant's id.
        profile: the profile in the settings whose key is used.

    Returns:
        In `quotas` the limits, each with `kind`, `used`, `limit`, `units`, `exceeded` and `unlimited`; in `fields`
        everything that the service sent.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    return open_program_account(profile).ask(client.calls.get_tenant_quotas(tenant_id))


def get_tenant_quotas_output(
    tenant_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.TenantQuotas]:
    """Call `get_tenant_quotas` as soon as its arguments are known."""
    return as_output(get_tenant_quotas, locals())


def find_tenants(
    account: client.Account, org_id: str, *, recursive: bool
) -> list[tuple[str, list[client.records.Tenant]]]:
    """Return the tenants of an organization, and if recursive of all organizations below, by organization."""
    below = find_orgs_below(account, org_id, recursive=True) if recursive else []
    org_ids = [org_id, *(org.id for org in below)]
    with ThreadPoolExecutor(account.client.settings.concurrency) as threads:
        return [*zip(org_ids, threads.map(client.in_context(partial(_tenants_of, account)), org_ids), strict=True)]


def _tenants_of(account: client.Account, org_id: str) -> list[client.records.Tenant]:
    return account.ask(client.calls.list_tenants(org_id))
