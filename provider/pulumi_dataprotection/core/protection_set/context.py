"""Where an operation on a protection set takes place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.plan import Observed
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.registered import Registered
from pulumi_dataprotection.core.registry import Leavers, Registry, resource_key

__all__ = ["Context"]


@dataclass(frozen=True, slots=True)
class Context:
    """A set, its tenant, and the run.

    Attributes:
        account: the service.
        tenant: the tenant.
        registry: who declares what in this run.
        urn: the set.
    """

    account: client.Account
    tenant: client.TenantCache
    registry: Registry
    urn: str

    @classmethod
    def of(cls, account: client.Account, registry: Registry, tenant_id: str, urn: str) -> Context:
        """Find the tenant and the run of a set."""
        return cls(account, account.tenant(tenant_id), registry, urn)

    def replaced(self) -> Mapping[str, object]:
        """What the state has of the set whose place this one takes; nothing where there is none."""
        outputs = self.registry.outputs(self.urn)
        return outputs if outputs.get("tenant_id") == self.tenant.id else {}

    def begin(self) -> SetState:
        """Return the items that left, and the generation, of a set that is created, perhaps in the place of another."""
        leavers = self.registry.leavers(self.urn)
        if leavers is None or leavers.tenant_id != self.tenant.id:
            leavers = Leavers(self.tenant.id, SetState.of(self.registry.outputs(self.urn)).generation)
            self.registry.note_leavers(self.urn, leavers)
        return SetState(leavers=leavers.removed, generation=leavers.generation, passed_on=leavers.passed_on)

    def key(self, resource_id: str) -> tuple[str, ...]:
        """A resource, as the ledger names it."""
        return resource_key(self.tenant.id, resource_id)

    def note_wanted(self, wanted: Mapping[str, str]) -> None:
        """Tell the other resources of the program which policy the set wants on each member."""
        for resource_id, policy_id in wanted.items():
            self.registry.note_wanted(self.key(resource_id), policy_id)

    def observed(self, resource: client.records.Resource) -> Observed:
        """A resource, without what is on it."""
        return Observed(resource, label=self.tenant.policies.label)

    def label(self, resource_id: str) -> str:
        """A resource as messages name it, also if it does not exist any more."""
        try:
            return f"{self.tenant.items.find(resource_id).name} ({resource_id})"
        except (errors.UnresolvedReferenceError, errors.NotFoundError):
            return resource_id

    def bare(self, resource_ids: Collection[str]) -> list[str]:
        """Those of some members that could be backed up, and have no policy."""
        return [id for id in self.tenant.protections.bare(resource_ids) if not self.tenant.items.find(id, id).archived]

    def undeclared(
        self, policies: Mapping[str, str], *, deleted: str = "", superseded: bool = False, by_name: bool = True
    ) -> dict[str, str]:
        """Return the policies on items that no resource of the program declares, by the item's id.

        Args:
            policies: policies of the set, by the item's id.
            deleted: the URN of the resource that is deleted, if one is.
            superseded: whether a policy is undeclared, too, if the item also has another policy, which is declared.
            by_name: whether to read the names of the items from the service.
        """
        registered = Registered(self.tenant, self.registry, deleted)
        return {
            id: policy
            for id, policy in policies.items()
            if registered.declared_by(id, own=policy if superseded else None, by_name=by_name) is None
        }

    def still_on(self, policies: Mapping[str, str]) -> dict[str, str]:
        """Return the policies that are still on items, and that nobody declares, by the item's id."""
        return Registered(self.tenant, self.registry).still_on(policies)

    def own(self, resource_id: str, shown: Mapping[str, str]) -> set[str]:
        """The policies on a resource that are ours to replace.

        Args:
            resource_id: the resource.
            shown: the policies that the state of the set shows as its own, by the resource's id.
        """
        before = {shown[resource_id]} if resource_id in shown else set[str]()
        return before | self.registry.own(self.key(resource_id))
