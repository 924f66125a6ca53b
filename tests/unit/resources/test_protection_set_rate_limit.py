"""A large set on a service with a rate limit: the service does not ban it, and other processes keep their share."""

import threading
from collections import Counter

import pytest

from pulumi_dataprotection.client import Client, Settings, calls
from support import HANG, Emulator
from support.resources.arguments import members
from support.resources.servicer import Servicer

pytestmark = pytest.mark.thorough

RATE, MEMBERS, TENANT = 100, 250, "tenant-0001"


@pytest.fixture
def limited(emulator: Emulator) -> Emulator:
    """A service that rejects calls beyond its rate, and bans clients that do not wait."""
    emulator.reset(f"large:1x{MEMBERS}")
    emulator.set_dialect(calls_per_second=RATE)
    emulator.clear_requests()
    return emulator


def read_repeatedly(settings: Settings, until: threading.Event, read: Counter[str]) -> None:
    """Call the service as another process of this machine does with the same key."""
    client = Client(settings)
    try:
        while not until.wait(0.2):
            read[client.send(calls.get_tenant(TENANT)).id] += 1
    finally:
        client.close()


def test_workers_keep_to_the_waits_that_the_service_names(
    servicer: Servicer, limited: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The processes of this machine share the rate in this folder.
    monkeypatch.setenv("XDG_CACHE_HOME", str(servicer.log.parent / "cache"))
    run = servicer.run(limited, concurrency="8", callsPerSecond=str(RATE), readLag="0")
    people = {**members(*(f"res-{number:07}" for number in range(1, MEMBERS + 1))), "tenant_id": TENANT}
    done, read = threading.Event(), Counter[str]()
    settings = Settings(limited.api_key, limited.url, calls_per_second=RATE)
    other = threading.Thread(target=read_repeatedly, args=(settings, done, read))
    other.start()
    try:
        outs = run.protection_set.create(run.protection_set.check({}, people).inputs).outs
    finally:
        done.set()
        other.join(HANG)
    assert MEMBERS == len(outs["protected"])
    assert read[TENANT] > 0
    statuses = Counter(request["status"] for request in limited.requests())
    assert statuses[403] == 0, "banned"
    assert statuses[429] < 0.1 * statuses.total()
