"""A list of a tenant, read with few calls and kept in bounded memory."""

import math
from collections import OrderedDict
from collections.abc import Callable, Sized
from threading import Lock
from typing import Generic, Protocol, TypeVar

from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client
from pulumi_dataprotection.client._once import Turns

__all__ = ["POINT_READS", "Listing", "Shelf"]

POINT_READS = 7
"""So many items of a long list are read by themselves; with the next one the whole list is."""

T = TypeVar("T")
Index = TypeVar("Index", bound=Sized)


class _Kept(Protocol):
    """What can be dropped."""

    def drop(self) -> None:
        """Forget what was read."""
        ...


class Shelf:
    """Bounds what is kept of all lists: where it gets too much, the one that was used longest ago is dropped.

    Args:
        most_records: so many may be kept; the list that was used last is kept however long it is.
    """

    def __init__(self, most_records: int) -> None:
        self._most_records = most_records
        self._lock = Lock()
        self._kept: OrderedDict[_Kept, int] = OrderedDict()

    def keep(self, listing: _Kept, records: int) -> None:
        """Note that a list was used."""
        with self._lock:
            self._kept[listing] = records
            self._kept.move_to_end(listing)
            while len(self._kept) > 1 and sum(self._kept.values()) > self._most_records:
                dropped, _ = self._kept.popitem(last=False)
                dropped.drop()


class Listing(Generic[T, Index]):
    """One list, read once for all threads; a failed read is tried again.

    Its first page tells whether that is all. Of a longer list single items are read by themselves as long as few are
    asked for: a small stack does not pay for a big tenant, and a big stack for little more than the pages.

    Args:
        client: sends calls.
        call: lists it.
        build: makes an index of its items.
        shelf: keeps it.

    Attributes:
        read_at: when the whole list was read last, in seconds of the client's clock.
    """

    def __init__(self, client: Client, call: Call[list[T]], build: Callable[[list[T]], Index], shelf: Shelf) -> None:
        self.read_at = -math.inf
        self._client = client
        self._call = call
        self._build = build
        self._shelf = shelf
        self._turns = Turns()
        self._index: Index | None = None
        self._look_ups = 0

    def whole(self) -> Index:
        """Return the whole list, reading it where nobody has."""
        index = self._index
        if index is None:
            with self._turns.take():
                index = self._read() if self._index is None else self._index
        self._shelf.keep(self, len(index))
        return index

    def whole_if_due(self) -> Index | None:
        """Return the whole list for one look-up; None where its item is better read by itself."""
        index = self._index
        if index is None:
            with self._turns.take():
                if self._index is None and not self._look_ups:
                    self._read_if_short()
                if self._index is None and self._look_ups < POINT_READS:
                    self._look_ups += 1
                    return None
        return self.whole()

    def expect(self, look_ups: int) -> None:
        """Note that so many look-ups are coming; with many of them the first one reads the whole list."""
        if look_ups > POINT_READS:
            self._look_ups = POINT_READS

    def renew(self) -> bool:
        """Read the whole list anew, if it was read before.

        Returns:
            Whether it was.
        """
        with self._turns.take():
            if self._index is None:
                return False
            self._read()
            return True

    def drop(self) -> None:
        """Forget the list; the next few look-ups are read by themselves."""
        # Out of turn, since who drops it may be reading another list. It is known that it is long.
        self._look_ups = 1
        self._index = None

    def _read(self) -> Index:
        now = self._client.clock.monotonic()
        self._index = index = self._build(self._client.send(self._call))
        self.read_at = now
        return index

    def _read_if_short(self) -> None:
        now = self._client.clock.monotonic()
        items, complete = self._client.send_for_first_page(self._call)
        if complete:
            self._index = self._build(items)
            self.read_at = now
