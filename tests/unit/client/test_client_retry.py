"""Which calls a client sends again, how often, and how it ends."""

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest
import trustme

from pulumi_dataprotection.client import Call, errors
from support.client.examples import (
    CREATE,
    DELETE,
    GET,
    LIST,
    NOT_REPEATABLE,
    PROTECT,
    REPEATABLE,
    TRIGGER,
    UNPROTECT,
    Built,
    Exchange,
    each_kind_of_call,
    error_of,
    name,
    success,
)
from support.scripted import LOST, Connect, DrivenClock, Reply, Scripted, html, told


@pytest.mark.parametrize("call", REPEATABLE, ids=name)
def test_a_repeatable_call_is_retried_after_a_lost_answer(exchange: Exchange, call: Built) -> None:
    exchange.send(call, LOST, success(call))
    assert 2 == len(exchange.requests)


@pytest.mark.parametrize("call", NOT_REPEATABLE, ids=name)
@pytest.mark.parametrize(
    ("reply", "kind"),
    [(LOST, errors.OutcomeUnclearError), *((html("failed", n), errors.ServiceError) for n in (500, 502, 503, 504))],
)
def test_another_call_is_not_retried_if_the_service_may_have_done_the_work(
    exchange: Exchange, call: Built, reply: Reply, kind: type[errors.CallError]
) -> None:
    error = exchange.error(call, kind, reply, success(call))
    assert (1, 1, call.request) == (len(exchange.requests), error.attempts, error.request)


BUSY = [
    *(told({}, status) for status in (408, 423, 425)),
    *(told({}, status, Retry_After="30") for status in (400, 408, 409, 423, 425)),
]
"""Replies of a service that asks for the same request at a later time."""

each_busy_reply = pytest.mark.parametrize("busy", BUSY, ids=lambda reply: f"{reply.status} {reply.headers}")


@each_busy_reply
@pytest.mark.parametrize("call", REPEATABLE, ids=name)
def test_a_repeatable_call_is_retried_while_the_service_is_busy(
    exchange: Exchange, clock: DrivenClock, call: Built, busy: Reply
) -> None:
    exchange.send(call, busy, busy, success(call))
    first, second, third = exchange.requests
    assert first == second == third
    assert [float(busy.headers.get("Retry-After", 0)) <= wait for wait in clock.waits] == [True, True]


@each_busy_reply
@pytest.mark.parametrize("call", NOT_REPEATABLE, ids=name)
def test_another_call_is_not_retried_while_the_service_is_busy(exchange: Exchange, call: Built, busy: Reply) -> None:
    error = exchange.error(call, errors.BusyError, busy, success(call))
    assert (1, 1, busy.status) == (len(exchange.requests), error.attempts, error.status)


@each_busy_reply
def test_a_busy_service_gets_8_attempts(exchange: Exchange, busy: Reply) -> None:
    error = exchange.error(GET, errors.BusyError, then=repeat(busy))
    assert (8, 8, busy.status) == (error.attempts, len(exchange.requests), error.status)


def test_a_busy_service_does_not_delay_other_calls_of_the_key(connect: Connect, server: Scripted) -> None:
    clocks = DrivenClock(), DrivenClock()
    for clock in clocks:
        server.script(then=repeat(told({}, 423, Retry_After="601")))
        error_of(connect(server.url, clock=clock), GET, errors.BusyError)
    assert [[], []] == [clock.waits for clock in clocks]


@pytest.mark.parametrize(
    ("call", "sent"),
    [(GET, 3), (LIST, 3), (PROTECT, 1), (UNPROTECT, 1), (DELETE, 1), (CREATE, 1), (TRIGGER, 1)],
    ids=lambda value: value.operation.id if isinstance(value, Call) else "",
)
def test_only_a_read_is_retried_after_a_conflict_without_a_time(exchange: Exchange, call: Built, sent: int) -> None:
    conflict = told({"message": "in progress"}, 409)
    if call.operation.writes:
        exchange.error(call, errors.ConflictError, conflict)
    else:
        exchange.send(call, conflict, conflict, success(call))
    assert sent == len(exchange.requests)


