"""When a call is retried and after how long: tables and properties without a clock."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pulumi_dataprotection.client._transport.response import Response
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS, MAX_SECONDS, retry_after, retry_delay
from pulumi_dataprotection.spec import BY_ID

REPEATABLE = BY_ID["protect_resource"]

SERVER_TIME = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


def answer(status: int = 429, **headers: str | bytes) -> Response:
    given = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
    encoded = [(name, value if isinstance(value, bytes) else value.encode()) for name, value in given]
    return Response(status, httpx.Headers(encoded), b"")


def date(seconds: float) -> str:
    return format_datetime(SERVER_TIME + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("attempts", "spent", "asked", "retried"),
    [
        (MAX_ATTEMPTS - 1, 0, "", True),
        (MAX_ATTEMPTS, 0, "", False),
        (1, MAX_SECONDS, "", True),
        (1, MAX_SECONDS + 0.001, "", False),
        (1, 0, "600", True),
        (1, 0, "601", False),
        (1, 300, "300", True),
        (1, 301, "300", False),
    ],
)
def test_attempts_end_exactly_at_the_limits(attempts: int, spent: float, asked: str, *, retried: bool) -> None:
    wait = retry_delay(answer(429, Retry_After=asked), REPEATABLE, attempts=attempts, spent=spent)
    assert retried == (wait is not None)


@pytest.mark.parametrize(
    ("attempts", "longest"), [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 16.0), (6, 32.0), (7, 60.0)]
)
@pytest.mark.parametrize("asked", [0, 20])
def test_waits_are_spread_up_to_a_limit_that_doubles(attempts: int, longest: float, asked: int) -> None:
    response = answer(429, Retry_After=str(asked))
    waits = [retry_delay(response, REPEATABLE, attempts=attempts, spent=0) or 0 for _ in range(300)]
    assert asked <= min(waits) <= asked + longest / 6
    assert asked + longest * 5 / 6 <= max(waits) <= asked + longest


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2.0),
        ("0", 0.0),
        ("1.5", 1.5),
        (" 2 ", 2.0),
        ("9" * 400, float("inf")),
        (date(3), 3.0),
        (date(0), 0.0),
        (date(-3600), 0.0),
        ("Saturday, 31-Jan-26 12:00:07 GMT", 7.0),
        ("Sat Jan 31 12:00:07 2026", 7.0),
        ("Sat, 31 Jan 2026 12:00:07 -0000", 7.0),
        ("Sat, 31 Jan 2026 13:00:07 +0100", 7.0),
        *dict.fromkeys(["120junk", "-5", "1e9", "soon", ".", "", " "]).items(),
        ("Wed, 99 Oct 2026 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999999 07:28:00 GMT", None),
    ],
)
def test_a_header_states_seconds_or_a_date_of_the_services_clock(text: str, seconds: float | None) -> None:
    assert seconds == retry_after(answer(Retry_After=text, Date=date(0)))


def test_a_date_counts_from_the_machines_clock_if_the_service_states_no_time() -> None:
    ahead = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    seconds = retry_after(answer(Retry_After=ahead))
    assert seconds is not None
    assert 7000 < seconds <= 7200


DIGITS = st.text(st.characters(categories=["Nd"]), max_size=25)
NUMBERS = (
    st.integers(-10, 10**30).map(str)
    | st.floats().map(str)
    | st.tuples(DIGITS, st.sampled_from(["", ".", "..", "e", "_", "-"]), DIGITS).map("".join)
)
DATE_PARTS = st.sampled_from(["Wed,", "Wednesday,", "21", "21-Oct-26", "Oct", "2026", "07:28:00", "07:28", ":"])
ZONES = st.sampled_from(["", "GMT", "UT", "+0100", "-0000", "+9999", "-"])
NEARLY_DATES = st.builds("{} {}".format, st.lists(DATE_PARTS | DIGITS, max_size=6).map(" ".join), ZONES | DIGITS)
DATES = st.datetimes(SERVER_TIME.replace(year=1970, tzinfo=None), timezones=st.just(UTC))
TEXTS = NUMBERS | NEARLY_DATES | DATES.map(format_datetime) | st.text(st.characters(exclude_categories=["Cs"]))
HEADERS = TEXTS.map(str.encode) | st.binary(max_size=30)
STATUSES = st.integers(100, 599) | st.sampled_from([429, 500, 502, 503, 504])
ATTEMPTS = st.integers(1, MAX_ATTEMPTS + 2)
SPENT = st.floats(0, MAX_SECONDS * 2)

# The year has more digits than a date can hold.
HUGE = b"Wed, 21 Oct 99999999999999999999 07:28:00 GMT"


@given(status=STATUSES, header=HEADERS, date=HEADERS, attempts=ATTEMPTS, spent=SPENT)
@example(status=429, header=HUGE, date=b"", attempts=1, spent=0.0)
@example(status=429, header=b"Wed, 21 Oct 2026 07:28:00 GMT", date=HUGE, attempts=1, spent=0.0)
def test_no_header_exceeds_the_limits(status: int, header: bytes, date: bytes, attempts: int, spent: float) -> None:
    response = answer(status, Retry_After=header, Date=date)
    assert (retry_after(response) or 0) >= 0
    wait = retry_delay(response, REPEATABLE, attempts=attempts, spent=spent)
    assert wait is None or 0 <= wait <= MAX_SECONDS - spent


@given(status=STATUSES, asked=st.floats(0, 1000), attempts=ATTEMPTS, spent=SPENT)
def test_no_wait_is_shorter_than_the_header_asks(status: int, asked: float, attempts: int, spent: float) -> None:
    text = f"{asked:.6f}"
    wait = retry_delay(answer(status, Retry_After=text), REPEATABLE, attempts=attempts, spent=spent)
    assert wait is None or wait >= float(text)


@given(now=DATES, asked=st.integers(-1000, 1000), gmt=st.booleans())
def test_no_wait_is_shorter_than_the_time_until_the_date_of_the_header(now: datetime, asked: int, *, gmt: bool) -> None:
    now = now.replace(microsecond=0, year=min(now.year, 9000))
    until = format_datetime(now + timedelta(seconds=asked), usegmt=gmt)
    wait = retry_delay(answer(Retry_After=until, Date=format_datetime(now)), REPEATABLE, attempts=1, spent=0)
    assert (wait is None) == (asked > MAX_SECONDS)
    assert wait is None or wait >= max(asked, 0)
