"""Tenants and their quotas (operations 5, 8 and 9)."""

import httpx
import pytest

from support import Emulator


def test_a_tenant_names_its_organization_and_its_kind(service: httpx.Client) -> None:
    tenant = service.get("tenants/tenant-adatum").json()
    expected = {"id": "tenant-adatum", "org_id": "org-adatum", "kind": "office_suite_b", "name": "Adatum Workspace"}
    assert expected == {name: tenant[name] for name in expected}


@pytest.mark.parametrize("path", ["tenants/tenant-nowhere", "tenants/tenant-nowhere/quotas"])
def test_a_tenant_that_does_not_exist_is_not_found(service: httpx.Client, path: str) -> None:
    response = service.get(path)
    assert (response.status_code, response.json()) == (404, {"message": 'there is no tenant "tenant-nowhere"'})


def test_an_organization_lists_its_own_tenants(service: httpx.Client) -> None:
    assert [service.get("tenants/tenant-contoso").json()] == service.get("orgs/org-contoso/tenants").json()["items"]


def test_an_organization_does_not_list_the_tenants_below_it(service: httpx.Client) -> None:
    assert service.get("orgs/org-alpine/tenants").json() == {"items": [], "next_page_token": ""}


def test_tenants_of_an_organization_that_does_not_exist_are_not_found(service: httpx.Client) -> None:
    assert service.get("orgs/org-nowhere/tenants").status_code == 404


def test_quotas_say_limit_unit_and_usage(service: httpx.Client) -> None:
    expected = {
        "tenant_id": "tenant-contoso",
        "items": [
            {"kind": "resource", "count": "50", "units": "", "used": "10"},
            {"kind": "storage", "count": "2048", "units": "GB", "used": "71"},
        ],
    }
    assert expected == service.get("tenants/tenant-contoso/quotas").json()


def test_a_quota_of_64_bits_is_exact(service: httpx.Client, emulator: Emulator) -> None:
    largest = str(2**63 - 1)
    emulator.patch({"quotas": [{"tenant_id": "tenant-contoso", "kind": "storage", "count": largest}]})
    assert largest == service.get("tenants/tenant-contoso/quotas").json()["items"][1]["count"]
