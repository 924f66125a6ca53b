"""Policies, protections and filters by a resource (operations 10, 11, 14, 15, 19 and 20)."""

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, assigning, at, case, each_case, ours, pairs, removing, send
from support.emulator.variants import FREE, GOLD, PROTECTED, SILVER, each_variant, protect, records_of

ARCHIVED = "res-contoso-user-29"
JSON = "application/json"


test_an_answer_about_policies = each_case(
    {
        "a filter in another case": case("GET /policies?name=gold", answer=[]),
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


def test_a_policy_that_is_assigned_again_has_a_new_job(service: httpx.Client) -> None:
    send(service, removing(PROTECTED, SILVER)).raise_for_status()
    assert protect(service, PROTECTED, SILVER).json()["job_id"] != "job-contoso-01"


# Content types and bodies, by a part of the refusal.
BODIES: dict[str, list[tuple[str | None, bytes]]] = {
    "is not JSON": [(JSON, body) for body in (b"", b"{", b"\xff", b"[" * 100_000)],
    "must be a JSON object without fields": [(JSON, body) for body in (b"[]", b"null", b'{"policy_id": "x"}')],
    "content type application/json": [("text/plain", b"{}"), (None, b"{}")],
    "": [("application/json; charset=utf-8", b"{}"), ("Application/JSON", b"{}")],
}


@pytest.mark.parametrize(("reason", "sent"), pairs(BODIES))
def test_protecting_needs_an_empty_json_object(
    service: httpx.Client, reason: str, sent: tuple[str | None, bytes]
) -> None:
    content_type, body = sent
    headers = {"Content-Type": content_type} if content_type else {}
    path = f"{CONTOSO}/resources/{FREE}/protect?policy_id={GOLD}"
    response = service.post(path, content=body, headers=headers)
    assert (400 if reason else 200, True) == (response.status_code, reason in response.json().get("message", ""))


NO_EVENTS = list[tuple[str, str]]()


def policies_on(emulator: Emulator, resource_id: str) -> list[str]:
    return [record["policy_id"] for record in records_of(emulator, "protections", resource_id=resource_id)]


def new_events(emulator: Emulator) -> list[dict[str, Any]]:
    return records_of(emulator, "audit_events", actor_name="Full access")


@each_variant(
    "second_policy",
    invalid_argument=(400, [SILVER], NO_EVENTS),
    conflict=(409, [SILVER], NO_EVENTS),
    replaces=(200, [GOLD], [("resource.unprotect", SILVER), ("resource.protect", GOLD)]),
    adds=(200, [SILVER, GOLD], [("resource.protect", GOLD)]),
)
def test_a_second_policy(service: httpx.Client, emulator: Emulator, expected: tuple[int, list[str], object]) -> None:
    (before,) = records_of(emulator, "protections", resource_id=PROTECTED)
    response = protect(service, PROTECTED, GOLD)
    events = [(event["action"], json.loads(event["details"])["policy_id"]) for event in new_events(emulator)]
    assert expected == (response.status_code, policies_on(emulator, PROTECTED), events)
    for new in records_of(emulator, "protections", resource_id=PROTECTED, policy_id=GOLD):
        assert response.json()["job_id"] == new["job_id"] != before["job_id"]
        assert new["id"] != before["id"]


def test_a_policy_replaces_all_that_are_there(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")
    protect(service, PROTECTED, GOLD)
    emulator.set_dialect(second_policy="replaces")
    protect(service, PROTECTED, "policy-contoso-bronze")
    assert policies_on(emulator, PROTECTED) == ["policy-contoso-bronze"]


@each_variant("same_policy", ok=(200, "job-contoso-01"), invalid_argument=(400, None), conflict=(409, None))
def test_the_same_policy_again(service: httpx.Client, expected: tuple[int, str | None]) -> None:
    response = protect(service, PROTECTED, SILVER)
    assert expected == (response.status_code, response.json().get("job_id"))


@each_variant("archived_resource", invalid_argument=(400, list[str]()), accepted=(200, [GOLD]))
def test_an_archived_resource(service: httpx.Client, emulator: Emulator, expected: tuple[int, list[str]]) -> None:
    response = protect(service, ARCHIVED, GOLD)
    assert expected == (response.status_code, policies_on(emulator, ARCHIVED))


@each_variant("absent_protection", ok=200, invalid_argument=400, not_found=404)
def test_a_policy_that_is_not_on_the_resource(service: httpx.Client, emulator: Emulator, expected: int) -> None:
    assert (expected, []) == (send(service, removing(FREE, GOLD)).status_code, new_events(emulator))


@each_variant("unknown_reference", not_found=404, invalid_argument=400)
def test_a_policy_that_does_not_exist(service: httpx.Client, emulator: Emulator, expected: int) -> None:
    assert (expected, []) == (protect(service, FREE, "policy-nowhere").status_code, policies_on(emulator, FREE))


SHARP_S = {"policies": [ours("a", name="Äußerst Gold")]}


@each_variant("policy_name_filter", exact=[], contains=["Äußerst Gold", "Gold"])
def test_a_part_of_a_policys_name_in_another_case(
    service: httpx.Client, emulator: Emulator, expected: list[str]
) -> None:
    emulator.patch(SHARP_S)
    assert expected == at(send(service, "GET /policies?name=OL").json(), "items.name")


CONTAINS = {"policy_name_filter": "contains"}
STRICT_FILTER = {"unknown_resource_filter": "not_found"}


test_an_answer_of_a_dialect = each_case(
    {
        **{
            f"a part of a name: {part}": case(SHARP_S, f"GET /policies?name={part}", answer=found, dialect=CONTAINS)
            for part, found in {"äUSS": ["a"], "ÄUẞER": ["a"], "gold": ["a", GOLD], "t G": ["a"]}.items()
        },
        **{
            f"a part is not a pattern: {part}": case(f"GET /policies?name={quote(part)}", answer=[], dialect=CONTAINS)
            for part in ("%", "_", "*", "G%d")
        },
        "a filter without hits": case(f"GET /archives?resource_id={FREE}", answer=[], dialect=STRICT_FILTER),
    }
)


@each_variant("unknown_resource_filter", empty=200, not_found=404)
@pytest.mark.parametrize("listing", ["archives", "protections"])
def test_a_filter_by_a_resource_that_does_not_exist(service: httpx.Client, expected: int, listing: str) -> None:
    assert expected == send(service, f"GET /{listing}?resource_id=res-nowhere").status_code


@each_variant("repeated_deletion", ok=200, invalid_argument=400, conflict=409)
def test_a_deletion_that_is_scheduled_already(service: httpx.Client, emulator: Emulator, expected: int) -> None:
    deletion = "DELETE /archives/archive-contoso-01?reason=left"
    send(service, deletion).raise_for_status()
    before = records_of(emulator, "archives", id="archive-contoso-01")
    emulator.advance(60)
    status = send(service, deletion).status_code
    assert (expected, before) == (status, records_of(emulator, "archives", id="archive-contoso-01"))
