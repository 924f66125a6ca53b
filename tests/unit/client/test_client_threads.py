"""Thousands of calls from many threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Lock

import pytest

from pulumi_dataprotection.client import Clock, calls
from support import HANG, Emulator
from support.client.examples import GET
from support.scripted import Connect, Reply, Request, Scripted, told

pytestmark = pytest.mark.thorough

THREADS = 200


class Counting(Scripted):
    """A service that counts concurrent requests."""

    def __init__(self) -> None:
        super().__init__()
        self.max_concurrent = 0
        self._counter = Lock()
        self._now = 0

    def take(self, request: Request) -> Reply:
        """Count a request in and out."""
        del request
        with self._counter:
            self._now += 1
            self.max_concurrent = max(self.max_concurrent, self._now)
        reply = told({"id": "o-1"})
        with self._counter:
            self._now -= 1
        return reply


def test_many_threads_share_few_connections_and_get_all_answers(connect: Connect) -> None:
    with Counting() as server, ThreadPoolExecutor(THREADS) as threads:
        client = connect(server.url, clock=Clock(), concurrency=5, request_timeout=HANG)
        answers = list(threads.map(client.send, repeat(GET, 3000)))
    assert 3000 == len(answers)
    assert 1 <= server.max_concurrent <= 5


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
