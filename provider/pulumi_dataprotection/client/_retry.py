"""When a call is sent again, and after how long: pure functions."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pulumi_dataprotection.client._http import Answer, Failure
from pulumi_dataprotection.spec import Operation

__all__ = ["LONGEST", "TRIES", "decide", "retry_after"]

TRIES = 8
LONGEST = 600.0
"""Seconds that a call may take with all its tries."""

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0


def decide(outcome: Answer | Failure, operation: Operation, *, tries: int, spent: float) -> float | None:
    """Say how many seconds to wait before the next try, or None to take the outcome as it is.

    Refused for the call rate, or never sent: any operation may be tried again. Outcome unclear (the service
    failed, or the answer got lost): only an idempotent one.

    Args:
        outcome: what the last try brought.
        operation: what was tried.
        tries: how many tries there were.
        spent: seconds since the first of them.
    """
    if tries >= TRIES:
        return None
    if isinstance(outcome, Failure):
        again = not outcome.lasting and (operation.idempotent or not outcome.sent)
        asked = None
    else:
        again = outcome.status == 429 or (outcome.status >= 500 and operation.idempotent)  # noqa: PLR2004 - HTTP
        asked = retry_after(outcome)
    if not again or spent + (asked or 0) > LONGEST:
        return None
    # Full jitter, so that many clients do not come back at the same moment.
    longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2**tries)
    return (asked or 0) + random.uniform(0, longest)  # noqa: S311 - no secret depends on it


def retry_after(answer: Answer) -> float | None:
    """Read the seconds of the header `Retry-After`, given as a number or as a date; None where it says nothing."""
    text = answer.headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(text)) if text.replace(".", "", 1).isdecimal() else _seconds_until(text, answer)
    except ValueError:
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
