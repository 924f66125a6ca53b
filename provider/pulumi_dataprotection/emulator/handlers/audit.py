"""Audit events: operation 12."""

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

__all__ = ["list_audit_events"]


def list_audit_events(request: Request, store: Store) -> Payload:
    """List the audit events of a tenant from start_time on and before end_time, newest first (operation 12)."""
    start, end = request.time("start_time"), request.time("end_time")
    if start and end and end < start:
        raise InvalidArgument('"end_time" must not be before "start_time"')
    return page(
        request,
        store,
        """
        SELECT * FROM audit_events
        WHERE tenant_id = :tenant_id
            AND (:start IS NULL OR created_at >= :start) AND (:end IS NULL OR created_at < :end)
        """,
        {**request.path, "start": start and format_time(start), "end": end and format_time(end)},
        _view,
        order=("created_at", "id"),
        newest_first=True,
    )


def _view(row: Row) -> Payload:
    names = ("id", "actor_email", "actor_name", "action", "subject", "created_at", "details")
    return {name: row[name] for name in names}
