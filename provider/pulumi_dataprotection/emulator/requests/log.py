"""The log of the service's requests, which tests read back."""

from collections import deque
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from pulumi_dataprotection.emulator._times import format_time

# An emulator that runs for weeks must not grow: an entry has about 350 bytes.
_MAX_ENTRIES = 100_000


class Entry(NamedTuple):
    """One request; a tuple of shared strings, because the log holds many of them."""

    operation: str | None
    method: str
    path: str
    query: str
    status: int | None
    key: str | None
    at: datetime
    fault: str | None = None


class RequestLog:
    """The last 100,000 requests of the service, in the order in which they were answered."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_MAX_ENTRIES)
        self._count = 0

    def add(self, entry: Entry) -> None:
        """Add a request that was answered; it has no status if its connection was reset."""
        self._count += 1
        self._entries.append(entry)

    def clear(self) -> None:
        """Forget all requests; counting starts at one again."""
        self._entries.clear()
        self._count = 0

    def document(self) -> list[dict[str, Any]]:
        """Return the requests as the control plane shows them."""
        return [
            {
                "number": number,
                **entry._asdict(),
                "query": dict(parse_qsl(entry.query, keep_blank_values=True)),
                "at": format_time(entry.at),
            }
            for number, entry in enumerate(self._entries, start=self._count - len(self._entries) + 1)
        ]
