"""The time ranges of functions: a range that the service would reject is rejected before the call."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pulumi_dataprotection import client
from pulumi_dataprotection.client.errors import DataProtectionError

__all__ = ["audit_window", "history_window", "task_window"]

_HOUR = timedelta(hours=1)
_MIN_HISTORY = timedelta(days=1)
_MAX_HISTORY = timedelta(days=40)
_MAX_STATISTICS = timedelta(days=31)
_MAX_STATISTICS_AGE = timedelta(days=35)


def history_window(
    start: datetime | str | None, end: datetime | str | None, *, now: float
) -> tuple[datetime | None, datetime | None]:
    """Check the period of a subscription history (operation 7), and return it in UTC.

    Args:
        start: the start that the program gives.
        end: the end that the program gives.
        now: seconds since the epoch.

    Raises:
        DataProtectionError: the period is not valid, or the service has no data for it.
    """
    first, last = _utc_if_given("start", start), _utc_if_given("end", end)
    latest = _utc_now(now) - _HOUR
    if last and last > latest:
        raise DataProtectionError("end must be at least one hour before now")
    if first and last:
        _check_order("start", first, "end", last)
        if not _MIN_HISTORY <= last - first <= _MAX_HISTORY:
            raise DataProtectionError(f"the time from start to end must be 1 to 40 days, not {last - first}")
    elif first and first > latest - _MIN_HISTORY:
        raise DataProtectionError(
            "start must be at least 25 hours before now: the period is at least one day long, and ends at least one "
            "hour before now"
        )
    return first, last


def task_window(start_time: datetime | str, end_time: datetime | str, *, now: float) -> tuple[datetime, datetime]:
    """Check the period of task statistics (operation 21), and return it in UTC.

    The start is rounded to the nearest hour, as the service does.

    Args:
        start_time: the start that the program gives.
        end_time: the end that the program gives.
        now: seconds since the epoch.

    Raises:
        DataProtectionError: the period is not valid, or the service has no data for it.
    """
    given, end = _utc("start_time", start_time), _utc("end_time", end_time)
    _check_past("end_time", end, now)
    _check_order("start_time", given, "end_time", end)
    start = (given + _HOUR / 2).replace(minute=0, second=0, microsecond=0)
    rounded = "" if start == given else f" (rounded to {start:%Y-%m-%dT%H:%MZ})"
    _check_order(f"start_time{rounded}", start, "end_time", end)
    if end - start > _MAX_STATISTICS:
        raise DataProtectionError(
            f"the time from start_time{rounded} to end_time must be at most 31 days, not {end - start}"
        )
    if start < _utc_now(now) - _MAX_STATISTICS_AGE:
        raise DataProtectionError(f"start_time{rounded} must lie within the most recent 35 days")
    return start, end


def audit_window(
    start_time: datetime | str | None, end_time: datetime | str | None, *, now: float
) -> tuple[datetime | None, datetime | None]:
    """Check the period of audit events (operation 12), and return it in UTC.

    Args:
        start_time: the start that the program gives.
        end_time: the end that the program gives.
        now: seconds since the epoch.

    Raises:
        DataProtectionError: the period is not valid, or lies in the future.
    """
    start, end = _utc_if_given("start_time", start_time), _utc_if_given("end_time", end_time)
    if start:
        _check_past("start_time", start, now)
    if start and end:
        _check_order("start_time", start, "end_time", end)
    return start, end


def _utc(argument: str, value: datetime | str) -> datetime:
    try:
        return client.records.parse_time(value)
    except ValueError:
        raise DataProtectionError(
            f"{argument} must be a datetime with a time zone, or RFC 3339 text such as 2026-01-31T08:00:00Z, "
            f"not {value!r}"
        ) from None


def _utc_if_given(argument: str, value: datetime | str | None) -> datetime | None:
    return None if value is None else _utc(argument, value)


def _utc_now(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)


def _check_past(argument: str, time: datetime, now: float) -> None:
    if time > _utc_now(now):
        raise DataProtectionError(f"{argument} must not be in the future")


def _check_order(start_argument: str, start: datetime, end_argument: str, end: datetime) -> None:
    if end < start:
        raise DataProtectionError(f"{end_argument} must not be before {start_argument}")
