"""Progress: tasks run, and deletions of archives come due, with time or by polls."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._times import format_time, parse_time
from pulumi_dataprotection.emulator.store.document import insert_record
from pulumi_dataprotection.emulator.store.store import Row, Store, new_id

_STARTS_AFTER = timedelta(seconds=10)
_ENDS_AFTER = timedelta(seconds=60)

_FULL_BACKUP_KB = 4096
_INCREMENT_KB = 256
_UINT64_MAX = 2**64 - 1


def advance_to(store: Store, now: datetime, *, tasks_run_by_clock: bool) -> None:
    """Bring the database to a time: all that was due until then has happened."""
    due = {
        "by_clock": tasks_run_by_clock,
        "now": format_time(now),
        "started": format_time(now - _STARTS_AFTER),
        "ended": format_time(now - _ENDS_AFTER),
    }
    if store.one(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM tasks WHERE status = 'open' AND created_at <= :started) AND :by_clock
            OR EXISTS (SELECT 1 FROM tasks WHERE status = 'inprogress' AND created_at <= :ended) AND :by_clock
            OR EXISTS (SELECT 1 FROM archives WHERE delete_at <= :now)
        """,
        due,
    ):
        with store.transaction(write=True):
            if tasks_run_by_clock:
                _advance_tasks(store, due)
            store.execute("DELETE FROM archives WHERE delete_at <= :now", due)


def advance_task(store: Store, task: Row, now: datetime) -> None:
    """Advance a task to its next status, if it has one."""
    if task["status"] == "open":
        _start(store, task, format_time(now))
    elif task["status"] == "inprogress":
        _end(store, task, format_time(now))


def _advance_tasks(store: Store, due: Mapping[str, object]) -> None:
    for task in store.all("SELECT * FROM tasks WHERE status = 'open' AND created_at <= :started", due):
        _start(store, task, _later(task, _STARTS_AFTER))
    for task in store.all(
        "SELECT * FROM tasks WHERE status = 'inprogress' AND created_at <= :ended ORDER BY created_at", due
    ):
        _end(store, task, _later(task, _ENDS_AFTER))


def _start(store: Store, task: Row, started_at: str) -> None:
    store.execute(
        "UPDATE tasks SET status = 'inprogress', progress = 50, started_at = ? WHERE tenant_id = ? AND id = ?",
        (started_at, task["tenant_id"], task["id"]),
    )


def _end(store: Store, task: Row, finished_at: str) -> None:
    owner = (task["tenant_id"], task["resource_id"])
    if store.one("SELECT 1 FROM resources WHERE tenant_id = ? AND id = ? AND NOT archived", owner):
        status, progress, message = "done", 100, ""
        _extend_archive(store, task, finished_at)
    else:
        status, progress, message = "failed", task["progress"], "the resource can no longer be backed up"
    store.execute(
        "UPDATE tasks SET status = ?, progress = ?, message = ?, finished_at = ? WHERE tenant_id = ? AND id = ?",
        (status, progress, message, finished_at, task["tenant_id"], task["id"]),
    )


def _extend_archive(store: Store, task: Row, finished_at: str) -> None:
    owner = (task["tenant_id"], task["resource_id"])
    archive = store.one(
        """
        SELECT id, size FROM archives WHERE tenant_id = ? AND resource_id = ? AND delete_at IS NULL
        ORDER BY created_at DESC, id LIMIT 1
        """,
        owner,
    )
    if archive is None:
        now = parse_time(finished_at)
        new = {"id": new_id(now), "created_at": finished_at, "size": str(_FULL_BACKUP_KB)}
        insert_record(store, "archives", now, tenant_id=owner[0], resource_id=owner[1], **new)
    else:
        size = min(int(archive["size"]) + _INCREMENT_KB, _UINT64_MAX)
        store.execute(
            "UPDATE archives SET size = ? WHERE tenant_id = ? AND id = ?",
            (str(size), task["tenant_id"], archive["id"]),
        )


def _later(task: Row, by: timedelta) -> str:
    return format_time(parse_time(task["created_at"]) + by)
