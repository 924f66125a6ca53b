"""Another process with the tests' key; it waits for a line, so that several can begin at the same time."""

import json
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pulumi_dataprotection.client import Client, Settings, calls
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support.scripted import KEY, DrivenClock, StandingClock

URL = "https://service.example"


class _Holding(DrivenClock):
    """Keeps whoever asks for the time: so a client is kept that has the lock."""

    def time(self) -> float:
        """Say so, and never return."""
        print("held", flush=True)  # noqa: T201
        signal.pause()
        raise AssertionError("it was told to go on")


def turns() -> list[float]:
    """Take a hundred turns at the same moment, and return the seconds to wait for them."""
    clock = StandingClock()
    budget = _budget(clock)
    for _ in range(100):
        budget.wait_for_slot()
    return clock.waits


def cool_down() -> None:
    """Behave as after a 429 that asks for half a minute."""
    _budget(DrivenClock()).cool_down(30)


def hold() -> None:
    """Print that the lock is taken, and keep it."""
    _budget(_Holding()).wait_for_slot()


def call(url: str, key: str, rate: str, times: str) -> int:
    """Read a tenant so many times, from four threads, and return how often that went well."""
    client = Client(Settings(key, url, calls_per_second=float(rate)))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(client.send, [calls.get_tenant("tenant-contoso")] * int(times)))
    client.close()
    return len(found)


def _budget(clock: DrivenClock) -> Budget:
    return Budget(Settings(KEY, URL), clock)


_ACTIONS: dict[str, Callable[..., object]] = {action.__name__: action for action in (turns, cool_down, hold, call)}

if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201 - how the processes talk
    sys.stdin.readline()
    print(json.dumps(_ACTIONS[sys.argv[1]](*sys.argv[2:])))  # noqa: T201
