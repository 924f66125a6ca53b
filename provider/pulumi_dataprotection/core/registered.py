"""The resource of the program that declares an item."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.registry import Registry, name_of, resource_key

__all__ = ["Registered"]


class Registered:
    """The items that the program of this run declares in a tenant, as far as it is known when this is created.

    Args:
        tenant: the tenant.
        registry: the resources that the engine asked this process about.
        deleted: the URN of the resource that is deleted, if one is. If the program declares that resource, then the
            command is `destroy --run-program`, and only the ledger counts.
    """

    def __init__(self, tenant: client.TenantCache, registry: Registry, deleted: str = "") -> None:
        self._tenant = tenant
        self._registry = registry
        handover = registry.handover()
        destroys = handover and deleted and handover.has_urn(deleted) and not registry.in_program(deleted)
        self._handover = None if handover is None or destroys or not handover.in_tenant(tenant.id) else handover

    def declared_by(
        self, resource_id: str, *, known_as: Collection[str] = (), own: str | None = None, by_name: bool = True
    ) -> str | None:
        """Return the name of the resource that declares an item; None if no resource does.

        Args:
            resource_id: the id of the item.
            known_as: references that mean the item in the state.
            own: the policy that is to be removed. If the declaring resource wants another policy, and the item has
                both, nobody declares this one: some accounts allow several policies.
            by_name: whether to read the name of the item from the service.
        """
        tenant, key = self._tenant, resource_key(self._tenant.id, resource_id)
        if (known := self._registry.declared_by(key)) is not None:
            wanted = self._registry.wanted(key)
            both = (
                own and wanted and own != wanted and {own, wanted} <= {*tenant.protections.policy_ids_on(resource_id)}
            )
            return None if both else name_of(known)
        if self._handover is None:
            return None
        name = self._handover.declared_by(tenant.id, [resource_id])
        if name is None and by_name:
            try:
                item = tenant.items.find(resource_id, resource_id)
            except (errors.UnresolvedReferenceError, errors.NotFoundError):
                return None
            references = [f"{client.EXTERNAL_ID_PREFIX}{item.external_id}", item.name or "", *known_as]
            name = self._handover.declared_by(tenant.id, references)
        return name

    def still_on(self, passed_on: Mapping[str, str]) -> dict[str, str]:
        """Return the policies that are still on items, and that nobody declares, by the item's id."""
        return {
            id: policy
            for id, policy in passed_on.items()
            if policy in self._tenant.protections.policy_ids_on(id) and self.declared_by(id) is None
        }
