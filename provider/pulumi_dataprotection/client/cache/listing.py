"""A list of a tenant, read with few calls and kept in bounded memory."""

import gc
import math
from collections import OrderedDict
from collections.abc import Callable, Generator, Sized
from contextlib import contextmanager
from threading import Lock
from typing import Generic, Protocol, TypeVar

from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client, Listed
from pulumi_dataprotection.client.cache.single_flight import Turns

__all__ = ["FEW", "POINT_READS", "Listing", "Shelf"]

POINT_READS = 7
"""So many items of a long list are read by themselves; with the next one the whole list is."""

FEW = 20
"""So many items that a list lacks are asked for by themselves; for more of them, a second list decides."""

T = TypeVar("T")
Index = TypeVar("Index", bound=Sized)


@contextmanager
def _without_collecting() -> Generator[None]:
    """Look for no garbage: each of a hundred thousand new records would be looked at again and again, and all stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


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
        self._latest: tuple[_Kept, int] | None = None

    def keep(self, listing: _Kept, records: int) -> None:
        """Note that a list was used."""
        if self._latest == (listing, records):
            # The usual case of a set, which looks up thousands of members in one list.
            return
        with self._lock:
            self._latest = (listing, records)
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
        explicit: whether each page of it stated its items.
        renewed: whether the whole list was read more than once.
    """

    def __init__(self, client: Client, call: Call[list[T]], build: Callable[[list[T]], Index], shelf: Shelf) -> None:
        self.read_at = -math.inf
        self.explicit = False
        self.renewed = False
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

    def renew(self) -> Index:
        """Read the whole list, also if it was read before."""
        with self._turns.take():
            return self._read()

    @property
    def is_read(self) -> bool:
        """Whether the whole list was read and is still kept."""
        return self._index is not None

    def drop(self) -> None:
        """Forget the list; the next few look-ups are read by themselves."""
        # Out of turn, since who drops it may be reading another list. It is known that it is long.
        self._look_ups = 1
        self._index = None

    def _read(self) -> Index:
        now = self._client.clock.monotonic()
        with _without_collecting():
            return self._take(self._client.send_listing(self._call), now)

    def _read_if_short(self) -> None:
        now = self._client.clock.monotonic()
        listed = self._client.send_listing(self._call, max_pages=1)
        if listed.complete:
            self._take(listed, now)

    def _take(self, listed: Listed[list[T]], now: float) -> Index:
        self._index = index = self._build(listed.items)
        self.renewed = self.read_at > -math.inf
        self.read_at = now
        self.explicit = listed.explicit
        return index
