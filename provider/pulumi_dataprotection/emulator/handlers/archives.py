"""Backup archives: operations 10 and 11."""

from datetime import timedelta

from pulumi_dataprotection.emulator._errors import InvalidArgument, NotFound, refuse_as
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.handlers._events import record_event
from pulumi_dataprotection.emulator.handlers._handler import handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.handlers.resources import resource_filter
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

_LONGEST_REASON = 128
_DELETION_DELAY = timedelta(days=7)


@handler("ArchivePage")
def list_archives(request: Request, store: Store) -> Payload:
    """List the archives of a tenant (operation 10)."""
    statement = f"SELECT * FROM archives WHERE tenant_id = :tenant_id {resource_filter(request, store)}"  # noqa: S608 - ours
    return page(request, store, statement, _view, resource_id=request.text("resource_id"))


@handler("Nothing")
def delete_archive(request: Request, store: Store) -> Payload:
    """Schedule an archive for deletion; a pending deletion keeps its time (operation 11)."""
    reason = str(request.query["reason"])
    size = len(reason.encode())
    if size > _LONGEST_REASON:
        raise InvalidArgument(f'the query parameter "reason" must be at most {_LONGEST_REASON} bytes, and is {size}')
    archive = store.one("SELECT * FROM archives WHERE tenant_id = :tenant_id AND id = :id", request.path)
    if archive is None:
        raise NotFound(f'the archive "{request.path["id"]}" does not exist in the tenant "{request.path["tenant_id"]}"')
    if archive["delete_at"] is not None:
        refuse_as(request.dialect.repeated_deletion, f'the archive "{archive["id"]}" is scheduled for deletion already')
        return {}
    delete_at = format_time(request.now + _DELETION_DELAY)
    store.execute(
        "UPDATE archives SET delete_at = :delete_at WHERE tenant_id = :tenant_id AND id = :id",
        {**request.path, "delete_at": delete_at},
    )
    record_event(request, store, "archive.delete", archive["id"], reason=reason, delete_at=delete_at)
    return {}


def _view(row: Row) -> Payload:
    return {
        "id": row["id"],
        "tenant_id": row["tenant_id"],
        "resource_id": row["resource_id"],
        "delete_pending": row["delete_at"] is not None,
        "created_at": row["created_at"],
        "stats": {"size": row["size"]},
    }
