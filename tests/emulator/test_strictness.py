"""Refusals of query parameters and bodies."""

from operator import attrgetter

import httpx
import pytest

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support.wire import message, required

WITH_QUERY = [operation for operation in OPERATIONS if operation.query]
WITHOUT_BODY = [operation for operation in OPERATIONS if not operation.body]
PARAMETERS = [(operation, query.name, query.required) for operation in OPERATIONS for query in operation.query]
EVENTS = "tenants/tenant-contoso/audit/events"


def named(value: object) -> str:
    return value.id if isinstance(value, Operation) else str(value)


def path(operation: Operation) -> str:
    filled = operation.path.format(**dict.fromkeys(operation.path_parameters, "x"))
    return filled.removeprefix("/api/v1/")


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_an_unknown_query_parameter_is_refused(service: httpx.Client, operation: Operation) -> None:
    response = service.request(operation.method, path(operation), params={"colour": "red"})
    assert message(response) == 'unknown query parameter "colour"'


@pytest.mark.parametrize(("operation", "name"), [(row, name) for row, name, _ in PARAMETERS], ids=named)
@pytest.mark.parametrize("second", ["1", "2", ""], ids=["same", "other", "empty"])
def test_a_doubled_query_parameter_is_refused(
    service: httpx.Client, operation: Operation, name: str, second: str
) -> None:
    response = service.request(operation.method, f"{path(operation)}?{name}=1&{name}={second}")
    assert f'the query parameter "{name}" was given twice' == message(response)


@pytest.mark.parametrize(("operation", "name"), [(row, name) for row, name, needed in PARAMETERS if needed], ids=named)
@pytest.mark.parametrize("value", [None, ""], ids=["missing", "empty"])
def test_a_required_query_parameter_is_needed(
    service: httpx.Client, operation: Operation, name: str, value: str | None
) -> None:
    others = {query.name: "2026-01-01T00:00:00Z" for query in operation.query if query.name != name}
    given = others if value is None else {**others, name: value}
    response = service.request(operation.method, path(operation), params=given)
    assert f'the query parameter "{name}" is required' == message(response)


@pytest.mark.parametrize("operation", WITHOUT_BODY, ids=attrgetter("id"))
@pytest.mark.parametrize("body", [b"{}", b"null", b" ", b"\x1f\x8b\x08"], ids=["object", "null", "blank", "binary"])
def test_a_body_is_refused_where_none_belongs(service: httpx.Client, operation: Operation, body: bytes) -> None:
    response = service.request(operation.method, path(operation), params=required(operation), content=body)
    assert message(response) == "this operation takes no request body"


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-31",
        "2026-01-31T08:00:00",
        "2026-01-31 08:00:00Z",
        "2026-01-31T08:00Z",
        "2026-02-30T08:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T08:00:00+24:00",
        "0001-01-01T00:00:00+01:00",
        "1769846400",
        "yesterday",
        "",
    ],
)
def test_a_time_that_is_not_of_rfc_3339_is_refused(service: httpx.Client, time: str) -> None:
    text = message(service.get(EVENTS, params={"start_time": time}))
    assert text.startswith('the query parameter "start_time" is invalid: ')
