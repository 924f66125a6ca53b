"""Ctrl-C ends waits and prevents new calls, except calls that must not remain half done."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from pulumi_dataprotection.client import Client, Clock, errors
from support import HANG
from support.client.examples import GET, ORG, error_of
from support.scripted import Connect, DrivenClock, InterruptedClock, Reply, Scripted, told


def canceled(clock: Clock) -> bool:
    """Return whether the clock prevents a call of this thread."""
    try:
        clock.check()
    except errors.CanceledError:
        return True
    return False


def test_the_clock_shows_the_time_of_the_machine_and_waits_in_it() -> None:
    clock = Clock()
    before = (time.monotonic(), time.time())
    clock.sleep(0.01)
    shown = (clock.monotonic(), clock.time())
    assert all(0 <= there - here < 60 for here, there in zip(before, shown, strict=True))
    assert shown[0] - before[0] >= 0.01


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, []),
        (5, []),
        (5.1, ["waiting 5 s: a test waits"]),
        (60, ["waiting 60 s: a test waits"]),
        (7200, ["waiting 7,200 s: a test waits"]),
    ],
)
def test_a_wait_of_more_than_5_seconds_is_shown(
    client: Client, clock: DrivenClock, seconds: float, shown: list[str]
) -> None:
    texts: list[str] = []
    client.wait(60, "nobody looks")
    client.show = texts.append
    client.wait(seconds, "a test waits")
    assert (shown, [60, seconds]) == (texts, clock.waits)


WAITS: dict[str, tuple[dict[str, float], Reply, str]] = {
    "429": ({}, told({}, 429, Retry_After="60"), r"waiting 6[01] s: cannot read an organization yet \(429\)"),
    "503": ({}, told({}, 503, Retry_After="60"), r"waiting 6[01] s: cannot read an organization yet \(503\)"),
    "423": ({}, told({}, 423, Retry_After="60"), r"waiting 6[01] s: cannot read an organization yet \(423\)"),
    "budget": ({"calls_per_second": 0.1}, told(ORG), r"waiting 10 s: the call budget is used up \(callsPerSecond\)"),
}
"""The settings, the first reply, and the text that the second of two calls shows."""


@pytest.mark.parametrize("case", WAITS)
def test_a_call_shows_its_waits(connect: Connect, server: Scripted, case: str) -> None:
    settings, reply, expected = WAITS[case]
    server.script(reply, told(ORG), told(ORG))
    client, texts = connect(server.url, **settings), list[str]()
    client.show = texts.append
    client.send(GET)
    client.send(GET)
    assert [True] == [re.fullmatch(expected, text) is not None for text in texts], texts


def test_a_call_of_another_client_shows_the_wait_that_the_service_asked_for(connect: Connect, server: Scripted) -> None:
    server.script(told({}, 429, Retry_After="60"), told(ORG))
    error_of(connect(server.url, max_attempts=1), GET, errors.TooManyRequestsError)
    client, texts = connect(server.url), list[str]()
    client.show = texts.append
    client.send(GET)
    assert ["waiting 60 s: the service allows no call yet (429)"] == texts


def test_a_wait_for_the_lag_of_reads_is_shown(connect: Connect, server: Scripted) -> None:
    client, texts = connect(server.url, read_lag=30), list[str]()
    client.show = texts.append
    client.wait_until(client.clock.monotonic() + client.settings.read_lag)
    for _ in client.reads_within_lag():
        pass
    assert {"reads may not show earlier writes yet (readLag)"} == {text.partition(": ")[2] for text in texts}
    assert "waiting 30 s" == texts[0].partition(":")[0]


def test_an_interruption_ends_a_wait() -> None:
    clock, waiting = Clock(), Event()

    def wait() -> None:
        waiting.set()
        clock.sleep(3 * HANG)

    with ThreadPoolExecutor(1) as thread:
        sleeping = thread.submit(wait)
        waiting.wait(HANG)
        clock.interrupt()
        with pytest.raises(errors.CanceledError):
            sleeping.result(HANG)


def test_a_shield_allows_waits_and_calls_on_its_thread_until_the_outer_shield_ends() -> None:
    clock = Clock()
    clock.interrupt()
    with clock.shield(), ThreadPoolExecutor(1) as thread:
        clock.sleep(0.01)
        assert (False, True) == (canceled(clock), thread.submit(canceled, clock).result(HANG))
        with clock.shield():
            pass
        assert not canceled(clock)
    assert canceled(clock)


def test_no_client_sends_a_call_after_an_interruption(connect: Connect, server: Scripted, clock: DrivenClock) -> None:
    clock.interrupt()
    for _ in range(2):
        with pytest.raises(errors.CanceledError):
            connect(server.url).send(GET)
    assert [] == server.requests


def test_an_interruption_ends_the_attempts_of_a_call(server: Scripted, connect: Connect) -> None:
    clock = InterruptedClock()
    clock.meanwhile = clock.interrupt
    server.script(told({}, 503))
    with pytest.raises(errors.CanceledError):
        connect(server.url, clock=clock).send(GET)
    assert 1 == len(server.requests)


def test_a_shielded_call_is_retried_after_an_interruption(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(told({}, 503), told(ORG))
    clock.interrupt()
    with clock.shield():
        assert "o-1" == client.send(GET).id
