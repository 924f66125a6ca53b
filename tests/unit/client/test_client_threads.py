"""Thousands of calls from many threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Barrier, Lock

import pytest

from pulumi_dataprotection.client import Clock, calls
from support import HANG, Emulator
from support.client.examples import GET
from support.scripted import Connect, Reply, Request, Scripted, told

pytestmark = pytest.mark.thorough

CONCURRENCY = 5


class Meeting(Scripted):
    """A service that answers as soon as five requests wait for their answers, and counts those that wait."""

    def __init__(self) -> None:
        super().__init__()
        self.max_waiting = 0
        self._waiting = 0
        self._counter = Lock()
        self._all = Barrier(CONCURRENCY, timeout=HANG)

    def take(self, request: Request) -> Reply:
        """Wait for the other requests."""
        del request
        with self._counter:
            self._waiting += 1
            self.max_waiting = max(self.max_waiting, self._waiting)
        self._all.wait()
        with self._counter:
            self._waiting -= 1
        return told({"id": "o-1"})


def test_many_threads_share_few_connections_and_get_all_answers(connect: Connect) -> None:
    with Meeting() as server, ThreadPoolExecutor(200) as threads:
        client = connect(server.url, clock=Clock(), concurrency=CONCURRENCY, request_timeout=HANG)
        answers = list(threads.map(client.send, repeat(GET, 200 * CONCURRENCY)))
    assert (200 * CONCURRENCY, CONCURRENCY) == (len(answers), server.max_waiting)


def test_threads_on_one_connection_send_each_call_once(emulator: Emulator, connect: Connect) -> None:
    emulator.reset("large:1x100")
    writes = [calls.protect_resource("tenant-0001", f"res-{n:07}", policy_id="policy-gold") for n in range(1, 101)]
    # A connection that is closed under a thread shows as a second attempt.
    for _ in range(10):
        emulator.clear_requests()
        client = connect(emulator.url, api_key=emulator.api_key, clock=Clock(), concurrency=1, request_timeout=20)
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(client.send, writes))
        assert len(writes) == len(emulator.requests())
