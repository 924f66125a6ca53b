"""What happens by itself as the clock goes on: tasks run, and deletions of archives come due."""

from datetime import datetime, timedelta

from pulumi_dataprotection.emulator._identifiers import new_id
from pulumi_dataprotection.emulator._store import Row, Store
from pulumi_dataprotection.emulator._times import format_time, parse_time

_STARTS_AFTER = timedelta(seconds=10)
_ENDS_AFTER = timedelta(seconds=60)

_FULL_BACKUP_KB = 4096
_INCREMENT_KB = 256
_UINT64_MAX = 2**64 - 1


def settle(store: Store, now: datetime) -> None:
    """Bring the database to a time: whatever was due until then has happened."""
    due = {
        "now": format_time(now),
        "started": format_time(now - _STARTS_AFTER),
        "ended": format_time(now - _ENDS_AFTER),
    }
    if store.one(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM tasks WHERE status = 'queued' AND created_at <= :started)
            OR EXISTS (SELECT 1 FROM tasks WHERE status = 'running' AND created_at <= :ended)
            OR EXISTS (SELECT 1 FROM archives WHERE delete_at <= :now)
        """,
        due,
    ):
        with store.transaction(write=True):
            _start_tasks(store, due)
            _end_tasks(store, due)
            store.execute("DELETE FROM archives WHERE delete_at <= :now", due)


def _start_tasks(store: Store, due: dict[str, str]) -> None:
    for task in store.all("SELECT * FROM tasks WHERE status = 'queued' AND created_at <= :started", due):
        store.execute(
            "UPDATE tasks SET status = 'running', progress = 50, started_at = ? WHERE tenant_id = ? AND id = ?",
            (_later(task, _STARTS_AFTER), task["tenant_id"], task["id"]),
        )


def _end_tasks(store: Store, due: dict[str, str]) -> None:
    for task in store.all(
        """
        SELECT tasks.*, resources.archived FROM tasks
        LEFT JOIN resources ON resources.tenant_id = tasks.tenant_id AND resources.id = tasks.resource_id
        WHERE status = 'running' AND created_at <= :ended
        ORDER BY created_at
        """,
        due,
    ):
        finished_at = _later(task, _ENDS_AFTER)
        if task["archived"] == 0:
            status, progress, message = "done", 100, ""
            _extend_archive(store, task, finished_at)
        else:
            status, progress, message = "failed", task["progress"], "the resource can no longer be backed up"
        store.execute(
            """
            UPDATE tasks SET status = ?, progress = ?, message = ?, finished_at = ? WHERE tenant_id = ? AND id = ?
            """,
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
        store.execute(
            "INSERT INTO archives (tenant_id, resource_id, id, created_at, size) VALUES (?, ?, ?, ?, ?)",
            (*owner, new_id("archive"), finished_at, str(_FULL_BACKUP_KB)),
        )
    else:
        size = min(int(archive["size"]) + _INCREMENT_KB, _UINT64_MAX)
        store.execute(
            "UPDATE archives SET size = ? WHERE tenant_id = ? AND id = ?",
            (str(size), task["tenant_id"], archive["id"]),
        )


def _later(task: Row, by: timedelta) -> str:
    return format_time(parse_time(task["created_at"]) + by)
