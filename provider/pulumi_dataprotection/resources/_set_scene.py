"""Where an operation on a protection set takes place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.resources._ledger import Ledger, ledger_of
from pulumi_dataprotection.resources._planner import Observed
from pulumi_dataprotection.resources._protection_inputs import thing_of

__all__ = ["Scene"]


@dataclass(frozen=True, slots=True)
class Scene:
    """A set, its tenant, and the run.

    Attributes:
        estate: the service.
        view: the tenant.
        ledger: who declares what in this run.
        urn: the set.
    """

    estate: client.Estate
    view: client.TenantView
    ledger: Ledger
    urn: str

    @classmethod
    def of(cls, estate: client.Estate, tenant_id: str, urn: str) -> Scene:
        """Find the tenant and the run of a set."""
        return cls(estate, estate.tenant(tenant_id), ledger_of(estate), urn)

    def replaced(self) -> Mapping[str, object]:
        """What the state has of the set whose place this one takes; nothing where there is none."""
        outputs = self.ledger.outputs(self.urn)
        return outputs if outputs.get("tenant_id") == self.view.id else {}

    def thing(self, resource_id: str) -> tuple[str, ...]:
        """A resource, as the ledger names it."""
        return thing_of(self.view.id, resource_id)

    def observed(self, resource: client.records.Resource) -> Observed:
        """A resource, without what is on it."""
        return Observed(resource, label=self.view.policy_label)

    def label(self, resource_id: str) -> str:
        """A resource as messages name it, also if it does not exist any more."""
        try:
            return f"{self.view.resource(resource_id).name} ({resource_id})"
        except (errors.UnresolvedReferenceError, errors.NotFoundError):
            return resource_id

    def bare(self, resource_ids: Collection[str]) -> list[str]:
        """Those of some members that could be backed up, and have no policy."""
        return [id for id in self.view.bare_resources(resource_ids) if not self.view.resource(id, id).archived]

    def declared_elsewhere(self, resource_ids: Collection[str], *, by_name: bool = True) -> set[str]:
        """Those of some resources that another resource of the program declares, or is about to.

        Args:
            resource_ids: the resources.
            by_name: whether to look up the names that the program has elsewhere.
        """
        found = {resource_id for resource_id in resource_ids if self.ledger.declared_by(self.thing(resource_id))}
        names = {*self.ledger.declared_elsewhere(self.urn)} if by_name else set[str]()
        if names:
            # Who might be meant is not taken off, also where the service's list lacks somebody.
            folded = {client.folded(name) for name in names}
            found |= {id for id in resource_ids if id in names or self._is_named(id, names, folded)}
        return found

    def _is_named(self, resource_id: str, names: Collection[str], folded: Collection[str]) -> bool:
        try:
            resource = self.view.resource(resource_id, resource_id)
        except (errors.UnresolvedReferenceError, errors.NotFoundError):
            return False
        return (
            f"{client.EXTERNAL_ID_PREFIX}{resource.external_id}" in names
            or client.folded(resource.name or "") in folded
        )

    def own(self, resource_id: str, shown: Mapping[str, str]) -> set[str]:
        """The policies on a resource that are ours to replace.

        Args:
            resource_id: the resource.
            shown: the policies that the state of the set shows as its own, by the resource's id.
        """
        before = {shown[resource_id]} if resource_id in shown else set[str]()
        return before | self.ledger.own(self.thing(resource_id))
