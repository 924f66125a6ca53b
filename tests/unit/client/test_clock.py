"""Ctrl-C: waits end, no new call goes out, and what must not be left half done is not."""

import time
from collections.abc import Callable
from threading import Event, Thread

import pytest

from pulumi_dataprotection.client import Client, Clock, Settings, calls, errors
from pulumi_dataprotection.client._transport.clock import open_clock, process_clock
from support import HANG
from support.scripted import KEY, DrivenClock, InterruptedClock, Scripted, told

READ = calls.get_org("o-1")
FOUND = told({"id": "o-1"})


def test_the_clock_shows_the_machines_time() -> None:
    clock = Clock()
    before = (time.monotonic(), time.time())
    shown = (clock.monotonic(), clock.time())
    assert all(0 <= there - here < 60 for here, there in zip(before, shown, strict=True))


def test_a_factory_in_the_environment_opens_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATAPROTECTION_DRIVEN_CLOCK", "support.scripted:DrivenClock")
    assert type(open_clock()) is DrivenClock


def test_clients_without_a_clock_share_the_clock_of_the_process() -> None:
    clients = [Client(Settings(KEY, "https://api.example")) for _ in range(2)]
    assert [process_clock()] * 2 == [client.clock for client in clients]
    for client in clients:
        client.close()


def test_a_wait_that_nobody_interrupts_ends_by_itself() -> None:
    clock = Clock()
    before = clock.monotonic()
    clock.sleep(0.01)
    assert clock.monotonic() - before >= 0.01


def test_a_wait_ends_when_it_is_interrupted() -> None:
    clock, waiting = Clock(), Event()
    errors_: list[Exception] = []

    def wait() -> None:
        waiting.set()
        try:
            clock.sleep(3 * HANG)
        except errors.CanceledError as error:
            errors_.append(error)

    thread = Thread(target=wait, daemon=True)
    thread.start()
    waiting.wait(HANG)
    clock.interrupt()
    thread.join(HANG)
    assert ["interrupted: nothing more was sent"] == [str(error) for error in errors_]


def test_what_is_shielded_waits_all_the_same() -> None:
    clock = Clock()
    clock.interrupt()
    with clock.shield():
        clock.sleep(0.01)
        clock.check()
    with pytest.raises(errors.CanceledError):
        clock.check()


def test_a_shield_within_a_shield_ends_with_the_outer_one() -> None:
    clock = Clock()
    clock.interrupt()
    with clock.shield():
        with clock.shield():
            pass
        clock.check()


def test_a_shield_holds_for_its_own_thread() -> None:
    clock = Clock()
    clock.interrupt()
    passed: list[str] = []

    def call() -> None:
        with pytest.raises(errors.CanceledError):
            clock.check()
        passed.append("refused")

    with clock.shield():
        thread = Thread(target=call)
        thread.start()
        thread.join(HANG)
    assert ["refused"] == passed


def test_no_call_goes_out_after_an_interruption(client: Client, server: Scripted, clock: DrivenClock) -> None:
    clock.interrupt()
    with pytest.raises(errors.CanceledError, match="interrupted"):
        client.send(READ)
    assert [] == server.requests


def test_a_call_is_not_tried_again_after_an_interruption(server: Scripted) -> None:
    clock = InterruptedClock()
    clock.meanwhile = clock.interrupt
    server.script(told({}, 503))
    client = Client(Settings(KEY, server.url, calls_per_second=0), clock=clock)
    with pytest.raises(errors.CanceledError, match="interrupted"):
        client.send(READ)
    assert 1 == len(server.requests)
    client.close()


def test_a_call_that_is_shielded_is_tried_again(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(told({}, 503), FOUND)
    clock.interrupt()
    with clock.shield():
        assert "o-1" == client.send(READ).id


def test_other_clients_of_the_clock_are_interrupted_too(
    connect: Callable[..., Client], server: Scripted, clock: DrivenClock
) -> None:
    clock.interrupt()
    for _ in range(2):
        with pytest.raises(errors.CanceledError):
            connect(server.url).send(READ)
