"""When a call is sent again, and after which delay: pure functions."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.spec import Operation, Outcome

__all__ = ["MAX_ATTEMPTS", "MAX_SECONDS", "is_busy", "retry_after", "retry_delay", "stated_time"]

MAX_ATTEMPTS = 8
MAX_SECONDS = 600.0
"""Seconds that a call may take with all its attempts."""

_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.LOCKED, HTTPStatus.TOO_EARLY}
_BUSY_WITH_TIME = {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT}
_FIRST_WAIT = 0.5
_MAX_WAIT = 60.0


def retry_delay(
    outcome: Response | TransportError,
    operation: Operation,
    *,
    attempts: int,
    spent: float,
    max_attempts: int = MAX_ATTEMPTS,
) -> float | None:
    """Return the seconds to wait before the next attempt; None if the outcome is final.

    The row of the operation says after which outcomes it may be sent again.

    Args:
        outcome: the outcome of the last attempt.
        operation: the operation.
        attempts: the number of attempts so far.
        spent: seconds since the first attempt.
        max_attempts: the number of attempts after which to stop.
    """
    if attempts >= max_attempts:
        return None
    if _kind(outcome) not in operation.repeat_after:
        return None
    asked = retry_after(outcome) if isinstance(outcome, Response) else None
    if spent + (asked or 0) > MAX_SECONDS:
        return None
    # Full jitter, so that many clients do not come back at the same moment.
    longest = min(_MAX_WAIT, _FIRST_WAIT * 2**attempts)
    jitter = random.uniform(0, longest)  # noqa: S311 - no secret depends on it
    return min((asked or 0) + jitter, MAX_SECONDS - spent)


def _kind(outcome: Response | TransportError) -> Outcome | None:
    if isinstance(outcome, TransportError):
        if outcome.lasting:
            return None
        return "answer_lost" if outcome.sent else "not_sent"
    if outcome.status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too_many_requests"
    if is_busy(outcome):
        return "busy"
    if outcome.status == HTTPStatus.CONFLICT:
        return "conflict"
    # A service that does not implement an operation answers the same in a minute.
    failed = outcome.status >= HTTPStatus.INTERNAL_SERVER_ERROR and outcome.status != HTTPStatus.NOT_IMPLEMENTED
    return "service_error" if failed else None


def is_busy(response: Response) -> bool:
    """Return whether the service asks for the same request at a later time; the interface does not name that."""
    return response.status in _BUSY or (response.status in _BUSY_WITH_TIME and retry_after(response) is not None)


def retry_after(response: Response) -> float | None:
    """Read the seconds of the header `Retry-After`, given as a number or as a date; None if it says nothing."""
    text = response.headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(text)) if text.replace(".", "", 1).isdecimal() else _seconds_until(text, response)
    except (ValueError, OverflowError):
        return None


def stated_time(text: str) -> datetime:
    """Read the time of an HTTP header.

    Raises:
        ValueError: It is not a date.
        OverflowError: Its numbers are too large for a date.
    """
    date = parsedate_to_datetime(text)
    # An HTTP date that names no zone, as the oldest of its forms, is in UTC.
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _seconds_until(text: str, response: Response) -> float:
    # The service's own clock decides, if it states its time.
    date = response.headers.get("Date")
    now = stated_time(date) if date else datetime.now(UTC)
    return max(0.0, (stated_time(text) - now).total_seconds())
