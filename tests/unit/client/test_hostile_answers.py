"""Answers that never end or grow without a limit: an attempt ends in time, in bounded memory, and with its cause."""

import gzip
import time
import tracemalloc
import zlib
from contextlib import suppress
from itertools import count
from threading import Event

import httpcore
import pytest

from pulumi_dataprotection.client import Client, errors
from pulumi_dataprotection.client._transport.http import DeadlineNetwork
from support import HANG
from support.client.examples import CREATE, GET, LIST, ORG, Exchange, error_of
from support.client.hostile import OK, Answer, Connection, dripping, endless, hostile, silent
from support.scripted import Connect, Reply, Scripted, page, told

TIMEOUT = 0.4
"""Seconds, less than any of the hostile answers takes."""

MAX_STALLS = 20

SLACK = 20.0
"""Seconds that a slow machine may add; without a limit the answers below take for ever."""

CHUNKED = OK + b"Transfer-Encoding: chunked\r\n"
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"
"""A block of a compressed stream that holds nothing."""


def in_chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


NOTHING_IN_GZIP = CHUNKED + b"Content-Encoding: gzip\r\n\r\n" + in_chunk(gzip.compress(b"")[:10])

NEVER_ENDING: dict[str, Answer] = {
    "nothing": silent,
    "a status in drops": dripping(OK + b"X: " + b"x" * 10_000),
    "headers in drops": endless(OK, b"X: y\r\n", pause=0.02),
    "103 again and again": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100),
    "103 in drops": endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", pause=0.02),
    "a body in drops": endless(OK + b"Content-Length: 100000\r\n\r\n", b" ", pause=0.02),
    "chunks in drops": endless(CHUNKED + b"\r\n", in_chunk(b" "), pause=0.02),
    "gzip without content": endless(NOTHING_IN_GZIP, in_chunk(EMPTY_BLOCK * 1000)),
    "gzip without content in drops": endless(NOTHING_IN_GZIP, in_chunk(EMPTY_BLOCK), pause=0.02),
}


def impatient(connect: Connect, base_url: str) -> Client:
    return connect(base_url, request_timeout=TIMEOUT, max_attempts=1)


@pytest.mark.parametrize("answer", NEVER_ENDING.values(), ids=NEVER_ENDING)
def test_an_answer_that_never_ends_is_lost_at_the_timeout(connect: Connect, answer: Answer) -> None:
    with hostile(answer) as (address, _):
        client, began, error = impatient(connect, f"http://{address}"), 0.0, None
        for _ in range(MAX_STALLS):
            began = time.monotonic()
            # A machine that stalls may not send the request in time.
            with suppress(errors.NotSentError):
                error = error_of(client, GET, errors.OutcomeUnclearError)
                break
        assert TIMEOUT <= time.monotonic() - began < TIMEOUT + SLACK
    assert f"the answer was not complete after {TIMEOUT:g} s" in str(error)


def test_a_handshake_that_never_ends_is_a_call_that_was_not_sent(connect: Connect) -> None:
    with hostile(Connection.wait) as (address, _):
        error = error_of(impatient(connect, f"https://{address}"), CREATE, errors.NotSentError)
    assert f"the connection was not complete after {TIMEOUT:g} s" in str(error)


