"""Resources and their statistics (operations 16 to 18)."""

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from support import Emulator

RESOURCES = "tenants/tenant-contoso/resources"
TENANTS = ("tenant-contoso", "tenant-adatum")
AWKWARD = ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b", "a%2Fb", "a+b", "🚀", "a\nb", "statistics"]


def read(service: httpx.Client, id: str) -> dict[str, Any]:
    resource: dict[str, Any] = service.get(f"{RESOURCES}/{quote(id, safe='')}").raise_for_status().json()
    return resource


def test_a_resource_has_the_fields_of_the_interface(service: httpx.Client) -> None:
    expected = {
        "id": "res-contoso-user-01",
        "external_id": "usr-1001",
        "tenant_id": "tenant-contoso",
        "name": "jane.doe@contoso.example",
        "kind": "office_user",
        "archived": False,
    }
    assert expected == read(service, "res-contoso-user-01")


def test_a_resource_is_listed_as_it_is_read(service: httpx.Client) -> None:
    items = service.get(RESOURCES).json()["items"]
    assert items == [read(service, item["id"]) for item in items]


def test_a_resource_is_found_by_its_external_id(service: httpx.Client) -> None:
    assert read(service, "res-contoso-user-02") == read(service, "ext$usr-1002")


def test_an_external_id_without_its_prefix_is_not_found(service: httpx.Client) -> None:
    assert service.get(f"{RESOURCES}/usr-1002").status_code == 404


def test_an_external_id_is_looked_up_within_the_tenant(service: httpx.Client) -> None:
    ids = [service.get(f"tenants/{tenant}/resources/ext$usr-1001").json()["id"] for tenant in TENANTS]
    assert ids == ["res-contoso-user-01", "res-adatum-user-01"]


def test_an_id_that_begins_with_the_prefix_comes_before_external_ids(service: httpx.Client, emulator: Emulator) -> None:
    own = {"tenant_id": "tenant-contoso", "id": "ext$usr-1002", "external_id": "usr-9000", "name": "Own id"}
    emulator.patch({"resources": [own]})
    assert read(service, "ext$usr-1002")["name"] == "Own id"


@pytest.mark.parametrize("id", ["res-nowhere", "ext$usr-nowhere", "ext$", "res-adatum-user-01"])
def test_a_resource_that_the_tenant_does_not_have_is_not_found(service: httpx.Client, id: str) -> None:
    assert service.get(f"{RESOURCES}/{id}").status_code == 404


def test_the_empty_external_id_finds_nothing(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-new", "external_id": ""}]})
    assert service.get(f"{RESOURCES}/ext$").status_code == 404


@pytest.mark.parametrize("id", AWKWARD)
def test_an_id_may_hold_any_character(service: httpx.Client, emulator: Emulator, id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": id}]})
    assert id == read(service, id)["id"]


@pytest.mark.parametrize("external_id", AWKWARD)
def test_an_external_id_may_hold_any_character(service: httpx.Client, emulator: Emulator, external_id: str) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-new", "external_id": external_id}]})
    assert external_id == read(service, f"ext${external_id}")["external_id"]


def test_statistics_count_resources_and_protected_ones_by_kind(service: httpx.Client) -> None:
    expected = {
        "tenants": [
            {
                "tenant_id": "tenant-contoso",
                "kind": "office_suite_a",
                "name": "Contoso Workspace",
                "resource_details": [
                    {"kind": "office_teamdrive", "count": 11, "protected_count": 2},
                    {"kind": "office_user", "count": 30, "protected_count": 8},
                ],
                "resources_total": {"count": 41, "protected_count": 10, "size_total": "68750000"},
            }
        ]
    }
    assert expected == service.get(f"{RESOURCES}/statistics/summary").json()


def test_a_resource_with_two_protections_counts_once(service: httpx.Client, emulator: Emulator) -> None:
    second = {
        "tenant_id": "tenant-contoso",
        "id": "prot-second",
        "resource_id": "res-contoso-user-01",
        "policy_id": "policy-contoso-gold",
        "job_id": "job-second",
    }
    emulator.patch({"protections": [second]})
    (statistics,) = service.get(f"{RESOURCES}/statistics/summary").json()["tenants"]
    assert statistics["resources_total"]["protected_count"] == 10


def test_a_tenant_without_resources_has_no_details(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-new", "org_id": "org-northwind", "name": "New"}]})
    (statistics,) = service.get("tenants/tenant-new/resources/statistics/summary").json()["tenants"]
    total = {"count": 0, "protected_count": 0, "size_total": "0"}
    assert ([], total) == (statistics["resource_details"], statistics["resources_total"])


def test_the_total_size_stays_a_signed_number_of_64_bits(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-01", "size": str(2**64 - 1)}]})
    (statistics,) = service.get(f"{RESOURCES}/statistics/summary").json()["tenants"]
    assert str(2**63 - 1) == statistics["resources_total"]["size_total"]


@pytest.mark.parametrize("path", ["resources", "resources/res-1", "resources/statistics/summary"])
def test_resources_of_a_tenant_that_does_not_exist_are_not_found(service: httpx.Client, path: str) -> None:
    response = service.get(f"tenants/tenant-nowhere/{path}")
    assert (response.status_code, response.json()) == (404, {"message": 'there is no tenant "tenant-nowhere"'})
