"""What is in one tenant, read with few calls."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client._listing import Listing, Shelf
from pulumi_dataprotection.client._once import Once
from pulumi_dataprotection.client._references import EXTERNAL, ResourceIndex, find_policy
from pulumi_dataprotection.client.errors import InvalidArgumentError, NotFoundError, UnresolvedReferenceError
from pulumi_dataprotection.client.records import Policy, Protection, Resource

__all__ = ["TenantView"]


class TenantView:
    """Resources, policies and protections of one tenant, read with few calls and kept up with our writes.

    Attributes:
        id: the tenant's id.
    """

    def __init__(self, client: Client, id: str, shelf: Shelf) -> None:
        self.id = id
        self._client = client
        self._tenant = Once(lambda: client.send(calls.get_tenant(id)))
        self._policies = Once(lambda: client.send(calls.list_policies(id)))
        self._resources = Listing(client, calls.list_resources(id), lambda items: ResourceIndex(id, items), shelf)
        self._protections = Listing(client, calls.list_protections(id), _by_resource, shelf)
        # What was read or written by itself: resources by the reference that meant them, protections by resource.
        self._single_resources: dict[str, Resource] = {}
        self._single_protections: dict[str, list[Protection]] = {}
        self._single_read_at: dict[str, float] = {}
        self._first_read_at = math.inf
        self._lock = Lock()
        self._settling = Lock()

    def confirm(self) -> None:
        """Make sure that the tenant is there: only then does absence from one of its lists mean that something is gone.

        Raises:
            CallError: it is not, or cannot be reached.
        """
        self._tenant.get()

    def expect(self, look_ups: int) -> None:
        """Note that so many resources, and what protects them, are about to be looked up."""
        self._resources.expect(look_ups)
        self._protections.expect(look_ups)

    def resources(self) -> list[Resource]:
        """All resources, archived ones too."""
        return list(self._resources.whole().by_id.values())

    def resource(self, reference: str, known_id: str | None = None) -> Resource:
        """The resource that a reference means.

        Args:
            reference: an id, `ext$` and an external id, or a name.
            known_id: what it was resolved to before; kept for as long as that resource exists, and is not archived
                while another one has the name.

        Raises:
            ReferenceNotFoundError: there is none.
            AmbiguousReferenceError: there are several.
            CallError: the tenant cannot be read.
        """
        known = self._single_resource(known_id or reference)
        if known is None or (known.archived and known_id):
            index = self._resources.whole()
            known = index.by_id.get(known_id or "")
            if known is None:
                return index.find(reference)
            if known.archived:
                with suppress(UnresolvedReferenceError):
                    found = index.find(reference)
                    return known if found.archived else found
        return known

    def policies(self) -> list[Policy]:
        """All policies."""
        return self._policies.get()

    def policy(self, reference: str, known_id: str | None = None) -> Policy:
        """The policy that a reference (an id or a name) means; arguments and errors as in `resource`."""
        policies = self._policies.get()
        known = [policy for policy in policies if policy.id == known_id]
        return known[0] if known else find_policy(self.id, policies, reference)

    def policy_label(self, policy_id: str) -> str:
        """A policy as messages name it."""
        names = [policy.name for policy in self._policies.get() if policy.id == policy_id and policy.name]
        return f'"{names[0]}" ({policy_id})' if names else policy_id

    def protections(self) -> list[Protection]:
        """All protections."""
        listed = self._protections.whole()
        with self._lock:
            latest = {id: found for id, found in self._single_protections.items() if self._is_latest(id)}
        return [protection for of_one in {**listed, **latest}.values() for protection in of_one]

    def protections_of(self, resource_id: str) -> list[Protection]:
        """The protections of one resource; normally one at most."""
        with self._lock:
            self._note_first_read()
            if self._is_latest(resource_id):
                return list(self._single_protections[resource_id])
        listed = self._protections.whole_if_due()
        return self._look_at(resource_id) if listed is None else list(listed.get(resource_id, []))

    def policy_ids_on(self, resource_id: str) -> list[str]:
        """The ids of the policies that are on one resource; normally one at most."""
        return [protection.policy_id for protection in self.protections_of(resource_id)]

    def certain_protections_of(self, resource_id: str) -> list[Protection]:
        """The protections of one resource, where none is a finding.

        Raises:
            CallError: the tenant is not there, or cannot be read.
        """
        if found := self.protections_of(resource_id):
            return found
        self.confirm()
        return self.settled_protections_of(resource_id)

    def settled_protections_of(self, resource_id: str) -> list[Protection]:
        """The protections of one resource, read so late that no write of an earlier process can be hidden.

        Where the first look came too early, that takes another one: at all protections if they were listed, else at
        those of the resource alone.
        """
        self.protections_of(resource_id)
        with self._settling:
            read_at = max(self._protections.read_at, self._single_read_at.get(resource_id, -math.inf))
            if read_at < self._settled_at:
                self.settle()
                if not self._protections.renew():
                    self._look_at(resource_id)
        return self.protections_of(resource_id)

    def settle(self) -> None:
        """Wait until a read shows each write of an earlier process."""
        with self._lock:
            self._note_first_read()
        self._client.wait_until(self._settled_at)

    def read_protections_of(
        self, resource_id: str, until: Callable[[list[Protection]], bool] = lambda _: True
    ) -> list[Protection]:
        """The protections of one resource, asked anew from the service after a write of ours; from now on they count.

        Args:
            resource_id: the resource.
            until: what the write should have led to; asked again until it has, or the service's lag is over.
        """
        fresh = self._client.read_until(lambda: self._fresh_protections_of(resource_id), until)
        self._keep(resource_id, fresh)
        return fresh

    def note_protection(self, protection: Protection) -> None:
        """Note that a policy was put on a resource, where no read shows it yet."""
        self._keep(protection.resource_id, [*self.protections_of(protection.resource_id), protection])

    def forget_protection(self, resource_id: str, policy_id: str) -> None:
        """Note that a policy was removed from a resource."""
        self._keep(resource_id, [one for one in self.protections_of(resource_id) if one.policy_id != policy_id])

    def _single_resource(self, reference: str) -> Resource | None:
        """Read a resource by itself, where that is cheaper than the whole list; None where the list has to tell."""
        if single := self._single_resources.get(reference):
            return single
        # Only the list knows names, and what has an @ is hardly an id.
        if "@" in reference and not reference.startswith(EXTERNAL):
            return None
        if self._resources.whole_if_due() is not None:
            return None
        try:
            resource = self._client.send(calls.get_resource(self.id, reference))
        except (NotFoundError, InvalidArgumentError):
            return None
        if reference not in {resource.id, f"{EXTERNAL}{resource.external_id}"}:
            return None
        self._single_resources |= {reference: resource, resource.id: resource}
        return resource

    def _note_first_read(self) -> None:
        self._first_read_at = min(self._first_read_at, self._client.clock.monotonic())

    @property
    def _settled_at(self) -> float:
        return self._first_read_at + self._client.settings.read_lag

    def _look_at(self, resource_id: str) -> list[Protection]:
        now = self._client.clock.monotonic()
        found = self._fresh_protections_of(resource_id)
        self._keep(resource_id, found, now)
        return found

    def _keep(self, resource_id: str, protections: list[Protection], read_at: float = math.inf) -> None:
        # What we wrote counts for ever: a list that is read later may not show it yet.
        with self._lock:
            self._single_protections[resource_id] = protections
            self._single_read_at[resource_id] = read_at

    def _is_latest(self, resource_id: str) -> bool:
        """Whether the protections that were read by themselves are younger than the list."""
        return self._single_read_at.get(resource_id, -math.inf) > self._protections.read_at

    def _fresh_protections_of(self, resource_id: str) -> list[Protection]:
        try:
            return self._client.send(calls.list_protections(self.id, resource_id=resource_id))
        except NotFoundError:
            # The resource is gone, and its protections with it, if the tenant is there.
            self.confirm()
            return []


def _by_resource(protections: Iterable[Protection]) -> dict[str, list[Protection]]:
    found: defaultdict[str, list[Protection]] = defaultdict(list)
    for protection in protections:
        found[protection.resource_id].append(protection)
    return dict(found)
