"""The items of one tenant that can be protected: found by reference, and missing only if the service confirms it."""

from collections.abc import Callable, Collection
from contextlib import suppress
from threading import Lock

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client._call import EXTERNAL_ID_PREFIX, path_problem
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client.cache.listing import MAX_PROOFS, CachedList, LruBound
from pulumi_dataprotection.client.cache.references import ResourceIndex, is_named
from pulumi_dataprotection.client.cache.witness import Witness
from pulumi_dataprotection.client.errors import (
    AnswerError,
    IncompleteListError,
    InvalidArgumentError,
    NotFoundError,
    ReferenceNotFoundError,
    UnresolvedReferenceError,
)
from pulumi_dataprotection.client.records import Resource

__all__ = ["Items"]

_MAX_LISTINGS = 3


class Items:
    """The items of one tenant, read with few calls.

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
        self._listing = CachedList(
            client, calls.list_resources(tenant_id), lambda items: ResourceIndex(tenant_id, items), bound
        )
        # Items that were read one by one, by the reference that was asked for.
        self._single: dict[str, Resource] = {}
        self._not_found: set[str] = set()
        # The witness: ids that the listing lacks and operation 18 was asked for.
        self._proving = Lock()
        self._unlisted: dict[str, Resource | None] = {}

    def expect_lookups(self, lookups: int) -> None:
        """Note the number of items that are about to be looked up."""
        self._listing.expect_lookups(lookups)

    def all(self) -> list[Resource]:
        """Return all items of the listing, archived items too."""
        return list(self._listing.whole().by_id.values())

    def complete(self, protected_ids: Callable[[], Collection[str]]) -> list[Resource]:
        """Return all items, and never a part of them: operation 15 is the witness of operation 16.

        Args:
            protected_ids: the items that operation 15 shows.

        Raises:
            IncompleteListError: A listing still lacks an item that exists.
            CallError: The items cannot be read.
        """
        settled_at = self._client.clock.monotonic() + self._client.settings.read_lag
        index = self._listing.whole()
        listings = 1
        while missing := self._missing_from(index, protected_ids()):
            if listings == _MAX_LISTINGS:
                raise self._incomplete(missing)
            listings += 1
            if listings == _MAX_LISTINGS:
                # A newcomer may show late in a list.
                self._client.wait_until(settled_at)
            index = self._listing.renew()
        return list(index.by_id.values())

    def find(self, reference: str, known_id: str | None = None, *, follow: bool = True) -> Resource:
        """Return the item that a reference means.

        Args:
            reference: an id, `ext$` and an external id, or a name.
            known_id: the item that it meant before; kept as long as that item exists, and is not archived while
                another item has the name.
            follow: whether the reference passes on to another living item if the known item has lost it.

        Raises:
            ReferenceNotFoundError: No item has this id or name.
            AmbiguousReferenceError: Several items have this name.
            IncompleteListError: The listing lacks items that exist.
            CallError: The tenant cannot be read.
        """
        known = self._read_alone(known_id or reference)
        if known is None or (known.archived and known_id):
            index = self._listing.whole()
            known = index.by_id.get(known_id or "")
            if known is None and known_id:
                known = self._ask_for(known_id)
            if known is None:
                return index.find(reference)
            if known.archived:
                with suppress(UnresolvedReferenceError):
                    found = index.find(reference)
                    return known if found.archived else found
                return known
        return self._successor(reference, known) if known_id and follow else known

    def is_living(self, id: str) -> bool:
        """Return whether an item exists and is not archived."""
        try:
            return not self.find(id, id).archived
        except (ReferenceNotFoundError, NotFoundError):
            return False

    def _successor(self, reference: str, known: Resource) -> Resource:
        """Return the living item that took over a reference which a known item has lost; else the known item.

        The listing is read only if the known item has lost the reference: a single protection does not pay for it.

        Raises:
            AmbiguousReferenceError: Several items have the reference.
        """
        kept = is_named(known, reference)
        if kept and self._listing.index is None:
            return known
        try:
            found = self._listing.whole().find(reference)
        except ReferenceNotFoundError:
            return known
        return known if found.archived or kept else found

    def _read_alone(self, reference: str) -> Resource | None:
        """Read a single item if that is cheaper than the listing; None if the listing has to answer."""
        if single := self._single.get(reference):
            return single
        # Only the listing knows names, and text with an @ is hardly an id.
        if ("@" in reference and not reference.startswith(EXTERNAL_ID_PREFIX)) or path_problem(reference):
            return None
        if self._listing.whole_if_due() is not None:
            return None
        try:
            item = self._client.send(calls.get_resource(self._tenant_id, reference))
        except (NotFoundError, InvalidArgumentError):
            self._not_found.add(reference)
            return None
        except AnswerError:
            # The reference may be a name, and the service may have looked it up in its own way.
            return None
        self._single |= {reference: item, item.id: item}
        return item

    def _ask_for(self, id: str) -> Resource | None:
        """Ask for an item that the listing lacks; None if it is gone.

        The first few items are asked for one by one. For more, a second listing decides, and the first few prove it.
        """
        with self._proving:
            if id in self._single:
                return self._single[id]
            if id not in self._unlisted and len(self._unlisted) < MAX_PROOFS:
                self._unlisted[id] = self._read_unlisted(id)
            if id in self._unlisted:
                return self._unlisted[id]
            index = self._listing.whole()
            if not self._listing.renewed:
                index = self._listing.renew()
            for item in self._unlisted.values():
                if item and item.id not in index.by_id:
                    raise self._incomplete(_label(item))
            return index.by_id.get(id)

    def _read_unlisted(self, id: str) -> Resource | None:
        try:
            if id not in self._not_found:
                return self._client.send(calls.get_resource(self._tenant_id, id))
        except (NotFoundError, InvalidArgumentError):
            self._not_found.add(id)
        self._witness.require_tenant()
        return None

    def _missing_from(self, index: ResourceIndex, protected_ids: Collection[str]) -> str:
        """Name an item that exists and that a listing lacks; empty without evidence of such an item."""
        absent = [id for id in protected_ids if id not in index.by_id and id not in self._not_found]
        for id in absent[: MAX_PROOFS - len(self._not_found)]:
            if item := self._read_unlisted(id):
                return _label(item)
        if not index.by_id and (counted := self._witness.items()):
            return f"any of {counted:,} resources"
        return ""

    def _incomplete(self, missing: str) -> IncompleteListError:
        return IncompleteListError(
            f"cannot list the resources of tenant {printable(self._tenant_id)}: the list is incomplete. "
            f"The service does not list {missing}, and shows it elsewhere. Try again later"
        )


def _label(item: Resource) -> str:
    return f"{printable(item.name or 'an item')} ({printable(item.id)})"
