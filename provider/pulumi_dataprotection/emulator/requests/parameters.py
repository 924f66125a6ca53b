"""Query parameters and bodies, checked strictly against an operation's row."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import parse_qsl

from pulumi_dataprotection.emulator._errors import InvalidArgument
from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.spec import Operation, Query

Value = str | int | datetime

_INT32_MAX = 2**31 - 1
# Python's decoders accept this: a client has not encoded a percent sign.
BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_INTEGER = re.compile(r"-?\d{1,10}", re.ASCII)


def read_query(operation: Operation, text: str) -> Mapping[str, Value]:
    """Read the query of a request.

    Args:
        operation: the row that says which parameters there are.
        text: the query as it was sent, without the question mark.

    Returns:
        The values that were given, by name. An empty optional string counts as not given.

    Raises:
        InvalidArgument: A parameter is unknown, doubled, missing or not of its type.
    """
    given = _split(text)
    known = {query.name: query for query in operation.query}
    for name in given:
        if name not in known:
            raise InvalidArgument(f'unknown query parameter "{name}"')
    for query in operation.query:
        if query.required and not given.get(query.name):
            raise InvalidArgument(f'the query parameter "{query.name}" is required')
    return {name: _value(known[name], value) for name, value in given.items() if value or known[name].type != "string"}


def _split(text: str) -> Mapping[str, str]:
    try:
        pairs = None if BROKEN_ESCAPE.search(text) else parse_qsl(text, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        pairs = None
    if pairs is None:
        raise InvalidArgument("the query is not percent-encoded UTF-8")
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in given:
            raise InvalidArgument(f'the query parameter "{name}" was given twice')
        given[name] = value
    return given


def _value(query: Query, text: str) -> Value:
    if query.type == "int32":
        if not _INTEGER.fullmatch(text) or not -_INT32_MAX - 1 <= int(text) <= _INT32_MAX:
            raise InvalidArgument(f'the query parameter "{query.name}" must be a 32-bit integer, not {text!r}')
        return int(text)
    if query.type == "date-time":
        try:
            return parse_time(text)
        except ValueError as error:
            raise InvalidArgument(f'the query parameter "{query.name}" is invalid: {error}') from None
    return text


def check_body(operation: Operation, content_type: str, body: bytes) -> None:
    """Check the body of a request: an object without fields if the row has a body, else nothing.

    Raises:
        InvalidArgument: The body or its content type is not what the operation takes.
    """
    if not operation.body:
        if body:
            raise InvalidArgument("this operation takes no request body")
        return
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise InvalidArgument("the request body must be sent with the content type application/json")
    try:
        content = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise InvalidArgument("the request body must be a JSON object without fields, and is not JSON") from None
    if content != {}:
        raise InvalidArgument("the request body must be a JSON object without fields")
