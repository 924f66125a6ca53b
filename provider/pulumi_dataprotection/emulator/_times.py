"""Points in time: RFC 3339 texts on the wire and in the database, aware datetimes in between."""

import re
from datetime import UTC, datetime, timedelta, timezone

_RFC_3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))", re.ASCII
)
_LEAP_SECOND = 60


def parse_time(text: str) -> datetime:
    """Read an RFC 3339 time of any spelling.

    Args:
        text: the time; its offset is required, fractions beyond microseconds are cut off.

    Returns:
        The time in UTC.

    Raises:
        ValueError: The text is not such a time.
    """
    match = _RFC_3339.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not an RFC 3339 time with an offset, such as 2026-01-31T08:00:00Z")
    *parts, fraction, sign, offset_hours, offset_minutes = match.groups()
    year, month, day, hour, minute, second = map(int, parts)
    microsecond = int((fraction or "")[:6].ljust(6, "0"))
    offset = timedelta(hours=int(offset_hours or 0), minutes=int(offset_minutes or 0))
    zone = timezone(-offset if sign == "-" else offset)
    # A datetime has no second 60: it is the one after 59.
    leap = timedelta(seconds=second == _LEAP_SECOND)
    try:
        time = datetime(year, month, day, hour, minute, second - leap.seconds, microsecond, zone)
        return (time + leap).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time that exists") from None


def format_time(time: datetime) -> str:
    """Write a time in the one spelling that the database holds, which sorts as the times do."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
