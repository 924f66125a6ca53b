"""Which calls are sent again, how often, and who waits."""

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest
import trustme

from pulumi_dataprotection.client import Client, Settings, errors
from pulumi_dataprotection.client.records import Org
from support.client.examples import (
    CREATE,
    GET,
    NOT_REPEATABLE,
    ORG,
    PROTECT,
    REPEATABLE,
    Built,
    each_kind_of_call,
    name,
    refused,
    success,
)
from support.scripted import KEY, LOST, Connect, DrivenClock, InterruptedClock, Scripted, html, told


def test_a_proxy_that_fails_twice_is_waited_for(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(html("Bad Gateway", 502), html("Bad Gateway", 502), told(ORG))
    assert client.send(GET) == Org(id="o-1", external_id="", kind="basic", name="Fabrikam")
    assert (len(server.requests), len(clock.waits)) == (3, 2)


@pytest.mark.parametrize("call", REPEATABLE, ids=name)
def test_a_lost_answer_is_asked_for_again(client: Client, server: Scripted, call: Built) -> None:
    server.script(LOST, success(call))
    client.send(call)
    assert len(server.requests) == 2


@pytest.mark.parametrize("call", NOT_REPEATABLE, ids=name)
def test_a_lost_answer_of_what_may_not_be_repeated_is_unclear(client: Client, server: Scripted, call: Built) -> None:
    server.script(LOST, success(call))
    error = refused(client, call)
    assert isinstance(error, errors.OutcomeUnclearError)
    assert (len(server.requests), error.attempts) == (1, 1)
    assert f"the answer got lost ({call.request}): " in str(error)


@pytest.mark.parametrize("call", NOT_REPEATABLE, ids=name)
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failure_of_what_may_not_be_repeated_is_not_tried_again(
    client: Client, server: Scripted, call: Built, status: int
) -> None:
    server.script(html("failed", status), success(call))
    assert isinstance(refused(client, call), errors.ServiceError)
    assert len(server.requests) == 1


@each_kind_of_call
def test_a_call_that_came_too_fast_is_sent_again(client: Client, server: Scripted, call: Built) -> None:
    server.script(told({}, 429), success(call))
    client.send(call)
    assert len(server.requests) == 2


@each_kind_of_call
def test_each_try_is_the_same_request(client: Client, server: Scripted, call: Built) -> None:
    server.script(told({}, 429), success(call))
    client.send(call)
    first, second = server.requests
    assert first == second


def test_after_8_failures_the_error_says_so(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(then=repeat(told({"message": "overloaded"}, 503)))
    error = refused(client, GET)
    expected = (
        "cannot read an organization: 503 the service failed (GET /api/v1/orgs/o-1): overloaded, after 8 attempts. "
        "Try again later"
    )
    assert expected == str(error)
    assert (error.attempts, len(server.requests), len(clock.waits)) == (8, 8, 7)


def test_after_8_times_too_fast_the_advice_is_to_go_slower(client: Client, server: Scripted) -> None:
    server.script(then=repeat(told({}, 429)))
    assert "after 8 attempts. Lower dataprotection:callsPerSecond" in str(refused(client, CREATE))


def test_after_8_lost_answers_the_error_says_so(client: Client, server: Scripted) -> None:
    server.script(then=repeat(LOST))
    error = refused(client, GET)
    assert isinstance(error, errors.OutcomeUnclearError)
    assert str(error).endswith(", after 8 attempts")


@each_kind_of_call
def test_a_service_that_is_not_there_is_tried_8_times(connect: Connect, clock: DrivenClock, call: Built) -> None:
    with Scripted() as gone:
        url = gone.url
    error = refused(connect(url), call)
    assert isinstance(error, errors.NotSentError)
    assert f"{url} cannot be reached ({call.request}): " in str(error)
    assert (error.attempts, len(clock.waits)) == (8, 7)


@each_kind_of_call
def test_a_certificate_that_is_not_trusted_is_tried_once(connect: Connect, clock: DrivenClock, call: Built) -> None:
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with trustme.CA().issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        certificate.load_cert_chain(path)
    with Scripted(certificate) as server:
        error = refused(connect(server.url), call)
        assert server.requests == []
    assert isinstance(error, errors.NotSentError)
    assert "certificate verify failed" in str(error)
    assert (error.attempts, clock.waits) == (1, [])


def test_a_service_is_never_asked_earlier_than_it_wants(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(told({}, 429, Retry_After="30"), told({}, 503, Retry_After="40"), told(ORG))
    client.send(GET)
    first, second = clock.waits
    assert 30 <= first <= 31
    assert 40 <= second <= 42


def test_a_service_that_wants_more_than_10_minutes_is_not_waited_for(
    client: Client, server: Scripted, clock: DrivenClock
) -> None:
    server.script(told({}, 429, Retry_After="601"), told(ORG))
    error = refused(client, GET)
    assert (error.attempts, clock.waits) == (1, [])


def test_tries_end_after_10_minutes(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(then=repeat(told({}, 429, Retry_After="250")))
    assert refused(client, GET).attempts == 3
    assert sum(clock.waits) <= 600


def test_after_a_429_all_that_use_the_client_wait(server: Scripted) -> None:
    clock = InterruptedClock()
    client = Client(Settings(KEY, server.url, calls_per_second=0), clock=clock)
    clock.meanwhile = lambda: client.send(PROTECT)
    server.script(told({}, 429, Retry_After="30"), success(PROTECT), told(ORG))
    client.send(GET)
    client.close()
    assert 30 <= clock.waits[0] <= 31
    assert len(clock.waits) == 2


def test_after_another_failure_nobody_else_waits(server: Scripted) -> None:
    clock = InterruptedClock()
    client = Client(Settings(KEY, server.url, calls_per_second=0), clock=clock)
    clock.meanwhile = lambda: client.send(PROTECT)
    server.script(told({}, 503, Retry_After="30"), success(PROTECT), told(ORG))
    client.send(GET)
    client.close()
    assert len(clock.waits) == 1


def test_an_answer_that_takes_too_long_is_lost(clock: DrivenClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = Client(Settings(KEY, url, calls_per_second=0, request_timeout=1), clock=clock)
        error = refused(client, CREATE)
        client.close()
    assert isinstance(error, errors.OutcomeUnclearError)
    assert error.attempts == 1


@pytest.mark.parametrize("calls_per_second", [0, 0.5, 2.5, 10])
def test_a_call_within_the_budget_goes_out(server: Scripted, clock: DrivenClock, calls_per_second: float) -> None:
    client = Client(Settings(KEY, server.url, calls_per_second=calls_per_second), clock=clock)
    server.script(told(ORG))
    client.send(GET)
    client.close()
    assert len(server.requests) == 1


def test_a_host_that_does_not_exist_is_asked_for_once(connect: Connect, clock: DrivenClock) -> None:
    with pytest.raises(socket.gaierror) as unknown:
        socket.getaddrinfo("no-such-host.invalid", 443)
    if unknown.value.errno != socket.EAI_NONAME:
        pytest.skip("without a name server this machine cannot tell that a host does not exist")
    error = refused(connect("https://no-such-host.invalid"), GET)
    assert isinstance(error, errors.NotSentError)
    assert (1, []) == (error.attempts, clock.waits)


def test_a_key_that_is_refused_is_not_tried_again_by_any_thread(connect: Connect, server: Scripted) -> None:
    server.script(then=repeat(told({"message": "expired"}, 401)))
    client = connect(server.url)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(refused, repeat(client, 300), repeat(GET)))
    assert {errors.UnauthenticatedError} == {type(error) for error in found}
    assert {"expired" in str(error) for error in found} == {True}
    assert len(server.requests) <= 8


@pytest.mark.parametrize("max_attempts", [1, 3])
def test_who_opens_a_client_may_have_it_try_less_often(server: Scripted, clock: DrivenClock, max_attempts: int) -> None:
    server.script(then=repeat(told({}, 503)))
    client = Client(Settings(KEY, server.url, calls_per_second=0), clock=clock, max_attempts=max_attempts)
    assert (max_attempts, max_attempts - 1) == (refused(client, GET).attempts, len(clock.waits))
    client.close()
