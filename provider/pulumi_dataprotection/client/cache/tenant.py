"""The contents of one tenant, read with few calls."""

from collections.abc import Callable, Collection

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.items import Items
from pulumi_dataprotection.client.cache.listing import Shelf
from pulumi_dataprotection.client.cache.protections import Protections
from pulumi_dataprotection.client.cache.references import find_policy
from pulumi_dataprotection.client.cache.single_flight import Once
from pulumi_dataprotection.client.cache.witness import Witness
from pulumi_dataprotection.client.records import Policy, Protection, Resource

__all__ = ["TenantView"]


class TenantView:
    """Resources, policies and protections of one tenant, read with few calls and kept up with our writes.

    Attributes:
        id: the tenant's id.
        gone: how the service said that the tenant does not exist, if `note_gone` was called.
    """

    def __init__(self, client: Client, id: str, shelf: Shelf) -> None:
        self.id = id
        self.gone = ""
        self._policies = Once(lambda: client.send(calls.list_policies(id)))
        self._witness = Witness(client, id)
        self._items = Items(client, id, shelf, self._witness)
        self._protections = Protections(client, id, shelf, self._witness)

    def confirm(self) -> None:
        """Make sure that the tenant exists; see `Witness.confirm_tenant`."""
        self._witness.confirm_tenant()

    def exists(self) -> bool:
        """Return whether the tenant exists; see `Witness.tenant_exists`."""
        return self._witness.tenant_exists()

    def note_gone(self, detail: str) -> None:
        """Note that the tenant does not exist: nothing in it has to be read any more."""
        self.gone = detail

    def expect(self, look_ups: int) -> None:
        """Note the number of resources that are about to be looked up, with their protections."""
        self._items.expect(look_ups)
        self._protections.expect(look_ups)

    def expect_proofs(self, resource_ids: Collection[str]) -> None:
        """Note the resources whose protections are about to be proven."""
        self._protections.expect_proofs(resource_ids)

    def resources(self) -> list[Resource]:
        """Return all resources of the listing, archived resources too."""
        return self._items.listed()

    def complete_resources(self) -> list[Resource]:
        """Return all resources, and never a part of them; see `Items.complete`."""
        return self._items.complete(lambda: [protection.resource_id for protection in self.protections()])

    def resource(self, reference: str, known_id: str | None = None, *, follow: bool = True) -> Resource:
        """Return the resource that a reference means; see `Items.find`."""
        return self._items.find(reference, known_id, follow=follow)

    def policies(self) -> list[Policy]:
        """Return all policies."""
        return self._policies.get()

    def policy(self, reference: str, known_id: str | None = None, *, follow: bool = True) -> Policy:
        """Return the policy that a reference (an id or a name) means; arguments and errors as in `resource`."""
        policies = self._policies.get()
        known = [policy for policy in policies if policy.id == known_id]
        return known[0] if known and not follow else find_policy(self.id, policies, reference, known_id)

    def policy_label(self, policy_id: str) -> str:
        """Return a policy as messages name it."""
        names = [policy.name for policy in self._policies.get() if policy.id == policy_id and policy.name]
        return f'"{names[0]}" ({policy_id})' if names else policy_id

    def protections(self) -> list[Protection]:
        """Return all protections."""
        return self._protections.all()

    def protections_of(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource; normally one at most."""
        return self._protections.of(resource_id)

    def policy_ids_on(self, resource_id: str) -> list[str]:
        """Return the ids of the policies that are on one resource; normally one at most."""
        return [protection.policy_id for protection in self.protections_of(resource_id)]

    def proven_protections_of(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource; none only with evidence, see `Protections.proven`."""
        return self._protections.proven(resource_id)

    def bare_resources(self, resource_ids: Collection[str]) -> list[str]:
        """Return the ids of the resources that have no policy, with evidence; see `Protections.bare`."""
        return self._protections.bare(resource_ids)

    def settled_protections_of(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource after the lag of earlier writes; see `Protections.settled`."""
        return self._protections.settled(resource_id)

    def settle(self) -> None:
        """Wait until a read shows each write of an earlier process."""
        self._protections.settle()

    def read_protections_of(
        self, resource_id: str, until: Callable[[list[Protection]], bool] = lambda _: True
    ) -> list[Protection]:
        """Read the protections of one resource after a write of ours; see `Protections.read_anew`."""
        return self._protections.read_anew(resource_id, until)

    def note_protection(self, protection: Protection) -> None:
        """Note that a policy was assigned to a resource, if no read shows it yet."""
        self._protections.keep(protection.resource_id, [*self.protections_of(protection.resource_id), protection])

    def forget_protection(self, resource_id: str, policy_id: str) -> None:
        """Note that a policy was removed from a resource."""
        left = [found for found in self.protections_of(resource_id) if found.policy_id != policy_id]
        self._protections.keep(resource_id, left)
