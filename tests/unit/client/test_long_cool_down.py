"""A cool-down that is too long to wait for: calls with the key fail until it is over, in each process."""

from pathlib import Path

import pytest

from pulumi_dataprotection.client import Client, errors
from pulumi_dataprotection.client._transport.rate_limit import CoolDownError
from support.client.budgets import budget, take, waits
from support.client.examples import GET, LIST, ORG, PROTECT, Built, error_of, name
from support.resources.servicer import assert_names
from support.scripted import KEY, Connect, DrivenClock, InterruptedClock, Scripted, told

DAY = 86400.0
YEAR = 366 * DAY

each_rate = pytest.mark.parametrize("rate", [0, 10])


def seconds_left(clock: DrivenClock, rate: float = 10) -> float:
    """Return the seconds for which a new process may not call; 0 if it may."""
    try:
        take(budget(clock, rate), 1)
    except CoolDownError as error:
        return error.seconds
    return 0


def refuse(server: Scripted, client: Client, retry_after: str = "86400") -> errors.TooManyRequestsError:
    """Let the service refuse a call for a long time, and return the error."""
    server.script(told({"message": "come back tomorrow"}, 429, Retry_After=retry_after))
    return error_of(client, GET, errors.TooManyRequestsError)


@each_rate
@pytest.mark.parametrize("call", [GET, LIST, PROTECT], ids=name)
def test_a_call_before_the_time_is_not_sent_and_its_error_states_the_time(
    connect: Connect, server: Scripted, clock: DrivenClock, rate: float, call: Built
) -> None:
    client = connect(server.url, calls_per_second=rate)
    refuse(server, client)
    clock.sleep(3600)
    server.script(told(ORG))
    clients = [client, connect(server.url, calls_per_second=rate), connect(server.url, calls_per_second=10 - rate)]
    found = [error_of(one, call, errors.TooManyRequestsError) for one in clients]
    assert [] == server.requests
    assert [3600] == clock.waits
    assert {(0, DAY - 3600, 429)} == {(error.attempts, error.retry_after, error.status) for error in found}
    for error in found:
        assert_names(error, "1970-01-02 00:16:40 UTC", call.request, call.operation.does)
        assert KEY not in str(error)


def test_deleting_the_file_in_the_error_ends_the_cool_down(connect: Connect, server: Scripted) -> None:
    refuse(server, connect(server.url))
    text = str(error_of(connect(server.url), GET, errors.TooManyRequestsError))
    Path(text.rpartition("delete ")[2]).unlink()
    server.script(told(ORG))
    assert "o-1" == connect(server.url).send(GET).id


@each_rate
def test_calls_are_sent_after_the_time(connect: Connect, server: Scripted, clock: DrivenClock, rate: float) -> None:
    client = connect(server.url, calls_per_second=rate)
    refuse(server, client)
    for seconds, sent in ((DAY - 0.002, 0), (0.002, 2)):
        clock.sleep(seconds)
        server.script(told(ORG), told(ORG))
        for one in (client, connect(server.url, calls_per_second=rate)):
            if sent:
                one.send(GET)
            else:
                error_of(one, GET, errors.TooManyRequestsError)
        assert sent == len(server.requests)


@each_rate
@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ([601], 601),
        ([DAY, 5], DAY),
        ([DAY, 700], DAY),
        ([700, DAY], DAY),
        ([600, DAY], DAY),
        ([YEAR], YEAR),
        ([10 * YEAR], YEAR),
        ([float("inf")], YEAR),
        ([600], 0),
    ],
)
def test_the_longest_time_up_to_a_year_counts(clock: DrivenClock, rate: float, asked: list[float], kept: float) -> None:
    own = budget(clock, rate)
    for seconds in asked:
        own.cool_down(seconds)
    assert kept == seconds_left(DrivenClock(), rate)


@each_rate
def test_a_clock_that_is_set_back_begins_the_time_again_once(rate: float) -> None:
    ahead = DrivenClock()
    ahead.sleep(YEAR)
    budget(ahead, rate).cool_down(DAY)
    clock = DrivenClock()
    assert DAY == seconds_left(clock, rate)
    clock.sleep(3600)
    assert DAY - 3600 == seconds_left(clock, rate)
    clock.sleep(DAY)
    assert 0 == seconds_left(clock, rate)


def test_a_clock_that_is_set_back_after_the_time_begins_nothing_again(clock: DrivenClock) -> None:
    budget(clock).cool_down(700)
    clock.sleep(701)
    assert (0, 0) == (seconds_left(clock), seconds_left(DrivenClock()))


@each_rate
def test_a_process_that_cannot_write_the_file_reads_it(
    clock: DrivenClock, cache: Path, caplog: pytest.LogCaptureFixture, rate: float
) -> None:
    budget(clock, rate).cool_down(DAY)
    (lock,) = (cache / "pulumi-dataprotection" / "budget").glob("*.lock")
    lock.unlink()
    lock.mkdir()
    assert DAY == seconds_left(clock, rate)
    assert ["the call budget is not shared"] == [record.getMessage()[:29] for record in caplog.records]


@each_rate
def test_a_process_without_a_file_keeps_the_time(
    clock: DrivenClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rate: float
) -> None:
    occupied = tmp_path / "occupied"
    occupied.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    own = budget(clock, rate)
    own.cool_down(DAY)
    clock.sleep(3600)
    with pytest.raises(CoolDownError) as caught:
        take(own, 1)
    assert DAY - 3600 == caught.value.seconds


@pytest.mark.parametrize(("rate", "seconds"), [(0, 30), (0.1, 10)], ids=["429", "budget"])
def test_a_call_that_waits_fails_when_the_time_begins(rate: float, seconds: float) -> None:
    clock = InterruptedClock()
    own = budget(clock, rate)
    if rate:
        take(own, 1)
    else:
        own.cool_down(seconds)
    clock.meanwhile = lambda: budget(clock).cool_down(DAY)
    with pytest.raises(CoolDownError):
        take(own, 1)
    assert [seconds] == waits(clock)


def test_a_call_between_two_attempts_fails_with_its_last_outcome(connect: Connect, server: Scripted) -> None:
    clock = InterruptedClock()
    client = connect(server.url, clock=clock)
    clock.meanwhile = lambda: budget(clock, base_url=server.url).cool_down(DAY)
    server.script(told({"message": "overloaded"}, 503), told(ORG))
    error = error_of(client, GET, errors.ServiceError)
    assert (1, 1, "overloaded") == (error.attempts, len(server.requests), error.message)
