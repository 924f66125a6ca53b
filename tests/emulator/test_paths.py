"""Refusals of paths, methods and ids that are not exact."""

import json
from collections.abc import Callable, Mapping
from operator import attrgetter
from urllib.parse import quote

import httpx
import pytest

from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import Emulator
from support.wire import call, existing_ids, existing_path, message, send

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
PATHS = list(dict.fromkeys(operation.path for operation in OPERATIONS))
WITH_QUERY = [operation for operation in OPERATIONS if operation.query]
UNKNOWN = (
    *("", "orgs/", "orgs//orgs", "orgs/org-contoso/", "orgs/org-contoso/users", "Orgs/org-contoso"),
    *("tenants", "tenants/tenant-contoso/tasks", "tenants/tenant-contoso/resources/a/b"),
)
TENANT = "tenants/tenant-contoso"

# Ids that a loose comparison would confuse with an existing id.
NEARLY_AN_ID: Mapping[str, Callable[[str], str]] = {
    "in capitals": str.upper,
    "after a blank": lambda text: f" {text}",
    "before a blank": lambda text: f"{text} ",
    "before a slash": lambda text: f"{text}/",
    "before a NUL": lambda text: f"{text}\0",
    "before a combining mark": lambda text: f"{text}\u0301",
    "in wide letters": lambda text: text.replace("o", "\uff4f"),
    "encoded twice": lambda text: text.replace("-", "%2D"),
    "cut off": lambda text: text[:-1],
}
# Paths that a service could tidy up into an existing path.
NEARLY_A_PATH: Mapping[str, Callable[[str], str]] = {
    "slash after": lambda path: f"{path}/",
    "slash before": lambda path: f"/{path}",
    "two slashes": lambda path: path.replace("/v1/", "/v1//"),
    "two slashes at the end": lambda path: "//".join(path.rsplit("/", 1)),
    "capitals": lambda path: path.replace("/api/", "/API/"),
    "one capital": lambda path: path.replace("s", "S", 1),
    "encoded": lambda path: path.replace("/v1/", "/%761/"),
}

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
each_path_parameter = pytest.mark.parametrize(
    ("operation", "name"),
    [
        pytest.param(operation, name, id=f"{operation.id}-{name}")
        for operation in OPERATIONS
        for name in operation.path_parameters
    ],
)
not_utf_8 = pytest.mark.parametrize("text", ["%FF", "%C3", "%ED%A0%80", "%zz", "100%"])


@pytest.mark.parametrize("path", UNKNOWN)
def test_the_refusal_of_an_unknown_path_differs_from_a_missing_object(service: httpx.Client, path: str) -> None:
    assert f"the interface has no path /api/v1/{path}" == message(service.get(path), 404)


def test_another_version_of_the_interface_is_an_unknown_path(service: httpx.Client) -> None:
    assert message(service.get(service.base_url.join("/api/v2/orgs")), 404) == "the interface has no path /api/v2/orgs"


@pytest.mark.parametrize("path", PATHS)
def test_each_path_refuses_all_other_methods_and_says_which_it_takes(service: httpx.Client, path: str) -> None:
    taken = ", ".join(sorted(operation.method for operation in OPERATIONS if operation.path == path))
    for method in [method for method in METHODS if method not in taken.split(", ")]:
        answer = service.request(method, path.removeprefix("/api/v1/"))
        assert (method, 405, taken) == (method, answer.status_code, answer.headers["Allow"])
        # An answer to HEAD has no body.
        assert method == "HEAD" or message(answer, 405).endswith(f" takes {taken}, not {method}")


@each_operation
@pytest.mark.parametrize("how", NEARLY_A_PATH)
def test_a_path_is_compared_exactly(emulator: Emulator, operation: Operation, how: str) -> None:
    path = NEARLY_A_PATH[how](f"/api/v1/{existing_path(operation)}")
    status, body = send(emulator, operation.method, path)
    assert (404, f"the interface has no path {path}") == (status, json.loads(body)["message"])


@each_path_parameter
@pytest.mark.parametrize("how", NEARLY_AN_ID)
def test_an_id_is_compared_exactly(service: httpx.Client, operation: Operation, name: str, how: str) -> None:
    id = NEARLY_AN_ID[how](existing_ids(operation)[name])
    text = message(call(service, operation, **{name: id}), 404)
    assert f'"{id}"' in text


@pytest.mark.parametrize("method", ["POST", "DELETE"])
@pytest.mark.parametrize("how", NEARLY_AN_ID)
def test_a_policys_id_is_compared_exactly(service: httpx.Client, method: str, how: str) -> None:
    id = NEARLY_AN_ID[how]("policy-contoso-silver")
    path = f"{TENANT}/resources/res-contoso-user-01/protect"
    response = service.request(method, path, params={"policy_id": id}, json={} if method == "POST" else None)
    assert f'policy "{id}"' in message(response, 404)


def test_two_unicode_forms_of_an_id_are_two_ids(service: httpx.Client, emulator: Emulator) -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": composed, "name": "Composed"}]})
    statuses = {id: service.get(f"{TENANT}/resources/{quote(id)}").status_code for id in (composed, decomposed)}
    assert {composed: 200, decomposed: 404} == statuses


@each_path_parameter
@not_utf_8
def test_a_path_that_is_not_encoded_utf_8_is_refused(
    emulator: Emulator, operation: Operation, name: str, text: str
) -> None:
    path = operation.path.format(**{**dict.fromkeys(operation.path_parameters, "x"), name: text})
    status, body = send(emulator, operation.method, path)
    assert (400, "the path is not percent-encoded UTF-8") == (status, json.loads(body)["message"])


@pytest.mark.parametrize("operation", WITH_QUERY, ids=attrgetter("id"))
@not_utf_8
def test_a_query_that_is_not_encoded_utf_8_is_refused(emulator: Emulator, operation: Operation, text: str) -> None:
    target = f"/api/v1/{existing_path(operation)}?{operation.query[0].name}={text}"
    status, body = send(emulator, operation.method, target, Authorization=emulator.api_key)
    assert (400, "the query is not percent-encoded UTF-8") == (status, json.loads(body)["message"])


@pytest.mark.parametrize("id", ["%41", "a%2Fb", "..", "%2e%2e", "100%", "nul\0"])
def test_a_path_is_decoded_exactly_once(emulator: Emulator, id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": id, "name": "Awkward"}]})
    target = f"/api/v1/{TENANT}/resources/{quote(id, safe='').replace('.', '%2E')}"
    status, body = send(emulator, "GET", target, Authorization=emulator.api_key)
    assert (200, id) == (status, json.loads(body)["id"])
