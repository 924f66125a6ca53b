"""Installations of the calling application (operation 1)."""

import httpx

from support import Emulator

ITEMS = "applications/me/installations"


def test_an_organization_wide_installation_has_no_tenant(service: httpx.Client) -> None:
    assert service.get(ITEMS).json()["items"] == [{"tenant_id": "", "org_id": "org-meridian"}]


def test_an_installation_for_one_tenant_has_no_organization(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-adatum"}]})
    assert service.get(ITEMS).json()["items"] == [{"tenant_id": "tenant-adatum", "org_id": ""}]


def test_an_application_sees_only_its_own_installations(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-9", "key_name": "Read-only", "org_id": "org-contoso"}]})
    assert len(service.get(ITEMS).json()["items"]) == 1


def test_an_application_without_an_installation_gets_an_empty_page(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "deleted": True}]})
    assert service.get(ITEMS).json() == {"items": [], "next_page_token": ""}
