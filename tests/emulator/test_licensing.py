"""Subscriptions and their history (operations 6 and 7)."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import pairs

LICENSING = "orgs/org-contoso/licensing/subscriptions"
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def history(service: httpx.Client, org_id: str = "org-contoso", **window: datetime) -> list[dict[str, Any]]:
    parameters = {name: time.isoformat() for name, time in window.items()}
    response = service.get(f"orgs/{org_id}/licensing/subscriptions/history", params=parameters)
    items: list[dict[str, Any]] = response.raise_for_status().json()["items"]
    return items


@pytest.mark.parametrize(
    ("org_id", "days", "quantities"),
    [("org-contoso", 20, ["25", "50"]), ("org-contoso", 5, ["50"]), ("org-adatum", 20, []), ("org-alpine", 20, [])],
    ids=["a change", "no change", "a pre-paid subscription", "no subscription"],
)
def test_the_records_are_cut_to_the_period(
    service: httpx.Client, emulator: Emulator, org_id: str, days: int, quantities: list[str]
) -> None:
    end = emulator.now() - 2 * HOUR
    records = history(service, org_id, start=end - days * DAY, end=end)
    assert quantities == [record["qty"] for record in records]
    times = [datetime.fromisoformat(record[name]) for record in records for name in ("start", "end")]
    # Each record begins at the end of the one before.
    assert times == sorted(times)
    assert len(set(times)) == len(records) + bool(records)
    assert {*times[:1], *times[-1:]} == ({end - days * DAY, end} if records else set())


def test_a_period_that_is_not_given_is_30_days_or_ends_an_hour_ago(service: httpx.Client, emulator: Emulator) -> None:
    now = emulator.now()
    none, start, end = (
        [datetime.fromisoformat(time) for time in (records[0]["start"], records[-1]["end"])]
        for records in (history(service), history(service, start=now - 3 * DAY), history(service, end=now - 5 * DAY))
    )
    assert [30 * DAY, now - 3 * DAY, now - 35 * DAY] == [none[1] - none[0], start[0], end[0]]
    assert timedelta() <= start[1] - (now - HOUR) < timedelta(minutes=1)


def test_an_end_at_the_beginning_of_the_calendar_is_refused(service: httpx.Client) -> None:
    assert service.get(f"{LICENSING}/history", params={"end": "0001-01-02T00:00:00Z"}).status_code == 400


# The length of the period, and the age of its end, by the status.
PERIODS = {
    200: [(1 * DAY, 2 * HOUR), (40 * DAY, 2 * HOUR), (5 * DAY, HOUR + MINUTE)],
    400: [
        *((1 * DAY - HOUR, 2 * HOUR), (40 * DAY + HOUR, 2 * HOUR), (-5 * DAY, 2 * HOUR)),
        (5 * DAY, HOUR - MINUTE),
    ],
}


@pytest.mark.parametrize(("status", "period"), pairs(PERIODS), ids=str)
def test_the_period_is_limited(
    service: httpx.Client, emulator: Emulator, status: int, period: tuple[timedelta, timedelta]
) -> None:
    length, age = period
    end = emulator.now() - age
    window = {"start": (end - length).isoformat(), "end": end.isoformat()}
    assert status == service.get(f"{LICENSING}/history", params=window).status_code
