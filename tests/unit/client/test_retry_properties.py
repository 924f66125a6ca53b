"""When and after how long a call is tried again, whatever came back."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import get_args

import httpx
from hypothesis import example, given
from hypothesis import strategies as st

from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS, MAX_SECONDS, retry_after, retry_delay
from pulumi_dataprotection.spec import OPERATIONS, Operation, Outcome

LONGEST_JITTER = 60

DIGITS = st.text(st.characters(categories=["Nd"]), max_size=25)
NUMBERS = (
    st.integers(-10, 10**30).map(str)
    | st.floats().map(str)
    | st.tuples(DIGITS, st.sampled_from(["", ".", "..", "e", "_", "-"]), DIGITS).map("".join)
)
DATE_PARTS = st.sampled_from(["Wed,", "Wednesday,", "21", "21-Oct-26", "Oct", "2026", "07:28:00", "07:28", ":"])
ZONES = st.sampled_from(["", "GMT", "UT", "+0100", "-0000", "+9999", "-"])
NEARLY_DATES = st.builds("{} {}".format, st.lists(DATE_PARTS | DIGITS, max_size=6).map(" ".join), ZONES | DIGITS)
DATES = st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.just(UTC)).map(format_datetime)  # noqa: DTZ001 - Hypothesis adds the zone
HEADERS = (NUMBERS | NEARLY_DATES | DATES | st.text(st.characters(exclude_categories=["Cs"]))).map(str.encode)
ANY_HEADERS = HEADERS | st.binary(max_size=30)


def answer(status: int, asked: bytes | None = None, date: bytes | None = None) -> Response:
    given = {b"Retry-After": asked, b"Date": date}
    return Response(status, httpx.Headers([(name, value) for name, value in given.items() if value is not None]), b"")


ANSWERS = st.builds(
    answer,
    st.integers(100, 599) | st.sampled_from([429, 500, 502, 503, 504]),
    st.none() | ANY_HEADERS,
    st.none() | ANY_HEADERS,
)
FAILURES = st.builds(TransportError, st.just("no answer"), sent=st.booleans(), lasting=st.booleans())
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
EACH_ROW = st.sampled_from(OPERATIONS)
ROWS = EACH_ROW | st.builds(replace, EACH_ROW, repeat_after=st.frozensets(st.sampled_from(OUTCOMES)))
TRIED = st.integers(1, MAX_ATTEMPTS + 2)
SPENT = st.floats(0, MAX_SECONDS * 2)

# Longer than any number of a date can be.
HUGE = b"Wed, 21 Oct 99999999999999999999 07:28:00 GMT"


def what_happened(outcome: Response | TransportError) -> Outcome | None:
    match outcome:
        case TransportError(lasting=True):
            return None
        case TransportError(sent=True):
            return "answer_lost"
        case TransportError():
            return "not_sent"
        case Response(status=429):
            return "too_many_requests"
        case Response(status=status):
            return "service_error" if status // 100 == 5 else None


@given(asked=ANY_HEADERS, date=st.none() | ANY_HEADERS)
@example(asked=HUGE, date=None)
@example(asked=b"Wed, 21 Oct 2026 07:28:00 GMT", date=HUGE)
def test_whatever_a_header_says_it_is_a_time_to_wait_or_nothing(asked: bytes, date: bytes | None) -> None:
    seconds = retry_after(answer(429, asked, date))
    assert seconds is None or seconds >= 0


@given(outcome=ANSWERS | FAILURES, operation=ROWS, attempts=TRIED, spent=SPENT)
@example(outcome=answer(429, HUGE), operation=OPERATIONS[0], attempts=1, spent=0.0)
def test_a_wait_is_never_beyond_its_bounds(
    outcome: Response | TransportError, operation: Operation, attempts: int, spent: float
) -> None:
    wait = retry_delay(outcome, operation, attempts=attempts, spent=spent)
    assert wait is None or (math.isfinite(wait) and 0 <= wait <= MAX_SECONDS - spent + LONGEST_JITTER)


@given(outcome=FAILURES | st.integers(100, 599).map(answer), operation=ROWS, attempts=TRIED, spent=SPENT)
def test_a_call_is_tried_again_exactly_after_what_its_row_says_and_within_the_bounds(
    outcome: Response | TransportError, operation: Operation, attempts: int, spent: float
) -> None:
    expected = what_happened(outcome) in operation.repeat_after and attempts < MAX_ATTEMPTS and spent <= MAX_SECONDS
    assert expected == (retry_delay(outcome, operation, attempts=attempts, spent=spent) is not None)


@given(
    status=st.integers(100, 599),
    asked=st.integers(0, 1000) | st.floats(0, 1000),
    operation=ROWS,
    attempts=TRIED,
    spent=SPENT,
)
def test_a_call_is_never_tried_earlier_than_the_seconds_that_were_asked_for(
    status: int, asked: float, operation: Operation, attempts: int, spent: float
) -> None:
    text = f"{asked:.6f}"
    wait = retry_delay(answer(status, text.encode()), operation, attempts=attempts, spent=spent)
    assert wait is None or wait >= float(text)


@given(
    now=st.datetimes(datetime(1970, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - Hypothesis adds the zone
    asked=st.integers(-1000, 1000),
    zone=st.booleans(),
    attempts=TRIED,
)
def test_a_call_is_never_tried_earlier_than_the_date_that_was_asked_for(
    now: datetime,
    asked: int,
    zone: bool,  # noqa: FBT001 - drawn
    attempts: int,
) -> None:
    now = now.replace(microsecond=0)
    then = format_datetime(now + timedelta(seconds=asked), usegmt=zone)
    wait = retry_delay(
        answer(429, then.encode(), format_datetime(now).encode()), OPERATIONS[0], attempts=attempts, spent=0
    )
    assert (wait is None) == (attempts >= MAX_ATTEMPTS or asked > MAX_SECONDS)
    assert wait is None or wait >= max(asked, 0)
