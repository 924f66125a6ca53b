"""The lag of reads: copies of the database from before the last writes."""

from collections import deque
from datetime import datetime, timedelta

from pulumi_dataprotection.emulator.store.store import Store

# The maximum of copies per lag: many writes in a short time must not fill the memory.
_COPIES = 10


class Lag:
    """Copies of the database from before the writes of the last seconds.

    Args:
        store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._copies: deque[tuple[datetime, Store]] = deque()

    def before_write(self, now: datetime, seconds: float) -> None:
        """Keep a copy for reads; before the write's transaction."""
        if not seconds:
            return
        self._drop_old(now, seconds)
        # A write soon after another write shows together with it: at most a tenth of the lag too early.
        if not self._copies or now - self._copies[-1][0] >= timedelta(seconds=seconds / _COPIES):
            self._copies.append((now, self._store.copy()))

    def shown(self, now: datetime, seconds: float) -> Store:
        """Return the database that a read sees."""
        self._drop_old(now, seconds)
        return self._copies[0][1] if self._copies else self._store

    def forget(self) -> None:
        """Show the present from now on."""
        while self._copies:
            self._copies.popleft()[1].close()

    def _drop_old(self, now: datetime, seconds: float) -> None:
        # One from a later time than now was made before the clock was set back.
        while self._copies and not timedelta() <= now - self._copies[0][0] < timedelta(seconds=seconds):
            self._copies.popleft()[1].close()
