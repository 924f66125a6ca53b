"""What is in one tenant, read at most once."""

from collections import defaultdict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client._references import ResourceIndex, find_policy
from pulumi_dataprotection.client.errors import NotFoundError
from pulumi_dataprotection.client.records import Policy, Protection, Resource

__all__ = ["Once", "TenantView"]

T = TypeVar("T")


class Once(Generic[T]):
    """A value that is read on first need, once for all threads; a failed read is tried again."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._lock = Lock()
        self._value: T | None = None

    def get(self) -> T:
        """Return the value, reading it where nobody has."""
        with self._lock:
            if self._value is None:
                self._value = self._read()
            return self._value


class TenantView:
    """Resources, policies and protections of one tenant: each listed at most once, and kept up with our writes.

    Attributes:
        id: the tenant's id.
        claimed: ids of the resources whose protection a resource of this run created or adopted.
    """

    def __init__(self, client: Client, id: str) -> None:
        self.id = id
        self.claimed: set[str] = set()
        self._client = client
        self._lock = Lock()
        self._listed_at = 0.0
        self._fresh: set[str] = set()
        self._resources = Once(lambda: ResourceIndex(id, client.send(calls.list_resources(id))))
        self._policies = Once(lambda: client.send(calls.list_policies(id)))
        self._protections = Once(self._list_protections)
        self._late_protections = Once(self._list_again)
        self._tenant = Once(lambda: client.send(calls.get_tenant(id)))

    def confirm(self) -> None:
        """Make sure that the tenant is there: only then does absence from one of its lists mean that something is gone.

        Raises:
            CallError: it is not, or cannot be reached.
        """
        self._tenant.get()

    def resources(self) -> list[Resource]:
        """All resources, archived ones too."""
        return list(self._resources.get().by_id.values())

    def resource(self, reference: str, known_id: str | None = None) -> Resource:
        """The resource that a reference means.

        Args:
            reference: an id, `ext$` and an external id, or a name.
            known_id: what it was resolved to before; kept for as long as that resource exists.

        Raises:
            ReferenceNotFoundError: there is none.
            AmbiguousReferenceError: there are several.
            CallError: the tenant cannot be read.
        """
        index = self._resources.get()
        return index.by_id.get(known_id or "") or index.find(reference)

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
        found = self._protections.get()
        with self._lock:
            return [protection for of_one in found.values() for protection in of_one]

    def protections_of(self, resource_id: str) -> list[Protection]:
        """The protections of one resource; normally one at most."""
        found = self._protections.get()
        with self._lock:
            return list(found.get(resource_id, []))

    def policy_ids_on(self, resource_id: str) -> list[str]:
        """The ids of the policies that are on one resource; normally one at most."""
        return [protection.policy_id for protection in self.protections_of(resource_id)]

    def read_protections_of(
        self, resource_id: str, until: Callable[[list[Protection]], bool] = lambda _: True
    ) -> list[Protection]:
        """The protections of one resource, asked anew from the service.

        Args:
            resource_id: the resource.
            until: what a write of ours should have led to; asked again until it has, or the service's lag is over.
        """
        fresh = self._client.read_until(lambda: self._fresh_protections_of(resource_id), until)
        self._keep(resource_id, fresh)
        return fresh

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
        """The protections of one resource, from a listing that no write of an earlier process can be hidden from.

        It is the second one of the tenant, and read once for all its resources.
        """
        if resource_id not in self._fresh:
            self._keep(resource_id, self._late_protections.get().get(resource_id, []))
        return self.protections_of(resource_id)

    def note_protection(self, protection: Protection) -> None:
        """Note that a policy was put on a resource, where no read shows it yet."""
        self._keep(protection.resource_id, [*self.protections_of(protection.resource_id), protection])

    def forget_protection(self, resource_id: str, policy_id: str) -> None:
        """Note that a policy was removed from a resource."""
        self._keep(resource_id, [one for one in self.protections_of(resource_id) if one.policy_id != policy_id])

    def _keep(self, resource_id: str, protections: list[Protection]) -> None:
        found = self._protections.get()
        with self._lock:
            found[resource_id] = protections
            self._fresh.add(resource_id)

    def _fresh_protections_of(self, resource_id: str) -> list[Protection]:
        try:
            return self._client.send(calls.list_protections(self.id, resource_id=resource_id))
        except NotFoundError:
            # The resource is gone, and its protections with it, if the tenant is there.
            self.confirm()
            return []

    def _list_again(self) -> dict[str, list[Protection]]:
        self._client.wait_until(self._listed_at + self._client.settings.read_lag)
        return self._list_protections()

    def _list_protections(self) -> dict[str, list[Protection]]:
        self._listed_at = self._client.clock.monotonic()
        found: defaultdict[str, list[Protection]] = defaultdict(list)
        for protection in self._client.send(calls.list_protections(self.id)):
            found[protection.resource_id].append(protection)
        return dict(found)
