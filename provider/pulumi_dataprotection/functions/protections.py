"""Look-ups of protections: which policy is on which resource."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import ListResult, later, lookup, open_program_account

__all__ = ["get_protection", "get_protection_output", "get_protections", "get_protections_output"]


@lookup
def get_protection(tenant_id: str, resource: str, *, profile: str | None = None) -> client.records.Protection:
    """Look up what protects one resource of a tenant (operation 15).

    Args:
        tenant_id: the tenant.
        resource: the resource's exact id, else `ext$` and its exact external id, else its name without regard to case.
        profile: the profile of the config whose key is used.

    Returns:
        The protection: `id`, `resource_id`, `policy_id`, `job_id`.

    Raises:
        pulumi.RunError: there is none, there are several, or it cannot be read; the text says why.
    """
    tenant = open_program_account(profile).tenant(tenant_id)
    found = tenant.items.find(resource)
    protections = tenant.protections.of(found.id)
    if len(protections) == 1:
        return protections[0]
    what = f'"{resource}" ({found.id}) in tenant {tenant_id}'
    if not protections:
        raise errors.ReferenceNotFoundError(f"nothing protects {what}; get_protections lists what is protected")
    policies = ", ".join(tenant.policies.label(protection.policy_id) for protection in protections)
    raise errors.AmbiguousReferenceError(
        f"{len(protections)} policies protect {what}: {policies}. Choose from what get_protections lists"
    )


def get_protection_output(
    tenant_id: pulumi.Input[str], resource: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Protection]:
    """As `get_protection`, for arguments that are outputs."""
    return later(get_protection, tenant_id=tenant_id, resource=resource, profile=profile)


@lookup
def get_protections(tenant_id: str, *, profile: str | None = None) -> ListResult[client.records.Protection]:
    """List the protections of a tenant (operation 15).

    Args:
        tenant_id: the tenant.
        profile: the profile of the config whose key is used.

    Returns:
        Protections.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    return ListResult(open_program_account(profile).tenant(tenant_id).protections.all())


def get_protections_output(
    tenant_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Protection]]:
    """As `get_protections`, for arguments that are outputs."""
    return later(get_protections, tenant_id=tenant_id, profile=profile)
