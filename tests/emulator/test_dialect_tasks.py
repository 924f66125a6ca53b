"""Tasks of a dialect, and their progress (operations 13, 21 and 22)."""

import json
from datetime import timedelta
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO
from support.emulator.variants import PROTECTED, answer, each_variant, records_of


def triggered(service: httpx.Client, emulator: Emulator) -> str:
    """Spawn a task, and find its id in the state."""
    service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").raise_for_status()
    id: str = emulator.state()["tasks"][-1]["id"]
    return id


def polled(service: httpx.Client, id: str, times: int) -> list[str]:
    return [service.get(f"{CONTOSO}/tasks/{id}").raise_for_status().json()["status"] for _ in range(times)]


@each_variant("task_progress", clock=["open"] * 4, polls=["open", "inprogress", "done", "done"])
def test_a_task_that_is_read_again_and_again(service: httpx.Client, emulator: Emulator, expected: list[str]) -> None:
    assert expected == polled(service, triggered(service, emulator), 4)


def test_the_clock_advances_no_task_that_polls_advance_and_deletes_archives(
    service: httpx.Client, emulator: Emulator
) -> None:
    emulator.set_dialect(task_progress="polls")
    id = triggered(service, emulator)
    service.delete(f"{CONTOSO}/archives/archive-contoso-01", params={"reason": "left"}).raise_for_status()
    emulator.advance(timedelta(days=7).total_seconds())
    assert (["open"], []) == (polled(service, id, 1), records_of(emulator, "archives", id="archive-contoso-01"))


def test_a_task_that_polls_of_a_read_only_key_ended_made_the_archive_grow(
    service: httpx.Client, reader: httpx.Client, emulator: Emulator
) -> None:
    emulator.set_dialect("plain", task_progress="polls")
    before = records_of(emulator, "archives", resource_id=PROTECTED)
    id = triggered(service, emulator)
    assert ["queued", "running", "done"] == polled(reader, id, 3)
    after = records_of(emulator, "archives", resource_id=PROTECTED)
    assert [{**before[0], "size": str(int(before[0]["size"]) + 256)}] == after
    task = service.get(f"{CONTOSO}/tasks/{id}").json()
    assert task["created_at"] <= task["started_at"] <= task["finished_at"]


def test_a_task_of_an_archived_resource_fails_by_polls_too(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": PROTECTED, "archived": True}]})
    emulator.set_dialect(task_progress="polls")
    assert polled(service, triggered(service, emulator), 3) == ["open", "inprogress", "failed"]


@each_variant(
    "task_statuses",
    published=["open", "inprogress", "done"],
    plain=["queued", "running", "done"],
    upper=["OPEN", "INPROGRESS", "DONE"],
    other=["queued", "finalizing", "done"],
)
def test_the_statuses_of_a_task(service: httpx.Client, emulator: Emulator, variant: str, expected: list[str]) -> None:
    emulator.set_dialect(task_statuses=variant, task_progress="polls")
    assert expected == polled(service, triggered(service, emulator), 3)


@pytest.mark.parametrize(("variant", "expected"), [("upper", {"DONE", "WARNINGS"}), ("other", {"done", "warnings"})])
def test_the_statistics_have_the_same_statuses(
    service: httpx.Client, emulator: Emulator, variant: str, expected: set[str]
) -> None:
    emulator.set_dialect(task_statuses=variant, task_statistics="items")
    assert expected == {item["status"] for item in answer(service, "get_task_stats")["items"]}


PLAIN = [
    "tenant_id", "id", "job_id", "resource_id", "kind", "status", "progress", "message",
    "created_at", "started_at", "finished_at",
]  # fmt: skip


@each_variant(
    "task_fields",
    published=["id", "resource_id", "status"],
    plain=PLAIN,
    prefixed=[{"id": "task_id", "status": "state", "message": "error"}.get(name, name) for name in PLAIN],
)
def test_the_fields_of_a_task(service: httpx.Client, expected: list[str]) -> None:
    assert expected == list(answer(service, "get_task"))


@each_variant("triggered_task", task_id={"task_id": "ID"}, id={"id": "ID"}, task={"task": {"id": "ID"}})
def test_the_id_of_a_spawned_task(service: httpx.Client, emulator: Emulator, expected: dict[str, Any]) -> None:
    text = service.put(f"{CONTOSO}/jobs/job-contoso-01/trigger").text
    id = emulator.state()["tasks"][-1]["id"]
    assert expected == json.loads(text.replace(id, "ID"))


@each_variant(
    "task_statistics",
    published={
        "total": {"done": 1, "failed": 0, "warnings": 1},
        "by_action": {"backup": {"done": 1, "failed": 0, "warnings": 1}},
    },
    items={"items": [{"status": "done", "count": 1}, {"status": "warnings", "count": 1}]},
    mapping={"statuses": {"done": 1, "warnings": 1}},
)
def test_the_statistics_of_tasks(service: httpx.Client, expected: dict[str, Any]) -> None:
    assert expected == answer(service, "get_task_stats")


def test_the_mapping_of_statistics_gets_no_extra_fields(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(task_statistics="mapping", extra_fields="some")
    assert answer(service, "get_task_stats")["statuses"] == {"done": 1, "warnings": 1}
    emulator.set_dialect(extra_fields="some")
    assert list(answer(service, "get_task_stats")["by_action"]) == ["backup"]
