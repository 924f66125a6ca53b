"""Functions for resources: users, shared drives and other items that can be protected."""

from __future__ import annotations

import unicodedata
from fnmatch import fnmatchcase

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import (
    ListResult,
    as_output,
    data_source,
    open_program_account,
    program_checks_online,
)
from pulumi_dataprotection.functions.protections import list_protections

__all__ = [
    "get_resource",
    "get_resource_output",
    "get_resource_stats",
    "get_resource_stats_output",
    "get_resources",
    "get_resources_output",
]


@data_source
def get_resource(tenant_id: str, resource: str, *, profile: str | None = None) -> client.records.Resource:
    """Get one user, shared drive or other resource of a tenant (operation 16).

    Args:
        tenant_id: the tenant's id.
        resource: the exact id, else ext$ and the exact external id, else the name without regard to case.
        profile: the profile in the settings whose key is used.

    Returns:
        The resource: `id`, `external_id`, `tenant_id`, `name`, `kind`, `archived`.

    Raises:
        pulumi.RunError: no resource or several resources match, or they cannot be read; the text says why.
    """
    return open_program_account(profile).tenant(tenant_id).items.find(resource)


def get_resource_output(
    tenant_id: pulumi.Input[str], resource: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Resource]:
    """Call `get_resource` as soon as its arguments are known."""
    return as_output(get_resource, locals())


@data_source
def get_resources(
    tenant_id: str,
    *,
    kind: str | None = None,
    name: str | None = None,
    archived: bool | None = None,
    protected: bool | None = None,
    profile: str | None = None,
) -> ListResult[client.records.Resource]:
    """List all resources of a tenant, or those that meet conditions (operations 16 and 15).

    If the service's list lacks a protected resource, the resource is read directly (operation 18). If it exists, the
    list is read again, and an error if the resource is still missing. With `protected`, the service's counts
    (operation 17) are the witness of its protections. `previewChecks=false` turns these checks off.

    Args:
        tenant_id: the tenant's id.
        kind: only resources of this kind, such as office_user or office_teamdrive.
        name: only resources whose name matches this pattern, such as *@contoso.example, without regard to case.
        archived: only resources that are archived, or only those that are not archived.
        protected: only resources with a policy, or only those without a policy.
        profile: the profile in the settings whose key is used.

    Returns:
        Resources.

    Raises:
        pulumi.RunError: the resources cannot be read, or the list is incomplete; the text says why.
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
        on = {protection.resource_id for protection in list_protections(tenant)}
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
    """Call `get_resources` as soon as its arguments are known."""
    return as_output(get_resources, locals())


@data_source
def get_resource_stats(tenant_id: str, *, profile: str | None = None) -> client.records.ResourceStats:
    """Count the resources of a tenant by kind, and those of them that are protected (operation 17).

    Args:
        tenant_id: the tenant's id.
        profile: the profile in the settings whose key is used.

    Returns:
        In `tenants` the statistics of the tenant: by kind in `resource_details`, over all in `resources_total`, with
        `count` and `protected_count`, and over all with `size_total` in KB.

    Raises:
        pulumi.RunError: the counts cannot be read; the text says why.
    """
    return open_program_account(profile).ask(client.calls.get_resource_stats(tenant_id))


def get_resource_stats_output(
    tenant_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.ResourceStats]:
    """Call `get_resource_stats` as soon as its arguments are known."""
    return as_output(get_resource_stats, locals())


def matches_name(resource: client.records.Resource, pattern: str) -> bool:
    """Return whether the name of a resource matches a pattern, without regard to case and Unicode form."""
    return fnmatchcase(comparable(resource.name or ""), comparable(pattern))


def comparable(text: str) -> str:
    """Return the form of a name in which patterns are compared."""
    # Composed, so that a letter with its marks is one character for the pattern's `?`.
    return unicodedata.normalize("NFC", text.casefold())
