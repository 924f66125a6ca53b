"""The periods that a program may ask for; all others are refused before anything is sent."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pulumi
import pytest

from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.functions._time_range import audit_window, history_window, task_window
from support import Emulator
from support.functions.look_ups import look_up
from support.functions.program import Program

NOW = datetime(2026, 4, 15, 12, 20, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
SECOND = timedelta(seconds=1)


def ago(days: float = 0, hours: float = 0) -> datetime:
    return NOW - timedelta(days=days, hours=hours)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("window", "given", "expected"),
    [
        (history_window, (None, None), (None, None)),
        (history_window, (ago(hours=25), None), (ago(hours=25), None)),
        (history_window, (ago(400), None), (ago(400), None)),
        (history_window, (None, ago(hours=1)), (None, ago(hours=1))),
        (history_window, (ago(hours=25), ago(hours=1)), (ago(hours=25), ago(hours=1))),
        (history_window, (ago(140), ago(100)), (ago(140), ago(100))),
        (task_window, (ago(35, -0.5), ago(5)), (utc("2026-03-11 13:00"), ago(5))),
        (task_window, (ago(31), utc("2026-04-15 12:00")), (utc("2026-03-15 12:00"), utc("2026-04-15 12:00"))),
        (task_window, (ago(1), ago(1)), (utc("2026-04-14 12:00"), ago(1))),
        (task_window, (utc("2026-04-14 12:30"), utc("2026-04-14 13:00")), (utc("2026-04-14 13:00"),) * 2),
        (task_window, (utc("2026-04-13 23:45"), NOW), (utc("2026-04-14 00:00"), NOW)),
        (audit_window, (None, None), (None, None)),
        (audit_window, (NOW, NOW + SECOND), (NOW, NOW + SECOND)),
        (audit_window, (ago(4000), None), (ago(4000), None)),
        (audit_window, (None, NOW + timedelta(days=4000)), (None, NOW + timedelta(days=4000))),
        (audit_window, (ago(1), ago(1)), (ago(1), ago(1))),
    ],
)
def test_a_possible_period_is_taken(
    window: Callable[..., object], given: tuple[object, object], expected: object
) -> None:
    assert expected == window(*given, now=NOW.timestamp())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-01-31T08:00:00Z", "2026-01-31 08:00"),
        ("2026-01-31t08:00:00.25z", "2026-01-31 08:00:00.25"),
        ("2016-12-31T23:59:60Z", "2016-12-31 23:59:59"),
        ("2026-01-31 08:00:00+05:30", "2026-01-31 02:30"),
        ("2026-01-31T08:00:00-00:00", "2026-01-31 08:00"),
        (datetime(2026, 1, 31, 8, tzinfo=timezone(timedelta(hours=-8))), "2026-01-31 16:00"),
        (datetime(2026, 3, 29, 3, tzinfo=BERLIN), "2026-03-29 01:00"),
    ],
)
def test_a_time_is_understood_in_utc(given: datetime | str, expected: str) -> None:
    start, _ = audit_window(given, None, now=NOW.timestamp())
    assert (utc(expected), UTC) == (start, start and start.tzinfo)


@pytest.mark.parametrize(
    ("window", "given", "expected"),
    [
        (history_window, (None, ago(hours=1) + SECOND), "end must be at least one hour before now"),
        (history_window, (ago(20), NOW + SECOND), "end must be at least one hour before now"),
        (history_window, (ago(3), ago(3) - SECOND), "end must not be before start"),
        (history_window, (ago(3), ago(3)), "the time from start to end must be 1 to 40 days, not 0:00:00"),
        (
            history_window,
            (ago(3), ago(2) - SECOND),
            "the time from start to end must be 1 to 40 days, not 23:59:59",
        ),
        (
            history_window,
            (ago(42), ago(2) + SECOND),
            "the time from start to end must be 1 to 40 days, not 40 days, 0:00:01",
        ),
        (
            history_window,
            (datetime(2026, 3, 28, 12, tzinfo=BERLIN), datetime(2026, 3, 29, 12, tzinfo=BERLIN)),
            "the time from start to end must be 1 to 40 days, not 23:00:00",
        ),
        (
            history_window,
            (ago(hours=25) + SECOND, None),
            (
                "start must be at least 25 hours before now: the period is at least one day long, and ends at least "
                "one hour before now"
            ),
        ),
        (task_window, (ago(1), NOW + SECOND), "end_time must not be in the future"),
        (task_window, (datetime.max.replace(tzinfo=UTC),) * 2, "end_time must not be in the future"),
        (task_window, (ago(1), ago(1) - SECOND), "end_time must not be before start_time"),
        (
            task_window,
            (utc("2026-04-14 12:30"), utc("2026-04-14 12:59")),
            "end_time must not be before start_time (rounded to 2026-04-14T13:00Z)",
        ),
        (
            task_window,
            (utc("2026-03-15 12:20"), NOW),
            (
                "the time from start_time (rounded to 2026-03-15T12:00Z) to end_time must be at most 31 days, "
                "not 31 days, 0:20:00"
            ),
        ),
        (
            task_window,
            (utc("2026-03-11 12:00"), ago(10)),
            "start_time must lie within the most recent 35 days",
        ),
        (
            task_window,
            (utc("2026-03-11 12:29"), ago(10)),
            "start_time (rounded to 2026-03-11T12:00Z) must lie within the most recent 35 days",
        ),
        (audit_window, (NOW + SECOND, None), "start_time must not be in the future"),
        (audit_window, (ago(1), ago(1) - SECOND), "end_time must not be before start_time"),
    ],
)
def test_an_impossible_period_is_refused(
    window: Callable[..., object], given: tuple[object, object], expected: str
) -> None:
    with pytest.raises(DataProtectionError) as raised:
        window(*given, now=NOW.timestamp())
    assert expected == str(raised.value)


NONSENSE = [
    "yesterday",
    "2026-01-31",
    "2026-01-31T08:00:00",
    "20260131",
    "1767225600",
    "08:00",
    "2026-02-30T08:00:00Z",
    "0001-01-01T00:00:00Z",
    datetime(2026, 1, 31, 8),  # noqa: DTZ001 - without a time zone on purpose
    datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
    date(2026, 1, 31),
    1767225600,
]
"""What is no moment, or which one nobody knows."""

TODAY = datetime.now(UTC)
YESTERDAY = TODAY - timedelta(days=1)
AUDIT = ("get_audit_events", {"tenant_id": "tenant-contoso"})
HISTORY = ("get_subscription_history", {"org_id": "org-contoso"})
STATISTICS = ("get_task_stats", {"tenant_id": "tenant-contoso", "start_time": YESTERDAY, "end_time": TODAY})


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
@pytest.mark.parametrize(
    ("which", "argument"),
    [
        (AUDIT, "start_time"),
        (AUDIT, "end_time"),
        (HISTORY, "start"),
        (HISTORY, "end"),
        (STATISTICS, "start_time"),
        (STATISTICS, "end_time"),
    ],
)
def test_what_is_no_time_is_refused_by_name_and_nothing_is_sent(
    shop: Program, emulator: Emulator, which: tuple[str, Mapping[str, Any]], argument: str, value: object
) -> None:
    name, others = which
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: look_up(name)(**{**others, argument: value}))
    expected = (
        f"{name}: {argument} must be a datetime with a time zone, or RFC 3339 text such as 2026-01-31T08:00:00Z, "
        f"not {value!r}"
    )
    assert (expected, []) == (str(raised.value), emulator.requests())


@pytest.mark.parametrize(
    ("which", "period", "expected"),
    [
        (AUDIT, {"start_time": TODAY + timedelta(days=1)}, "start_time must not be in the future"),
        (AUDIT, {"start_time": TODAY, "end_time": YESTERDAY}, "end_time must not be before start_time"),
        (HISTORY, {"end": TODAY + timedelta(days=1)}, "end must be at least one hour before now"),
        (HISTORY, {"start": YESTERDAY, "end": YESTERDAY - SECOND}, "end must not be before start"),
        (HISTORY, {"start": TODAY - timedelta(days=50), "end": YESTERDAY}, "the time from start to end must be 1 to"),
        (HISTORY, {"start": YESTERDAY, "end": TODAY - timedelta(hours=2)}, "the time from start to end must be 1 to"),
        (HISTORY, {"start": YESTERDAY}, "start must be at least 25 hours before now"),
        (STATISTICS, {"start_time": YESTERDAY, "end_time": TODAY + timedelta(days=1)}, "end_time must not be in the"),
        (STATISTICS, {"start_time": TODAY, "end_time": YESTERDAY}, "end_time must not be before start_time"),
        (STATISTICS, {"start_time": TODAY - timedelta(days=34), "end_time": TODAY}, "the time from start_time"),
        (STATISTICS, {"start_time": TODAY - timedelta(days=37), "end_time": TODAY - timedelta(days=10)}, "start_time"),
    ],
)
def test_an_impossible_period_ends_the_program_and_nothing_is_sent(
    shop: Program, emulator: Emulator, which: tuple[str, Mapping[str, Any]], period: dict[str, datetime], expected: str
) -> None:
    name, others = which
    with pytest.raises(pulumi.RunError, match=f"^{name}: {expected}"):
        shop.run(lambda: look_up(name)(**{**others, **period}))
    assert [] == emulator.requests()
