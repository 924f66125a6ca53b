"""When a call is tried again and after how long, as tables without a clock."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS, MAX_SECONDS, retry_after, retry_delay
from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation

REPEATABLE = BY_ID["protect_resource"]
NOT_REPEATABLE = BY_ID["create_org"]

UNREACHED = TransportError("connection refused", sent=False)
DISTRUSTED = TransportError("certificate verify failed", sent=False, lasting=True)
LOST = TransportError("read timeout", sent=True)

NEVER = "never"
ALWAYS = "always"
IF_REPEATABLE = "if repeatable"

SERVER_TIME = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


def answer(status: int = 429, **headers: str) -> Response:
    return Response(status, httpx.Headers({name.replace("_", "-"): value for name, value in headers.items()}), b"")


def date(seconds: float) -> str:
    return format_datetime(SERVER_TIME + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize("operation", [REPEATABLE, NOT_REPEATABLE], ids=["repeatable", "not repeatable"])
@pytest.mark.parametrize(
    ("outcome", "again"),
    [
        (answer(200), NEVER),
        (answer(204), NEVER),
        (answer(302), NEVER),
        (answer(400), NEVER),
        (answer(401), NEVER),
        (answer(403), NEVER),
        (answer(404), NEVER),
        (answer(409), NEVER),
        (answer(429), ALWAYS),
        (answer(500), IF_REPEATABLE),
        (answer(502), IF_REPEATABLE),
        (answer(503), IF_REPEATABLE),
        (answer(504), IF_REPEATABLE),
        (UNREACHED, ALWAYS),
        (DISTRUSTED, NEVER),
        (LOST, IF_REPEATABLE),
    ],
    ids=lambda value: value if isinstance(value, str) else str(getattr(value, "status", getattr(value, "reason", ""))),
)
def test_an_outcome_is_tried_again(outcome: Response | TransportError, again: str, operation: object) -> None:
    row = REPEATABLE if operation is REPEATABLE else NOT_REPEATABLE
    expected = again == ALWAYS or (again == IF_REPEATABLE and row is REPEATABLE)
    assert expected == (retry_delay(outcome, row, attempts=1, spent=0) is not None)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (UNREACHED, "not_sent"),
        (answer(429), "too_many_requests"),
        (answer(500), "service_error"),
        (answer(599), "service_error"),
        (LOST, "answer_lost"),
        (DISTRUSTED, None),
        (answer(404), None),
    ],
    ids=["not sent", "429", "500", "599", "lost", "distrusted", "404"],
)
def test_each_operation_is_tried_again_exactly_after_the_outcomes_of_its_row(
    outcome: Response | TransportError, kind: str | None, operation: Operation
) -> None:
    assert (kind in operation.repeat_after) == (retry_delay(outcome, operation, attempts=1, spent=0) is not None)


@pytest.mark.parametrize("outcome", [answer(429), answer(503), UNREACHED, LOST], ids=["429", "503", "refused", "lost"])
@pytest.mark.parametrize(
    ("attempts", "spent", "again"),
    [
        (1, 0, True),
        (MAX_ATTEMPTS - 1, 0, True),
        (MAX_ATTEMPTS, 0, False),
        (MAX_ATTEMPTS + 1, 0, False),
        (1, MAX_SECONDS, True),
        (1, MAX_SECONDS + 0.001, False),
        (MAX_ATTEMPTS - 1, MAX_SECONDS + 1, False),
    ],
)
def test_tries_and_time_are_bounded(
    outcome: Response | TransportError, attempts: int, spent: float, *, again: bool
) -> None:
    assert again == (retry_delay(outcome, REPEATABLE, attempts=attempts, spent=spent) is not None)


def test_the_bounds_are_8_tries_and_10_minutes() -> None:
    expected = (8, 600)
    assert expected == (MAX_ATTEMPTS, MAX_SECONDS)


@pytest.mark.parametrize(
    ("attempts", "longest"), [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 16.0), (6, 32.0), (7, 60.0)]
)
@pytest.mark.parametrize("outcome", [answer(429), answer(500), UNREACHED, LOST], ids=["429", "500", "refused", "lost"])
def test_waits_lie_between_nothing_and_a_bound_that_doubles(
    outcome: Response | TransportError, attempts: int, longest: float
) -> None:
    waits = [retry_delay(outcome, REPEATABLE, attempts=attempts, spent=0) for _ in range(300)]
    assert all(wait is not None and 0 <= wait <= longest for wait in waits)


def test_waits_are_spread_over_the_whole_range() -> None:
    waits = [retry_delay(answer(503), REPEATABLE, attempts=7, spent=0) or 0 for _ in range(300)]
    assert min(waits) < 10
    assert max(waits) > 50


@pytest.mark.parametrize("status", [429, 503])
def test_the_next_try_is_never_earlier_than_the_service_asked(status: int) -> None:
    waits = [retry_delay(answer(status, Retry_After="20"), REPEATABLE, attempts=1, spent=0) for _ in range(300)]
    assert all(wait is not None and 20 <= wait <= 21 for wait in waits)


@pytest.mark.parametrize(
    ("asked", "spent", "again"), [("600", 0, True), ("601", 0, False), ("300", 300, True), ("300", 301, False)]
)
def test_a_wait_that_would_take_too_long_ends_the_tries(asked: str, spent: float, again: bool) -> None:  # noqa: FBT001 - a table
    assert again == (retry_delay(answer(429, Retry_After=asked), REPEATABLE, attempts=1, spent=spent) is not None)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2.0),
        ("0", 0.0),
        ("1.5", 1.5),
        (" 2 ", 2.0),
        ("120", 120.0),
        ("9" * 400, float("inf")),
        ("120junk", None),
        ("-5", None),
        ("1e9", None),
        ("soon", None),
        (".", None),
        ("", None),
        (" ", None),
        ("Wed, 99 Oct 2026 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999999 07:28:00 GMT", None),
    ],
)
def test_seconds_are_read_and_junk_says_nothing(text: str, seconds: float | None) -> None:
    assert seconds == retry_after(answer(Retry_After=text))


def test_an_answer_without_the_header_says_nothing() -> None:
    assert retry_after(answer()) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (date(3), 3.0),
        (date(0), 0.0),
        (date(-3600), 0.0),
        ("Saturday, 31-Jan-26 12:00:07 GMT", 7.0),
        ("Sat Jan 31 12:00:07 2026", 7.0),
        ("Sat, 31 Jan 2026 12:00:07 -0000", 7.0),
        ("Sat, 31 Jan 2026 13:00:07 +0100", 7.0),
    ],
)
def test_a_date_counts_from_the_services_own_clock(text: str, seconds: float) -> None:
    assert seconds == retry_after(answer(Retry_After=text, Date=date(0)))


def test_a_date_of_a_service_that_does_not_tell_its_time_counts_from_ours() -> None:
    ahead = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    seconds = retry_after(answer(Retry_After=ahead))
    assert seconds is not None
    assert 7000 < seconds <= 7200


@pytest.mark.parametrize("date", [date(-600), date(600)], ids=["behind", "ahead"])
def test_a_clock_that_is_wrong_does_not_change_the_wait(date: str) -> None:
    asked = format_datetime(datetime.strptime(date, "%a, %d %b %Y %H:%M:%S %Z").replace(tzinfo=UTC) + timedelta(0, 5))
    assert retry_after(answer(Retry_After=asked, Date=date)) == 5.0
