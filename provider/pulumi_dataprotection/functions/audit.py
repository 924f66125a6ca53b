"""Functions for audit events."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account
from pulumi_dataprotection.functions._time_range import audit_window

__all__ = ["get_audit_events", "get_audit_events_output"]


@data_source
def get_audit_events(
    tenant_id: str,
    *,
    start_time: datetime | str | None = None,
    end_time: datetime | str | None = None,
    profile: str | None = None,
) -> ListResult[client.records.AuditEvent]:
    """List the audit events of a tenant, between two times if given (operation 12).

    Args:
        tenant_id: the tenant's id.
        start_time: only events from this time on: RFC 3339 text such as 2026-11-01T00:00:00Z, or a datetime with a time
            zone; not in the future.
        end_time: only events before this time, in the same form; not before the start.
        profile: the profile in the settings whose key is used.

    Returns:
        Events, each with `actor_email`, `actor_name`, `action`, `subject`, `created_at`, and `details` as JSON text.

    Raises:
        pulumi.RunError: a time is not possible, or the events cannot be read; the text says why.
    """
    account = open_program_account(profile)
    start, end = audit_window(start_time, end_time, now=account.client.clock.time())
    return ListResult([*account.ask(client.calls.list_audit_events(tenant_id, start_time=start, end_time=end))])


def get_audit_events_output(
    tenant_id: pulumi.Input[str],
    *,
    start_time: pulumi.Input[datetime | str] | None = None,
    end_time: pulumi.Input[datetime | str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.AuditEvent]]:
    """Call `get_audit_events` as soon as its arguments are known."""
    return as_output(get_audit_events, locals())
