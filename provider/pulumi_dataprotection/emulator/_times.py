"""Points in time: RFC 3339 texts on the wire and in the database, aware datetimes in between."""

import re
from datetime import UTC, datetime, timedelta

_RFC_3339 = re.compile(
    r"(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:)(\d\d)((?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))", re.ASCII
)


def parse_time(text: str) -> datetime:
    """Read an RFC 3339 time of any spelling.

    Args:
        text: the time; its offset is required, fractions beyond microseconds are cut off.

    Returns:
        The time in UTC.

    Raises:
        ValueError: The text is not such a time.
    """
    match = _RFC_3339.fullmatch(text.upper())
    if match is None:
        raise ValueError(f"{text!r} is not an RFC 3339 time with an offset, such as 2026-01-31T08:00:00Z")
    minute, second, rest = match.groups()
    # A datetime has no second 60: it is the one after 59.
    leap = timedelta(seconds=second == "60")
    try:
        time = datetime.fromisoformat(f"{minute}{'59' if leap else second}{rest}")
        return (time + leap).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time that exists") from None


def format_time(time: datetime) -> str:
    """Write a time in the one spelling that the database holds, which sorts as the times do."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
