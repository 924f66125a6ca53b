"""Many clients at once, and many emulators."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.writers import Chance, Ledger, Writer, archive_of, client_of, differences

CLIENTS, ROUNDS, RESOURCES = 20, 12, 200


def pages(writer: Writer, listing: str) -> Iterator[dict[str, Any]]:
    token: str | None = None
    while token != "":
        page = writer.send("GET", f"tenants/tenant-0001/{listing}", params={"limit": 70, "page_token": token or ""})
        yield from page["items"]
        token = page["next_page_token"]


def work(emulator: Emulator, ledger: Ledger, number: int) -> list[list[str]]:
    """Write and list as one of the clients, and return the lists that are wrong."""
    chance, wrong = Chance(number, CLIENTS, RESOURCES, ledger), list[list[str]]()
    with client_of(emulator.url, emulator.api_key) as client:
        writer = Writer(client, ledger)
        for _ in range(ROUNDS):
            chance.write(writer)
            resources = [resource["id"] for resource in pages(writer, "resources")]
            if resources != [f"res-{number:07}" for number in range(1, RESOURCES + 1)]:
                wrong.append(resources)
            own = {ledger.jobs[id] for id in chance.resources if id in ledger.jobs}
            jobs = [protection["job_id"] for protection in pages(writer, "protections")]
            if len(jobs) != len(set(jobs)) or not own <= set(jobs):
                wrong.append(jobs)
    return wrong


@pytest.mark.parametrize("place", ["memory", "file"])
def test_many_clients_write_and_list_at_once(tmp_path: Path, place: str) -> None:
    database, ledger = ":memory:" if place == "memory" else str(tmp_path / "estate.db"), Ledger()
    with Emulator(f"large:1x{RESOURCES}", database) as emulator:
        emulator.patch({"archives": [archive_of(number) for number in range(1, RESOURCES + 1)]})
        with ThreadPoolExecutor(CLIENTS) as pool:
            wrong = [*pool.map(partial(work, emulator, ledger), range(CLIENTS))]
        state, requests = emulator.state(), len(emulator.requests())
    if place == "file":
        with Emulator(database=database) as emulator:
            state = emulator.state()
    # Each request succeeds and is logged, and each list is whole.
    assert [200] * requests == ledger.answers
    assert [[]] * CLIENTS == wrong
    found = differences(state, ledger)
    assert not any(found.values()), found
    assert all((ledger.external_ids, ledger.tasks, ledger.deletions, ledger.jobs, ledger.removed))


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
