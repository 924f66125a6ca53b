"""Jobs and the tasks that they spawn (operations 13, 21 and 22)."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, case, each_case, ours, pairs, removing, send
from support.emulator.variants import PROTECTED, SILVER, answer, each_variant, records_of

RUN, TASK = "PUT /jobs/job-contoso-01/trigger", "GET /tasks/TASK_ID"
STATISTICS = f"{CONTOSO}/tasks/statistics/summary"
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
POLLS = {"task_progress": "polls"}
PLAIN = [
    "tenant_id", "id", "job_id", "resource_id", "kind", "status", "progress", "message",
    "created_at", "started_at", "finished_at",
]  # fmt: skip
OPEN = ["tenant-contoso", "job-contoso-01", PROTECTED, "backup", "open", 0, "", None, None]
ARCHIVED = {"resources": [ours(PROTECTED, archived=True)]}


def statistics(service: httpx.Client, start: datetime, end: datetime) -> httpx.Response:
    return service.get(STATISTICS, params={"start_time": start.isoformat(), "end_time": end.isoformat()})


def polled(service: httpx.Client, client: httpx.Client, times: int) -> list[str]:
    """Spawn a task, and read it with a client."""
    task_id = send(service, RUN).raise_for_status().json()["task_id"]
    return [send(client, f"GET /tasks/{task_id}").raise_for_status().json()["status"] for _ in range(times)]


test_an_answer_about_jobs_and_tasks = each_case(
    {
        "a job of another tenant": case("PUT /jobs/job-adatum-01/trigger", status=404),
        "the job of a removed protection": case(removing(PROTECTED, SILVER), RUN, status=404),
        "a task of another tenant": case("GET /tasks/task-adatum-01", status=404),
        **{
            f"a task after {seconds} seconds": case(RUN, seconds, TASK, answer=status, field="status")
            for seconds, status in {9: "open", 11: "inprogress", 59: "inprogress", 61: "done", 100_000: "done"}.items()
        },
        **{
            f"the {field} of a new task": case(
                RUN, TASK, answer=expected, field=field, dialect={"preset": "plain", "task_statuses": "published"}
            )
            for field, expected in zip([name for name in PLAIN if name not in {"id", "created_at"}], OPEN, strict=True)
        },
        "a task of an archived resource": case(RUN, ARCHIVED, 1000, TASK, answer="failed", field="status"),
        "the message of a task of an archived resource": case(
            *(RUN, ARCHIVED, 1000, TASK),
            answer="the resource can no longer be backed up",
            field="message",
            dialect={"preset": "plain"},
        ),
        "polls of a task of an archived resource": case(
            *(ARCHIVED, RUN, TASK, TASK, TASK), answer="failed", field="status", dialect=POLLS
        ),
        **{
            f"a task that is {status}": case(
                RUN, {"tasks": [ours("TASK_ID", status=status)]}, 1000, TASK, answer=status, field="status"
            )
            for status in ("canceled", "suspended")
        },
        "the clock advances no task that polls advance": case(
            RUN, 7 * 86400, TASK, answer="open", field="status", dialect=POLLS
        ),
        "the clock deletes archives even if polls advance tasks": case(
            *("DELETE /archives/archive-contoso-01?reason=left", 7 * 86400, f"GET /archives?resource_id={PROTECTED}"),
            answer=[],
            dialect=POLLS,
        ),
    }
)


def test_a_task_says_when_it_started_and_finished(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    send(service, RUN).raise_for_status()
    emulator.advance(1000)
    send(service, "GET /policies").raise_for_status()
    task = emulator.state()["tasks"][-1]
    times = [datetime.fromisoformat(task[f"{name}_at"]) for name in ("created", "started", "finished")]
    assert [(time - times[0]).total_seconds() for time in times] == [0, 10, 60]


def test_statistics_count_tasks_by_status(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect("plain")
    send(service, RUN).raise_for_status()
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


# How long ago a period began and ended, by the status.
PERIODS = {
    200: [(31 * DAY, 0 * DAY), (35 * DAY - HOUR, 4 * DAY)],
    400: [(31 * DAY + MINUTE, 0 * DAY), (35 * DAY + HOUR, 30 * DAY), (1 * DAY, -HOUR), (1 * DAY, 2 * DAY)],
}


@pytest.mark.parametrize(("status", "period"), pairs(PERIODS), ids=str)
def test_the_period_is_limited(
    service: httpx.Client, emulator: Emulator, status: int, period: tuple[timedelta, timedelta]
) -> None:
    now, (start, end) = emulator.now(), period
    assert status == statistics(service, now - start, now - end).status_code


@each_variant("task_progress", clock=["open"] * 4, polls=["open", "inprogress", "done", "done"])
def test_a_task_that_is_read_again_and_again(service: httpx.Client, expected: list[str]) -> None:
    assert expected == polled(service, service, 4)


def test_a_task_that_polls_of_a_read_only_key_ended_made_the_archive_grow(
    service: httpx.Client, reader: httpx.Client, emulator: Emulator
) -> None:
    emulator.set_dialect(task_progress="polls")
    before = records_of(emulator, "archives", resource_id=PROTECTED)
    assert ["open", "inprogress", "done"] == polled(service, reader, 3)
    after = records_of(emulator, "archives", resource_id=PROTECTED)
    assert [{**before[0], "size": str(int(before[0]["size"]) + 256)}] == after
    task = emulator.state()["tasks"][-1]
    assert task["created_at"] <= task["started_at"] <= task["finished_at"]


@each_variant(
    "task_statuses",
    published=["open", "inprogress", "done"],
    plain=["queued", "running", "done"],
    upper=["OPEN", "INPROGRESS", "DONE"],
    other=["queued", "finalizing", "done"],
)
def test_the_statuses_of_a_task(service: httpx.Client, emulator: Emulator, variant: str, expected: list[str]) -> None:
    emulator.set_dialect(task_statuses=variant, task_progress="polls")
    assert expected == polled(service, service, 3)


@pytest.mark.parametrize(("variant", "expected"), [("upper", {"DONE", "WARNINGS"}), ("other", {"done", "warnings"})])
def test_the_statistics_have_the_same_statuses(
    service: httpx.Client, emulator: Emulator, variant: str, expected: set[str]
) -> None:
    emulator.set_dialect(task_statuses=variant, task_statistics="items")
    assert expected == {item["status"] for item in answer(service, "get_task_stats")["items"]}


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
    text = send(service, RUN).text
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
