"""The protections of one tenant: read with few calls, kept up with our writes, and missing only with evidence."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Lock

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.listing import MAX_PROOFS, POINT_READS, CachedList, LruBound
from pulumi_dataprotection.client.cache.witness import Witness
from pulumi_dataprotection.client.errors import CallError, IncompleteListError, NotFoundError
from pulumi_dataprotection.client.records import Protection

__all__ = ["Protections"]

_TOLERANCE = 0.1
"""The share of protected items by which a listing may lag behind the statistics."""


class Protections:
    """The protections of one tenant.

    Args:
        client: sends calls.
        tenant_id: the tenant.
        bound: limits the records that are kept.
        witness: proves that the tenant exists, and counts its items.
    """

    def __init__(self, client: Client, tenant_id: str, bound: LruBound, witness: Witness) -> None:
        self._client = client
        self._tenant_id = tenant_id
        self._witness = witness
        self._listing = CachedList(client, calls.list_protections(tenant_id), _by_resource, bound)
        # Protections that were read or written one by one, by resource.
        self._single: dict[str, list[Protection]] = {}
        self._single_read_at: dict[str, float] = {}
        self._first_read_at = math.inf
        self._lock = Lock()
        self._reading_late = Lock()
        # The witness: how many resources were asked for one by one, and the listing that proves all others.
        self._proving = Lock()
        self._asked = 0
        self._expected: set[str] = set()
        self._proven_at = math.nan
        # The resources without a policy, and the time of the listing whose word was confirmed.
        self._confirmed: dict[str, float] = {}
        # The resources that a listing had and a later listing lacks, and those with a policy that were read one by one.
        self._vanished: set[str] = set()
        self._found_alone: set[str] = set()
        self._looked_again = 0
        self._has_counts = True
        self._listed_again_at: float = math.nan

    def expect_lookups(self, lookups: int) -> None:
        """Note the number of resources whose protections are about to be looked up."""
        self._listing.expect_lookups(lookups)

    def read_ahead(self) -> None:
        """Begin to read the whole listing, while the caller reads something else."""
        with self._lock:
            self._note_first_read()
        self._listing.read_ahead()

    def end_read_ahead(self) -> None:
        """Wait for the thread that reads ahead, if nobody has used its list."""
        self._listing.end_read_ahead()

    def expect_proofs(self, resource_ids: Collection[str]) -> None:
        """Note the resources whose protections are about to be proven."""
        self._listing.expect_lookups(len(resource_ids))
        self._expected.update(resource_ids)

    def all(self) -> list[Protection]:
        """Return all protections."""
        listed = self._listing.whole()
        with self._lock:
            latest = {id: found for id, found in self._single.items() if self._is_latest(id)}
        return [protection for of_one in {**listed, **latest}.values() for protection in of_one]

    def complete(self) -> list[Protection]:
        """Return all protections, and never a small part of them: operation 17 is the witness of operation 15.

        Raises:
            IncompleteListError: The service contradicts itself.
            CallError: The protections cannot be read.
        """
        listed = self._listing.whole()
        if _lacks(listed, self._witness.protected_items()) or not self._listing.explicit:
            with self._proving:
                self._prove_by_listing()
        return self.all()

    def of(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource; normally one at most."""
        with self._lock:
            self._note_first_read()
            if self._is_latest(resource_id):
                return list(self._single[resource_id])
        listed = self._listing.whole_if_due()
        return self._look_at(resource_id) if listed is None else list(listed.get(resource_id, []))

    def policy_ids_on(self, resource_id: str) -> list[str]:
        """Return the ids of the policies that are on one resource; normally one at most."""
        return [protection.policy_id for protection in self.of(resource_id)]

    def proven(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource; none only if a second witness confirms it.

        For the first few resources, the witness is operation 15 with their id. For more, or if that answer states
        nothing, a second listing and operation 17 have to agree.

        Raises:
            IncompleteListError: The service contradicts itself.
            CallError: The tenant does not exist, or cannot be read.
        """
        if found := self.of(resource_id):
            return found
        with self._proving:
            if not self.of(resource_id) and not self._is_proven(resource_id):
                self._witness.require_tenant()
                self.wait_out_lag()
                explicit = False
                if self._asked < MAX_PROOFS and not self._lacks_many():
                    self._asked += 1
                    found, explicit = self._fresh(resource_id)
                if explicit:
                    self.keep(resource_id, found)
                else:
                    self._prove_by_listing()
        return self.of(resource_id)

    def bare(self, resource_ids: Collection[str]) -> list[str]:
        """Return the resources that have no policy; arguments and errors as in `proven`."""
        self.expect_proofs(resource_ids)
        listed = self._listing.whole() if self._listing.index is not None or len(resource_ids) > POINT_READS else {}
        return [id for id in resource_ids if id not in listed and not self.proven(id)]

    def confirmed(self, resource_id: str) -> list[Protection]:
        """Return the protections of a resource that may get its first policy; none only if a witness confirms it.

        Otherwise a policy that an answer left out would be assigned again, and become ours.

        The witnesses of a whole listing are operation 17, or a second listing without its counts, and all earlier
        listings. If one of them contradicts it, the first few resources are read one by one, and for more the whole
        listing is read again.

        Raises:
            CallError: The protections cannot be read.
        """
        # Our own writes and proofs need no witness: a read may not show them yet.
        ours = self._single_read_at.get(resource_id) == math.inf
        if (found := self.of(resource_id)) or ours or self._is_confirmed(resource_id):
            return found
        with self._proving:
            if not self._is_confirmed(resource_id) and not self.of(resource_id) and self._is_doubtful(resource_id):
                self._look_again(resource_id)
            if not (found := self.of(resource_id)):
                self._confirmed[resource_id] = self._listing.read_at
            return found

    def after_lag(self, resource_id: str) -> list[Protection]:
        """Return the protections of one resource, read so late that no write of an earlier process can be hidden.

        If the first look came too early, that takes a second look: at all protections if they were listed, else at
        those of the resource. A policy that only the later look lacks needs a witness.
        """
        self.of(resource_id)
        with self._reading_late:
            read_at = max(self._listing.read_at, self._single_read_at.get(resource_id, -math.inf))
            if read_at < self._lag_ends_at:
                self.wait_out_lag()
                if self._listing.index is not None:
                    self._renew()
                else:
                    self._look_at(resource_id)
        return self.confirmed(resource_id)

    def wait_out_lag(self) -> None:
        """Wait until a read shows each write of an earlier process."""
        with self._lock:
            self._note_first_read()
        self._client.wait_until(self._lag_ends_at)

    def shows(self, resource_id: str, policy_id: str, *, wait: bool, expected: bool = True) -> bool:
        """Read whether a resource has a policy, after we wrote to it.

        Args:
            resource_id: the resource.
            policy_id: the policy.
            wait: whether to repeat the read until it shows what is expected, or the lag of the service is over.
            expected: whether the resource should have the policy.
        """

        def has(found: list[Protection]) -> bool:
            return any(protection.policy_id == policy_id for protection in found)

        return has(self.after_write(resource_id, lambda found: not wait or has(found) == expected))

    def after_write(
        self, resource_id: str, until: Callable[[list[Protection]], bool] = lambda _: True
    ) -> list[Protection]:
        """Read the protections of one resource after we wrote to it; from now on they count.

        Args:
            resource_id: the resource.
            until: the effect of the write; the read is repeated until it shows, or the service's lag is over.
        """
        fresh, explicit = list[Protection](), False
        for _ in self._client.reads_within_lag():
            fresh, explicit = self._fresh(resource_id)
            if until(fresh):
                break
        if not explicit:
            return self.proven(resource_id)
        self.keep(resource_id, fresh)
        return fresh

    def add(self, protection: Protection) -> Protection:
        """Note that a policy was assigned to a resource; return the protection as a read shows it, if one does."""
        known = self.of(protection.resource_id)
        for found in known:
            if found.policy_id == protection.policy_id:
                return found
        self.keep(protection.resource_id, [*known, protection])
        return protection

    def remove(self, resource_id: str, policy_id: str) -> None:
        """Note that a policy was removed from a resource."""
        self.keep(resource_id, [found for found in self.of(resource_id) if found.policy_id != policy_id])

    def keep(self, resource_id: str, protections: list[Protection], read_at: float = math.inf) -> None:
        """Note the protections of one resource.

        Args:
            resource_id: the resource.
            protections: its protections.
            read_at: the time of the read. Our writes and proofs count for ever: a later list may not show them.
        """
        with self._lock:
            self._single[resource_id] = protections
            self._single_read_at[resource_id] = read_at

    def _is_proven(self, resource_id: str) -> bool:
        """Return whether what is known of a resource is proven, or our own work."""
        return self._single_read_at.get(resource_id) == math.inf or self._listing.read_at == self._proven_at

    def _lacks_many(self) -> bool:
        """Return whether the listing lacks too many of the expected resources to ask for each of them."""
        return self._listing.index is not None and len(self._expected - self._listing.whole().keys()) > MAX_PROOFS

    def _is_confirmed(self, resource_id: str) -> bool:
        return self._confirmed.get(resource_id) == self._listing.read_at

    def _is_doubtful(self, resource_id: str) -> bool:
        """Return whether anything contradicts that a resource has no policy, or nothing confirms it.

        Without the counts of the service, this reads the listing a second time.
        """
        listed = self._listing.index
        if listed is None or resource_id in self._vanished:
            return True
        if self._listing.read_at == self._proven_at:
            return False
        counted = self._count()
        if counted is None and not self._listing.renewed:
            self._renew()
        return counted is not None and len(listed) < counted

    def _count(self) -> int | None:
        """Return the number of protected resources; None if the service does not state it, or fails."""
        if self._has_counts:
            try:
                return self._witness.protected_items()
            except CallError:
                # Another attempt costs minutes, and a second listing is a witness, too.
                self._has_counts = False
        return None

    def _look_again(self, resource_id: str) -> None:
        """Read a resource alone; after the first few, only if a new listing does not show what such reads found."""
        alone = self._listing.index is None or self._looked_again < MAX_PROOFS
        if not alone and self._listing.read_at != self._listed_again_at:
            # A service may count differently, so that a difference between the counts is not an error here.
            self._renew()
            self._listed_again_at = self._listing.read_at
        if alone or (not self.of(resource_id) and not self._found_alone <= self._listing.whole().keys()):
            self._looked_again += 1
            if self._look_at(resource_id):
                self._found_alone.add(resource_id)

    def _renew(self) -> Mapping[str, list[Protection]]:
        """Read the listing again, and note the resources that only the earlier listing has."""
        before = self._listing.index or {}
        listed = self._listing.renew()
        self._vanished |= before.keys() - listed.keys()
        return listed

    def _prove_by_listing(self) -> None:
        listed, protected = self._renew(), self._witness.protected_items()
        if _lacks(listed, protected):
            # A write may show in one of the two answers, and not yet in the other.
            self._client.wait_until(self._client.clock.monotonic() + self._client.settings.read_lag)
            self._witness.forget_counts()
            listed, protected = self._renew(), self._witness.protected_items()
        if protected is None:
            if not self._listing.explicit:
                raise self._incomplete("states nothing, and the service has no counts")
        elif _lacks(listed, protected):
            raise self._incomplete(f"has {len(listed):,} of {protected:,} protected resources")
        self._proven_at = self._listing.read_at

    def _incomplete(self, reason: str) -> IncompleteListError:
        return IncompleteListError(
            f"cannot list the protections of tenant {printable(self._tenant_id)}: the list is incomplete, it {reason}. "
            "Try again later"
        )

    def _note_first_read(self) -> None:
        self._first_read_at = min(self._first_read_at, self._client.clock.monotonic())

    @property
    def _lag_ends_at(self) -> float:
        return self._first_read_at + self._client.settings.read_lag

    def _look_at(self, resource_id: str) -> list[Protection]:
        # It is younger than the listing, even by a clock that did not advance.
        read_at = max(self._client.clock.monotonic(), math.nextafter(self._listing.read_at, math.inf))
        found, _ = self._fresh(resource_id)
        self.keep(resource_id, found, read_at)
        return found

    def _is_latest(self, resource_id: str) -> bool:
        """Return whether the protections that were read one by one are younger than the listing."""
        return self._single_read_at.get(resource_id, -math.inf) > self._listing.read_at

    def _fresh(self, resource_id: str) -> tuple[list[Protection], bool]:
        """Read the protections of one resource, and whether the answer stated them."""
        try:
            listed = self._client.send_listing(calls.list_protections(self._tenant_id, resource_id=resource_id))
        except NotFoundError:
            # The resource is gone, and its protections with it, if the tenant exists.
            self._witness.require_tenant()
            return [], True
        return listed.items, listed.explicit


def _lacks(listed: Collection[str], protected: int | None) -> bool:
    """Return whether a listing has too few resources, compared with the count of the statistics."""
    return protected is not None and protected - len(listed) > protected * _TOLERANCE


def _by_resource(protections: Iterable[Protection]) -> dict[str, list[Protection]]:
    found: defaultdict[str, list[Protection]] = defaultdict(list)
    for protection in protections:
        found[protection.resource_id].append(protection)
    return dict(found)
