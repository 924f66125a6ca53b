"""A set that meets a service's limits: it is neither banned nor in anybody's way."""

import threading
from collections import Counter

import pytest

from pulumi_dataprotection.client import Client, Settings, calls
from support import HANG, Emulator
from support.resources.servicer import Properties, Servicer

pytestmark = pytest.mark.thorough

RATE = 100
MEMBERS = 250
TENANT = "tenant-0001"
PEOPLE: Properties = {
    "tenant_id": TENANT,
    "assignments": {f"res-{number:07}": "Gold" for number in range(1, MEMBERS + 1)},
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}


@pytest.fixture
def limited(emulator: Emulator) -> Emulator:
    """A service that refuses what goes beyond its rate, and bans who does not wait."""
    emulator.reset(f"large:1x{MEMBERS}")
    emulator.set_dialect(calls_per_second=RATE)
    emulator.clear_requests()
    return emulator


def look_now_and_then(settings: Settings, until: threading.Event, statuses: Counter[str]) -> None:
    """Do what another process of this machine does with the same key meanwhile."""
    client = Client(settings)
    try:
        while not until.wait(0.2):
            statuses[client.send(calls.get_tenant(TENANT)).id] += 1
    finally:
        client.close()


def test_many_workers_keep_to_the_waits_that_they_are_told(
    servicer: Servicer, limited: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the processes of this machine meet.
    monkeypatch.setenv("XDG_CACHE_HOME", str(servicer.log.parent / "cache"))
    config = {"apiKey": limited.api_key, "baseUrl": limited.url}
    run = servicer.run({**config, "concurrency": "8", "callsPerSecond": str(RATE), "readLag": "0"})
    done, listed = threading.Event(), Counter[str]()
    settings = Settings(limited.api_key, limited.url, calls_per_second=RATE)
    other = threading.Thread(target=look_now_and_then, args=(settings, done, listed))
    other.start()
    try:
        outs = run.protection_set.create(run.protection_set.check({}, PEOPLE).inputs).outs
    finally:
        done.set()
        other.join(HANG)
    assert MEMBERS == len(outs["protected"])
    assert listed[TENANT] > 0
    statuses = Counter(request["status"] for request in limited.requests())
    assert statuses[403] == 0, "banned"
    assert statuses[429] < 0.1 * statuses.total()