class Late(httpcore.NetworkBackend, httpcore.NetworkStream):
    """A network in which the look-up of a host ends with the event `due`, and its only connection."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.due, self.closed = Event(), Event()
        self.failure = failure

    def connect_tcp(self, *_limits: object, **_options: object) -> httpcore.NetworkStream:
        """Wait, and then connect or fail."""
        self.due.wait(HANG)
        if self.failure:
            raise self.failure
        return self

    def close(self) -> None:
        """Note it."""
        self.closed.set()


def test_a_host_that_is_looked_up_for_too_long_is_a_timeout_and_a_later_connection_is_closed() -> None:
    late = Late()
    network = DeadlineNetwork(late)
    network.deadline = time.monotonic() + TIMEOUT
    with pytest.raises(httpcore.ConnectTimeout):
        network.connect_tcp("service.example", 443)
    late.due.set()
    assert late.closed.wait(HANG)


def test_any_failure_to_connect_reaches_the_waiting_thread() -> None:
    late = Late(OverflowError())
    late.due.set()
    network = DeadlineNetwork(late)
    network.deadline = time.monotonic() + HANG
    with pytest.raises(OverflowError):
        network.connect_tcp("service.example", 2**20)


def test_a_connection_after_the_deadline_is_a_timeout() -> None:
    network = DeadlineNetwork()
    network.deadline = time.monotonic()
    with pytest.raises(httpcore.ConnectTimeout):
        network.connect_tcp("127.0.0.1", 9)


@pytest.mark.parametrize("host", ["no-such-host.invalid", f"{'x' * 64}.example"])
def test_a_host_without_an_address_cannot_be_connected_to(host: str) -> None:
    network = DeadlineNetwork()
    network.deadline = time.monotonic() + HANG
    with pytest.raises(httpcore.ConnectError):
        network.connect_tcp(host, 443)


def test_a_very_long_time_limit_is_possible(server: Scripted, connect: Connect) -> None:
    server.script(told(ORG))
    assert "o-1" == connect(server.url, request_timeout=1e300).send(GET).id


def encoded(body: bytes, encoding: str, *more: tuple[str, str]) -> Reply:
    headers = {"Content-Type": "application/json", "Content-Encoding": encoding, **dict(more)}
    return Reply(200, (body,), headers)


BODY = told(ORG).body[0]
DECODED = {
    "gzip": encoded(gzip.compress(BODY), "gzip"),
    "GZIP": encoded(gzip.compress(BODY), " GZIP "),
    "x-gzip": encoded(gzip.compress(BODY), "x-gzip"),
    "deflate": encoded(zlib.compress(BODY), "deflate"),
    "identity": encoded(BODY, "identity"),
    "gzip and identity": encoded(gzip.compress(BODY), "gzip, identity"),
    "none": encoded(BODY, ""),
}


@pytest.mark.parametrize("reply", DECODED.values(), ids=DECODED)
def test_one_encoding_of_a_body_is_decoded(exchange: Exchange, reply: Reply) -> None:
    assert "o-1" == exchange.send(GET, reply).id


def test_gzip_is_the_only_encoding_that_a_request_accepts(exchange: Exchange) -> None:
    exchange.send(GET, told(ORG))
    assert "gzip" == exchange.requests[0].headers["accept-encoding"]


TWICE = gzip.compress(gzip.compress(BODY))


@pytest.mark.parametrize("encoding", ["gzip, gzip", "deflate, gzip", "gzip,gzip,gzip", "br", "zstd", "x\x1b[2J"])
@pytest.mark.parametrize("status", [200, 403])
def test_a_body_in_another_encoding_is_an_error(exchange: Exchange, encoding: str, status: int) -> None:
    reply = Reply(status, (TWICE,), {"Content-Encoding": encoding})
    error = exchange.error(GET, errors.OutcomeUnclearError, reply, told(ORG))
    assert (1, True) == (len(exchange.requests), "content encoding" in str(error))
    assert "\x1b" not in str(error)


def test_encodings_in_several_headers_count_together(connect: Connect) -> None:
    answer = b"Content-Encoding: gzip\r\n" * 2 + b"Content-Length: %d\r\n\r\n" % len(TWICE)
    with hostile(endless(OK + answer + TWICE, b"")) as (address, _):
        error = error_of(impatient(connect, f"http://{address}"), GET, errors.OutcomeUnclearError)
    assert '"gzip, gzip"' in str(error)


BROKEN = {
    "not gzip": b"{}",
    "cut": gzip.compress(BODY)[:-1],
    "with more behind its end": gzip.compress(BODY) + b"more",
    "wrong sum": gzip.compress(BODY)[:-8] + b"12345678",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_broken_encoding_is_a_lost_answer(exchange: Exchange, body: bytes) -> None:
    error = exchange.error(CREATE, errors.OutcomeUnclearError, encoded(body, "gzip"))
    assert "cannot be decompressed" in str(error)


def test_an_encoded_body_of_nothing_is_an_empty_body(exchange: Exchange) -> None:
    exchange.error(GET, errors.AnswerError, encoded(b"", "gzip"))


def test_the_limit_of_a_body_holds_while_it_is_decoded(exchange: Exchange) -> None:
    # A gigabyte of blanks.
    packed = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    megabyte = b" " * 1_048_576
    body = b"".join(packed.compress(megabyte) for _ in range(1024)) + packed.flush()
    tracemalloc.start()
    error = exchange.error(GET, errors.AnswerError, encoded(body, "gzip"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ("64 MiB" in str(error), True) == (True, peak < 300_000_000)


def test_pages_with_new_items_that_never_end_are_an_error(client: Client, exchange: Exchange) -> None:
    client.max_pages = 30
    error = exchange.error(LIST, errors.AnswerError, then=(page({"id": str(n)}, following=str(n)) for n in count()))
    assert (30, True) == (len(exchange.requests), "30 pages" in str(error))


def test_a_list_with_more_items_than_the_limit_is_an_error(client: Client, exchange: Exchange) -> None:
    client.max_items = 5
    replies = [page({"id": "1"}, {"id": "2"}, {"id": "3"}, following="2"), page({"id": "4"}, {"id": "5"})]
    assert 5 == len(exchange.send(LIST, *replies))
    client.max_items = 4
    assert "4 items" in str(exchange.error(LIST, errors.AnswerError, *replies))
