"""Jobs and the tasks that they spawn (operations 13, 21 and 22)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from support import Emulator

TENANT = "tenants/tenant-contoso"
JOB = "job-contoso-01"
RESOURCE = "res-contoso-user-01"


def triggered(service: httpx.Client, job_id: str = JOB) -> str:
    task_id: str = service.put(f"{TENANT}/jobs/{job_id}/trigger").raise_for_status().json()["task_id"]
    return task_id


def task(service: httpx.Client, id: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.get(f"{TENANT}/tasks/{id}").raise_for_status().json()
    return answer


def archive_size(service: httpx.Client) -> int:
    (archive,) = service.get(f"{TENANT}/archives", params={"resource_id": RESOURCE}).json()["items"]
    return int(archive["stats"]["size"])


def statistics(service: httpx.Client, start: datetime, end: datetime) -> httpx.Response:
    window = {"start_time": start.isoformat(), "end_time": end.isoformat()}
    return service.get(f"{TENANT}/tasks/statistics/summary", params=window)


def test_a_triggered_job_spawns_a_queued_task(service: httpx.Client) -> None:
    answer = task(service, triggered(service))
    expected = {
        "tenant_id": "tenant-contoso",
        "job_id": JOB,
        "resource_id": RESOURCE,
        "kind": "backup",
        "status": "queued",
        "progress": 0,
        "message": "",
        "started_at": None,
        "finished_at": None,
    }
    assert expected == {name: answer[name] for name in expected}


@pytest.mark.parametrize(
    ("seconds", "status"), [(9, "queued"), (11, "running"), (59, "running"), (61, "done"), (100_000, "done")]
)
def test_a_task_goes_on_with_the_clock(service: httpx.Client, emulator: Emulator, seconds: int, status: str) -> None:
    id = triggered(service)
    emulator.advance(seconds)
    assert status == task(service, id)["status"]


def test_a_task_says_when_it_started_and_finished(service: httpx.Client, emulator: Emulator) -> None:
    id = triggered(service)
    emulator.advance(1000)
    answer = {name: value for name, value in task(service, id).items() if name.endswith("_at")}
    created, started, finished = (
        datetime.fromisoformat(answer[name]) for name in ("created_at", "started_at", "finished_at")
    )
    assert ((started - created).total_seconds(), (finished - created).total_seconds()) == (10, 60)


def test_a_done_task_makes_the_archive_grow(service: httpx.Client, emulator: Emulator) -> None:
    before = archive_size(service)
    triggered(service)
    emulator.advance(61)
    assert archive_size(service) > before


def test_a_running_task_leaves_the_archive_as_it_is(service: httpx.Client, emulator: Emulator) -> None:
    before = archive_size(service)
    triggered(service)
    emulator.advance(59)
    assert before == archive_size(service)


def test_the_first_done_task_makes_an_archive(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-01", "deleted": True}]})
    triggered(service)
    emulator.advance(61)
    assert archive_size(service) > 0


def test_a_task_of_an_archived_resource_fails(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": RESOURCE, "archived": True}]})
    id = triggered(service)
    emulator.advance(61)
    assert (
        task(service, id)["status"],
        task(service, id)["message"],
    ) == ("failed", "the resource can no longer be backed up")


def test_a_canceled_task_stays_canceled(service: httpx.Client, emulator: Emulator) -> None:
    id = triggered(service)
    emulator.patch({"tasks": [{"tenant_id": "tenant-contoso", "id": id, "status": "canceled"}]})
    emulator.advance(1000)
    assert task(service, id)["status"] == "canceled"


def test_each_trigger_spawns_a_task_of_its_own(service: httpx.Client) -> None:
    assert triggered(service) != triggered(service)


def test_a_new_protections_job_can_be_triggered(service: httpx.Client) -> None:
    path = f"{TENANT}/resources/res-contoso-user-20/protect"
    job_id = service.post(path, params={"policy_id": "policy-contoso-gold"}, json={}).json()["job_id"]
    assert task(service, triggered(service, job_id))["resource_id"] == "res-contoso-user-20"


@pytest.mark.parametrize("job_id", ["job-nowhere", "job-adatum-01"])
def test_a_job_that_the_tenant_does_not_have_is_not_found(service: httpx.Client, job_id: str) -> None:
    response = service.put(f"{TENANT}/jobs/{job_id}/trigger")
    expected = f'there is no job "{job_id}" in the tenant "tenant-contoso"'
    assert (404, {"message": expected}) == (response.status_code, response.json())


def test_the_job_of_a_removed_protection_is_gone(service: httpx.Client) -> None:
    service.delete(f"{TENANT}/resources/{RESOURCE}/protect", params={"policy_id": "policy-contoso-silver"})
    assert service.put(f"{TENANT}/jobs/{JOB}/trigger").status_code == 404


@pytest.mark.parametrize("id", ["task-nowhere", "task-adatum-01"])
def test_a_task_that_the_tenant_does_not_have_is_not_found(service: httpx.Client, id: str) -> None:
    assert service.get(f"{TENANT}/tasks/{id}").status_code == 404


def test_statistics_count_tasks_by_status(service: httpx.Client, emulator: Emulator) -> None:
    triggered(service)
    emulator.advance(5)
    expected = [{"status": name, "count": 1} for name in ("done", "queued", "warnings")]
    now = emulator.now()
    assert {"items": expected} == statistics(service, now - timedelta(days=2), now).json()


def test_statistics_leave_out_tasks_from_before_the_period(service: httpx.Client, emulator: Emulator) -> None:
    now = emulator.now()
    assert statistics(service, now - timedelta(hours=5), now).json() == {"items": []}


@pytest.mark.parametrize(
    ("start", "expected"),
    [("11:29:59", 1), ("11:30:00", 0), ("12:00:00", 0), ("10:59:00", 1)],
)
def test_the_start_is_rounded_to_the_nearest_hour(
    service: httpx.Client, emulator: Emulator, start: str, expected: int
) -> None:
    created_at = "2026-03-10T11:15:00Z"
    emulator.reset("empty")
    emulator.patch(
        {
            "tenants": [{"id": "tenant-contoso", "org_id": "org-root"}],
            "tasks": [{"tenant_id": "tenant-contoso", "id": "task-1", "status": "done", "created_at": created_at}],
        }
    )
    set_clock(emulator, "2026-03-11T08:00:00Z")
    response = statistics(service, datetime.fromisoformat(f"2026-03-10T{start}Z"), datetime(2026, 3, 11, tzinfo=UTC))
    assert expected == sum(item["count"] for item in response.json()["items"])


def set_clock(emulator: Emulator, now: str) -> None:
    httpx.post(f"{emulator.url}/_emulator/clock", json={"now": now}).raise_for_status()


@pytest.mark.parametrize(
    ("start", "end", "status"),
    [
        (timedelta(days=31), timedelta(), 200),
        (timedelta(days=31, minutes=1), timedelta(), 400),
        (timedelta(days=34, hours=23), timedelta(days=4), 200),
        (timedelta(days=35, hours=1), timedelta(days=30), 400),
        (timedelta(days=1), timedelta(hours=-1), 400),
        (timedelta(days=1), timedelta(days=2), 400),
    ],
    ids=["31 days", "longer", "oldest", "too old", "in the future", "backwards"],
)
def test_the_period_is_limited(
    service: httpx.Client, emulator: Emulator, start: timedelta, end: timedelta, status: int
) -> None:
    now = emulator.now()
    assert status == statistics(service, now - start, now - end).status_code


@pytest.mark.parametrize("given", ["start_time", "end_time"])
def test_both_ends_of_the_period_are_required(service: httpx.Client, given: str) -> None:
    response = service.get(f"{TENANT}/tasks/statistics/summary", params={given: "2026-01-31T08:00:00Z"})
    (missing,) = {"start_time", "end_time"} - {given}
    expected = {"message": f'the query parameter "{missing}" is required'}
    assert (400, expected) == (response.status_code, response.json())
