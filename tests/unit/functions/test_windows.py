"""The possible periods of the functions; all others are refused before any call."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pulumi
import pytest

from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.functions._time_range import audit_window, history_window, task_window
from support import Emulator
from support.functions.arguments import function
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
def test_a_possible_period_is_accepted(
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


BERLINS_SHORT_DAY = (datetime(2026, 3, 28, 12, tzinfo=BERLIN), datetime(2026, 3, 29, 12, tzinfo=BERLIN))


@pytest.mark.parametrize(
    ("window", "given", "reason"),
    [
        (history_window, (None, ago(hours=1) + SECOND), "^end .* one hour"),
        (history_window, (ago(20), NOW + SECOND), "^end .* one hour"),
        (history_window, (ago(3), ago(3) - SECOND), "^end .* before start$"),
        (history_window, (ago(3), ago(3)), "start to end .* 40 days, not 0:00:00$"),
        (history_window, (ago(3), ago(2) - SECOND), "start to end .* 40 days, not 23:59:59$"),
        (history_window, (ago(42), ago(2) + SECOND), "start to end .* 40 days, not 40 days, 0:00:01$"),
        (history_window, BERLINS_SHORT_DAY, "start to end .* 40 days, not 23:00:00$"),
        (history_window, (ago(hours=25) + SECOND, None), "^start .* 25 hours"),
        (task_window, (ago(1), NOW + SECOND), "^end_time .* future$"),
        (task_window, (datetime.max.replace(tzinfo=UTC),) * 2, "^end_time .* future$"),
        (task_window, (ago(1), ago(1) - SECOND), "^end_time .* before start_time$"),
        (task_window, (utc("2026-04-14 12:30"), utc("2026-04-14 12:59")), r"^end_time .* \(.* 2026-04-14T13:00Z\)$"),
        (task_window, (utc("2026-03-15 12:20"), NOW), r"2026-03-15T12:00Z\) to end_time .* 31 days, .* 0:20:00$"),
        (task_window, (utc("2026-03-11 12:00"), ago(10)), "^start_time .* 35 days$"),
        (task_window, (utc("2026-03-11 12:29"), ago(10)), r"^start_time \(.* 2026-03-11T12:00Z\) .* 35 days$"),
        (audit_window, (NOW + SECOND, None), "^start_time .* future$"),
        (audit_window, (ago(1), ago(1) - SECOND), "^end_time .* before start_time$"),
    ],
)
def test_an_impossible_period_is_refused(
    window: Callable[..., object], given: tuple[object, object], reason: str
) -> None:
    with pytest.raises(DataProtectionError, match=reason):
        window(*given, now=NOW.timestamp())


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
"""Values that do not name a moment."""

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
def test_an_impossible_time_is_refused_by_name_before_any_call(
    shop: Program, emulator: Emulator, which: tuple[str, Mapping[str, Any]], argument: str, value: object
) -> None:
    name, others = which
    with pytest.raises(pulumi.RunError, match=f"^{name}: {argument} .*time zone.*, not {re.escape(repr(value))}$"):
        shop.run(lambda: function(name)(**{**others, argument: value}))
    assert [] == emulator.requests()


@pytest.mark.parametrize(
    ("which", "period", "argument"),
    [
        (AUDIT, {"start_time": TODAY + timedelta(days=1)}, "start_time"),
        (HISTORY, {"start": YESTERDAY}, "start"),
        (STATISTICS, {"end_time": TODAY + timedelta(days=1)}, "end_time"),
    ],
)
def test_an_impossible_period_ends_the_program_before_any_call(
    shop: Program, emulator: Emulator, which: tuple[str, Mapping[str, Any]], period: dict[str, datetime], argument: str
) -> None:
    name, others = which
    with pytest.raises(pulumi.RunError, match=f"^{name}: {argument} "):
        shop.run(lambda: function(name)(**{**others, **period}))
    assert [] == emulator.requests()
