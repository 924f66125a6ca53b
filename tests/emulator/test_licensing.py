"""Subscriptions and their history (operations 6 and 7)."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from support import Emulator

LICENSING = "orgs/org-contoso/licensing/subscriptions"
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def history(service: httpx.Client, org_id: str = "org-contoso", **window: datetime) -> list[dict[str, Any]]:
    parameters = {name: time.isoformat() for name, time in window.items()}
    response = service.get(f"orgs/{org_id}/licensing/subscriptions/history", params=parameters)
    items: list[dict[str, Any]] = response.raise_for_status().json()["items"]
    return items


def test_each_tenant_has_its_subscription(service: httpx.Client) -> None:
    (subscription,) = service.get(LICENSING).json()["items"]
    expected = {
        "id": "sub-contoso",
        "org_id": "org-contoso",
        "tenant_id": "tenant-contoso",
        "kind": "post_pay",
        "plan": "Business",
        "status": "active",
        "quantity": "50",
        "started_at": subscription["started_at"],
    }
    assert expected == subscription


def test_an_organization_without_tenants_has_no_subscriptions(service: httpx.Client) -> None:
    assert service.get("orgs/org-alpine/licensing/subscriptions").json() == {"items": [], "next_page_token": ""}


@pytest.mark.parametrize("path", ["subscriptions", "subscriptions/history"])
def test_licensing_of_an_organization_that_does_not_exist_is_not_found(service: httpx.Client, path: str) -> None:
    assert service.get(f"orgs/org-nowhere/licensing/{path}").status_code == 404


def test_each_change_of_the_quantity_is_a_record_of_its_own(service: httpx.Client) -> None:
    assert [record["quantity"] for record in history(service)] == ["25", "50"]


def test_a_record_ends_where_the_next_one_starts(service: httpx.Client) -> None:
    first, second = history(service)
    assert first["end"] == second["start"]


def test_the_records_are_cut_to_the_period(service: httpx.Client, emulator: Emulator) -> None:
    end = emulator.now() - 2 * HOUR
    records = history(service, start=end - 20 * DAY, end=end)
    expected = [end - 20 * DAY, end]
    assert expected == [datetime.fromisoformat(time) for time in (records[0]["start"], records[-1]["end"])]


def test_a_period_without_a_change_has_one_record(service: httpx.Client, emulator: Emulator) -> None:
    end = emulator.now() - 2 * HOUR
    assert [record["quantity"] for record in history(service, start=end - 5 * DAY, end=end)] == ["50"]


def test_the_period_is_the_last_30_days_when_none_is_given(service: httpx.Client) -> None:
    records = history(service)
    start, end = (datetime.fromisoformat(time) for time in (records[0]["start"], records[-1]["end"]))
    assert timedelta(days=30) == end - start


def test_a_start_alone_leads_to_one_hour_ago(service: httpx.Client, emulator: Emulator) -> None:
    start = emulator.now() - 3 * DAY
    (record,) = history(service, start=start)
    assert start == datetime.fromisoformat(record["start"])


def test_an_end_alone_begins_30_days_before(service: httpx.Client, emulator: Emulator) -> None:
    end = emulator.now() - 5 * DAY
    assert end - 30 * DAY == datetime.fromisoformat(history(service, end=end)[0]["start"])


def test_pre_paid_subscriptions_have_no_history(service: httpx.Client) -> None:
    assert history(service, "org-adatum") == []


def test_an_end_at_the_beginning_of_the_calendar_is_refused(service: httpx.Client) -> None:
    assert service.get(f"{LICENSING}/history", params={"end": "0001-01-02T00:00:00Z"}).status_code == 400


@pytest.mark.parametrize(
    ("length", "age", "status"),
    [
        (1 * DAY, 2 * HOUR, 200),
        (1 * DAY - HOUR, 2 * HOUR, 400),
        (40 * DAY, 2 * HOUR, 200),
        (40 * DAY + HOUR, 2 * HOUR, 400),
        (5 * DAY, timedelta(minutes=59), 400),
        (5 * DAY, timedelta(minutes=61), 200),
        (-5 * DAY, 2 * HOUR, 400),
    ],
    ids=["one day", "shorter", "40 days", "longer", "too recent", "old enough", "backwards"],
)
def test_the_period_is_limited(
    service: httpx.Client, emulator: Emulator, length: timedelta, age: timedelta, status: int
) -> None:
    end = emulator.now() - age
    window = {"start": (end - length).isoformat(), "end": end.isoformat()}
    assert status == service.get(f"{LICENSING}/history", params=window).status_code
