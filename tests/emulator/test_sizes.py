"""Numbers larger than the database's own, and more records than anybody has."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from support import Emulator

UINT64_MAX = 18446744073709551615
INT64_MAX = 9223372036854775807
SIZES = [str(UINT64_MAX), "9", "10", str(UINT64_MAX - 1), str(INT64_MAX + 1), "0"]
TENANT_ID = "tenant-0001"


def read(emulator: Emulator, path: str) -> dict[str, Any]:
    response = httpx.get(f"{emulator.url}/api/v1/tenants/{path}", headers={"Authorization": emulator.api_key})
    answer: dict[str, Any] = response.raise_for_status().json()
    return answer


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Emulator]:
    """An emulator whose archives have sizes at the ends of what a field can say, after a restart."""
    database = str(tmp_path / "estate.db")
    archives = [
        {"tenant_id": TENANT_ID, "id": f"archive-{number}", "resource_id": "res-0000001", "size": size}
        for number, size in enumerate(SIZES)
    ]
    with Emulator("large:1x1", database) as emulator:
        emulator.patch({"archives": archives})
    with Emulator("large:1x1", database) as emulator:
        yield emulator


def test_the_largest_sizes_survive_a_restart_and_have_the_largest_total(restarted: Emulator) -> None:
    assert SIZES == [archive["stats"]["size"] for archive in read(restarted, f"{TENANT_ID}/archives")["items"]]
    assert sorted(SIZES) == sorted(archive["size"] for archive in restarted.state()["archives"])
    (tenant,) = read(restarted, f"{TENANT_ID}/resources/statistics/summary")["tenants"]
    assert str(INT64_MAX) == tenant["resources_total"]["size_total"]


def test_the_largest_archive_does_not_grow_beyond_its_field(restarted: Emulator) -> None:
    task = {"tenant_id": TENANT_ID, "id": "task-1", "job_id": "job-1", "resource_id": "res-0000001"}
    restarted.patch(
        {"archives": [{"tenant_id": TENANT_ID, "id": f"archive-{number}", "deleted": True} for number in range(1, 6)]}
    )
    restarted.patch({"tasks": [task]})
    restarted.advance(3600)
    (archive,) = read(restarted, f"{TENANT_ID}/archives")["items"]
    assert str(UINT64_MAX) == archive["stats"]["size"]


def test_a_tenant_of_40000_resources_is_deleted_with_all_it_holds() -> None:
    with Emulator("estate:1x1x40000") as emulator:
        (tenant,) = read(emulator, f"{TENANT_ID}/resources/statistics/summary")["tenants"]
        emulator.patch({"tenants": [{"id": TENANT_ID, "deleted": True}]})
        left = [name for name, records in emulator.state().items() if records]
    assert (40_000, ["orgs", "keys", "installations"]) == (tenant["resources_total"]["count"], left)
    assert tenant["resources_total"]["protected_count"] > 30_000
