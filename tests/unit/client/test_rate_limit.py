"""When a call may go out, and what the users of a key know of each other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support.client.budgets import budget, take, waits
from support.client.examples import GET, ORG, PROTECT, error_of, success
from support.scripted import Connect, DrivenClock, InterruptedClock, Scripted, StandingClock, told


@pytest.mark.parametrize(
    ("rate", "burst", "interval"),
    [
        (1e-9, 1, 86400),
        (0.01, 1, 100),
        (0.5, 1, 2),
        (1, 1, 1),
        (2.5, 1, 0.4),
        (3, 1, 0.334),
        (5, 2, 0.2),
        (10, 5, 0.1),
        (100, 50, 0.01),
    ],
)
def test_half_a_second_of_calls_is_immediate(clock: DrivenClock, rate: float, burst: int, interval: float) -> None:
    take(budget(clock, rate), burst + 3)
    assert [interval] * 3 == waits(clock)


def test_slots_of_the_last_half_second_are_kept(clock: DrivenClock) -> None:
    own = budget(clock)
    take(own, 5)
    clock.sleep(0.5)
    take(own, 5)
    assert [0.5] == clock.waits


@pytest.mark.parametrize("rate", [1e-310, 1e310, 1e9])
def test_an_absurd_rate_allows_the_first_call(clock: DrivenClock, rate: float) -> None:
    take(budget(clock, rate), 1)
    assert [] == clock.waits


@pytest.mark.parametrize(("rate", "expected"), [(0, []), (1, [1, 1])])
def test_a_client_keeps_to_its_budget(
    connect: Connect, server: Scripted, clock: DrivenClock, rate: float, expected: list[float]
) -> None:
    server.script(*[told(ORG)] * 3)
    client = connect(server.url, calls_per_second=rate)
    for _ in range(3):
        client.send(GET)
    assert expected == waits(clock)


def test_each_thread_of_two_clients_gets_a_slot() -> None:
    clock = StandingClock()
    budgets = [budget(clock), budget(clock)] * 15
    with ThreadPoolExecutor(30) as threads:
        list(threads.map(Budget.wait_for_slot, budgets))
    assert [round(0.1 * slot, 3) for slot in range(1, 26)] == sorted(clock.waits)


@pytest.mark.parametrize("seconds", [60, 86400])
@pytest.mark.parametrize("another", [{"api_key": "another-key"}, {"base_url": "https://other.example"}], ids=str)
def test_each_key_and_each_service_has_a_budget(clock: DrivenClock, another: dict[str, Any], seconds: float) -> None:
    own = budget(clock, 1)
    take(own, 1)
    own.cool_down(seconds)
    take(budget(clock, 1, **another), 1)
    assert [] == clock.waits


@pytest.mark.parametrize(
    ("own_rate", "other_rate", "seconds", "expected"),
    [(0, 0, 30, 30), (0, 10, 30, 30), (10, 0, 30, 30), (10, 10, 30, 30.1), (0, 0, 600, 600), (10, 10, 600, 600.1)],
)
def test_a_cool_down_of_at_most_10_minutes_is_awaited_by_all_users_of_the_key(
    clock: DrivenClock, own_rate: float, other_rate: float, seconds: float, expected: float
) -> None:
    budget(clock, own_rate).cool_down(seconds)
    take(budget(clock, other_rate), 1)
    assert [expected] == waits(clock)


def test_a_shorter_cool_down_does_not_end_a_longer_cool_down(clock: DrivenClock) -> None:
    own = budget(clock, 0)
    own.cool_down(30)
    own.cool_down(2)
    take(own, 1)
    assert [30] == clock.waits


def test_a_cool_down_returns_no_slot(clock: DrivenClock) -> None:
    own = budget(StandingClock(), 1)
    take(own, 5)
    own.cool_down(2)
    take(budget(clock, 1), 1)
    assert [5] == clock.waits


def test_calls_follow_one_after_the_other_after_a_cool_down() -> None:
    budget(DrivenClock()).cool_down(30)
    clocks = [DrivenClock() for _ in range(3)]
    for clock in clocks:
        take(budget(clock), 1)
    assert [[30.1], [30.2], [30.3]] == [waits(clock) for clock in clocks]


@pytest.mark.parametrize(("rate", "expected"), [(0, [30, 20]), (10, [30, 20.1])])
def test_a_cool_down_that_begins_during_a_wait_prolongs_it(rate: float, expected: list[float]) -> None:
    clock = InterruptedClock()
    clock.meanwhile = lambda: budget(clock).cool_down(50)
    own = budget(clock, rate)
    budget(clock, 0).cool_down(30)
    take(own, 1)
    assert expected == waits(clock)


@pytest.mark.parametrize(("status", "waiting"), [(429, 2), (503, 1)])
def test_users_of_a_client_wait_only_after_429(server: Scripted, connect: Connect, status: int, waiting: int) -> None:
    clock = InterruptedClock()
    client = connect(server.url, clock=clock)
    clock.meanwhile = lambda: client.send(PROTECT)
    server.script(told({}, status, Retry_After="30"), success(PROTECT), told(ORG))
    client.send(GET)
    assert 30 <= clock.waits[0] <= 32
    assert waiting == len(clock.waits)


@pytest.mark.parametrize(("headers", "least", "most"), [({"Retry_After": "30"}, 30, 30), ({}, 0, 1)])
def test_another_client_waits_after_a_429(
    server: Scripted, connect: Connect, headers: dict[str, str], least: float, most: float
) -> None:
    clocks = DrivenClock(), DrivenClock()
    server.script(told({}, 429, **headers), told(ORG), told(ORG))
    for clock in clocks:
        connect(server.url, clock=clock).send(GET)
    own, other = (sum(clock.waits) for clock in clocks)
    assert least <= own <= most + 1
    assert least <= other <= most


@pytest.mark.parametrize(
    ("headers", "attempts", "seconds"), [({}, 8, 0), ({"Retry_After": "600"}, 1, 600)], ids=["no time", "10 minutes"]
)
def test_another_client_waits_after_the_last_attempt(
    connect: Connect, server: Scripted, clock: DrivenClock, *, headers: dict[str, str], attempts: int, seconds: float
) -> None:
    server.script(then=[told({}, 429, **headers)] * attempts)
    error_of(connect(server.url, max_attempts=attempts), GET, errors.TooManyRequestsError)
    failed_at = clock.monotonic()
    server.script(told(ORG))
    connect(server.url).send(GET)
    assert seconds == clock.monotonic() - failed_at


def test_repeated_429s_of_one_client_delay_others_by_at_most_a_second(server: Scripted, connect: Connect) -> None:
    others: list[float] = []

    class Measuring(DrivenClock):
        """A clock that measures before each wait how long another client would wait."""

        def sleep(self, seconds: float, /) -> None:
            other = DrivenClock()
            other.sleep(self.monotonic() - other.monotonic())
            other.waits.clear()
            take(budget(other, 0, base_url=server.url), 1)
            others.append(sum(other.waits))
            super().sleep(seconds)

    server.script(*[told({}, 429)] * 7, told(ORG))
    connect(server.url, clock=Measuring()).send(GET)
    assert 0 < max(others) <= 1


def twenty_slots(own: Budget) -> None:
    take(own, 20)


def cool_down(own: Budget) -> None:
    own.cool_down(400)


@pytest.mark.parametrize(
    ("use", "ahead", "expected"),
    [(twenty_slots, 3600, []), (twenty_slots, 60, [61.6]), (cool_down, 300, []), (cool_down, 100, [500.1])],
)
def test_a_clock_that_is_set_back_delays_calls_by_at_most_10_minutes(
    clock: DrivenClock, use: Callable[[Budget], None], ahead: float, expected: list[float]
) -> None:
    clock.sleep(ahead)
    use(budget(clock))
    earlier = DrivenClock()
    take(budget(earlier), 1)
    assert expected == waits(earlier)
