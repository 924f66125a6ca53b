"""Answers of a dialect as a whole: deletions, errors, media types."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO
from support.emulator.variants import PROTECTED, SILVER, each_variant, variants_of

DELETIONS = [
    f"{CONTOSO}/archives/archive-contoso-01?reason=left",
    f"{CONTOSO}/resources/{PROTECTED}/protect?policy_id={SILVER}",
]
CODES = {
    "GET orgs/org-contoso?colour=red": (400, "invalid_argument"),
    "GET orgs/org-contoso": (401, "unauthenticated"),
    "GET orgs/org-contoso/licensing/subscriptions": (403, "forbidden"),
    "GET orgs/org-nowhere": (404, "not_found"),
    "GET nothing": (404, "not_found"),
    "DELETE orgs": (405, "method_not_allowed"),
    "POST orgs?external_id=crm-1002&parent_org_id=org-alpine": (409, "conflict"),
}
MESSAGE = 'the organization "<nowhere>" does not exist'
HTML = (
    "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head>\n<body><h1>404 Not Found</h1>"
    "<p>the organization &quot;&lt;nowhere&gt;&quot; does not exist</p></body></html>\n"
)


def seen(response: httpx.Response) -> tuple[int, str | None, str]:
    return response.status_code, response.headers.get("content-type"), response.text


@each_variant(
    "deletion_answer", object=(200, "application/json", "{}"), empty=(200, None, ""), no_content=(204, None, "")
)
@pytest.mark.parametrize("path", DELETIONS, ids=["an archive", "a protection"])
def test_the_success_of_a_deletion(service: httpx.Client, expected: tuple[int, str | None, str], path: str) -> None:
    assert expected == seen(service.delete(path))
    assert service.delete(f"{CONTOSO}/archives/archive-nowhere?reason=left").status_code == 404


@each_variant(
    "error_body",
    published=("application/json", {"status": 404, "code": "not_found", "message": MESSAGE}),
    message=("application/json", {"message": MESSAGE}),
    nested=("application/json", {"error": {"code": "not_found", "message": MESSAGE}}),
    text=("text/plain; charset=utf-8", MESSAGE),
    html=("text/html; charset=utf-8", HTML),
    empty=(None, ""),
)
def test_the_body_of_an_error(service: httpx.Client, expected: tuple[str | None, Any]) -> None:
    response = service.get("orgs/<nowhere>")
    is_json = response.headers.get("content-type") == "application/json"
    body = response.json() if is_json else response.text
    assert (404, *expected) == (response.status_code, response.headers.get("content-type"), body)


@pytest.mark.parametrize("request_line", CODES)
def test_the_code_of_an_error(service: httpx.Client, emulator: Emulator, request_line: str) -> None:
    emulator.patch({"keys": [{"name": "Full access", "permissions": ["read", "write"]}]})
    headers = {"Authorization": "wrong"} if CODES[request_line][0] == 401 else {}
    for error_body in ("nested", "published"):
        emulator.set_dialect(error_body=error_body, repeated_external_id="conflict")
        response = service.request(*request_line.split(), headers=headers)
        body = response.json()
        assert CODES[request_line] == (response.status_code, body.get("error", body)["code"])


@each_variant("media_type", bare="application/json", charset="application/json; charset=utf-8")
@pytest.mark.parametrize("path", ["orgs/org-contoso", "orgs/org-nowhere"], ids=["success", "error"])
def test_the_media_type_of_json(service: httpx.Client, expected: str, path: str) -> None:
    assert expected == service.get(path).headers["content-type"]


@pytest.mark.parametrize("variant", sorted(variants_of("error_body")))
def test_methods_and_the_control_planes_messages_are_the_same_in_every_dialect(
    service: httpx.Client, control: httpx.Client, emulator: Emulator, variant: str
) -> None:
    emulator.set_dialect("foreign", error_body=variant)
    assert service.delete("orgs").headers["allow"] == "POST"
    response = control.put("dialect", json=[])
    assert (400, "application/json") == (response.status_code, response.headers["content-type"])
    assert ["message"] == list(response.json())
