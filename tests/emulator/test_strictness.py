"""What the service refuses: paths, methods, parameters, bodies and encodings."""

import socket
from operator import attrgetter
from urllib.parse import quote, urlsplit

import httpx
import pytest

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import Emulator

WITH_QUERY = [operation for operation in OPERATIONS if operation.query]
WITHOUT_BODY = [operation for operation in OPERATIONS if not operation.body]
TENANT = "tenants/tenant-contoso"
EVENTS = f"{TENANT}/audit/events"


def path(operation: Operation) -> str:
    filled = operation.path.format(**dict.fromkeys(operation.path_parameters, "x"))
    return filled.removeprefix("/api/v1/")


def message(response: httpx.Response, status: int = 400) -> str:
    assert status == response.status_code
    text: str = response.json()["message"]
    return text


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_an_unknown_query_parameter_is_refused(service: httpx.Client, operation: Operation) -> None:
    response = service.request(operation.method, path(operation), params={"colour": "red"})
    assert message(response) == 'unknown query parameter "colour"'


@pytest.mark.parametrize("operation", WITH_QUERY, ids=attrgetter("id"))
def test_a_doubled_query_parameter_is_refused(service: httpx.Client, operation: Operation) -> None:
    name = operation.query[0].name
    response = service.request(operation.method, f"{path(operation)}?{name}=1&{name}=1")
    assert f'the query parameter "{name}" was given twice' == message(response)


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        pytest.param(operation, query.name, id=f"{operation.id}-{query.name}")
        for operation in OPERATIONS
        for query in operation.query
        if query.required
    ],
)
@pytest.mark.parametrize("value", [None, ""], ids=["missing", "empty"])
def test_a_required_query_parameter_is_needed(
    service: httpx.Client, operation: Operation, name: str, value: str | None
) -> None:
    others = {query.name: "2026-01-01T00:00:00Z" for query in operation.query if query.name != name}
    given = others if value is None else {**others, name: value}
    response = service.request(operation.method, path(operation), params=given)
    assert f'the query parameter "{name}" is required' == message(response)


@pytest.mark.parametrize("operation", WITHOUT_BODY, ids=attrgetter("id"))
def test_a_body_is_refused_where_none_belongs(service: httpx.Client, operation: Operation) -> None:
    required = {query.name: "2026-01-01T00:00:00Z" for query in operation.query if query.required}
    response = service.request(operation.method, path(operation), params=required, json={})
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


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-31T08:00:00Z",
        "2026-01-31t08:00:00z",
        "2026-01-31T08:00:00.1Z",
        "2026-01-31T08:00:00.123456789Z",
        "2026-01-31T08:00:00-05:30",
        "2026-12-31T23:59:60Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_every_spelling_of_rfc_3339_is_taken(service: httpx.Client, time: str) -> None:
    assert service.get(EVENTS, params={"start_time": time}).status_code == 200


def test_a_plus_sign_in_a_query_is_a_space(service: httpx.Client) -> None:
    assert "is invalid" in message(service.get(f"{EVENTS}?start_time=2026-01-31T08:00:00+01:00"))


@pytest.mark.parametrize(
    "path",
    [
        "",
        "orgs/",
        "orgs//orgs",
        "orgs/org-contoso/",
        "orgs/org-contoso/users",
        "tenants",
        "tenants/tenant-contoso/tasks",
        "tenants/tenant-contoso/resources/a/b",
        "Orgs/org-contoso",
    ],
)
def test_an_unknown_path_is_told_from_a_missing_object(service: httpx.Client, path: str) -> None:
    assert f"the interface has no path /api/v1/{path}" == message(service.get(path), 404)


def test_another_version_of_the_interface_is_an_unknown_path(service: httpx.Client) -> None:
    assert message(service.get(service.base_url.join("/api/v2/orgs")), 404) == "the interface has no path /api/v2/orgs"


@pytest.mark.parametrize(
    ("method", "path", "taken"),
    [
        ("GET", "orgs", "POST"),
        ("DELETE", "orgs/org-contoso", "GET"),
        ("POST", "tenants/tenant-contoso", "GET"),
        ("PUT", "tenants/tenant-contoso/resources/x/protect", "DELETE, POST"),
        ("POST", "tenants/tenant-contoso/jobs/x/trigger", "PUT"),
        ("PATCH", "orgs/org-contoso", "GET"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(service: httpx.Client, method: str, path: str, taken: str) -> None:
    text = message(service.request(method, path), 405)
    assert f"/api/v1/{path} takes {taken}, not {method}" == text


@pytest.mark.parametrize("path", ["orgs/%FF", "orgs?external_id=%FF"])
def test_what_is_not_utf_8_is_refused(service: httpx.Client, path: str) -> None:
    method = "POST" if "?" in path else "GET"
    assert "is not percent-encoded UTF-8" in message(service.request(method, path))


@pytest.mark.parametrize("id", ["%41", "a%2Fb", "..", "%2e%2e", "100%"])
def test_a_path_is_decoded_exactly_once(emulator: Emulator, id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": id, "name": "Awkward"}]})
    target = f"/api/v1/{TENANT}/resources/{quote(id, safe='').replace('.', '%2E')}"
    assert b'"name":"Awkward"' in raw_get(emulator, target)


def raw_get(emulator: Emulator, target: str) -> bytes:
    """Send a path exactly as it is; clients tidy it up."""
    address = urlsplit(emulator.url)
    with socket.create_connection((address.hostname, address.port or 80), timeout=10) as connection:
        head = f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: {emulator.api_key}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))
