"""Functions for policies."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account

__all__ = ["get_policies", "get_policies_output", "get_policy", "get_policy_output"]


@data_source
def get_policy(tenant_id: str, policy: str, *, profile: str | None = None) -> client.records.Policy:
    """Get one policy of a tenant (operation 14).

    Args:
        tenant_id: the tenant's id.
        policy: the policy's exact id, else its exact name.
        profile: the profile in the settings whose key is used.

    Returns:
        The policy: `id`, `tenant_id`, `name`.

    Raises:
        pulumi.RunError: no policy or several policies match, or they cannot be read; the text says why.
    """
    return open_program_account(profile).tenant(tenant_id).policies.find(policy)


def get_policy_output(
    tenant_id: pulumi.Input[str], policy: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Policy]:
    """Call `get_policy` as soon as its arguments are known."""
    return as_output(get_policy, locals())


@data_source
def get_policies(
    tenant_id: str, *, name: str | None = None, profile: str | None = None
) -> ListResult[client.records.Policy]:
    """List the policies of a tenant (operation 14).

    Args:
        tenant_id: the tenant's id.
        name: only policies with exactly this name.
        profile: the profile in the settings whose key is used.

    Returns:
        Policies.

    Raises:
        pulumi.RunError: the policies cannot be read; the text says why.
    """
    policies = open_program_account(profile).tenant(tenant_id).policies.all()
    return ListResult([policy for policy in policies if name is None or client.same_text(policy.name, name)])


def get_policies_output(
    tenant_id: pulumi.Input[str],
    *,
    name: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Policy]]:
    """Call `get_policies` as soon as its arguments are known."""
    return as_output(get_policies, locals())
