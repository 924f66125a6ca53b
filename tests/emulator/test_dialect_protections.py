"""How a dialect protects, filters and deletes (operations 10, 11, 14, 15, 19 and 20)."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.variants import (
    CONTOSO,
    FREE,
    GOLD,
    PROTECTED,
    SILVER,
    each_variant,
    protect,
    records_of,
    unprotect,
)

ARCHIVED = "res-contoso-user-29"


def policies_on(emulator: Emulator, resource_id: str) -> list[str]:
    return [record["policy_id"] for record in records_of(emulator, "protections", resource_id=resource_id)]


def new_events(emulator: Emulator) -> list[dict[str, Any]]:
    return records_of(emulator, "audit_events", actor_name="Full access")


@each_variant(
    "second_policy",
    {
        "invalid_argument": (400, [SILVER]),
        "conflict": (409, [SILVER]),
        "replaces": (200, [GOLD]),
        "adds": (200, [SILVER, GOLD]),
    },
)
def test_a_second_policy(
    service: httpx.Client, emulator: Emulator, variant: str, expected: tuple[int, list[str]]
) -> None:
    emulator.set_dialect(second_policy=variant)
    response = protect(service, PROTECTED, GOLD)
    assert expected == (response.status_code, policies_on(emulator, PROTECTED))


@pytest.mark.parametrize("variant", ["replaces", "adds"])
def test_a_second_policy_has_a_protection_and_a_job_of_its_own(
    service: httpx.Client, emulator: Emulator, variant: str
) -> None:
    emulator.set_dialect(second_policy=variant)
    before = records_of(emulator, "protections", resource_id=PROTECTED)
    job_id = protect(service, PROTECTED, GOLD).json()["job_id"]
    (new,) = records_of(emulator, "protections", resource_id=PROTECTED, policy_id=GOLD)
    assert (job_id, False) == (new["job_id"], {new["id"], job_id} <= {before[0]["id"], before[0]["job_id"]})


def test_a_replaced_policy_is_taken_off_and_the_new_one_put_on_in_the_audit_log(
    service: httpx.Client, emulator: Emulator
) -> None:
    emulator.set_dialect(second_policy="replaces")
    protect(service, PROTECTED, GOLD)
    events = [(event["action"], json.loads(event["details"])["policy_id"]) for event in new_events(emulator)]
    assert events == [("resource.unprotect", SILVER), ("resource.protect", GOLD)]


def test_a_policy_replaces_all_that_are_there(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")
    protect(service, PROTECTED, GOLD)
    emulator.set_dialect(second_policy="replaces")
    protect(service, PROTECTED, "policy-contoso-bronze")
    assert policies_on(emulator, PROTECTED) == ["policy-contoso-bronze"]


def test_one_of_two_policies_is_taken_off_alone(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")
    protect(service, PROTECTED, GOLD)
    unprotect(service, PROTECTED, SILVER)
    assert policies_on(emulator, PROTECTED) == [GOLD]


@each_variant("same_policy", {"ok": (200, "job-contoso-01"), "invalid_argument": (400, None), "conflict": (409, None)})
def test_the_same_policy_again(
    service: httpx.Client, emulator: Emulator, variant: str, expected: tuple[int, str | None]
) -> None:
    emulator.set_dialect(same_policy=variant)
    response = protect(service, PROTECTED, SILVER)
    assert expected == (response.status_code, response.json().get("job_id"))


@each_variant("archived_resource", {"invalid_argument": (400, list[str]()), "accepted": (200, [GOLD])})
def test_an_archived_resource(
    service: httpx.Client, emulator: Emulator, variant: str, expected: tuple[int, list[str]]
) -> None:
    emulator.set_dialect(archived_resource=variant)
    response = protect(service, ARCHIVED, GOLD)
    assert expected == (response.status_code, policies_on(emulator, ARCHIVED))


def test_the_backups_of_an_archived_resource_fail(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(archived_resource="accepted")
    job_id = protect(service, ARCHIVED, GOLD).json()["job_id"]
    task_id = service.put(f"{CONTOSO}/jobs/{job_id}/trigger").json()["task_id"]
    emulator.advance(61)
    assert service.get(f"{CONTOSO}/tasks/{task_id}").json()["status"] == "failed"


@each_variant("absent_protection", {"ok": 200, "invalid_argument": 400, "not_found": 404})
def test_a_policy_that_is_not_on_the_resource(
    service: httpx.Client, emulator: Emulator, variant: str, expected: int
) -> None:
    emulator.set_dialect(absent_protection=variant)
    assert expected == unprotect(service, FREE, GOLD).status_code


def test_taking_nothing_off_is_no_event(service: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(absent_protection="ok")
    unprotect(service, FREE, GOLD)
    assert new_events(emulator) == []


@pytest.mark.parametrize("write", [protect, unprotect], ids=["protect", "unprotect"])
def test_a_resource_that_does_not_exist_is_not_found_in_the_mildest_dialect(
    service: httpx.Client, emulator: Emulator, write: Callable[[httpx.Client, str, str], httpx.Response]
) -> None:
    emulator.set_dialect("terse")
    assert write(service, "res-nowhere", GOLD).status_code == 404


@each_variant("unknown_reference", {"not_found": 404, "invalid_argument": 400})
def test_a_policy_that_does_not_exist(service: httpx.Client, emulator: Emulator, variant: str, expected: int) -> None:
    emulator.set_dialect(unknown_reference=variant)
    assert (expected, []) == (protect(service, FREE, "policy-nowhere").status_code, policies_on(emulator, FREE))


@each_variant("policy_name_filter", {"exact": [], "contains": ["Äußerst Gold", "Gold"]})
def test_a_part_of_a_policys_name_in_another_case(
    service: httpx.Client, emulator: Emulator, variant: str, expected: list[str]
) -> None:
    emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "a", "name": "Äußerst Gold"}]})
    emulator.set_dialect(policy_name_filter=variant)
    items = service.get(f"{CONTOSO}/policies", params={"name": "OL"}).json()["items"]
    assert expected == [policy["name"] for policy in items]


@pytest.mark.parametrize("name", ["äUSS", "ÄUẞER", "gold", "t G"])
def test_a_part_of_a_policys_name_is_found_in_every_alphabet(
    service: httpx.Client, emulator: Emulator, name: str
) -> None:
    emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "a", "name": "Äußerst Gold"}]})
    emulator.set_dialect(policy_name_filter="contains")
    items = service.get(f"{CONTOSO}/policies", params={"name": name}).json()["items"]
    assert "Äußerst Gold" in [policy["name"] for policy in items]


@pytest.mark.parametrize("name", ["%", "_", "*", "G%d"])
def test_a_part_of_a_policys_name_is_no_pattern(service: httpx.Client, emulator: Emulator, name: str) -> None:
    emulator.set_dialect(policy_name_filter="contains")
    assert service.get(f"{CONTOSO}/policies", params={"name": name}).json()["items"] == []


@each_variant("unknown_resource_filter", {"empty": 200, "not_found": 404})
@pytest.mark.parametrize("listing", ["archives", "protections"])
def test_a_filter_by_a_resource_that_does_not_exist(
    service: httpx.Client, emulator: Emulator, variant: str, expected: int, listing: str
) -> None:
    emulator.set_dialect(unknown_resource_filter=variant)
    assert expected == service.get(f"{CONTOSO}/{listing}", params={"resource_id": "res-nowhere"}).status_code


@pytest.mark.parametrize("listing", ["archives", "protections"])
def test_a_filter_by_a_resource_without_any_is_an_empty_page_always(
    service: httpx.Client, emulator: Emulator, listing: str
) -> None:
    emulator.set_dialect(unknown_resource_filter="not_found")
    assert service.get(f"{CONTOSO}/{listing}", params={"resource_id": FREE}).json()["items"] == []


@each_variant("repeated_deletion", {"ok": 200, "invalid_argument": 400, "conflict": 409})
def test_a_deletion_that_is_scheduled_already(
    service: httpx.Client, emulator: Emulator, variant: str, expected: int
) -> None:
    emulator.set_dialect(repeated_deletion=variant)
    path, reason = f"{CONTOSO}/archives/archive-contoso-01", {"reason": "left"}
    service.delete(path, params=reason).raise_for_status()
    before = records_of(emulator, "archives", id="archive-contoso-01")
    emulator.advance(60)
    status = service.delete(path, params=reason).status_code
    assert (expected, before) == (status, records_of(emulator, "archives", id="archive-contoso-01"))
