"""Thousands of calls from many threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Barrier

import pytest

from pulumi_dataprotection.client import Clock, calls
from support import HANG, Emulator
from support.client.examples import GET
from support.client.hostile import OK, Connection, hostile
from support.scripted import Connect

pytestmark = pytest.mark.thorough

CONCURRENCY = 5
ANSWER = OK + b'Content-Length: 13\r\n\r\n{"id": "o-1"}'


def test_many_threads_share_few_connections_and_get_all_answers(connect: Connect) -> None:
    all_wait = Barrier(CONCURRENCY, timeout=HANG)

    def answer(connection: Connection) -> None:
        connection.read_head()
        while connection.head:
            all_wait.wait()
            connection.send([ANSWER])
            connection.head = b""
            connection.read_head()

    with hostile(answer) as (address, connections), ThreadPoolExecutor(200) as threads:
        client = connect(f"http://{address}", clock=Clock(), concurrency=CONCURRENCY, request_timeout=HANG)
        answers = list(threads.map(client.send, repeat(GET, 200 * CONCURRENCY)))
        client.close()
    assert (200 * CONCURRENCY, CONCURRENCY) == (len(answers), len(connections))


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
