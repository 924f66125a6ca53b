"""Progress: tasks run, and deletions of archives come due, with time or by polls."""

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
    if not store.one(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM tasks WHERE status = 'open' AND created_at <= :started) AND :by_clock
            OR EXISTS (SELECT 1 FROM tasks WHERE status = 'inprogress' AND created_at <= :ended) AND :by_clock
            OR EXISTS (SELECT 1 FROM archives WHERE delete_at <= :now)
        """,
        due,
    ):
        return
    with store.transaction(write=True):
        if tasks_run_by_clock:
            for task in store.all("SELECT * FROM tasks WHERE status = 'open' AND created_at <= :started", due):
                _start(store, task, parse_time(task["created_at"]) + _STARTS_AFTER)
            for task in store.all(
                "SELECT * FROM tasks WHERE status = 'inprogress' AND created_at <= :ended ORDER BY created_at", due
            ):
                _end(store, task, parse_time(task["created_at"]) + _ENDS_AFTER)
        store.execute("DELETE FROM archives WHERE delete_at <= :now", due)


def advance_task(store: Store, task: Row, now: datetime) -> None:
    """Advance a task to its next status, if it has one."""
    if task["status"] == "open":
        _start(store, task, now)
    elif task["status"] == "inprogress":
        _end(store, task, now)


def _start(store: Store, task: Row, now: datetime) -> None:
    store.execute(
        "UPDATE tasks SET status = 'inprogress', progress = 50, started_at = :now "
        "WHERE tenant_id = :tenant_id AND id = :id",
        {**dict(task), "now": format_time(now)},
    )


def _end(store: Store, task: Row, now: datetime) -> None:
    ended = {**dict(task), "finished_at": format_time(now)}
    if store.one("SELECT 1 FROM resources WHERE tenant_id = :tenant_id AND id = :resource_id AND NOT archived", ended):
        ended.update(status="done", progress=100, message="")
        _extend_archive(store, task, now)
    else:
        ended.update(status="failed", message="the resource can no longer be backed up")
    store.execute(
        """
        UPDATE tasks SET status = :status, progress = :progress, message = :message, finished_at = :finished_at
        WHERE tenant_id = :tenant_id AND id = :id
        """,
        ended,
    )


def _extend_archive(store: Store, task: Row, now: datetime) -> None:
    archive = store.one(
        """
        SELECT tenant_id, id, size FROM archives
        WHERE tenant_id = :tenant_id AND resource_id = :resource_id AND delete_at IS NULL
        ORDER BY created_at DESC, id LIMIT 1
        """,
        dict(task),
    )
    if archive is None:
        owner = {"tenant_id": task["tenant_id"], "resource_id": task["resource_id"]}
        insert_record(store, "archives", now, **owner, id=new_id(now), size=str(_FULL_BACKUP_KB))
    else:
        size = str(min(int(archive["size"]) + _INCREMENT_KB, _UINT64_MAX))
        store.execute(
            "UPDATE archives SET size = :size WHERE tenant_id = :tenant_id AND id = :id",
            {**dict(archive), "size": size},
        )
