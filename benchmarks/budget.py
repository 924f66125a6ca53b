"""What a shared call budget costs, and how much of the rate processes use that share it."""

import os
import subprocess
import sys
import tempfile
from datetime import datetime
from typing import Any

from benchmarks.printing import Columns, report
from benchmarks.running import running_emulator
from pulumi_dataprotection.testing._control import send

__all__ = ["measure"]

RATE = 100
BURST = RATE // 2
CALLS = 200
PROCESSES = 3

CALL = """
from concurrent.futures import ThreadPoolExecutor
from pulumi_dataprotection.client import Client, Settings, calls
client = Client(Settings({key!r}, {url!r}, calls_per_second={rate}))
input()
with ThreadPoolExecutor(4) as threads:
    list(threads.map(client.send, [calls.get_tenant("tenant-contoso")] * {calls}))
"""
TAKE_TURNS = """
import statistics, time
from pulumi_dataprotection.client import Clock, Settings
from pulumi_dataprotection.client._transport.rate_limit import Budget
settings = Settings("key", "https://service.example", calls_per_second={rate})
budget = Budget(settings, Clock(), lambda _seconds, _reason: None)
input()
times = []
for _ in range(3000):
    started = time.perf_counter()
    budget.wait_for_slot()
    times.append(time.perf_counter() - started)
print(statistics.median(times) * 1e6)
"""


def measure() -> Columns:
    """Call an emulator at its limit, and take turns without a service."""
    rows: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        report("calls at the limit")
        requests = _calls_at_the_limit(environment)
        refused = sum(request["status"] == 429 for request in requests)  # noqa: PLR2004 - HTTP
        banned = sum(request["status"] == 403 for request in requests)  # noqa: PLR2004 - HTTP
        head = f"{PROCESSES} processes, {RATE} calls a second"
        rows.append((f"{head}: calls that were answered 429", f"{refused / len(requests):.1%}", "<= 2 %"))
        rows.append((f"{head}: calls that a ban refused", f"{banned}", "0"))
        rows.append((f"{head}: used of the rate", f"{_used(requests):.0%}", ">= 80 %"))
        report("turns without a service")
        (without,) = _at_once(TAKE_TURNS.format(rate=0), 1, environment)
        (alone,) = _at_once(TAKE_TURNS.format(rate=1e6), 1, environment)
        among_others = _at_once(TAKE_TURNS.format(rate=1e6), PROCESSES, environment)
        rows.append(("a slot, without a budget", f"{float(without):.0f} us", "< 50 us"))
        rows.append(("a turn, with nobody else", f"{float(alone):.0f} us", "< 1000 us"))
        rows.append((f"a turn, {PROCESSES} processes at once", f"{max(map(float, among_others)):.0f} us", ""))
    return Columns(f"{__doc__}", ("what", "measured", "goal"), rows)


def _calls_at_the_limit(environment: dict[str, str]) -> list[dict[str, Any]]:
    with running_emulator() as started:
        send(started["url"], "PUT", "dialect", {"calls_per_second": RATE})
        program = CALL.format(key=started["api_key"], url=started["url"], rate=RATE, calls=CALLS)
        _at_once(program, PROCESSES, environment)
        requests: list[dict[str, Any]] = send(started["url"], "GET", "requests")
    assert sum(request["status"] == 200 for request in requests) == PROCESSES * CALLS  # noqa: PLR2004 - HTTP
    return requests


def _used(requests: list[dict[str, Any]]) -> float:
    """Return the share of the rate that was used, apart from the calls that may go out at once."""
    times = [datetime.fromisoformat(request["at"]) for request in requests]
    return (len(times) - BURST) / (max(times) - min(times)).total_seconds() / RATE


def _at_once(program: str, count: int, environment: dict[str, str]) -> list[str]:
    """Run a program in several processes, which all begin when they are asked to."""
    command = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) for _ in range(count)]
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate(timeout=300)[0] for process in processes]
