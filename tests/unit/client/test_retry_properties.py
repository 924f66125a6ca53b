"""When and after how long a call is tried again, whatever came back."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import get_args

import httpx
from hypothesis import example, given
from hypothesis import strategies as st

from pulumi_dataprotection.client._transport.http import Answer, Failure
from pulumi_dataprotection.client._transport.retry import LONGEST, TRIES, decide, retry_after
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


def answer(status: int, asked: bytes | None = None, date: bytes | None = None) -> Answer:
    given = {b"Retry-After": asked, b"Date": date}
    return Answer(status, httpx.Headers([(name, value) for name, value in given.items() if value is not None]), b"")


ANSWERS = st.builds(
    answer,
    st.integers(100, 599) | st.sampled_from([429, 500, 502, 503, 504]),
    st.none() | ANY_HEADERS,
    st.none() | ANY_HEADERS,
)
FAILURES = st.builds(Failure, st.just("no answer"), sent=st.booleans(), lasting=st.booleans())
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
EACH_ROW = st.sampled_from(OPERATIONS)
ROWS = EACH_ROW | st.builds(replace, EACH_ROW, repeat_after=st.frozensets(st.sampled_from(OUTCOMES)))
TRIED = st.integers(1, TRIES + 2)
SPENT = st.floats(0, LONGEST * 2)

# Longer than any number of a date can be.
HUGE = b"Wed, 21 Oct 99999999999999999999 07:28:00 GMT"


def what_happened(outcome: Answer | Failure) -> Outcome | None:
    match outcome:
        case Failure(lasting=True):
            return None
        case Failure(sent=True):
            return "answer_lost"
        case Failure():
            return "not_sent"
        case Answer(status=429):
            return "too_many_requests"
        case Answer(status=status):
            return "service_error" if status // 100 == 5 else None


@given(asked=ANY_HEADERS, date=st.none() | ANY_HEADERS)
@example(asked=HUGE, date=None)
@example(asked=b"Wed, 21 Oct 2026 07:28:00 GMT", date=HUGE)
def test_whatever_a_header_says_it_is_a_time_to_wait_or_nothing(asked: bytes, date: bytes | None) -> None:
    seconds = retry_after(answer(429, asked, date))
    assert seconds is None or seconds >= 0


@given(outcome=ANSWERS | FAILURES, operation=ROWS, tries=TRIED, spent=SPENT)
@example(outcome=answer(429, HUGE), operation=OPERATIONS[0], tries=1, spent=0.0)
def test_a_wait_is_never_beyond_its_bounds(
    outcome: Answer | Failure, operation: Operation, tries: int, spent: float
) -> None:
    wait = decide(outcome, operation, tries=tries, spent=spent)
    assert wait is None or (math.isfinite(wait) and 0 <= wait <= LONGEST - spent + LONGEST_JITTER)


@given(outcome=FAILURES | st.integers(100, 599).map(answer), operation=ROWS, tries=TRIED, spent=SPENT)
def test_a_call_is_tried_again_exactly_after_what_its_row_says_and_within_the_bounds(
    outcome: Answer | Failure, operation: Operation, tries: int, spent: float
) -> None:
    expected = what_happened(outcome) in operation.repeat_after and tries < TRIES and spent <= LONGEST
    assert expected == (decide(outcome, operation, tries=tries, spent=spent) is not None)


@given(
    status=st.integers(100, 599),
    asked=st.integers(0, 1000) | st.floats(0, 1000),
    operation=ROWS,
    tries=TRIED,
    spent=SPENT,
)
def test_a_call_is_never_tried_earlier_than_the_seconds_that_were_asked_for(
    status: int, asked: float, operation: Operation, tries: int, spent: float
) -> None:
    text = f"{asked:.6f}"
    wait = decide(answer(status, text.encode()), operation, tries=tries, spent=spent)
    assert wait is None or wait >= float(text)


@given(
    now=st.datetimes(datetime(1970, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - Hypothesis adds the zone
    asked=st.integers(-1000, 1000),
    zone=st.booleans(),
    tries=TRIED,
)
def test_a_call_is_never_tried_earlier_than_the_date_that_was_asked_for(
    now: datetime,
    asked: int,
    zone: bool,  # noqa: FBT001 - drawn
    tries: int,
) -> None:
    now = now.replace(microsecond=0)
    then = format_datetime(now + timedelta(seconds=asked), usegmt=zone)
    wait = decide(answer(429, then.encode(), format_datetime(now).encode()), OPERATIONS[0], tries=tries, spent=0)
    assert (wait is None) == (tries >= TRIES or asked > LONGEST)
    assert wait is None or wait >= max(asked, 0)
