"""The calls that a client sends again, the number of attempts, and the errors at their end."""

import socket
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import NamedTuple

import pytest
import trustme

from pulumi_dataprotection.client import errors
from support.certificates import encrypted
from support.client.examples import GET, Built, Exchange, each_kind_of_call, error_of, success
from support.resources.servicer import assert_names
from support.scripted import LOST, Connect, DrivenClock, Reply, Scripted, html, told


class Failure(NamedTuple):
    """An attempt that fails: the reply, its outcome in the rows of the operations, and the error if it is the last."""

    reply: Reply
    outcome: str
    error: type[errors.CallError]


DATED = {"Retry_After": "Sat, 31 Jan 2026 12:00:07 GMT", "Date": "Sat, 31 Jan 2026 12:00:00 GMT"}
FAILURES: dict[str, Failure] = {
    "lost": Failure(LOST, "answer_lost", errors.OutcomeUnclearError),
    "429": Failure(told({}, 429), "too_many_requests", errors.TooManyRequestsError),
    "409": Failure(told({}, 409), "conflict", errors.ConflictError),
    "409 with garbage": Failure(told({}, 409, Retry_After="soon"), "conflict", errors.ConflictError),
    **{str(n): Failure(html("failed", n), "service_error", errors.ServiceError) for n in (500, 502, 503, 504, 599)},
    **{str(n): Failure(told({}, n), "busy", errors.BusyError) for n in (408, 423, 425)},
    **{
        f"{n} with a time": Failure(told({}, n, Retry_After="30"), "busy", errors.BusyError)
        for n in (400, 408, 409, 423, 425)
    },
    **{f"{n} with a date": Failure(told({}, n, **DATED), "busy", errors.BusyError) for n in (400, 409)},
    "501": Failure(told({}, 501), "refused", errors.ServiceError),
    "401 with a time": Failure(told({}, 401, Retry_After="7"), "refused", errors.UnauthenticatedError),
    "403 with a time": Failure(told({}, 403, Retry_After="7"), "refused", errors.ForbiddenError),
    "404 with a time": Failure(told({}, 404, Retry_After="7"), "refused", errors.NotFoundError),
    "410 with a time": Failure(told({}, 410, Retry_After="7"), "refused", errors.UnexpectedStatusError),
}


@each_kind_of_call
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_call_is_sent_again_exactly_after_the_outcomes_of_its_row(
    exchange: Exchange, clock: DrivenClock, call: Built, failure: Failure
) -> None:
    if failure.outcome in call.operation.repeat_after:
        exchange.send(call, failure.reply, failure.reply, success(call))
        first, second, third = exchange.requests
        assert first == second == third
        # After a 429, other calls of the key wait too.
        assert len(clock.waits) >= 2
    else:
        error = exchange.error(call, failure.error, failure.reply, success(call))
        assert (1, 1, call.request) == (len(exchange.requests), error.attempts, error.request)


@pytest.mark.parametrize("failure", ["lost", "429", "409", "503", "423", "400 with a time"])
def test_the_error_after_8_attempts_states_their_number(exchange: Exchange, failure: str) -> None:
    reply, _, kind = FAILURES[failure]
    error = exchange.error(GET, kind, then=repeat(reply))
    assert_names(error, "after 8", GET.request)
    assert (8, 8) == (error.attempts, len(exchange.requests))


def test_a_busy_service_does_not_delay_other_calls_of_the_key(connect: Connect, server: Scripted) -> None:
    clocks = DrivenClock(), DrivenClock()
    for clock in clocks:
        server.script(then=repeat(told({}, 423, Retry_After="601")))
        error_of(connect(server.url, clock=clock), GET, errors.BusyError)
    assert [[], []] == [clock.waits for clock in clocks]


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


def test_a_certificate_without_trust_ends_the_attempts(connect: Connect, clock: DrivenClock) -> None:
    with encrypted(trustme.CA()) as server:
        error = error_of(connect(server.url), GET, errors.NotSentError)
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


def test_a_refused_key_is_not_sent_again_by_any_thread(exchange: Exchange) -> None:
    exchange.server.script(then=repeat(told({"message": "expired"}, 401)))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(exchange.error, repeat(GET, 300), repeat(errors.UnauthenticatedError)))
    assert {"expired"} == {error.message for error in found}
    assert len(exchange.requests) <= 8
