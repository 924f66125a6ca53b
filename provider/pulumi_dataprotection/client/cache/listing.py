"""A list of a tenant, read with few calls and kept in bounded memory."""

import gc
import math
from collections import OrderedDict
from collections.abc import Callable, Generator, Sized
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Lock, Thread
from typing import Generic, Protocol, TypeVar

from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._client import Client, Listed
from pulumi_dataprotection.client._threads import in_context
from pulumi_dataprotection.client.cache.single_flight import SingleFlight
from pulumi_dataprotection.client.errors import DataProtectionError

__all__ = ["MAX_PROOFS", "POINT_READS", "CachedList", "LruBound"]

POINT_READS = 7
"""The number of items of a long list that are read one by one. The next lookup reads the whole list."""

MAX_PROOFS = 20
"""The number of items missing from a list that are read one by one. For more items, a second listing decides."""

T = TypeVar("T")
Index = TypeVar("Index", bound=Sized)


@contextmanager
def _without_collecting() -> Generator[None]:
    """Suspend the search for garbage, which visits each of a hundred thousand new records again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Droppable(Protocol):
    """A list that can be dropped."""

    def drop(self) -> None:
        """Forget the list."""
        ...


class LruBound:
    """A bound for the records of all lists of an account: the list that was used least recently is dropped.

    Args:
        max_records: the number of records that are kept. The list that was used last is kept whatever its length.
    """

    def __init__(self, max_records: int) -> None:
        self._max_records = max_records
        self._lock = Lock()
        self._kept: OrderedDict[_Droppable, int] = OrderedDict()
        self._latest: tuple[_Droppable, int] | None = None

    def touch(self, used: _Droppable, records: int) -> None:
        """Note that a list was used."""
        if self._latest == (used, records):
            # A set looks up thousands of members in the same list.
            return
        with self._lock:
            self._latest = (used, records)
            self._kept[used] = records
            self._kept.move_to_end(used)
            while len(self._kept) > 1 and sum(self._kept.values()) > self._max_records:
                dropped, _ = self._kept.popitem(last=False)
                dropped.drop()


class CachedList(Generic[T, Index]):
    """A list that is read once for all threads; a failed read is repeated on the next use.

    A list of one page is read whole. The first few items of a longer list are read one by one: a small stack does not
    pay for a big tenant, and a big stack pays for little more than the pages.

    Args:
        client: sends calls.
        call: lists the items.
        build: makes an index of the items.
        bound: limits the records that are kept.

    Attributes:
        index: the index of the whole list; None if the list was not read, or is not kept any more.
        read_at: the time of the last read of the whole list, in seconds of the client's clock.
        explicit: whether each page of it stated its items.
        renewed: whether the whole list was read more than once.
    """

    def __init__(self, client: Client, call: Call[list[T]], build: Callable[[list[T]], Index], bound: LruBound) -> None:
        self.read_at = -math.inf
        self.explicit = False
        self.renewed = False
        self._client = client
        self._call = call
        self._build = build
        self._bound = bound
        self._flight = SingleFlight()
        # The place of the next reader behind the thread that reads ahead.
        self._ahead: list[AbstractContextManager[None]] = []
        self._thread: Thread | None = None
        self.index: Index | None = None
        self._lookups = 0

    def whole(self) -> Index:
        """Return the whole list."""
        index = self.index
        if index is None:
            with self._place():
                index = self._read() if self.index is None else self.index
        self._bound.touch(self, len(index))
        return index

    def whole_if_due(self) -> Index | None:
        """Return the whole list for one lookup; None if the caller should read the item itself."""
        index = self.index
        if index is None:
            with self._flight.enter():
                if self.index is None and not self._lookups:
                    self._read_if_short()
                if self.index is None and self._lookups < POINT_READS:
                    self._lookups += 1
                    return None
        return self.whole()

    def expect_lookups(self, lookups: int) -> None:
        """Note the number of lookups to come: if there are many, the first lookup reads the whole list."""
        if lookups > POINT_READS:
            self._lookups = POINT_READS

    def read_ahead(self) -> None:
        """Begin to read the whole list in a thread; an error of that read is raised to the next reader."""
        if self.index is None and not self._ahead:
            self._ahead.append(self._flight.enter())
            self._thread = Thread(target=in_context(self._read_in_thread), name="read-ahead", daemon=True)
            self._thread.start()

    def end_read_ahead(self) -> None:
        """Wait for the thread that reads ahead: after an error elsewhere, nobody may need its list."""
        if self._thread:
            self._thread.join()

    def renew(self) -> Index:
        """Read the whole list again."""
        with self._flight.enter():
            return self._read()

    def drop(self) -> None:
        """Forget the list; the next few lookups read single items."""
        # Without the lock, since the caller may be reading another list. A dropped list is a long list.
        self._lookups = 1
        self.index = None

    def _place(self) -> AbstractContextManager[None]:
        with suppress(IndexError):
            return self._ahead.pop()
        return self._flight.enter()

    def _read_in_thread(self) -> None:
        with suppress(DataProtectionError), self._flight.enter():
            if self.index is None:
                self._read()

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
        self.index = index = self._build(listed.items)
        self.renewed = self.read_at > -math.inf
        self.read_at = now
        self.explicit = listed.explicit
        return index
