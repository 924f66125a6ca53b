"""Policies and protections (operations 14, 15, 19 and 20)."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, assigning, case, each_case, ours, removing
from support.emulator.variants import FREE, GOLD, PROTECTED, SILVER, protect

ARCHIVED = "res-contoso-user-29"
JSON = {"Content-Type": "application/json"}


test_an_answer_about_policies = each_case(
    {
        "a filter in another case": case("GET /policies?name=gold", answer=[]),
        "a filter by a part": case("GET /policies?name=Gol", answer=[]),
        "an empty filter": case("GET /policies?name=", answer=["policy-contoso-bronze", GOLD, SILVER]),
        "a second policy": case(assigning(PROTECTED, GOLD), status=400, answer="can have at most one policy"),
        "an archived resource": case(assigning(ARCHIVED, GOLD), status=400, answer="is archived"),
        "a policy of another tenant": case(
            assigning(FREE, "policy-adatum-gold"),
            status=404,
            answer='the policy "policy-adatum-gold" does not exist in the tenant "tenant-contoso"',
        ),
        "a policy on a resource with another policy": case(
            removing(PROTECTED, GOLD),
            status=404,
            answer=f'the resource "{PROTECTED}" is not protected by a policy "{GOLD}"',
        ),
        "protect a resource of another tenant": case(assigning("res-adatum-user-01", GOLD), status=404),
        "unprotect a resource of another tenant": case(removing("res-adatum-user-01", GOLD), status=404),
        "protect an id that looks like an external one": case(
            {"resources": [ours("ext$own")]}, assigning("ext$own", GOLD)
        ),
        "unprotecting keeps archives": case(
            removing(PROTECTED, SILVER), f"GET /archives?resource_id={PROTECTED}", answer=["archive-contoso-01"]
        ),
    }
)


@pytest.mark.parametrize("id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b"])
def test_protecting_an_id_of_any_characters_answers_the_job_of_the_new_protection(
    service: httpx.Client, emulator: Emulator, id: str
) -> None:
    emulator.patch({"resources": [ours(id)]})
    job_id = protect(service, id, GOLD).raise_for_status().json()["job_id"]
    (found,) = service.get(f"{CONTOSO}/protections", params={"resource_id": id}).json()["items"]
    assert {"id": found["id"], "resource_id": id, "policy_id": GOLD, "job_id": job_id} == found


def test_a_policy_that_is_assigned_again_has_a_new_job(service: httpx.Client) -> None:
    service.delete(f"{CONTOSO}/resources/{PROTECTED}/protect", params={"policy_id": SILVER}).raise_for_status()
    assert protect(service, PROTECTED, SILVER).json()["job_id"] != "job-contoso-01"


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        (JSON, b"", "is not JSON"),
        (JSON, b"{", "is not JSON"),
        (JSON, b"\xff", "is not JSON"),
        (JSON, b"[" * 100_000, "is not JSON"),
        (JSON, b"[]", "must be a JSON object without fields"),
        (JSON, b"null", "must be a JSON object without fields"),
        (JSON, b'{"policy_id": "x"}', "must be a JSON object without fields"),
        ({"Content-Type": "text/plain"}, b"{}", "content type application/json"),
        ({}, b"{}", "content type application/json"),
        ({"Content-Type": "application/json; charset=utf-8"}, b"{}", None),
        ({"Content-Type": "Application/JSON"}, b"{}", None),
    ],
    ids=range(11),
)
def test_protecting_needs_an_empty_json_object(
    service: httpx.Client, headers: dict[str, str], body: bytes, reason: str | None
) -> None:
    path = f"{CONTOSO}/resources/{FREE}/protect"
    response = service.post(path, params={"policy_id": GOLD}, content=body, headers=headers)
    answer: dict[str, Any] = response.json()
    assert (400 if reason else 200, True) == (response.status_code, (reason or "") in answer.get("message", ""))
