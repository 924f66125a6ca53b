"""Functions for protections, which connect a resource with its policy."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import (
    ListResult,
    as_output,
    data_source,
    open_program_account,
    program_checks_online,
)

__all__ = ["get_protection", "get_protection_output", "get_protections", "get_protections_output"]


@data_source
def get_protection(tenant_id: str, resource: str, *, profile: str | None = None) -> client.records.Protection:
    """Get the protection of one resource of a tenant (operation 15).

    Args:
        tenant_id: the tenant's id.
        resource: the exact id, else ext$ and the exact external id, else the name without regard to case.
        profile: the profile in the settings whose key is used.

    Returns:
        The protection: `id`, `resource_id`, `policy_id`, `job_id`.

    Raises:
        pulumi.RunError: the resource has no protection or several, or they cannot be read; the text says why.
    """
    tenant = open_program_account(profile).tenant(tenant_id)
    found = tenant.items.find(resource)
    protections = tenant.protections.of(found.id)
    if len(protections) == 1:
        return protections[0]
    protected = f'"{printable(resource)}" ({printable(found.id)}) in tenant {printable(tenant_id)}'
    if not protections:
        raise errors.ReferenceNotFoundError(
            f"no policy protects {protected}. List all protections with get_protections"
        )
    policies = ", ".join(tenant.policies.label(protection.policy_id) for protection in protections)
    raise errors.AmbiguousReferenceError(
        f"{len(protections)} policies protect {protected}: {policies}. Choose one with get_protections"
    )


def get_protection_output(
    tenant_id: pulumi.Input[str], resource: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Protection]:
    """Call `get_protection` as soon as its arguments are known."""
    return as_output(get_protection, locals())


@data_source
def get_protections(tenant_id: str, *, profile: str | None = None) -> ListResult[client.records.Protection]:
    """List the protections of a tenant (operations 15 and 17).

    The service's counts are the witness of its list: if the list is shorter by more than a tenth, it is read again, and
    an error if it is still too short. `previewChecks=false` turns this check off.

    Args:
        tenant_id: the tenant's id.
        profile: the profile in the settings whose key is used.

    Returns:
        Protections.

    Raises:
        pulumi.RunError: the protections cannot be read, or the list is incomplete; the text says why.
    """
    return ListResult(list_protections(open_program_account(profile).tenant(tenant_id)))


def list_protections(tenant: client.TenantCache) -> list[client.records.Protection]:
    """Return the protections of a tenant, and never a small part of them unless the program turns that check off."""
    return tenant.protections.complete() if program_checks_online() else tenant.protections.all()


def get_protections_output(
    tenant_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Protection]]:
    """Call `get_protections` as soon as its arguments are known."""
    return as_output(get_protections, locals())
