"""Another process with the tests' key; it waits for a line, so that several processes can begin at the same time."""

import json
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pulumi_dataprotection.client import Client, Settings, calls
from support.client.budgets import budget, take
from support.scripted import DrivenClock, StandingClock


class _Holding(DrivenClock):
    """A clock that stops a client while it holds the lock."""

    def time(self) -> float:
        """Report the stop, and never return."""
        print("held", flush=True)  # noqa: T201
        signal.pause()
        raise AssertionError("a signal ended the pause")


def slots() -> list[float]:
    """Take a hundred slots at the same moment, and return the seconds to wait for them."""
    clock = StandingClock()
    take(budget(clock), 100)
    return clock.waits


def hold() -> None:
    """Print that the lock is taken, and keep it."""
    take(budget(_Holding()), 1)


def call(url: str, key: str, rate: str, times: str) -> int:
    """Read a tenant a number of times from four threads, and return the number of successes."""
    client = Client(Settings(key, url, calls_per_second=float(rate)))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(client.send, [calls.get_tenant("tenant-contoso")] * int(times)))
    client.close()
    return len(found)


_ACTIONS: dict[str, Callable[..., object]] = {action.__name__: action for action in (slots, hold, call)}

if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201 - how the processes talk
    sys.stdin.readline()
    print(json.dumps(_ACTIONS[sys.argv[1]](*sys.argv[2:])))  # noqa: T201