@each_kind_of_call
def test_any_call_is_retried_unchanged_after_429(exchange: Exchange, call: Built) -> None:
    exchange.send(call, told({}, 429), success(call))
    first, second = exchange.requests
    assert first == second


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (told({}, 429), errors.TooManyRequestsError),
        (told({"message": "overloaded"}, 503), errors.ServiceError),
        (LOST, errors.OutcomeUnclearError),
    ],
    ids=["429", "503", "lost"],
)
def test_the_error_after_the_last_attempt_states_the_number_of_attempts(
    exchange: Exchange, reply: Reply, kind: type[errors.CallError]
) -> None:
    error = exchange.error(GET, kind, then=repeat(reply))
    assert [] == [part for part in ("after 8", GET.request) if part not in str(error)]
    assert (8, 8) == (error.attempts, len(exchange.requests))


@pytest.mark.parametrize("attempts", [1, 3, 8])
def test_a_client_waits_between_its_attempts_and_may_be_limited_to_fewer(
    server: Scripted, connect: Connect, clock: DrivenClock, attempts: int
) -> None:
    server.script(then=repeat(told({}, 503)))
    error = error_of(connect(server.url, max_attempts=attempts), GET, errors.ServiceError)
    assert (attempts, attempts - 1) == (error.attempts, len(clock.waits))


@each_kind_of_call
def test_an_unreachable_service_gets_8_attempts(connect: Connect, clock: DrivenClock, call: Built) -> None:
    with Scripted() as gone:
        url = gone.url
    error = error_of(connect(url), call, errors.NotSentError)
    assert (8, 7, True) == (error.attempts, len(clock.waits), url in str(error))


@each_kind_of_call
def test_a_certificate_without_trust_ends_the_attempts(connect: Connect, clock: DrivenClock, call: Built) -> None:
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with trustme.CA().issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        certificate.load_cert_chain(path)
    with Scripted(certificate) as server:
        error = error_of(connect(server.url), call, errors.NotSentError)
        assert [] == server.requests
    assert "certificate verify failed" in str(error)
    assert (1, []) == (error.attempts, clock.waits)


def test_an_unknown_host_ends_the_attempts(connect: Connect, clock: DrivenClock) -> None:
    with pytest.raises(socket.gaierror) as unknown:
        socket.getaddrinfo("no-such-host.invalid", 443)
    if unknown.value.errno != socket.EAI_NONAME:
        pytest.skip("without a name server this machine cannot know that a host does not exist")
    error = error_of(connect("https://no-such-host.invalid"), GET, errors.NotSentError)
    assert (1, []) == (error.attempts, clock.waits)


@pytest.mark.parametrize(("asked", "attempts", "seconds"), [("601", 1, 0), ("250", 3, 600)])
def test_attempts_end_after_10_minutes(
    exchange: Exchange, clock: DrivenClock, asked: str, attempts: int, seconds: float
) -> None:
    error = exchange.error(GET, errors.TooManyRequestsError, then=repeat(told({}, 429, Retry_After=asked)))
    assert (attempts, True) == (error.attempts, sum(clock.waits) <= seconds)


def test_a_late_answer_is_lost(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = connect(f"http://127.0.0.1:{silent.getsockname()[1]}", request_timeout=1)
        assert 1 == error_of(client, CREATE, errors.OutcomeUnclearError).attempts


def test_a_refused_key_is_not_sent_again_by_any_thread(exchange: Exchange) -> None:
    exchange.server.script(then=repeat(told({"message": "expired"}, 401)))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(exchange.error, repeat(GET, 300), repeat(errors.UnauthenticatedError)))
    assert {"expired"} == {error.message for error in found}
    assert len(exchange.requests) <= 8
