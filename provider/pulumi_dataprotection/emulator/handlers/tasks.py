"""Jobs and the tasks that they spawn: operations 13, 21 and 22."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import cast

from pulumi_dataprotection.emulator._errors import InvalidArgument, NotFound
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.handlers._events import record_event
from pulumi_dataprotection.emulator.handlers._handler import by_switch, fields, handler
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.document import insert_record
from pulumi_dataprotection.emulator.store.progress import advance_task
from pulumi_dataprotection.emulator.store.store import Store, new_id

_LONGEST_PERIOD = timedelta(days=31)
_HISTORY = timedelta(days=35)
_HALF_AN_HOUR = timedelta(minutes=30)

_task_fields = by_switch(
    "task_fields",
    {
        "published": fields("id resource_id status"),
        "prefixed": fields(
            "tenant_id task_id=id job_id resource_id kind state=status progress error=message "
            "created_at started_at finished_at"
        ),
    },
)


_PLAIN = {"open": "queued", "inprogress": "running"}
_STATUSES: Mapping[str, Callable[[str], str]] = {
    "published": str,
    "plain": lambda status: _PLAIN.get(status, status),
    "upper": str.upper,
    "other": lambda status: {**_PLAIN, "inprogress": "finalizing"}.get(status, status),
}


def _with_status(item: Payload, dialect: Dialect) -> Payload:
    return {**item, "status": _STATUSES[dialect.task_statuses](item["status"])}


def _shown_task(task: Payload, dialect: Dialect) -> Payload:
    return _task_fields(_with_status(task, dialect), dialect)


def _counts(statistics: Payload, dialect: Dialect) -> Payload:
    if dialect.task_statistics == "published":
        by_action: dict[str, list[Payload]] = {}
        for item in statistics["items"]:
            by_action.setdefault(item["kind"], []).append(item)
        counts_by_action = {action: _ended(items) for action, items in by_action.items()}
        return {"total": _ended(statistics["items"]), "by_action": counts_by_action}
    counts = Counter[str]()
    for item in statistics["items"]:
        counts[_with_status(item, dialect)["status"]] += item["count"]
    if dialect.task_statistics == "mapping":
        return {"statuses": dict(counts)}
    return {"items": [{"status": status, "count": count} for status, count in counts.items()]}


def _ended(items: Iterable[Payload]) -> Payload:
    counts: dict[str, int] = {"done": 0, "failed": 0, "warnings": 0}
    for item in items:
        if item["status"] in counts:
            counts[item["status"]] += item["count"]
    return counts


def _nested_task(answer: Payload) -> Payload:
    return {"task": {"id": answer["task_id"]}}


@handler("TriggerJobResult", shape=by_switch("triggered_task", {"id": fields("id=task_id"), "task": _nested_task}))
def trigger_job(request: Request, store: Store) -> Payload:
    """Run a job outside its schedule (operation 13)."""
    job = store.one("SELECT * FROM protections WHERE tenant_id = :tenant_id AND job_id = :job_id", request.path)
    if job is None:
        raise NotFound(f'the job "{request.path["job_id"]}" does not exist in the tenant "{request.path["tenant_id"]}"')
    task_id = new_id(request.now)
    insert_record(store, "tasks", request.now, **request.path, id=task_id, resource_id=job["resource_id"])
    record_event(request, store, "job.trigger", job["job_id"], task_id=task_id)
    return {"task_id": task_id}


@handler("TaskStats", shape=_counts)
def get_task_stats(request: Request, store: Store) -> Payload:
    """Count the tasks of a period by kind and status (operation 21)."""
    start, end = _period(request)
    statistics = store.all(
        """
        SELECT kind, status, count(*) AS count FROM tasks
        WHERE tenant_id = :tenant_id AND created_at >= :start AND created_at < :end
        GROUP BY kind, status ORDER BY kind, status
        """,
        {**request.path, "start": format_time(_nearest_hour(start)), "end": format_time(end)},
    )
    return {"items": [dict(row) for row in statistics]}


@handler("Task", shape=_shown_task, writes=lambda dialect: dialect.task_progress == "polls")
def get_task(request: Request, store: Store) -> Payload:
    """Read a task; if polls advance it, they do so after the answer (operation 22)."""
    task = store.one("SELECT * FROM tasks WHERE tenant_id = :tenant_id AND id = :task_id", request.path)
    if task is None:
        raise NotFound(
            f'the task "{request.path["task_id"]}" does not exist in the tenant "{request.path["tenant_id"]}"'
        )
    if request.dialect.task_progress == "polls":
        advance_task(store, task, request.now)
    return dict(task)


def _period(request: Request) -> tuple[datetime, datetime]:
    start, end = (cast("datetime", request.query[name]) for name in ("start_time", "end_time"))
    if end < start:
        raise InvalidArgument('"end_time" must not be before "start_time"')
    if end - start > _LONGEST_PERIOD:
        raise InvalidArgument('the time from "start_time" to "end_time" must be at most 31 days')
    if start < request.now - _HISTORY or end > request.now:
        raise InvalidArgument("the period must lie within the most recent 35 days")
    return start, end


def _nearest_hour(time: datetime) -> datetime:
    return (time + _HALF_AN_HOUR).replace(minute=0, second=0, microsecond=0)
