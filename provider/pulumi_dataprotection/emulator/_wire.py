"""What goes back over the wire: a payload or a refusal, as the dialect writes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pulumi_dataprotection.emulator._dialect import Dialect
from pulumi_dataprotection.emulator._errors import ServiceError
from pulumi_dataprotection.spec import Operation

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def json_answer(status: int, value: object) -> Answer:
    """Answer with a JSON value."""
    return Answer(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def success(operation: Operation, payload: object, dialect: Dialect) -> Answer:
    """Answer what an operation brought."""
    del operation, dialect
    return json_answer(200, payload)


def refusal(error: ServiceError, dialect: Dialect) -> Answer:
    """Answer why the service refuses."""
    del dialect
    return json_answer(error.status, {"message": str(error)})
