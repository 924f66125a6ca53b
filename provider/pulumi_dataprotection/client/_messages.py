"""From the outcome of a call to the error that says what to do."""

import html
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, cast

import pydantic_core

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client._call import DESCRIBES_AN_ERROR, Call
from pulumi_dataprotection.client._secrets import hide, hide_addresses, without_secret_fields
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client._transport.retry import is_busy, retry_after
from pulumi_dataprotection.client.settings import Settings

__all__ = ["explain", "explain_answer", "explain_cool_down", "explain_pages"]

T = TypeVar("T")

_MAX_EXCERPT = 200
_MAX_READ = 100_000
"""Characters of a body that are searched for an excerpt."""

_MAX_SHOWN = 366 * 86400.0
"""Seconds of a wait that a text shows."""

_STATUSES: dict[int, tuple[type[errors.StatusError], str]] = {
    400: (errors.InvalidArgumentError, "invalid argument"),
    401: (errors.UnauthenticatedError, "unauthenticated"),
    403: (errors.ForbiddenError, "forbidden"),
    404: (errors.NotFoundError, "not found"),
    409: (errors.ConflictError, "conflict"),
    429: (errors.TooManyRequestsError, "too many requests"),
}
_BUSY = (errors.BusyError, "busy")
_FAILED = (errors.ServiceError, "the service failed")
_UNEXPECTED = (errors.UnexpectedStatusError, "unexpected status")

_ACCESS = {"read": "read", "write": "write", "billing": "read billing data"}

_LATER = "Try again later"
_BASE_URL = "Check that the base URL is the service's"


def explain(
    call: Call[T], outcome: Response | TransportError, attempts: int, settings: Settings, *, now: float
) -> errors.CallError:
    """Turn a failed attempt, or the response of a failure, into its error.

    Args:
        call: the call.
        outcome: the outcome of its last attempt.
        attempts: the number of attempts.
        settings: the settings of the client.
        now: the seconds since the epoch.
    """
    if isinstance(outcome, TransportError):
        return _explain_failure(call, outcome, attempts, settings)
    return _explain_status(call, outcome, attempts, settings, now)


def explain_cool_down(call: Call[T], seconds: float, file: Path, now: float) -> errors.TooManyRequestsError:
    """Make the error of a call that was not sent, because the service allows the key no call for a long time.

    Args:
        call: the call.
        seconds: the seconds until the service allows a call.
        file: the file that keeps this time.
        now: the seconds since the epoch.
    """
    return errors.TooManyRequestsError(
        f"429 too many requests ({call.request}), and nothing was sent: after an earlier call the service allows no "
        f"call with this key before {_moment(now + seconds)}. Wait until then. "
        f"If the service allows calls again, delete {file}",
        operation=call.operation,
        request=call.request,
        attempts=0,
        status=429,
        message="",
        code="",
        retry_after=seconds,
    )


def explain_pages(call: Call[T], refusal: errors.StatusError, readings: int) -> errors.AnswerError:
    """Make the error of a listing whose page tokens the service refuses.

    Args:
        call: the call.
        refusal: the last refusal of a later page.
        readings: the number of times that the list was read from its first page.
    """
    return errors.AnswerError(
        f"the list cannot be read to its end ({call.request}): the service refused a later page in each of {readings} "
        f"readings, the last time with {refusal.status}{f': {refusal.message}' if refusal.message else ''}. "
        "Its page tokens may expire too early. Raise dataprotection:pageSize, so that the list has fewer pages",
        operation=call.operation,
        request=call.request,
        attempts=refusal.attempts,
    )


def _explain_failure(call: Call[T], failure: TransportError, attempts: int, settings: Settings) -> errors.CallError:
    what = "the answer got lost" if failure.sent else f"{settings.base_url} cannot be reached"
    kind = errors.OutcomeUnclearError if failure.sent else errors.NotSentError
    detail = f"{what} ({call.request}): {_quotable(failure.reason, call, settings)}{_after(attempts)}"
    return kind(detail, operation=call.operation, request=call.request, attempts=attempts)


def _explain_status(
    call: Call[T], response: Response, attempts: int, settings: Settings, now: float
) -> errors.StatusError:
    kind, meaning = _meaning(response)
    request = call.request
    message, code = (_quotable(text, call, settings) for text in _message(response.body))
    said = f": {message.rstrip('.')}" if message else ""
    # Some services repeat the status as the code.
    named = f" (code {code})" if code and code != str(response.status) else ""
    wait, asked = "", retry_after(response)
    if asked:
        shown = min(asked, _MAX_SHOWN)
        # The cool-down of a key ends at the same moment for all its calls.
        until = f", until {_moment(now + shown)}" if kind is errors.TooManyRequestsError else ""
        wait = f". The service asks for a wait of {shown:,.0f} s{until}"
    return kind(
        f"{response.status} {meaning} ({request}){said}{named}{_after(attempts)}{wait}. "
        f"{_advice(call, kind, settings)}",
        operation=call.operation,
        request=request,
        attempts=attempts,
        status=response.status,
        message=message,
        code=code,
        retry_after=asked,
    )


