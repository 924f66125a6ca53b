"""The function for audit events."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pulumi_dataprotection import get_audit_events
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"
NOW = datetime.now(UTC)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, range(10, 0, -1)),
        ({"start_time": days_ago(195.5)}, range(10, 4, -1)),
        ({"end_time": days_ago(195.5).isoformat()}, range(4, 0, -1)),
        ({"start_time": days_ago(197.5), "end_time": days_ago(195.5).isoformat()}, range(4, 2, -1)),
        ({"start_time": days_ago(195.5), "end_time": days_ago(195.5)}, []),
        ({"start_time": "1969-12-31T23:59:59.999-12:00", "end_time": "9999-12-31T00:00:00Z"}, range(10, 0, -1)),
    ],
)
def test_events_are_listed_between_two_times(shop: Program, arguments: dict[str, Any], expected: list[int]) -> None:
    found = shop.run(lambda: get_audit_events(TENANT, **arguments)).items
    assert [f"event-contoso-{number:02}" for number in expected] == [event.id for event in found]


def test_an_event_has_what_happened_and_when(shop: Program) -> None:
    event = shop.run(lambda: get_audit_events(TENANT)).items[-1]
    assert ("ada.keller@meridian.example", "resource.protect", "jane.doe@contoso.example") == (
        event.actor_email,
        event.action,
        event.subject,
    )
    assert '{"resource_id": "res-contoso-user-01"}' == event.details
    assert event.created_at
    assert UTC == event.created_at.datetime.tzinfo


def test_times_are_sent_in_utc(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: get_audit_events(TENANT, start_time="2026-01-31T08:00:00+05:30", end_time="2026-02-01T00:00:00Z"))
    query = emulator.requests()[0]["query"]
    assert ("2026-01-31T02:30:00Z", "2026-02-01T00:00:00Z") == (query["start_time"], query["end_time"])
