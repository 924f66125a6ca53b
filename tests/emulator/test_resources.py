"""Resources and their statistics (operations 16 to 18)."""

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, case, each_case, ours
from support.emulator.variants import GOLD, PROTECTED, protect

RESOURCES = f"{CONTOSO}/resources"
SUMMARY = "resources/statistics/summary"
AWKWARD = ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b", "a%2Fb", "a+b", "🚀", "a\nb", "statistics"]
NEW_TENANT = {"tenants": [{"id": "tenant-new", "org_id": "org-northwind", "name": "New"}]}
SECOND = ours("prot-2", resource_id=PROTECTED, policy_id=GOLD, job_id="job-2")


def read(service: httpx.Client, id: str) -> dict[str, Any]:
    resource: dict[str, Any] = service.get(f"{RESOURCES}/{quote(id, safe='')}").raise_for_status().json()
    return resource


test_an_answer_about_resources = each_case(
    {
        "an external id in another tenant": case(
            "GET tenants/tenant-adatum/resources/ext$usr-1001", answer="res-adatum-user-01", field="id"
        ),
        "an external id without its prefix": case("GET /resources/usr-1002", status=404),
        "an id that begins with the prefix": case(
            {"resources": [ours("ext$usr-1002", external_id="usr-9000", name="Own id")]},
            "GET /resources/ext$usr-1002",
            answer="Own id",
            field="name",
        ),
        "an unknown external id": case("GET /resources/ext$usr-nowhere", status=404),
        "a resource of another tenant": case("GET /resources/res-adatum-user-01", status=404),
        "the empty external id": case(
            {"resources": [ours("res-new", external_id="")]}, "GET /resources/ext$", status=404
        ),
    }
)


@pytest.mark.parametrize("id", AWKWARD)
def test_an_id_may_hold_any_character(service: httpx.Client, emulator: Emulator, id: str) -> None:
    emulator.patch({"resources": [ours(id), ours("res-new", external_id=id)]})
    assert (id, "res-new") == (read(service, id)["id"], read(service, f"ext${id}")["id"])
    job_id = protect(service, id, GOLD).raise_for_status().json()["job_id"]
    (found,) = service.get(f"{CONTOSO}/protections", params={"resource_id": id}).json()["items"]
    assert {"id": found["id"], "resource_id": id, "policy_id": GOLD, "job_id": job_id} == found


STATISTICS: dict[str, tuple[dict[str, list[dict[str, Any]]], str, dict[str, object]]] = {
    "a resource with two protections counts once": (
        {"protections": [SECOND]}, "tenant-contoso", {"count": 41, "protected_count": 10, "size_total": "68750000"}
    ),
    "a tenant without resources": (NEW_TENANT, "tenant-new", {"count": 0, "protected_count": 0, "size_total": "0"}),
}  # fmt: skip


@pytest.mark.parametrize("name", STATISTICS)
def test_the_total_of_the_statistics(service: httpx.Client, emulator: Emulator, name: str) -> None:
    change, tenant_id, expected = STATISTICS[name]
    emulator.patch(change)
    (statistics,) = service.get(f"tenants/{tenant_id}/{SUMMARY}").json()["tenants"]
    assert (tenant_id, expected) == (statistics["tenant_id"], statistics["resources_total"])
    assert expected["count"] == sum(entry["count"] for entry in statistics["resource_details"])
