"""Times as RFC 3339 texts."""

import pytest

from pulumi_dataprotection.emulator._times import format_time, parse_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31T08:00:00Z", "2026-01-31T08:00:00.000Z"),
        ("2026-01-31t08:00:00z", "2026-01-31T08:00:00.000Z"),
        ("2026-01-31T08:00:00.5Z", "2026-01-31T08:00:00.500Z"),
        ("2026-01-31T08:00:00.123456789Z", "2026-01-31T08:00:00.123Z"),
        ("2026-01-31T08:00:00+02:30", "2026-01-31T05:30:00.000Z"),
        ("2026-01-31T20:00:00-05:30", "2026-02-01T01:30:00.000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ],
)
def test_a_time_is_written_in_one_spelling(text: str, expected: str) -> None:
    assert expected == format_time(parse_time(text))
