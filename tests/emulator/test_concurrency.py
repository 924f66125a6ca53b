"""Many clients at once, and many emulators."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.writers import Ledger, Writer, archive_of, client_of, differences

CLIENTS = 20
ROUNDS = 6
RESOURCES = 200


class Worker(Writer):
    """A client with a connection of its own, which notes its writes and wrong listings."""

    def __init__(self, emulator: Emulator, number: int, ledger: Ledger) -> None:
        self.wrong_listings: list[list[str]] = []
        self._resources = [f"res-{number * ROUNDS + turn + 1:07}" for turn in range(ROUNDS)]
        self._connection = client_of(emulator.url, emulator.api_key)
        super().__init__(self._connection, ledger)

    def work(self) -> None:
        """Write about resources of its own, and about organizations that others create as well."""
        with self._connection:
            for turn, resource_id in enumerate(self._resources):
                self.protect(resource_id)
                self.run_job(resource_id)
                self.create_org(f"shared-{turn}")
                self.create_org(f"own-{resource_id}")
                self.delete_archive(resource_id)
                if turn % 2:
                    self.unprotect(resource_id)
                self._read()

    def _read(self) -> None:
        resources = [resource["id"] for resource in self._pages("resources")]
        if resources != [f"res-{number:07}" for number in range(1, RESOURCES + 1)]:
            self.wrong_listings.append(resources)
        own = {self.ledger.jobs[id] for id in self._resources if id in self.ledger.jobs}
        jobs = [protection["job_id"] for protection in self._pages("protections")]
        if len(jobs) != len(set(jobs)) or not own <= set(jobs):
            self.wrong_listings.append(jobs)

    def _pages(self, listing: str) -> Iterator[dict[str, Any]]:
        token: str | None = None
        while token != "":
            page = self.send("GET", f"tenants/tenant-0001/{listing}", params={"limit": 70, "page_token": token or ""})
            yield from page["items"]
            token = page["next_page_token"]


@pytest.mark.parametrize("place", ["memory", "file"])
def test_many_clients_write_and_list_at_once(tmp_path: Path, place: str) -> None:
    database = ":memory:" if place == "memory" else str(tmp_path / "estate.db")
    turns, ledger = CLIENTS * ROUNDS, Ledger()
    with Emulator(f"large:1x{RESOURCES}", database) as emulator:
        emulator.patch({"archives": [archive_of(number) for number in range(1, turns + 1)]})
        workers = [Worker(emulator, number, ledger) for number in range(CLIENTS)]
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(Worker.work, workers))
        state, requests = emulator.state(), len(emulator.requests())
    if place == "file":
        with Emulator(database=database) as emulator:
            state = emulator.state()
    # Each request succeeds and is logged, and each list is whole.
    assert [200] * requests == ledger.answers
    assert [] == [listing for worker in workers for listing in worker.wrong_listings]
    found = differences(state, ledger)
    assert not any(found.values()), found
    events = {
        "resource.protect": turns,
        "job.trigger": turns,
        "archive.delete": turns,
        "resource.unprotect": turns // 2,
    }
    assert events == Counter(event["action"] for event in state["audit_events"])


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
        assert httpx.get(f"{other.url}/api/v1/orgs/org-nowhere", headers=headers).json()["status"] == 404
