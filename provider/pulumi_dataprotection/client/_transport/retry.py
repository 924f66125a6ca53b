"""When a call is sent again, and after how long: pure functions."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from pulumi_dataprotection.client._transport.http import Answer, Failure
from pulumi_dataprotection.spec import Operation, Outcome

__all__ = ["LONGEST", "TRIES", "decide", "retry_after", "told_time"]

TRIES = 8
LONGEST = 600.0
"""Seconds that a call may take with all its tries."""

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0


def decide(
    outcome: Answer | Failure, operation: Operation, *, tries: int, spent: float, most_tries: int = TRIES
) -> float | None:
    """Say how many seconds to wait before the next try, or None to take the outcome as it is.

    Which operation may be tried again after which outcome stands in its row.

    Args:
        outcome: what the last try brought.
        operation: what was tried.
        tries: how many tries there were.
        spent: seconds since the first of them.
        most_tries: so many tries are enough.
    """
    if tries >= most_tries:
        return None
    if _kind(outcome) not in operation.repeat_after:
        return None
    asked = retry_after(outcome) if isinstance(outcome, Answer) else None
    if spent + (asked or 0) > LONGEST:
        return None
    # Full jitter, so that many clients do not come back at the same moment.
    longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2**tries)
    jitter = random.uniform(0, longest)  # noqa: S311 - no secret depends on it
    return min((asked or 0) + jitter, LONGEST - spent)


def _kind(outcome: Answer | Failure) -> Outcome | None:
    if isinstance(outcome, Failure):
        if outcome.lasting:
            return None
        return "answer_lost" if outcome.sent else "not_sent"
    if outcome.status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too_many_requests"
    return "service_error" if outcome.status >= HTTPStatus.INTERNAL_SERVER_ERROR else None


def retry_after(answer: Answer) -> float | None:
    """Read the seconds of the header `Retry-After`, given as a number or as a date; None where it says nothing."""
    text = answer.headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(text)) if text.replace(".", "", 1).isdecimal() else _seconds_until(text, answer)
    except (ValueError, OverflowError):
        return None


def told_time(answer: Answer) -> datetime | None:
    """Read the header `Date`, the time of the service's own clock; None where there is none.

    Raises:
        ValueError: it is not a date.
        OverflowError: the same, with very large numbers.
    """
    text = answer.headers.get("Date")
    return _date(text) if text else None


def _seconds_until(text: str, answer: Answer) -> float:
    # The service's own clock decides, where it tells it.
    return max(0.0, (_date(text) - (told_time(answer) or datetime.now(UTC))).total_seconds())


def _date(text: str) -> datetime:
    date = parsedate_to_datetime(text)
    # An HTTP date that names no zone, as the oldest of its forms, is in UTC.
    return date if date.tzinfo else date.replace(tzinfo=UTC)
