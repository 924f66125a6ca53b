"""Audit events (operation 12)."""

import json
from typing import Any

import httpx
import pytest

from support.emulator.cases import case, each_case, ours, send

EVENTS = "tenants/tenant-contoso/audit/events"


def events(service: httpx.Client, **parameters: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = service.get(EVENTS, params=parameters).raise_for_status().json()["items"]
    return items


WRITES = [
    ("POST /resources/res-contoso-user-20/protect?policy_id=policy-contoso-gold", "resource.protect"),
    ("DELETE /resources/res-contoso-user-01/protect?policy_id=policy-contoso-silver", "resource.unprotect"),
    ("DELETE /archives/archive-contoso-01?reason=left", "archive.delete"),
    ("PUT /jobs/job-contoso-01/trigger", "job.trigger"),
]


@pytest.mark.parametrize(("write", "action"), WRITES)
def test_a_write_is_one_event_of_the_application(service: httpx.Client, write: str, action: str) -> None:
    before = events(service)
    send(service, write).raise_for_status()
    newest, *rest = events(service)
    assert (action, "Full access", before) == (newest["action"], newest["actor_name"], rest)
    assert isinstance(json.loads(newest["details"]), dict)


def test_a_write_that_is_refused_or_changes_nothing_is_no_event(service: httpx.Client, reader: httpx.Client) -> None:
    before = events(service)
    send(service, "POST /resources/res-contoso-user-01/protect?policy_id=policy-contoso-silver").raise_for_status()
    for write, _ in WRITES:
        send(reader, write)
    assert before == events(service)


test_an_answer_about_audit_events = each_case(
    {
        "the last time of the calendar": case("GET /audit/events?start_time=9999-12-31T23:59:59Z", answer=[]),
        "a plus sign that is a space": case(
            "GET /audit/events?start_time=2026-01-31T08:00:00+01:00", status=400, answer="is invalid"
        ),
        "an offset": case(
            {"audit_events": [ours("event-0", created_at="2001-01-31T08:00:00Z")]},
            "GET /audit/events?start_time=2001-01-31T09:30:00%2B01:00&end_time=2002-01-31T08:00:00Z",
            answer=[],
        ),
    }
)


def test_events_come_newest_first_from_the_start_to_before_the_end(service: httpx.Client) -> None:
    newest, *middle, oldest = events(service)
    times = [event["created_at"] for event in (newest, *middle, oldest)]
    assert sorted(times, reverse=True) == times
    filtered = events(service, start_time=oldest["created_at"], end_time=newest["created_at"])
    assert [*middle, oldest] == filtered
