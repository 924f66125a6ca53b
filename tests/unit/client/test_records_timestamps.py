"""Times as text that compares with datetimes."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import TypeAdapter

from pulumi_dataprotection.client.records import Time, Timestamp

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def read(sent: object) -> Timestamp:
    time: Timestamp | None = TypeAdapter(Time).validate_python(sent)
    assert time is not None
    return time


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31t12:00:00.10z", "2026-01-31T12:00:00.10Z"),
        ("2026-01-31 14:30:00.123456789+02:30", "2026-01-31T12:00:00.123456789Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"),
        ("2017-01-01T00:59:60.25+01:00", "2016-12-31T23:59:60.25Z"),
        (NOON, "2026-01-31T12:00:00Z"),
        (NOON + timedelta(microseconds=5), "2026-01-31T12:00:00.000005Z"),
        (1769860800, "2026-01-31T12:00:00Z"),
        (Timestamp("2026-01-31T12:00:00.5Z"), "2026-01-31T12:00:00.5Z"),
    ],
)
def test_a_time_is_text_in_utc_with_the_digits_that_were_sent(sent: object, text: str) -> None:
    assert (text, text) == (read(sent), str(read(sent)))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-31T12:00:00Z", NOON),
        ("2026-01-31T12:00:00.123456789Z", NOON + timedelta(microseconds=123_456)),
        ("2016-12-31T23:59:60.5Z", datetime(2016, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC)),
    ],
)
def test_a_time_has_its_datetime(text: str, time: datetime) -> None:
    assert (time, UTC) == (read(text).datetime, read(text).datetime.tzinfo)


EARLIER, LATER = Timestamp("2026-01-31T12:00:00Z"), Timestamp("2026-01-31T12:00:00.5Z")


OTHERS: dict[str, str | datetime] = {
    "time": LATER,
    "text": str(LATER),
    "datetime": LATER.datetime,
    "datetime elsewhere": LATER.datetime.astimezone(timezone(timedelta(hours=3))),
}


@pytest.mark.parametrize("later", OTHERS.values(), ids=OTHERS)
def test_times_are_in_order(later: str | datetime) -> None:
    assert (True, True, False, False) == (EARLIER < later, EARLIER <= later, EARLIER > later, EARLIER >= later)
    assert (False, False, True, True) == (later < EARLIER, later <= EARLIER, later > EARLIER, later >= EARLIER)
    assert (False, False, True, True) == (EARLIER == later, later == EARLIER, EARLIER != later, later != EARLIER)


def test_a_time_equals_its_datetime_and_its_text() -> None:
    assert (True, True, True) == (EARLIER == NOON, NOON == EARLIER, str(EARLIER) == EARLIER)
    assert (True, True, False) == (EARLIER <= NOON, EARLIER >= NOON, EARLIER != NOON)
    assert {EARLIER: 1} == {str(EARLIER): 1}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_the_difference_of_times_is_a_duration(other: str | datetime) -> None:
    half = timedelta(seconds=0.5)
    assert (-half, half) == (EARLIER - other, other - EARLIER)


def test_text_that_is_not_a_time_is_compared_as_text() -> None:
    assert [EARLIER, LATER] == sorted([LATER, EARLIER])
    assert (True, False, True) == (EARLIER > "", EARLIER < "", EARLIER < "never")
    assert ["", EARLIER] == sorted([EARLIER, ""])


def test_a_datetime_without_a_zone_cannot_be_compared() -> None:
    with pytest.raises(TypeError, match="offset-naive and offset-aware"):
        _ = EARLIER < datetime(2026, 1, 31)  # noqa: DTZ001 - on purpose
