"""Refusals of headers, query parameters and bodies."""

import gzip
import json
from operator import attrgetter

import httpx
import pytest

from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation
from support import Emulator
from support.wire import existing_path, message, required, send

WITH_QUERY = [operation for operation in OPERATIONS if operation.query]
WITHOUT_BODY = [operation for operation in OPERATIONS if not operation.body]
PARAMETERS = [(operation, query.name, query.required) for operation in OPERATIONS for query in operation.query]
NO_TIMES = (
    *("2026-01-31", "2026-01-31T08:00:00", "2026-01-31 08:00:00Z", "2026-01-31T08:00Z", "2026-02-30T08:00:00Z"),
    *("2026-01-31T24:00:00Z", "2026-01-31T08:00:00+24:00", "0001-01-01T00:00:00+01:00", "1769846400", "yesterday", ""),
)
EVENTS = "tenants/tenant-contoso/audit/events"

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))


def named(value: object) -> str:
    return value.id if isinstance(value, Operation) else str(value)


def path(operation: Operation) -> str:
    filled = operation.path.format(**dict.fromkeys(operation.path_parameters, "x"))
    return filled.removeprefix("/api/v1/")


@each_operation
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


@pytest.mark.parametrize("time", NO_TIMES)
def test_a_time_that_is_not_of_rfc_3339_is_refused(service: httpx.Client, time: str) -> None:
    text = message(service.get(EVENTS, params={"start_time": time}))
    assert text.startswith('the query parameter "start_time" is invalid: ')


PROTECT = f"/api/v1/{existing_path(BY_ID['protect_resource'])}?policy_id=policy-contoso-silver"
READ = f"/api/v1/{existing_path(BY_ID['get_resource'])}"
JSON = "application/json"
MANY = 10_000_000


def refused(answer: tuple[int, str]) -> tuple[int, str]:
    """Return the status of a refusal, and what it says."""
    return answer[0], json.loads(answer[1])["message"]


@each_operation
@pytest.mark.parametrize(
    "key",
    [["Bearer KEY"], ["KEY", "KEY"], ["KEY", "other"], ["other", "KEY"], ["KEY, KEY"]],
    ids=["with a scheme", "twice", "before another", "after another", "in a list"],
)
def test_the_authorization_header_is_the_key_and_nothing_else(
    emulator: Emulator, operation: Operation, key: list[str]
) -> None:
    keys = [text.replace("KEY", emulator.api_key) for text in key]
    answer = send(emulator, operation.method, f"/api/v1/{existing_path(operation)}", Authorization=keys)
    assert (401, "the API key is not valid") == refused(answer)


@pytest.mark.parametrize("content_type", [[JSON, "text/plain"], [JSON, JSON]], ids=["others", "same"])
def test_two_content_types_are_refused(emulator: Emulator, content_type: list[str]) -> None:
    answer = send(emulator, "POST", PROTECT, b"{}", Authorization=emulator.api_key, Content_Type=content_type)
    assert (400, "the request body must be sent with the content type application/json") == refused(answer)


@pytest.mark.parametrize(
    "body",
    [gzip.compress(b"{}"), "{}".encode("utf-16"), "{}".encode("utf-16-le"), "{}".encode("utf-8-sig")],
    ids=["gzip", "UTF-16", "UTF-16 without a mark", "UTF-8 with a mark"],
)
def test_a_body_in_another_encoding_is_refused(emulator: Emulator, body: bytes) -> None:
    answer = send(emulator, "POST", PROTECT, body, Authorization=emulator.api_key, Content_Type=JSON)
    assert (400, "the request body must be a JSON object without fields, and is not JSON") == refused(answer)


def test_a_body_in_chunks_is_one_body(emulator: Emulator) -> None:
    status, _ = send(emulator, "POST", PROTECT, [b"{", b"}"], Authorization=emulator.api_key, Content_Type=JSON)
    assert status == 200


@pytest.mark.parametrize("operation", [row for row in OPERATIONS if not row.query], ids=attrgetter("id"))
def test_a_body_in_chunks_is_refused_where_none_belongs(emulator: Emulator, operation: Operation) -> None:
    target = f"/api/v1/{existing_path(operation)}"
    answer = send(emulator, operation.method, target, [b"{", b"}"], Authorization=emulator.api_key)
    assert (400, "this operation takes no request body") == refused(answer)


@pytest.mark.parametrize(
    "body",
    [b"{" * MANY, b"[" * MANY, b"7" * MANY, b'{"a":"' + b"b" * MANY + b'"}'],
    ids=["objects", "arrays", "a number", "a field"],
)
def test_a_body_of_ten_megabytes_is_refused(emulator: Emulator, body: bytes) -> None:
    answer = send(emulator, "POST", PROTECT, body, Authorization=emulator.api_key, Content_Type=JSON)
    assert refused(answer)[0] == 400
    assert "must be a JSON object without fields" in refused(answer)[1]


def test_ten_megabytes_are_refused_where_no_body_belongs(emulator: Emulator) -> None:
    answer = send(emulator, "GET", READ, b"x" * MANY, Authorization=emulator.api_key)
    assert (400, "this operation takes no request body") == refused(answer)


@pytest.mark.parametrize(
    ("target", "size", "expected"),
    [
        ("orgs/", 60_000, 404),
        ("orgs/", 100_000, 400),
        ("tenants/tenant-contoso/policies?name=", 60_000, 200),
        ("tenants/tenant-contoso/policies?name=", 100_000, 400),
    ],
)
def test_a_very_long_target_is_answered_or_refused(emulator: Emulator, target: str, size: int, expected: int) -> None:
    status, _ = send(emulator, "GET", f"/api/v1/{target}{'x' * size}", Authorization=emulator.api_key)
    assert expected == status
