"""Reads that show what was before the last writes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from pulumi_dataprotection.emulator.store.lag import Lag
from pulumi_dataprotection.emulator.store.store import Store
from support import HANG, Emulator
from support.emulator.cases import CONTOSO, ours
from support.emulator.variants import FREE, GOLD, PROTECTED, SILVER, each_variant, protect, records_of, unprotect

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
OTHER = "res-contoso-user-21"


class CountedStore(Store):
    """A store that counts its copies."""

    copies = 0

    def copy(self) -> Store:
        """Copy, and count."""
        self.copies += 1
        return super().copy()


@pytest.fixture
def lagging(emulator: Emulator) -> Emulator:
    """An emulator whose reads are 20 seconds late."""
    emulator.set_dialect(read_lag=20)
    return emulator


def policies(service: httpx.Client, resource_id: str = FREE) -> list[str]:
    items = service.get(f"{CONTOSO}/protections", params={"resource_id": resource_id}).json()["items"]
    return [item["policy_id"] for item in items]


@each_variant("read_lag", {0: [GOLD], 20: []})
def test_a_read_right_after_a_write(service: httpx.Client, expected: list[str]) -> None:
    protect(service, FREE, GOLD)
    assert expected == policies(service)


def test_a_write_shows_once_the_lag_is_over(service: httpx.Client, lagging: Emulator) -> None:
    protect(service, FREE, GOLD)
    unprotect(service, PROTECTED, SILVER)
    before = policies(service), policies(service, PROTECTED)
    lagging.advance(20)
    assert (([], [SILVER]), ([GOLD], [])) == (before, (policies(service), policies(service, PROTECTED)))


def test_a_new_organization_is_not_found_until_the_lag_is_over(service: httpx.Client, lagging: Emulator) -> None:
    id = service.post("orgs", params={"name": "Fabrikam"}).json()["org"]["id"]
    before = service.get(f"orgs/{id}").status_code
    lagging.advance(20)
    assert (404, 200) == (before, service.get(f"orgs/{id}").status_code)


def test_writes_show_one_after_the_other(service: httpx.Client, lagging: Emulator) -> None:
    protect(service, FREE, GOLD)
    lagging.advance(10)
    protect(service, OTHER, GOLD)
    shown = [[policies(service), policies(service, OTHER)]]
    for _ in range(2):
        lagging.advance(10)
        shown.append([policies(service), policies(service, OTHER)])
    assert shown == [[[], []], [[GOLD], []], [[GOLD], [GOLD]]]


@pytest.mark.usefixtures("lagging")
def test_a_write_sees_the_present(service: httpx.Client) -> None:
    job_id = protect(service, FREE, GOLD).json()["job_id"]
    again = protect(service, FREE, GOLD).json()["job_id"]
    assert (job_id, 400) == (again, protect(service, FREE, SILVER).status_code)


CHANGES: dict[str, Callable[[Emulator], None]] = {
    "a patch": lambda emulator: emulator.patch({"resources": [ours(FREE, name="New name")]}),
    "another lag": lambda emulator: emulator.set_dialect(read_lag=10),
    "a clock that is set back": lambda emulator: emulator.advance(-3600),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_the_emulator_shows_the_present(
    service: httpx.Client, lagging: Emulator, change: Callable[[Emulator], None]
) -> None:
    protect(service, FREE, GOLD)
    assert [record["policy_id"] for record in records_of(lagging, "protections", resource_id=FREE)] == [GOLD]
    change(lagging)
    assert policies(service) == [GOLD]


def test_another_seed_shows_at_once(service: httpx.Client, lagging: Emulator) -> None:
    protect(service, FREE, GOLD)
    lagging.reset("large:1x1")
    assert service.get("tenants/tenant-0001/resources").status_code == 200


def test_polls_move_the_task_of_the_present(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=20, task_progress="polls")
    id = service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").json()["task_id"]
    statuses = [service.get(f"{CONTOSO}/tasks/{id}").json()["status"] for _ in range(3)]
    assert statuses == ["queued", "running", "done"]


def test_a_database_in_a_file_lags_too(tmp_path: Path) -> None:
    with Emulator(database=str(tmp_path / "estate.db")) as emulator:
        emulator.set_dialect(read_lag=20)
        headers = {"Authorization": emulator.api_key}
        with httpx.Client(base_url=f"{emulator.url}/api/v1/", headers=headers, timeout=HANG) as service:
            protect(service, FREE, GOLD)
            before = policies(service)
            emulator.advance(20)
            assert ([], [GOLD]) == (before, policies(service))


@pytest.mark.parametrize(("seconds", "copies"), [(20, 10), (0, 0)])
def test_many_writes_make_few_copies(seconds: float, copies: int) -> None:
    store = CountedStore()
    lag = Lag(store)
    for number in range(1000):
        lag.before_write(NOON + number * timedelta(milliseconds=20), seconds)
    assert (store is lag.shown(NOON, seconds)) == (seconds == 0)
    lag.forget()
    store.close()
    assert copies == store.copies
