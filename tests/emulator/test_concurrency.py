"""Many clients at once, and many emulators."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from support import HANG, Emulator

CLIENTS = 20
ROUNDS = 6
RESOURCES = 200
TENANT = "tenants/tenant-0001"
POLICY = {"policy_id": "policy-gold"}


@dataclass
class Notes:
    """What one client was told.

    Attributes:
        statuses: of all of its requests.
        external_ids: of the organizations that it created.
        jobs: those of the protections that it made and left.
        deletions: the archives that it scheduled for deletion.
        tasks: those that it triggered.
        wrong_listings: those that lacked something, or had something twice.
    """

    statuses: list[int] = field(default_factory=list[int])
    external_ids: set[str] = field(default_factory=set[str])
    jobs: set[str] = field(default_factory=set[str])
    deletions: set[str] = field(default_factory=set[str])
    tasks: set[str] = field(default_factory=set[str])
    wrong_listings: list[list[str]] = field(default_factory=list[list[str]])


class Worker:
    """A client with a connection of its own, which notes what it was told."""

    def __init__(self, emulator: Emulator, number: int) -> None:
        self.notes = Notes()
        self._number = number
        self._client = httpx.Client(
            base_url=f"{emulator.url}/api/v1/",
            headers={"Authorization": emulator.api_key},
            timeout=HANG,
            verify=False,  # noqa: S501 - plain HTTP, and certificates take long to load
        )

    def work(self) -> Notes:
        """Write about resources of one's own, and about organizations that others create as well."""
        with self._client:
            for turn in range(ROUNDS):
                self._write(turn, f"{self._number * ROUNDS + turn + 1:07}")
                self._read()
        return self.notes

    def _write(self, turn: int, number: str) -> None:
        protect = f"{TENANT}/resources/res-{number}/protect"
        job_id = self._ask("POST", protect, json={}, params=POLICY)["job_id"]
        self.notes.tasks.add(self._ask("PUT", f"{TENANT}/jobs/{job_id}/trigger")["task_id"])
        for external_id in (f"shared-{turn}", f"own-{number}"):
            self._ask("POST", "orgs", params={"external_id": external_id})
            self.notes.external_ids.add(external_id)
        self._ask("DELETE", f"{TENANT}/archives/archive-{number}", params={"reason": "a test"})
        self.notes.deletions.add(f"archive-{number}")
        if turn % 2:
            self._ask("DELETE", protect, params=POLICY)
        else:
            self.notes.jobs.add(job_id)

    def _read(self) -> None:
        resources = [resource["id"] for resource in self._pages("resources")]
        if resources != [f"res-{number:07}" for number in range(1, RESOURCES + 1)]:
            self.notes.wrong_listings.append(resources)
        jobs = [protection["job_id"] for protection in self._pages("protections")]
        if len(jobs) != len(set(jobs)) or not self.notes.jobs <= set(jobs):
            self.notes.wrong_listings.append(jobs)

    def _pages(self, listing: str) -> Iterator[dict[str, Any]]:
        token = ""
        while True:
            page = self._ask("GET", f"{TENANT}/{listing}", params={"limit": 70, "page_token": token})
            yield from page["items"]
            token = page["next_page_token"]
            if not token:
                return

    def _ask(self, method: str, path: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - httpx knows which
        response = self._client.request(method, path, **arguments)
        self.notes.statuses.append(response.status_code)
        answer: dict[str, Any] = response.json()
        return answer


@dataclass
class Aftermath:
    """What all clients together were told, and what there is in the end."""

    told: Notes
    state: dict[str, list[dict[str, Any]]]
    requests: int


@pytest.fixture(scope="module", params=["memory", "file"])
def aftermath(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    """An emulator that many clients have written to."""
    database = ":memory:" if request.param == "memory" else str(tmp_path_factory.mktemp("many") / "estate.db")
    archives = [
        {"tenant_id": "tenant-0001", "id": f"archive-{number:07}", "resource_id": f"res-{number:07}"}
        for number in range(1, CLIENTS * ROUNDS + 1)
    ]
    with Emulator(f"large:1x{RESOURCES}", database) as emulator:
        emulator.patch({"archives": archives})
        with ThreadPoolExecutor(CLIENTS) as pool:
            all_notes = list(pool.map(Worker.work, [Worker(emulator, number) for number in range(CLIENTS)]))
        state, requests = emulator.state(), len(emulator.requests())
    if request.param == "file":
        with Emulator(database=database) as emulator:
            state = emulator.state()
    told = Notes()
    for notes in all_notes:
        told.statuses += notes.statuses
        told.external_ids |= notes.external_ids
        told.jobs |= notes.jobs
        told.deletions |= notes.deletions
        told.tasks |= notes.tasks
        told.wrong_listings += notes.wrong_listings
    return Aftermath(told, state, requests)


def test_every_request_of_many_clients_succeeds(aftermath: Aftermath) -> None:
    assert {200} == set(aftermath.told.statuses)


def test_every_request_of_many_clients_is_logged(aftermath: Aftermath) -> None:
    assert len(aftermath.told.statuses) == aftermath.requests


def test_every_listing_amid_many_writers_is_whole_and_without_doubles(aftermath: Aftermath) -> None:
    assert aftermath.told.wrong_listings == []


def test_every_organization_that_many_clients_create_is_there_once(aftermath: Aftermath) -> None:
    created = [org["external_id"] for org in aftermath.state["orgs"] if org["external_id"]]
    assert sorted(aftermath.told.external_ids) == sorted(created)


def test_the_protections_are_those_that_many_clients_made_and_left(aftermath: Aftermath) -> None:
    assert sorted(aftermath.told.jobs) == sorted(row["job_id"] for row in aftermath.state["protections"])


def test_every_deletion_that_many_clients_schedule_is_scheduled(aftermath: Aftermath) -> None:
    assert aftermath.told.deletions == {row["id"] for row in aftermath.state["archives"] if row["delete_at"]}


def test_every_task_that_many_clients_trigger_is_there(aftermath: Aftermath) -> None:
    assert sorted(aftermath.told.tasks) == sorted(row["id"] for row in aftermath.state["tasks"])


def test_every_write_of_many_clients_has_its_audit_event(aftermath: Aftermath) -> None:
    turns = CLIENTS * ROUNDS
    expected = {
        "resource.protect": turns,
        "job.trigger": turns,
        "archive.delete": turns,
        "resource.unprotect": turns // 2,
    }
    assert expected == Counter(event["action"] for event in aftermath.state["audit_events"])


def test_two_emulators_in_one_process_share_nothing() -> None:
    with Emulator() as one, Emulator() as other:
        before, now = other.state(), other.now()
        one.set_dialect("strict")
        one.advance(1_000_000)
        one.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-new"}]})
        headers = {"Authorization": one.api_key}
        httpx.post(f"{one.url}/api/v1/orgs", params={"parent_org_id": "org-alpine"}, headers=headers).raise_for_status()
        assert before == other.state()
        assert [] == other.requests()
        assert (other.now() - now).total_seconds() < 100_000
        refusal = httpx.get(f"{other.url}/api/v1/orgs/org-nowhere", headers=headers).json()
    assert {"message": 'there is no organization "org-nowhere"'} == refusal
