"""Thousands of calls from many threads, and lists that are emptied by whoever reads them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import repeat
from threading import Lock

import pytest

from pulumi_dataprotection.client import Client, Settings, calls
from support import HANG, Emulator
from support.client.examples import GET
from support.scripted import KEY, Connect, Reply, Scripted, told

pytestmark = pytest.mark.thorough

THREADS = 200


class Counting(Scripted):
    """Counts how many requests are being answered at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 0
        self._counter = Lock()
        self._now = 0

    def take(self, request: object) -> Reply:
        """Count a request in and out."""
        del request
        with self._counter:
            self._now += 1
            self.most = max(self.most, self._now)
        reply = told({"id": "o-1"})
        with self._counter:
            self._now -= 1
        return reply


@pytest.fixture
def crowded() -> Iterator[Counting]:
    with Counting() as server:
        yield server


def test_however_many_threads_call_few_connections_are_open_and_all_get_their_answer(crowded: Counting) -> None:
    client = Client(Settings(KEY, crowded.url, calls_per_second=0, concurrency=5, request_timeout=HANG))
    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(threads.map(client.send, repeat(GET, 3000)))
    client.close()
    assert 3000 == len(answers)
    assert 1 <= crowded.most <= 5


@pytest.mark.parametrize("tokens", ["position", "offset"])
def test_a_list_that_is_emptied_while_it_is_worked_through_is_emptied_whole(
    emulator: Emulator, connect: Connect, tokens: str
) -> None:
    emulator.set_dialect(page_tokens=tokens)
    client = connect(emulator.url, api_key=emulator.api_key, page_size=3)
    listed = client.send(calls.list_protections("tenant-contoso"))
    for protection in listed:
        client.send(calls.unprotect_resource("tenant-contoso", protection.resource_id, policy_id=protection.policy_id))
    assert len(listed) == len({protection.resource_id for protection in listed}) > 3
    assert [] == client.send(calls.list_protections("tenant-contoso"))


def test_each_call_is_sent_once_however_many_threads_share_a_connection(emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    writes = [calls.protect_resource("tenant-0001", f"res-{n:07}", policy_id="policy-gold") for n in range(1, 101)]
    # A connection that is closed under a thread shows as a second try.
    for _ in range(10):
        emulator.clear_requests()
        settings = Settings(emulator.api_key, emulator.url, calls_per_second=0, concurrency=1, request_timeout=20)
        with closing(Client(settings)) as client, ThreadPoolExecutor(8) as threads:
            list(threads.map(client.send, writes))
        assert len(writes) == len(emulator.requests())
