"""Look-ups of what can be protected."""

from __future__ import annotations

import unicodedata
from fnmatch import fnmatchcase

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import (
    ListResult,
    later,
    lookup,
    open_program_account,
    program_checks_online,
)

__all__ = [
    "get_resource",
    "get_resource_output",
    "get_resource_stats",
    "get_resource_stats_output",
    "get_resources",
    "get_resources_output",
]


@lookup
def get_resource(tenant_id: str, resource: str, *, profile: str | None = None) -> client.records.Resource:
    """Look up one user, shared drive or other resource of a tenant (operation 16).

    Args:
        tenant_id: the tenant.
        resource: its exact id, else `ext$` and its exact external id, else its name without regard to case.
        profile: the profile of the config whose key is used.

    Returns:
        The resource: `id`, `external_id`, `tenant_id`, `name`, `kind`, `archived`.

    Raises:
        pulumi.RunError: there is none, there are several, or it cannot be read; the text says why.
    """
    return open_program_account(profile).tenant(tenant_id).items.find(resource)


def get_resource_output(
    tenant_id: pulumi.Input[str], resource: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Resource]:
    """As `get_resource`, for arguments that are outputs."""
    return later(get_resource, tenant_id=tenant_id, resource=resource, profile=profile)


@lookup
def get_resources(
    tenant_id: str,
    *,
    kind: str | None = None,
    name: str | None = None,
    archived: bool | None = None,
    protected: bool | None = None,
    profile: str | None = None,
) -> ListResult[client.records.Resource]:
    """List the resources of a tenant (operations 16 and 15), and never a part of them.

    A resource that is protected and missing in the list is looked up by itself (operation 18). If it exists, the list
    is read again, and if it is still missing then, this is an error. `previewChecks=false` turns that off.

    Args:
        tenant_id: the tenant.
        kind: only those of this kind, such as `office_user` or `office_teamdrive`.
        name: only those whose name matches this pattern (`*@contoso.example`), without regard to case.
        archived: only those that are archived, or that are not.
        protected: only those that have a policy, or that have none.
        profile: the profile of the config whose key is used.

    Returns:
        Resources.

    Raises:
        pulumi.RunError: they cannot be read, or the list is incomplete; the text says why.
    """
    tenant = open_program_account(profile).tenant(tenant_id)
    found = tenant.complete_items() if program_checks_online() else tenant.items.all()
    if kind is not None:
        found = [resource for resource in found if resource.kind == kind]
    if name is not None:
        found = [resource for resource in found if matches_name(resource, name)]
    if archived is not None:
        found = [resource for resource in found if bool(resource.archived) == archived]
    if protected is not None:
        on = {protection.resource_id for protection in tenant.protections.all()}
        found = [resource for resource in found if (resource.id in on) == protected]
    return ListResult(found)


def get_resources_output(
    tenant_id: pulumi.Input[str],
    *,
    kind: pulumi.Input[str] | None = None,
    name: pulumi.Input[str] | None = None,
    archived: pulumi.Input[bool] | None = None,
    protected: pulumi.Input[bool] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Resource]]:
    """As `get_resources`, for arguments that are outputs."""
    return later(
        get_resources,
        tenant_id=tenant_id,
        kind=kind,
        name=name,
        archived=archived,
        protected=protected,
        profile=profile,
    )


@lookup
def get_resource_stats(tenant_id: str, *, profile: str | None = None) -> client.records.ResourceStats:
    """Look up how many resources of each kind a tenant has, and how many of them are protected (operation 17).

    Args:
        tenant_id: the tenant.
        profile: the profile of the config whose key is used.

    Returns:
        In `tenants` the statistics of the tenant: by kind in `resource_details`, over all in `resources_total`, with
        `count` and `protected_count`, and over all with `size_total` in KB.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    return open_program_account(profile).ask(client.calls.get_resource_stats(tenant_id))


def get_resource_stats_output(
    tenant_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.ResourceStats]:
    """As `get_resource_stats`, for arguments that are outputs."""
    return later(get_resource_stats, tenant_id=tenant_id, profile=profile)


def matches_name(resource: client.records.Resource, pattern: str) -> bool:
    """Whether the name of a resource matches a pattern, without regard to case and to the Unicode form of either."""
    return fnmatchcase(_comparable(resource.name or ""), _comparable(pattern))


def _comparable(text: str) -> str:
    # Composed, so that a letter with its marks is one for the pattern's `?`.
    return unicodedata.normalize("NFC", text.casefold())
