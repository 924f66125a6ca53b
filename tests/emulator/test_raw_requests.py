"""Requests as no orderly client sends them: their headers, encodings and sizes."""

import gzip
import json
from operator import attrgetter

import pytest

from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation
from support import Emulator
from support.wire import existing_path, send

PROTECT = f"/api/v1/{existing_path(BY_ID['protect_resource'])}?policy_id=policy-contoso-silver"
READ = f"/api/v1/{existing_path(BY_ID['get_resource'])}"
JSON = "application/json"
MANY = 10_000_000

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))


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