def _meaning(response: Response) -> tuple[type[errors.StatusError], str]:
    if is_busy(response):
        return _BUSY
    unknown = _FAILED if response.status >= 500 else _UNEXPECTED  # noqa: PLR2004 - HTTP
    return _STATUSES.get(response.status, unknown)


def explain_answer(
    call: Call[T], response: Response, problem: str, attempts: int, settings: Settings
) -> errors.AnswerError:
    """Turn an answer of success that cannot be understood into its error."""
    content_type = _quotable(_visible(response.headers.get("Content-Type", "no content type")), call, settings)
    if problem == DESCRIBES_AN_ERROR and (words := _error_words(response.body)):
        excerpt = _quotable(words, call, settings)
    elif response.body.lstrip().startswith(b"{"):
        # A JSON object may be a record, with people's addresses or an invitation in it.
        excerpt = "an object, not shown here"
    else:
        excerpt = _quotable(_readable(response.body.decode(errors="replace")), call, settings)
    return errors.AnswerError(
        f"the answer ({call.request}) is not what the interface describes: {printable(problem, limit=None)} "
        f"({response.status}, {content_type}): {excerpt or 'empty'}. Check that the base URL is the service's",
        operation=call.operation,
        request=call.request,
        attempts=attempts,
    )


def _advice(call: Call[T], kind: type[errors.StatusError], settings: Settings) -> str:
    """Return the advice for an error, which claims no more than its status and the row of the operation do."""
    row, source = call.operation, settings.key_source
    has_ids = call.path or any(name.endswith("_id") for name in call.query)
    done = "Another request may be under way, or may have done this before. Look it up, and try again later"
    advice: dict[type[errors.StatusError], str] = {
        errors.BusyError: _LATER,
        errors.ConflictError: done if row.writes else _LATER,
        errors.ForbiddenError: (
            f"Check that the application of the API key from {source} has the permission to "
            f"{_ACCESS[row.permission]}, and is installed for what the call is about. A key that was banned for too "
            "many calls gets 403, too"
        ),
        errors.InvalidArgumentError: "Check the values" if call.path or call.query else _BASE_URL,
        errors.NotFoundError: "Check the ids, and that the base URL is the service's" if has_ids else _BASE_URL,
        errors.ServiceError: _LATER,
        errors.TooManyRequestsError: (
            "Lower dataprotection:callsPerSecond, and look for other programs that use the same key"
        ),
        errors.UnauthenticatedError: f"Check that the API key from {source} is whole and has not expired",
        errors.UnexpectedStatusError: _BASE_URL,
    }
    return advice[kind]


def _moment(time: float) -> str:
    """Return a time in seconds since the epoch, as texts show it."""
    return f"{datetime.fromtimestamp(round(time), UTC):%Y-%m-%d %H:%M:%S} UTC"


def _after(attempts: int) -> str:
    return f", after {attempts} attempts" if attempts > 1 else ""


def _message(body: bytes) -> tuple[str, str]:
    """Find the service's own words, and the code that it has for the error; the interface describes no error body."""
    code: object = ""
    try:
        value: object = pydantic_core.from_json(body)
    except ValueError:
        return _readable(body.decode(errors="replace")), ""
    # Beside a message, `error` is often but the status in words; without one, it is the message or holds it.
    for name in ("message", "error", "message"):
        if fields := _fields(value):
            code, value = fields.get("code") or code, fields.get(name) or fields
    code = "" if "code" in _fields(value) else code
    # Written again, so that the key is found in it however the service escaped it.
    return _visible(_as_text(value)), _visible(str(code)) if isinstance(code, (str, int)) else ""


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(without_secret_fields(value), ensure_ascii=False)


def _error_words(body: bytes) -> str:
    """Find the words of an error in a body that may hold a record, too; empty if it has none."""
    fields = cast("dict[str, object]", pydantic_core.from_json(body))
    words = {name: fields[name] for name in ("message", "error", "errors") if fields.get(name)}
    message, code = _message(json.dumps({**words, "code": fields.get("code")}).encode()) if words else ("", "")
    return f"{message} (code {code})" if code else message


def _readable(text: str) -> str:
    """A page of HTML as its text."""
    return _visible(html.unescape(re.sub(r"(?is)<(script|style|head).*?</\1>|<[^<>]*>", " ", text[:_MAX_READ])))


def _visible(text: str) -> str:
    """A text in one line, without what a terminal would act on."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:_MAX_READ]).split())


def _quotable(text: str, call: Call[T], settings: Settings) -> str:
    if not text:
        return ""
    secrets = {settings.api_key: "[the API key]", call.query.get("admin_email", ""): "[the e-mail address]"}
    hidden = printable(hide_addresses(hide(text, secrets)), limit=None)
    return hidden if len(hidden) <= _MAX_EXCERPT else hidden[:_MAX_EXCERPT] + "…"
