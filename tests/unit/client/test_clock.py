"""Ctrl-C ends waits and prevents new calls, except calls that must not remain half done."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from pulumi_dataprotection.client import Client, Clock, errors
from support import HANG
from support.client.examples import GET, ORG
from support.scripted import Connect, DrivenClock, InterruptedClock, Scripted, told


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


def test_no_client_of_the_clock_sends_a_call_after_an_interruption(
    connect: Connect, server: Scripted, clock: DrivenClock
) -> None:
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
