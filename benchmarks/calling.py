"""What `benchmarks.client` measures, in processes of their own: the same done with the client and with httpx alone."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from pulumi_dataprotection.client import Client, Clock, Settings, calls

__all__ = [
    "PAGE",
    "STORM",
    "TIMES",
    "list_bare",
    "list_with_client",
    "one_call",
    "storm_bare",
    "storm_with_client",
]

TIMES = 3000
STORM = 200
PAGE = 500

_ORG = "org-root"
_TENANT = "tenant-0001"


class _DrivenClock(Clock):
    """The machine's clock, but whoever waits has waited at once."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = 0.0

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic() + self.waited

    def time(self) -> float:
        """Seconds since the epoch."""
        return time.time() + self.waited

    def sleep(self, seconds: float, /) -> None:
        """Go on."""
        self.waited += seconds


def one_call(url: str, key: str) -> dict[str, float]:
    """Read the same organization in each way by turns; return the medians in ms."""
    bare = _bare(url, key)
    unlimited = Client(Settings(key, url, calls_per_second=0))
    budgeted = Client(Settings(key, url, calls_per_second=1_000_000))
    ways: dict[str, Callable[[], object]] = {
        "bare": lambda: bare.get(f"/api/v1/orgs/{_ORG}").json(),
        "unlimited": lambda: unlimited.send(calls.get_org(_ORG)),
        "budgeted": lambda: budgeted.send(calls.get_org(_ORG)),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TIMES):
        for name, call in ways.items():
            started = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - started)
    return {name: statistics.median(of_one) * 1000 for name, of_one in times.items()}


def list_with_client(url: str, key: str) -> dict[str, float]:
    """List all resources of the big tenant."""
    client = Client(Settings(key, url, calls_per_second=0, page_size=PAGE))
    return _listed(lambda: client.send(calls.list_resources(_TENANT)))


def list_bare(url: str, key: str) -> dict[str, float]:
    """List the same with a plain loop, and keep the dictionaries."""
    bare = _bare(url, key)

    def listing() -> list[Any]:
        found: list[Any] = []
        query: dict[str, str | int] = {"limit": PAGE}
        while True:
            page = bare.get(f"/api/v1/tenants/{_TENANT}/resources", params=query).json()
            found += page["items"]
            if not page["next_page_token"]:
                return found
            query["page_token"] = page["next_page_token"]

    return _listed(listing)


def storm_with_client(url: str, key: str) -> dict[str, float]:
    """Call on a clock on which waits take no time."""
    clock = _DrivenClock()
    client = Client(Settings(key, url, calls_per_second=0), clock=clock)
    result = _called(lambda: client.send(calls.get_org(_ORG)).id == _ORG)
    return {**result, "waited": clock.waited}


def storm_bare(url: str, key: str) -> dict[str, float]:
    """Call with the bare library, which tries each call once."""
    bare = _bare(url, key)
    return _called(lambda: bare.get(f"/api/v1/orgs/{_ORG}").is_success)


def _bare(url: str, key: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": key}, trust_env=False, timeout=30)


def _listed(read: Callable[[], list[Any]]) -> dict[str, float]:
    started = time.perf_counter()
    found = read()
    seconds = time.perf_counter() - started
    # The kernel's own number for this program: that of `getrusage` begins with what the parent had.
    (peak,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return {"items": len(found), "seconds": seconds, "megabytes": int(peak.split()[1]) / 1000}


def _called(call: Callable[[], bool]) -> dict[str, float]:
    started = time.perf_counter()
    done = sum(call() for _ in range(STORM))
    return {"done": done, "seconds": time.perf_counter() - started}
