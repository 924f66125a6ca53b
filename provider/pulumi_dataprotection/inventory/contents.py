"""The contents of one tenant: its items, its policies, and the policies on each item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.records import Policy, Resource, Tenant

__all__ = ["TenantContents", "open_contents", "read_contents"]


@dataclass(frozen=True, slots=True)
class TenantContents:
    """The contents of one tenant at one time.

    Attributes:
        tenant: the tenant.
        items: the items that can be protected, archived items too.
        policies: the policies by their ids.
        policy_ids: the ids of the policies on each protected item, by the item's id; normally one. An item can be
            missing in `items`: its protection outlived it.
    """

    tenant: Tenant
    items: Sequence[Resource]
    policies: Mapping[str, Policy]
    policy_ids: Mapping[str, Sequence[str]]

    def policy_name(self, policy_id: str) -> str:
        """Return the name of a policy; its id if the name is unknown or if several policies have it."""
        name = self.policies[policy_id].name if policy_id in self.policies else None
        unique = sum(policy.name == name for policy in self.policies.values()) == 1
        return name if name and unique else policy_id


@contextmanager
def open_contents(account: Account, tenant: Tenant) -> Generator[TenantContents]:
    """Read the contents of a tenant (operations 14 to 17), and forget what the account knows of it at the end.

    Args:
        account: the account of the key.
        tenant: the tenant.

    Raises:
        IncompleteListError: A list lacks items that exist.
        CallError: The tenant cannot be read.
        CanceledError: The process is to end.
    """
    cache = account.tenant(tenant.id)
    try:
        cache.protections.read_ahead()
        items = cache.complete_items()
        policies = {policy.id: policy for policy in cache.policies.all()}
        policy_ids: defaultdict[str, list[str]] = defaultdict(list)
        for protection in cache.protections.complete():
            policy_ids[protection.resource_id].append(protection.policy_id)
        yield TenantContents(tenant, items, policies, dict(policy_ids))
    finally:
        cache.protections.end_read_ahead()
        account.forget_tenants()


def read_contents(account: Account, tenant: Tenant) -> TenantContents:
    """Read the contents of a tenant as `open_contents` does, and forget what the account knows of it."""
    with open_contents(account, tenant) as contents:
        return contents
