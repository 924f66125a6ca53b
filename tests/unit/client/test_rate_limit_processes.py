"""Processes of one machine keep to one budget, and one that dies leaves nothing behind."""

import json
import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import Any

import pytest

from pulumi_dataprotection.client import Settings
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support import HANG, TESTS, Emulator
from support.client.caller import URL
from support.scripted import KEY, DrivenClock

pytestmark = pytest.mark.thorough


class Caller:
    """A process that is ready to do one thing."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def line(self) -> str:
        """Return the next line that it prints."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def go(self) -> None:
        """Let it begin."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()


@contextmanager
def caller(what: str, *arguments: str) -> Generator[Caller]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-m", "support.client.caller", what, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as process:
        limit = Timer(HANG, process.kill)
        limit.start()
        ready = Caller(process)
        assert ready.line() == "ready"
        yield ready
        limit.cancel()
        process.kill()


def at_once(what: str, *arguments: str) -> list[Any]:
    """Let three processes do the same at the same time, and return what they said."""
    with ExitStack() as stack:
        callers = [stack.enter_context(caller(what, *arguments)) for _ in range(3)]
        for one in callers:
            one.go()
        return [json.loads(one.line()) for one in callers]


@pytest.fixture
def budget(clock: DrivenClock) -> Budget:
    """A budget of this process, with the key of the other ones."""
    return Budget(Settings(KEY, URL), clock)


def test_processes_get_a_turn_each() -> None:
    waits = [wait for waits in at_once("turns") for wait in waits]
    assert [round(0.1 * turn, 3) for turn in range(1, 296)] == sorted(waits)


def test_a_cool_down_is_for_all_processes(budget: Budget, clock: DrivenClock) -> None:
    with caller("cool_down") as refused:
        refused.go()
        refused.line()
    budget.wait_for_slot()
    assert [30.1] == clock.waits


def test_a_process_that_is_killed_lets_go_of_the_lock(
    budget: Budget, clock: DrivenClock, caplog: pytest.LogCaptureFixture
) -> None:
    with caller("hold") as holder:
        holder.go()
        assert holder.line() == "held"
        holder.process.kill()
        holder.process.wait(HANG)
    for _ in range(6):
        budget.wait_for_slot()
    assert ([0.1], []) == (clock.waits, [record for record in caplog.records if record.levelno > logging.INFO])


def test_a_lock_that_another_process_keeps_is_not_waited_for_long(
    clock: DrivenClock, caplog: pytest.LogCaptureFixture
) -> None:
    with caller("hold") as holder:
        holder.go()
        assert holder.line() == "held"
        Budget(Settings(KEY, URL), clock, patience=0.01).wait_for_slot()
    assert ["WARNING"] == [record.levelname for record in caplog.records if record.levelno > logging.INFO]


def test_three_processes_at_the_limit_of_the_service_are_hardly_refused_and_never_banned(emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=100)
    done = at_once("call", emulator.url, emulator.api_key, "100", "120")
    statuses = Counter(request["status"] for request in emulator.requests())
    assert ([120, 120, 120], 360) == (done, statuses[200])
    assert statuses.total() - 360 == statuses[429] <= 7
