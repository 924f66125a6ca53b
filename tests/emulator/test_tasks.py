"""Jobs and the tasks that they spawn (operations 13, 21 and 22)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, case, each_case, ours
from support.emulator.variants import SILVER

JOB, RESOURCE = "job-contoso-01", "res-contoso-user-01"
RUN = f"PUT /jobs/{JOB}/trigger"
STATISTICS = f"{CONTOSO}/tasks/statistics/summary"


def run(service: httpx.Client, job_id: str = JOB) -> str:
    task_id: str = service.put(f"{CONTOSO}/jobs/{job_id}/trigger").raise_for_status().json()["task_id"]
    return task_id


def task(service: httpx.Client, id: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.get(f"{CONTOSO}/tasks/{id}").raise_for_status().json()
    return answer


def statistics(service: httpx.Client, start: datetime, end: datetime) -> httpx.Response:
    return service.get(STATISTICS, params={"start_time": start.isoformat(), "end_time": end.isoformat()})


test_an_answer_about_jobs_and_tasks = each_case(
    {
        "a job of another tenant": case("PUT /jobs/job-adatum-01/trigger", status=404),
        "the job of a removed protection": case(
            f"DELETE /resources/{RESOURCE}/protect?policy_id={SILVER}", RUN, status=404
        ),
        "a task of another tenant": case("GET /tasks/task-adatum-01", status=404),
    }
)


def test_a_triggered_job_spawns_an_open_task(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("plain", task_statuses="published")
    answer = task(service, run(service))
    expected = {
        "tenant_id": "tenant-contoso",
        "job_id": JOB,
        "resource_id": RESOURCE,
        "kind": "backup",
        "status": "open",
        "progress": 0,
        "message": "",
        "started_at": None,
        "finished_at": None,
    }
    assert expected == {name: answer[name] for name in expected}


@pytest.mark.parametrize(
    ("seconds", "status"), [(9, "open"), (11, "inprogress"), (59, "inprogress"), (61, "done"), (100_000, "done")]
)
def test_a_task_advances_with_the_clock(service: httpx.Client, emulator: Emulator, seconds: int, status: str) -> None:
    id = run(service)
    emulator.advance(seconds)
    assert status == task(service, id)["status"]


def test_a_task_says_when_it_started_and_finished(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    id = run(service)
    emulator.advance(1000)
    answer = task(service, id)
    times = [datetime.fromisoformat(answer[f"{name}_at"]) for name in ("created", "started", "finished")]
    assert [(time - times[0]).total_seconds() for time in times] == [0, 10, 60]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"resources": [ours(RESOURCE, archived=True)]}, ("failed", "the resource can no longer be backed up")),
        ({"tasks": [ours("ID", status="canceled")]}, ("canceled", "")),
        ({"tasks": [ours("ID", status="suspended")]}, ("suspended", "")),
    ],
    ids=["an archived resource", "a canceled task", "a suspended task"],
)
def test_a_task_that_does_not_end_well(
    service: httpx.Client, emulator: Emulator, change: dict[str, list[dict[str, Any]]], expected: tuple[str, str]
) -> None:
    emulator.set_dialect("plain")
    id = run(service)
    emulator.patch({table: [{**row, "id": row["id"].replace("ID", id)} for row in change[table]] for table in change})
    emulator.advance(1000)
    assert expected == (task(service, id)["status"], task(service, id)["message"])


def test_statistics_count_tasks_by_status(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    run(service)
    emulator.advance(5)
    now = emulator.now()
    expected = [{"status": name, "count": 1} for name in ("done", "queued", "warnings")]
    assert {"items": expected} == statistics(service, now - timedelta(days=2), now).json()
    assert {"items": expected[1:2]} == statistics(service, now - timedelta(hours=5), now).json()


def test_statistics_count_ended_tasks_by_action(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch(
        {
            "tasks": [
                ours(f"task-{action}-{status}", kind=action, status=status)
                for action in ("backup", "restore")
                for status in ("open", "inprogress", "suspended", "done", "warnings", "failed", "canceled")
            ]
        }
    )
    emulator.advance(1)
    now = emulator.now()
    # Of the demo content, a backup is done and a backup has warnings.
    backup, restore = {"done": 2, "failed": 1, "warnings": 2}, {"done": 1, "failed": 1, "warnings": 1}
    total = {name: backup[name] + restore[name] for name in backup}
    expected = {"total": total, "by_action": {"backup": backup, "restore": restore}}
    assert expected == statistics(service, now - timedelta(days=2), now).json()


@pytest.mark.parametrize(("start", "expected"), [("11:29:59", 1), ("11:30:00", 0), ("12:00:00", 0), ("10:59:00", 1)])
def test_the_start_is_rounded_to_the_nearest_hour(
    service: httpx.Client, control: httpx.Client, emulator: Emulator, start: str, expected: int
) -> None:
    emulator.patch({"tasks": [ours(f"task-contoso-{number}", deleted=True) for number in ("01", "02")]})
    emulator.patch({"tasks": [ours("task-1", status="done", created_at="2026-03-10T11:15:00Z")]})
    control.post("clock", json={"now": "2026-03-11T08:00:00Z"}).raise_for_status()
    response = statistics(service, datetime.fromisoformat(f"2026-03-10T{start}Z"), datetime(2026, 3, 11, tzinfo=UTC))
    assert expected == response.json()["total"]["done"]


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
