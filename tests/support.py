"""What tests of all parts share: a running emulator."""

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import httpx

from pulumi_dataprotection.emulator import FULL_KEY, READ_ONLY_KEY, Server, open_store

SEEN_OPERATIONS: set[str] = set()
"""The ids of the operations that were asked of any emulator of this session."""


class Emulator:
    """A real server on a socket of this machine, in a thread of this process.

    It is driven through its own control plane, as an emulator in another process would be.

    Args:
        seed: what a new database holds.
        database: the database file, if it is to be one.

    Attributes:
        url: the service's address.
        api_key: the key with all permissions.
        read_only_key: the key that cannot write.
    """

    api_key = FULL_KEY
    read_only_key = READ_ONLY_KEY

    def __init__(self, seed: str = "demo", database: str = ":memory:") -> None:
        self._store = open_store(database, {"seed": seed}, datetime.now(UTC))
        ready = threading.Event()
        self._server = Server(self._store, "127.0.0.1", 0, ready.set)
        self.url = self._server.url
        self._thread = threading.Thread(target=self._server.run, name="emulator", daemon=True)
        self._thread.start()
        if not ready.wait(timeout=30):
            raise TimeoutError("the emulator did not start")
        self._control = httpx.Client(base_url=f"{self.url}/_emulator/", timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server."""
        self.note_operations()
        self._control.close()
        self._server.should_exit = True
        self._thread.join(timeout=30)
        self._store.close()

    def reset(self, seed: str = "demo") -> None:
        """Replace all content by a seed's, and go back to the machine's time."""
        self._send("POST", "seed", {"seed": seed})

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Return all content, by table."""
        state: dict[str, list[dict[str, Any]]] = self._send("GET", "state")
        return state

    def patch(self, document: dict[str, list[dict[str, Any]]]) -> None:
        """Change content behind the back of whoever uses the service.

        Args:
            document: partial records by table; one with "deleted": True is removed.
        """
        self._send("PATCH", "state", document)

    def speak(self, preset: str = "default", **readings: str | float) -> None:
        """Change the dialect, until the next reset.

        Args:
            preset: whose readings hold where none is given.
            readings: values of the dialect's fields.
        """
        self._send("PUT", "dialect", {"preset": preset, **readings})

    def advance(self, seconds: float) -> None:
        """Move the service's clock on."""
        self._send("POST", "clock", {"advance": seconds})

    def now(self) -> datetime:
        """Return the service's time."""
        return datetime.fromisoformat(self._send("GET", "clock")["now"])

    @contextmanager
    def faults(self, *rules: Mapping[str, Any]) -> Generator[None]:
        """Let requests of the block go wrong; all that is named must happen.

        Args:
            rules: which requests go wrong, and how: see docs/faults.md.

        Raises:
            AssertionError: A fault was not met by any request.
        """
        self._send("POST", "faults", rules)
        try:
            yield
            left = self.remaining_faults()
        finally:
            self._send("DELETE", "faults")
        if left:
            raise AssertionError(f"no request met these faults: {json.dumps(left)}")

    def remaining_faults(self) -> list[dict[str, Any]]:
        """Return the rules that are not used up, with what remains of each."""
        rules: list[dict[str, Any]] = self._send("GET", "faults")
        return rules

    def requests(self) -> list[dict[str, Any]]:
        """Return the service's requests since they were cleared, in order."""
        requests: list[dict[str, Any]] = self._send("GET", "requests")
        return requests

    def writes(self) -> list[dict[str, Any]]:
        """Return the requests that were no reading."""
        return [request for request in self.requests() if request["method"] != "GET"]

    def clear_requests(self) -> None:
        """Forget the requests so far."""
        self.note_operations()
        self._send("DELETE", "requests")

    def note_operations(self) -> None:
        """Add the operations that were asked for to `SEEN_OPERATIONS`."""
        SEEN_OPERATIONS.update(request["operation"] for request in self.requests() if request["operation"])

    def _send(self, method: str, name: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        response = self._control.request(method, name, json=body)
        if response.is_error:
            raise ValueError(f"{method} {name}: {response.json()['message']}")
        return response.json()
