"""Calls of all operations, their answers, and their errors."""

import inspect
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from typing import TypeVar

import pytest

from pulumi_dataprotection.client import Call, Client, calls, errors
from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import HANG
from support.scripted import Reply, Request, Scripted, told

Built = Call[object]
T = TypeVar("T")
E = TypeVar("E", bound=errors.DataProtectionError)

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
ORG = {"id": "o-1", "external_id": "", "kind": "basic", "name": "Fabrikam"}

GET = calls.get_org("o-1")
LIST = calls.list_resources("t-1")
PROTECT = calls.protect_resource("t-1", "r-1", policy_id="p-1")
UNPROTECT = calls.unprotect_resource("t-1", "r-1", policy_id="p-1")
DELETE = calls.delete_archive("t-1", "a-1", reason="left")
CREATE = calls.create_org(name="Fabrikam")
TRIGGER = calls.trigger_job("t-1", "j-1")

THREADS = 4

# A row without a call fails a test of the rows.
ROWS = [row for row in OPERATIONS if hasattr(calls, row.id)]

# The fields that some result needs; a call ignores the fields of other results.
_RESULT = {"org": ORG, "task_id": "task-1", "job_id": "job-1"}


def name(call: Built) -> str:
    """Name a call in the id of a test."""
    return call.operation.id


each_kind_of_call = pytest.mark.parametrize("call", [GET, LIST, PROTECT, UNPROTECT, DELETE, CREATE, TRIGGER], ids=name)


def arguments(row: Operation) -> dict[str, inspect.Parameter]:
    """Return the arguments of the function that builds the calls of an operation."""
    return dict(inspect.signature(getattr(calls, row.id)).parameters)


def times(row: Operation) -> dict[str, datetime]:
    """Return a time for each argument that takes a time."""
    return {query.name: NOON for query in row.query if query.type == "date-time"}


def build(row: Operation, **texts: object) -> Built:
    """Build a call of an operation.

    Args:
        row: the operation.
        texts: values of arguments that take text; another required argument has the value "x".
    """
    required = [name for name, argument in arguments(row).items() if argument.default is inspect.Parameter.empty]
    call: Built = getattr(calls, row.id)(**{**dict.fromkeys(required, "x"), **times(row), **texts})
    return call


def success(call: Built) -> Reply:
    """Answer a call as the service does."""
    if call.operation.answers not in {"record", "result"}:
        return told({})
    named = {"id": [*call.path.values()][-1]} if call.path else {}
    return told(named if call.operation.answers == "record" else {**named, **_RESULT}, call.operation.status)


class Exchange:
    """A client and its scripted service.

    Attributes:
        client: the client.
        server: the service.
    """

    def __init__(self, client: Client, server: Scripted) -> None:
        self.client = client
        self.server = server

    @property
    def requests(self) -> list[Request]:
        """The requests since the last script."""
        return self.server.requests

    def send(self, call: Call[T], *replies: Reply, then: Iterable[Reply] = ()) -> T:
        """Send a call to a service with a new script, or with its former script if there are no replies."""
        if replies or then:
            self.server.script(*replies, then=then)
        return self.client.send(call)

    def error(self, call: Built, kind: type[E], *replies: Reply, then: Iterable[Reply] = ()) -> E:
        """Send a call that fails with an error of a class, as `send` does, and return the error."""
        with pytest.raises(kind) as caught:
            self.send(call, *replies, then=then)
        return caught.value


def error_of(client: Client, call: Built, kind: type[E]) -> E:
    """Send a call that fails with an error of a class, and return the error."""
    with pytest.raises(kind) as caught:
        client.send(call)
    return caught.value


def at_the_same_time(run: Callable[[], T]) -> list[T]:
    """Run a function in several threads at the same time, and return the results."""
    together = Barrier(THREADS, timeout=HANG)

    def run_together() -> T:
        together.wait()
        return run()

    with ThreadPoolExecutor(THREADS) as pool:
        return [future.result(timeout=HANG) for future in [pool.submit(run_together) for _ in range(THREADS)]]
