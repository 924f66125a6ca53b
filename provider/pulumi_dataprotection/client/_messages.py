"""From the outcome of a call to the error that says what to do."""

import html
import json
import re
from typing import TypeVar, cast

import pydantic_core

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client._call import DESCRIBES_AN_ERROR, Call
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["explain", "explain_answer"]

T = TypeVar("T")

_MAX_EXCERPT = 200
_MAX_READ = 100_000
"""Characters of a body that are searched for an excerpt."""

_STATUSES: dict[int, tuple[type[errors.StatusError], str]] = {
    400: (errors.InvalidArgumentError, "invalid argument"),
    401: (errors.UnauthenticatedError, "unauthenticated"),
    403: (errors.ForbiddenError, "forbidden"),
    404: (errors.NotFoundError, "not found"),
    409: (errors.ConflictError, "conflict"),
    429: (errors.TooManyRequestsError, "too many requests"),
}
_FAILED = (errors.ServiceError, "the service failed")
_UNEXPECTED = (errors.UnexpectedStatusError, "unexpected status")

_ACCESS = {"read": "read this", "write": "write this", "billing": "read billing data"}

_ADVICE: dict[type[errors.StatusError], str] = {
    errors.InvalidArgumentError: "Check the values",
    errors.NotFoundError: "Check the ids, and that the base URL is the service's",
    errors.ConflictError: "Look at what is there already",
    errors.TooManyRequestsError: (
        "Lower dataprotection:callsPerSecond, and look for other programs that use the same key"
    ),
    errors.ServiceError: "Try again later",
    errors.UnexpectedStatusError: "Check that the base URL is the service's",
}


def explain(call: Call[T], outcome: Response | TransportError, attempts: int, settings: Settings) -> errors.CallError:
    """Turn a failed attempt, or the response of a failure, into its error."""
    if isinstance(outcome, TransportError):
        return _explain_failure(call, outcome, attempts, settings)
    return _explain_status(call, outcome, attempts, settings)


def _explain_failure(call: Call[T], failure: TransportError, attempts: int, settings: Settings) -> errors.CallError:
    what = "the answer got lost" if failure.sent else f"{settings.base_url} cannot be reached"
    kind = errors.OutcomeUnclearError if failure.sent else errors.NotSentError
    detail = f"{what} ({call.request}): {_quotable(failure.reason, call, settings)}{_after(attempts)}"
    return kind(detail, operation=call.operation, request=call.request, attempts=attempts)


def _explain_status(call: Call[T], response: Response, attempts: int, settings: Settings) -> errors.StatusError:
    unknown = _FAILED if response.status >= 500 else _UNEXPECTED  # noqa: PLR2004 - HTTP
    kind, meaning = _STATUSES.get(response.status, unknown)
    message, code = (_quotable(text, call, settings) for text in _message(response.body))
    said = f": {message.rstrip('.')}" if message else ""
    # Some services repeat the status as the code.
    named = f" (code {code})" if code and code != str(response.status) else ""
    return kind(
        f"{response.status} {meaning} ({call.request}){said}{named}{_after(attempts)}. {_advice(call, kind, settings)}",
        operation=call.operation,
        request=call.request,
        attempts=attempts,
        status=response.status,
        message=message,
        code=code,
    )


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
        f"the answer ({call.request}) is not what the interface describes: {problem} "
        f"({response.status}, {content_type}): {excerpt or 'empty'}. Check that the base URL is the service's",
        operation=call.operation,
        request=call.request,
        attempts=attempts,
    )


def _advice(call: Call[T], kind: type[errors.StatusError], settings: Settings) -> str:
    if kind is errors.ForbiddenError:
        return (
            f"The application of the API key from {settings.key_source} lacks the permission to "
            f"{_ACCESS[call.operation.permission]}: use a key that has it, and that is installed where this belongs"
        )
    if kind is errors.UnauthenticatedError:
        return f"Check that the API key from {settings.key_source} is whole and has not expired"
    return _ADVICE[kind]


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
        if isinstance(value, dict):
            fields = cast("dict[str, object]", value)
            code, value = fields.get("code") or code, fields.get(name) or fields
    if isinstance(value, dict) and "code" in value:
        code = ""
    # Written again, so that the key is found in it however the service escaped it.
    message = _visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return message, _visible(str(code)) if isinstance(code, (str, int)) else ""


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
    hidden = text.replace(settings.api_key, "[the API key]")
    if email := call.query.get("admin_email"):
        hidden = hidden.replace(email, "[the e-mail address]")
    return hidden if len(hidden) <= _MAX_EXCERPT else hidden[:_MAX_EXCERPT] + "…"
