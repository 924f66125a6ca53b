"""An emulator in a thread of the tests' own process."""

import json
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, TypedDict, cast

from pulumi_dataprotection.emulator import FULL_KEY, READ_ONLY_KEY, EmulatorError, Server, open_store
from pulumi_dataprotection.emulator.seeds import named_seed, parse_seed
from pulumi_dataprotection.testing._control import HANG, send

__all__ = ["Emulator", "Request"]


class Request(TypedDict):
    """A request in the emulator's log.

    Attributes:
        number: counts the requests from 1 on.
        operation: the operation's id; None if the service has no such path.
        method: the HTTP method.
        path: the path as it was sent, still encoded.
        query: the query, decoded.
        status: the status of the answer; None if the connection was reset.
        key: the name of the calling key; None if the key is unknown.
        at: when, on the emulator's clock (RFC 3339).
        fault: the fault that the request met, if any.
    """

    number: int
    operation: str | None
    method: str
    path: str
    query: dict[str, str]
    status: int | None
    key: str | None
    at: str
    fault: str | None


class Emulator:
    """A real server on a socket of this machine, in a thread of this process.

    It is driven through its own control plane, as an emulator in another process would be.

    Args:
        seed: what a new database holds, as for `reset`.
        database: the database file, if it is to be one.

    Attributes:
        url: the service's address.
        api_key: the key with all permissions.
        read_only_key: the key that cannot write.
    """

    api_key = FULL_KEY
    read_only_key = READ_ONLY_KEY

    def __init__(self, seed: str | Path | Mapping[str, object] = "demo", database: str = ":memory:") -> None:
        content = _seed(seed)
        self._store = open_store(database, content, datetime.now(UTC))
        self._take_keys(content)
        ready = threading.Event()
        self._server = Server(self._store, "127.0.0.1", 0, ready.set)
        self.url = self._server.url
        self._thread = threading.Thread(target=self._server.run, name="emulator", daemon=True)
        self._thread.start()
        if not ready.wait(timeout=HANG):
            raise TimeoutError("the emulator did not start")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server."""
        self._server.should_exit = True
        self._thread.join(timeout=HANG)
        self._store.close()

    def reset(self, seed: str | Path | Mapping[str, object] = "demo") -> None:
        """Replace all content by a seed's; forget dialect and faults, and go back to the machine's time.

        Args:
            seed: `demo`, `one-tenant`, `customer-left`, `empty`, `large:TENANTSxRESOURCES` or
                `estate:CUSTOMERSxTENANTSxSEATS`; else a file with a state document, or a document, as `state` returns
                one.

        Raises:
            ValueError: The seed does not exist.
        """
        content = _seed(seed)
        self._send("POST", "seed", content)
        self._take_keys(content)

    def state(self) -> dict[str, list[dict[str, object]]]:
        """Return all content, by table."""
        state: dict[str, list[dict[str, object]]] = self._send("GET", "state")
        return state

    def patch(self, document: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
        """Change content without a request to the service.

        Args:
            document: partial records by table; one with "deleted": True is removed.

        Raises:
            ValueError: The content would not be valid.
        """
        self._send("PATCH", "state", document)

    def set_dialect(self, preset: str = "published", **variants: str | float) -> None:
        """Change the dialect, until the next reset.

        Args:
            preset: the preset for the switches that are not given.
            variants: values of the dialect's fields.

        Raises:
            ValueError: The preset or variant does not exist.
        """
        self._send("PUT", "dialect", {"preset": preset, **variants})

    def advance(self, seconds: float) -> None:
        """Advance the service's clock."""
        self._send("POST", "clock", {"advance": seconds})

    def now(self) -> datetime:
        """Return the service's time."""
        return datetime.fromisoformat(self._send("GET", "clock")["now"])

    @contextmanager
    def faults(self, *rules: Mapping[str, object]) -> Generator[None]:
        """Apply faults to the requests of the block; each fault must be met.

        Answers that are still held back at the end of the block are sent then.

        Args:
            rules: the faults and their requests, see docs/faults.md.

        Raises:
            AssertionError: A fault was not met by any request.
            ValueError: A rule is not valid.
        """
        self._send("POST", "faults", rules)
        try:
            yield
            left = self.remaining_faults()
        finally:
            self.clear_faults()
        if left:
            raise AssertionError(f"no request met these faults: {json.dumps(left)}")

    def clear_faults(self) -> None:
        """Remove the remaining faults, and send the answers that are held back."""
        self._send("DELETE", "faults")

    def remaining_faults(self) -> list[dict[str, object]]:
        """Return the rules that are not used up, with what remains of each."""
        rules: list[dict[str, object]] = self._send("GET", "faults")
        return rules

    def requests(self) -> list[Request]:
        """Return the service's requests since they were cleared, in order."""
        requests: list[Request] = self._send("GET", "requests")
        return requests

    def writes(self) -> list[Request]:
        """Return the requests that are not reads."""
        return [request for request in self.requests() if request["method"] != "GET"]

    def clear_requests(self) -> None:
        """Forget the requests so far."""
        self._send("DELETE", "requests")

    def _take_keys(self, seed: Mapping[str, object]) -> None:
        """Use the keys that a document brings along, so that its own are known."""
        document = cast("Mapping[str, Sequence[Mapping[str, Any]]]", seed.get("document", {}))
        keys = document.get("keys", ())
        writing = [str(key["key"]) for key in keys if "write" in key.get("permissions", ())]
        reading = [str(key["key"]) for key in keys if "write" not in key.get("permissions", ())]
        self.api_key = next(iter(writing), FULL_KEY)
        self.read_only_key = next(iter(reading), READ_ONLY_KEY)

    def _send(self, method: str, name: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        return send(self.url, method, name, body)


def _seed(seed: str | Path | Mapping[str, object]) -> Mapping[str, object]:
    """Return a seed as the control plane takes it.

    Raises:
        ValueError: The seed does not exist.
    """
    try:
        return named_seed({"document": seed}) if isinstance(seed, Mapping) else parse_seed(str(seed))
    except EmulatorError as error:
        raise ValueError(str(error)) from None
