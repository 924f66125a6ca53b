"""Look-ups of audit events."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, later, lookup, open_program_account
from pulumi_dataprotection.functions._time_range import audit_window

__all__ = ["get_audit_events", "get_audit_events_output"]


@lookup
def get_audit_events(
    tenant_id: str,
    *,
    start_time: datetime | str | None = None,
    end_time: datetime | str | None = None,
    profile: str | None = None,
) -> ListResult[client.records.AuditEvent]:
    """List what was done in a tenant, between two times where given (operation 12).

    Args:
        tenant_id: the tenant.
        start_time: only events from then on: a datetime with a time zone, or RFC 3339 text; not in the future.
        end_time: only events before then, in the same form; not before `start_time`.
        profile: the profile of the config whose key is used.

    Returns:
        Events, each with `actor_email`, `actor_name`, `action`, `subject`, `created_at`, and `details` as JSON text.

    Raises:
        pulumi.RunError: a time cannot be meant, or they cannot be read; the text says why.
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
    """As `get_audit_events`, for arguments that are outputs."""
    return later(get_audit_events, tenant_id=tenant_id, start_time=start_time, end_time=end_time, profile=profile)
