"""The processes of one machine share a budget, and a dead process leaves nothing behind."""

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

from support import HANG, TESTS, Emulator
from support.client.budgets import budget, take, waits
from support.scripted import DrivenClock

pytestmark = pytest.mark.thorough


class Caller:
    """A process that waits for the start of one action."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def line(self) -> str:
        """Return the next line that it prints."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def go(self) -> None:
        """Start the action."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()


@contextmanager
def caller(action: str, *arguments: str) -> Generator[Caller]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-m", "support.client.caller", action, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as process:
        limit = Timer(HANG, process.kill)
        limit.start()
        ready = Caller(process)
        assert ready.line() == "ready"
        yield ready
        limit.cancel()
        process.kill()


def together(action: str, *arguments: str) -> list[Any]:
    """Run an action in three processes at the same time, and return their results."""
    with ExitStack() as stack:
        callers = [stack.enter_context(caller(action, *arguments)) for _ in range(3)]
        for one in callers:
            one.go()
        return [json.loads(one.line()) for one in callers]


def test_each_process_gets_its_slots() -> None:
    found = [wait for process in together("slots") for wait in process]
    assert [round(0.1 * slot, 3) for slot in range(1, 296)] == sorted(found)


def test_a_killed_process_releases_the_lock(clock: DrivenClock, caplog: pytest.LogCaptureFixture) -> None:
    own = budget(clock)
    with caller("hold") as holder:
        holder.go()
        assert holder.line() == "held"
        holder.process.kill()
        holder.process.wait(HANG)
    take(own, 6)
    assert ([0.1], []) == (waits(clock), [record for record in caplog.records if record.levelno > logging.INFO])


def test_three_processes_at_the_limit_of_the_service_get_few_429s_and_no_ban(emulator: Emulator) -> None:
    emulator.set_dialect(calls_per_second=100)
    done = together("call", emulator.url, emulator.api_key, "100", "120")
    statuses = Counter(request["status"] for request in emulator.requests())
    assert ([120, 120, 120], 360) == (done, statuses[200])
    assert statuses.total() - 360 == statuses[429] <= 7
