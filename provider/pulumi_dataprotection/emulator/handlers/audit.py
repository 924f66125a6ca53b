"""Audit events: operation 12."""

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.handlers._handler import each_item, handler
from pulumi_dataprotection.emulator.handlers._pages import page, view_of
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Store


def _with_action(event: Payload, dialect: Dialect) -> Payload:
    upper = dialect.audit_actions == "upper"
    return {**event, "action": event["action"].upper().replace(".", "_")} if upper else event


@handler("AuditEventsPage", shape=each_item(_with_action))
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
        view_of("AuditEvent"),
        order=("created_at", "id"),
        newest_first=True,
        start=start and format_time(start),
        end=end and format_time(end),
    )
