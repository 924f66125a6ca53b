"""When a call is sent again, and after how long: pure functions."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from pulumi_dataprotection.client._http import Answer, Failure
from pulumi_dataprotection.spec import Operation, Outcome

__all__ = ["LONGEST", "TRIES", "decide", "retry_after"]

TRIES = 8
LONGEST = 600.0
"""Seconds that a call may take with all its tries."""

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0


def decide(outcome: Answer | Failure, operation: Operation, *, tries: int, spent: float) -> float | None:
    """Say how many seconds to wait before the next try, or None to take the outcome as it is.

    Which operation may be tried again after which outcome stands in its row.

    Args:
        outcome: what the last try brought.
        operation: what was tried.
        tries: how many tries there were.
        spent: seconds since the first of them.
    """
    if tries >= TRIES:
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


def _seconds_until(text: str, answer: Answer) -> float:
    # The service's own clock decides, where it tells it.
    now = answer.headers.get("Date")
    since = _date(now) if now else datetime.now(UTC)
    return max(0.0, (_date(text) - since).total_seconds())


def _date(text: str) -> datetime:
    date = parsedate_to_datetime(text)
    # An HTTP date that names no zone, as the oldest of its forms, is in UTC.
    return date if date.tzinfo else date.replace(tzinfo=UTC)
