"""Reads that show what was before the last writes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from pulumi_dataprotection.emulator.store.lag import Lag
from pulumi_dataprotection.emulator.store.store import Store
from support import HANG, Emulator
from support.emulator.cases import CONTOSO, Case, Step, assigning, case, each_case, ours, protections, removing, send
from support.emulator.variants import FREE, GOLD, PROTECTED, SILVER, each_variant, protect

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
OTHER = "res-contoso-user-21"
LAGGING = {"read_lag": 20}
NEW_ORG = "POST orgs?parent_org_id=org-contoso&name=Fabrikam"
ORGS = "GET orgs/org-contoso/orgs"


class CountedStore(Store):
    """A store that counts its copies."""

    copies = 0

    def copy(self) -> Store:
        """Copy, and count."""
        self.copies += 1
        return super().copy()


def policies(service: httpx.Client) -> list[str]:
    items = send(service, protections(FREE)).json()["items"]
    return [item["policy_id"] for item in items]


@each_variant("read_lag", {0: [GOLD], 20: []})
def test_a_read_right_after_a_write(service: httpx.Client, expected: list[str]) -> None:
    protect(service, FREE, GOLD)
    assert expected == policies(service)


def shown_after(*steps: Step, listing: str = protections(FREE), answer: object) -> Case:
    """Make a case of a list that is read amid a lag of 20 seconds."""
    return case(
        *steps, listing, answer=answer, field="items.name" if "orgs" in listing else "items.policy_id", dialect=LAGGING
    )


REMOVAL, REMOVED = removing(PROTECTED, SILVER), protections(PROTECTED)
TWO = (assigning(FREE, GOLD), 10, assigning(OTHER, GOLD))
test_a_list_amid_a_lag = each_case(
    {
        "an assignment too early": shown_after(assigning(FREE, GOLD), 10, answer=[]),
        "an assignment": shown_after(assigning(FREE, GOLD), 20, answer=[GOLD]),
        "a removal too early": shown_after(
            removing(PROTECTED, SILVER), 10, listing=protections(PROTECTED), answer=[SILVER]
        ),
        "a removal": shown_after(REMOVAL, 20, listing=REMOVED, answer=[]),
        "an organization too early": shown_after(NEW_ORG, 10, listing=ORGS, answer=[]),
        "an organization": shown_after(NEW_ORG, 20, listing=ORGS, answer=["Fabrikam"]),
        "the first of two writes": shown_after(*TWO, 10, answer=[GOLD]),
        "the second of two writes too early": shown_after(*TWO, 10, listing=protections(OTHER), answer=[]),
        "the second of two writes": shown_after(*TWO, 20, listing=protections(OTHER), answer=[GOLD]),
        "a patch shows the present": shown_after(
            assigning(FREE, GOLD), {"resources": [ours(FREE, name="New name")]}, answer=[GOLD]
        ),
        "a clock that is set back shows the present": shown_after(assigning(FREE, GOLD), -3600, answer=[GOLD]),
        "a write sees the present": case(assigning(FREE, GOLD), assigning(FREE, SILVER), status=400, dialect=LAGGING),
    }
)


def test_another_lag_and_another_seed_show_the_present(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=20)
    protect(service, FREE, GOLD)
    emulator.set_dialect(read_lag=10)
    assert policies(service) == [GOLD]
    protect(service, OTHER, GOLD)
    emulator.reset("large:1x1")
    assert service.get("tenants/tenant-0001/resources").status_code == 200


def test_polls_move_the_task_of_the_present(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=20, task_progress="polls")
    id = service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").json()["task_id"]
    statuses = [service.get(f"{CONTOSO}/tasks/{id}").json()["status"] for _ in range(3)]
    assert statuses == ["open", "inprogress", "done"]


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
