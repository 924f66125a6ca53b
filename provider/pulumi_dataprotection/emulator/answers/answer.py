"""HTTP answers: a payload or a refusal, as the dialect writes it."""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.client import responses

from pulumi_dataprotection.emulator._errors import ServiceError
from pulumi_dataprotection.emulator.answers.spelling import spelled
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.request import Payload
from pulumi_dataprotection.spec import Operation

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    status: int
    body: bytes
    content_type: str | None = JSON
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def json_answer(status: int, value: object) -> Answer:
    """Answer with a JSON value."""
    return Answer(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def success(operation: Operation, payload: Payload, dialect: Dialect) -> Answer:
    """Answer with the payload of an operation."""
    if operation.answers == "nothing" and dialect.deletion_answer != "object":
        return Answer(204 if dialect.deletion_answer == "no_content" else 200, b"", None)
    return _typed(json_answer(operation.status, spelled(payload, dialect)), dialect)


def refusal(error: ServiceError, dialect: Dialect) -> Answer:
    """Answer with a refusal."""
    return replace(_typed(_REFUSALS[dialect.error_body](error), dialect), headers=error.headers)


def _typed(answer: Answer, dialect: Dialect) -> Answer:
    if dialect.media_type == "charset" and answer.content_type == JSON:
        return replace(answer, content_type=f"{JSON}; charset=utf-8")
    return answer


def _html(error: ServiceError) -> Answer:
    title = f"{error.status} {responses.get(error.status, '')}"
    page = (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n"
        f"<body><h1>{title}</h1><p>{html.escape(str(error))}</p></body></html>\n"
    )
    return Answer(error.status, page.encode(), "text/html; charset=utf-8")


_REFUSALS: Mapping[str, Callable[[ServiceError], Answer]] = {
    "published": lambda error: json_answer(
        error.status, {"status": error.status, "code": error.code, "message": str(error)}
    ),
    "message": lambda error: json_answer(error.status, {"message": str(error)}),
    "nested": lambda error: json_answer(error.status, {"error": {"code": error.code, "message": str(error)}}),
    "text": lambda error: Answer(error.status, str(error).encode(), "text/plain; charset=utf-8"),
    "html": _html,
    "empty": lambda error: Answer(error.status, b"", None),
}
