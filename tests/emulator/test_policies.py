"""Policies and protections (operations 14, 15, 19 and 20)."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from support import Emulator

TENANT = "tenants/tenant-contoso"
FREE = "res-contoso-user-20"
PROTECTED = "res-contoso-user-01"
Call = Callable[[httpx.Client, str, str], httpx.Response]
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"


def protect(service: httpx.Client, resource_id: str, policy_id: str) -> httpx.Response:
    path = f"{TENANT}/resources/{quote(resource_id, safe='')}/protect"
    return service.post(path, params={"policy_id": policy_id}, json={})


def unprotect(service: httpx.Client, resource_id: str, policy_id: str) -> httpx.Response:
    path = f"{TENANT}/resources/{quote(resource_id, safe='')}/protect"
    return service.delete(path, params={"policy_id": policy_id})


def protections(service: httpx.Client, resource_id: str) -> list[dict[str, Any]]:
    response = service.get(f"{TENANT}/protections", params={"resource_id": resource_id})
    items: list[dict[str, Any]] = response.raise_for_status().json()["items"]
    return items


def test_policies_have_the_fields_of_the_interface(service: httpx.Client) -> None:
    expected = [
        {"id": f"policy-contoso-{name.lower()}", "tenant_id": "tenant-contoso", "name": name}
        for name in ("Bronze", "Gold", "Silver")
    ]
    assert expected == service.get(f"{TENANT}/policies").json()["items"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Gold", [GOLD]), ("gold", []), ("Gol", []), ("", ["policy-contoso-bronze", GOLD, SILVER])],
    ids=["exact", "other case", "a part", "empty is no filter"],
)
def test_policies_are_filtered_by_their_exact_name(service: httpx.Client, name: str, expected: list[str]) -> None:
    items = service.get(f"{TENANT}/policies", params={"name": name}).json()["items"]
    assert expected == [policy["id"] for policy in items]


def test_protections_have_the_fields_of_the_interface(service: httpx.Client) -> None:
    expected = {
        "id": "prot-contoso-01",
        "resource_id": PROTECTED,
        "policy_id": SILVER,
        "job_id": "job-contoso-01",
    }
    assert expected == service.get(f"{TENANT}/protections").json()["items"][0]


def test_protections_are_filtered_by_resource(service: httpx.Client) -> None:
    assert [protection["id"] for protection in protections(service, PROTECTED)] == ["prot-contoso-01"]


def test_a_resource_without_protection_lists_none(service: httpx.Client) -> None:
    assert protections(service, FREE) == []


def test_protecting_answers_the_job_of_the_new_protection(service: httpx.Client) -> None:
    job_id = protect(service, FREE, GOLD).raise_for_status().json()["job_id"]
    assert [(FREE, GOLD, job_id)] == [
        (protection["resource_id"], protection["policy_id"], protection["job_id"])
        for protection in protections(service, FREE)
    ]


def test_protecting_with_the_policy_that_is_on_answers_the_same_job(service: httpx.Client) -> None:
    assert protect(service, PROTECTED, SILVER).raise_for_status().json() == {"job_id": "job-contoso-01"}


def test_protecting_with_the_policy_that_is_on_changes_nothing(service: httpx.Client, emulator: Emulator) -> None:
    before = emulator.state()
    protect(service, PROTECTED, SILVER).raise_for_status()
    assert before == emulator.state()


def test_a_second_policy_is_refused(service: httpx.Client) -> None:
    response = protect(service, PROTECTED, GOLD)
    assert response.status_code == 400
    assert "can have at most one policy" in response.json()["message"]


def test_a_refused_policy_leaves_the_first_one_on(service: httpx.Client) -> None:
    protect(service, PROTECTED, GOLD)
    assert [protection["policy_id"] for protection in protections(service, PROTECTED)] == [SILVER]


def test_an_archived_resource_cannot_be_protected(service: httpx.Client) -> None:
    response = protect(service, "res-contoso-user-29", GOLD)
    assert response.status_code == 400
    assert "is archived" in response.json()["message"]


@pytest.mark.parametrize("policy_id", ["policy-nowhere", "policy-adatum-gold", "POLICY-contoso-gold"])
def test_a_policy_that_the_tenant_does_not_have_is_not_found(service: httpx.Client, policy_id: str) -> None:
    response = protect(service, FREE, policy_id)
    expected = f'there is no policy "{policy_id}" in the tenant "tenant-contoso"'
    assert (404, {"message": expected}) == (response.status_code, response.json())


@pytest.mark.parametrize("call", [protect, unprotect])
@pytest.mark.parametrize("resource_id", ["res-nowhere", "res-adatum-user-01"])
def test_a_resource_that_the_tenant_does_not_have_is_not_found(
    service: httpx.Client, call: Call, resource_id: str
) -> None:
    assert call(service, resource_id, GOLD).status_code == 404


@pytest.mark.parametrize("call", [protect, unprotect])
def test_an_external_id_is_refused(service: httpx.Client, call: Call) -> None:
    response = call(service, "ext$usr-1001", SILVER)
    assert response.status_code == 400
    assert "is an external id" in response.json()["message"]


def test_an_own_id_that_looks_like_an_external_one_is_taken(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "ext$own"}]})
    assert protect(service, "ext$own", GOLD).status_code == 200


@pytest.mark.parametrize("id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b"])
def test_an_id_of_any_characters_can_be_protected(service: httpx.Client, emulator: Emulator, id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": id}]})
    protect(service, id, GOLD).raise_for_status()
    assert [id] == [protection["resource_id"] for protection in protections(service, id)]


def test_unprotecting_answers_an_empty_object(service: httpx.Client) -> None:
    response = unprotect(service, PROTECTED, SILVER)
    assert (response.status_code, response.json()) == (200, {})


def test_unprotecting_removes_the_protection(service: httpx.Client) -> None:
    unprotect(service, PROTECTED, SILVER)
    assert protections(service, PROTECTED) == []


def test_unprotecting_leaves_archives_alone(service: httpx.Client, emulator: Emulator) -> None:
    before = emulator.state()["archives"]
    unprotect(service, PROTECTED, SILVER)
    assert before == emulator.state()["archives"]


@pytest.mark.parametrize(("resource_id", "policy_id"), [(PROTECTED, GOLD), (FREE, GOLD), (PROTECTED, "policy-nowhere")])
def test_a_policy_that_is_not_on_cannot_be_removed(service: httpx.Client, resource_id: str, policy_id: str) -> None:
    response = unprotect(service, resource_id, policy_id)
    expected = f'the resource "{resource_id}" is not protected by a policy "{policy_id}"'
    assert (404, {"message": expected}) == (response.status_code, response.json())


def test_a_policy_can_be_put_on_again_after_it_was_removed(service: httpx.Client) -> None:
    unprotect(service, PROTECTED, SILVER)
    assert protect(service, PROTECTED, GOLD).status_code == 200


def test_a_protection_put_on_again_has_a_new_job(service: httpx.Client) -> None:
    unprotect(service, PROTECTED, SILVER)
    assert protect(service, PROTECTED, SILVER).json()["job_id"] != "job-contoso-01"


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        ({"Content-Type": "application/json"}, b"", "is not JSON"),
        ({"Content-Type": "application/json"}, b"{", "is not JSON"),
        ({"Content-Type": "application/json"}, b"\xff", "is not JSON"),
        ({"Content-Type": "application/json"}, b"[" * 100_000, "is not JSON"),
        ({"Content-Type": "application/json"}, b"[]", "must be a JSON object without fields"),
        ({"Content-Type": "application/json"}, b"null", "must be a JSON object without fields"),
        ({"Content-Type": "application/json"}, b'{"policy_id": "x"}', "must be a JSON object without fields"),
        ({"Content-Type": "text/plain"}, b"{}", "content type application/json"),
        ({}, b"{}", "content type application/json"),
    ],
    ids=["none", "cut off", "not UTF-8", "too deep", "array", "null", "a field", "text", "no content type"],
)
def test_protecting_needs_an_empty_json_object(
    service: httpx.Client, headers: dict[str, str], body: bytes, reason: str
) -> None:
    response = service.post(
        f"{TENANT}/resources/{FREE}/protect", params={"policy_id": GOLD}, content=body, headers=headers
    )
    assert response.status_code == 400
    assert reason in response.json()["message"]


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
def test_any_spelling_of_the_json_content_type_is_taken(service: httpx.Client, content_type: str) -> None:
    response = service.post(
        f"{TENANT}/resources/{FREE}/protect",
        params={"policy_id": GOLD},
        content=json.dumps({}),
        headers={"Content-Type": content_type},
    )
    assert response.status_code == 200


@pytest.mark.parametrize("path", ["policies", "protections"])
def test_listings_of_a_tenant_that_does_not_exist_are_not_found(service: httpx.Client, path: str) -> None:
    assert service.get(f"tenants/tenant-nowhere/{path}").status_code == 404
