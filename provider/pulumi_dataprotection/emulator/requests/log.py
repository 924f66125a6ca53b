"""The log of the service's requests, which tests read back."""

from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from pulumi_dataprotection.emulator._times import format_time

# An emulator that runs for weeks must not grow: about 350 bytes an entry.
_KEPT = 100_000


class Entry(NamedTuple):
    """One request; a tuple of shared strings, because there are many."""

    number: int
    operation: str | None
    method: str
    path: str
    query: str
    status: int | None
    key: str | None
    at: datetime
    fault: str | None

    def document(self) -> dict[str, Any]:
        """Return the entry as the control plane shows it."""
        query = dict(parse_qsl(self.query, keep_blank_values=True))
        return {**self._asdict(), "query": query, "at": format_time(self.at)}


class RequestLog:
    """The last 100,000 requests of the service, in the order in which they were answered."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_KEPT)
        self._count = 0

    def add(
        self,
        *,
        operation: str | None,
        method: str,
        path: str,
        query: str,
        status: int | None,
        key: str | None,
        at: datetime,
        fault: str | None = None,
    ) -> None:
        """Note a request that was answered; without a status where the connection was reset instead."""
        self._count += 1
        self._entries.append(Entry(self._count, operation, method, path, query, status, key, at, fault))

    def clear(self) -> None:
        """Forget all requests; counting starts at one again."""
        self._entries.clear()
        self._count = 0

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)
