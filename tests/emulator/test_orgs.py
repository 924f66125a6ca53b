"""Organizations (operations 2 to 4)."""

from typing import Any

import httpx
import pytest

from support import Emulator

NEW = {"parent_org_id": "org-alpine", "external_id": "crm-2001", "name": "Fabrikam"}


def created(service: httpx.Client, **parameters: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.post("orgs", params=parameters).raise_for_status().json()
    return answer


def org_count(emulator: Emulator) -> int:
    return len(emulator.state()["orgs"])


def test_an_organization_has_the_fields_of_the_interface(service: httpx.Client) -> None:
    expected = {"id": "org-contoso", "external_id": "crm-1002", "kind": "basic", "name": "Contoso"}
    assert expected == service.get("orgs/org-contoso").json()


def test_an_organization_that_does_not_exist_is_not_found(service: httpx.Client) -> None:
    response = service.get("orgs/org-nowhere")
    assert (response.status_code, response.json()) == (404, {"message": 'there is no organization "org-nowhere"'})


def test_an_organizations_id_is_compared_exactly(service: httpx.Client) -> None:
    assert service.get("orgs/ORG-contoso").status_code == 404


def test_only_direct_children_are_listed(service: httpx.Client) -> None:
    items = service.get("orgs/org-meridian/orgs").json()["items"]
    assert [org["id"] for org in items] == ["org-alpine", "org-harbor"]


def test_an_organization_without_children_lists_none(service: httpx.Client) -> None:
    assert service.get("orgs/org-contoso/orgs").json() == {"items": [], "next_page_token": ""}


def test_a_new_organization_is_answered_as_it_is_read_later(service: httpx.Client) -> None:
    org = created(service, **NEW)["org"]
    assert org == service.get(f"orgs/{org['id']}").json()


def test_a_new_organization_is_a_basic_one_of_its_name(service: httpx.Client) -> None:
    org = created(service, **NEW)["org"]
    expected = {"id": org["id"], "external_id": "crm-2001", "kind": "basic", "name": "Fabrikam"}
    assert expected == org


def test_a_new_organization_is_a_child_of_its_parent(service: httpx.Client) -> None:
    org = created(service, **NEW)["org"]
    assert org in service.get("orgs/org-alpine/orgs").json()["items"]


def test_without_a_parent_the_new_organization_is_a_child_of_the_keys_own(service: httpx.Client) -> None:
    org = created(service, name="Fabrikam")["org"]
    assert org in service.get("orgs/org-meridian/orgs").json()["items"]


def test_a_key_of_one_tenant_must_name_the_parent(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]})
    response = service.post("orgs", params={"name": "Fabrikam"})
    assert response.status_code == 400
    assert "is installed for no organizations" in response.json()["message"]


def test_a_key_of_several_organizations_must_name_the_parent(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-9", "key_name": "Full access", "org_id": "org-alpine"}]})
    response = service.post("orgs", params={"name": "Fabrikam"})
    assert response.status_code == 400
    assert "is installed for 2 organizations" in response.json()["message"]


def test_a_parent_that_does_not_exist_is_not_found(service: httpx.Client) -> None:
    assert service.post("orgs", params={"parent_org_id": "org-nowhere"}).status_code == 404


def test_an_administrators_address_brings_an_invitation(service: httpx.Client) -> None:
    answer = created(service, **NEW, admin_email="admin@fabrikam.example")
    assert answer["invitation_url"].startswith("https://")


def test_no_two_invitations_are_the_same(service: httpx.Client) -> None:
    urls = {created(service, admin_email="admin@fabrikam.example")["invitation_url"] for _ in range(3)}
    assert len(urls) == 3


def test_without_an_administrator_there_is_no_invitation(service: httpx.Client) -> None:
    assert created(service, **NEW)["invitation_url"] == ""


@pytest.mark.parametrize(
    "second",
    [
        {},
        {"name": "Another name"},
        {"parent_org_id": "org-harbor"},
        {"admin_email": "admin@fabrikam.example"},
    ],
    ids=["the same", "another name", "another parent", "an administrator"],
)
def test_a_known_external_id_answers_the_organization_that_has_it(
    service: httpx.Client, second: dict[str, str]
) -> None:
    first = created(service, **NEW, admin_email="admin@fabrikam.example")
    assert {"org": first["org"], "invitation_url": ""} == created(service, **{**NEW, **second})


def test_a_known_external_id_creates_nothing(service: httpx.Client, emulator: Emulator) -> None:
    before = org_count(emulator)
    created(service, external_id="crm-1001", name="Anything")
    assert before == org_count(emulator)


def test_an_external_id_outside_the_keys_reach_is_not_given_away(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-foreign", "external_id": "crm-7", "name": "Foreign"}]})
    assert service.post("orgs", params={"external_id": "crm-7"}).status_code == 403


def test_organizations_without_an_external_id_are_all_new(service: httpx.Client, emulator: Emulator) -> None:
    before = org_count(emulator)
    created(service, name="Fabrikam")
    created(service, name="Fabrikam")
    assert before + 2 == org_count(emulator)


def test_an_organization_may_have_no_name(service: httpx.Client) -> None:
    assert created(service, external_id="crm-2001")["org"]["name"] == ""


@pytest.mark.parametrize("external_id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b", "a+b", "a&b=c"])
def test_an_external_id_may_hold_any_character(service: httpx.Client, external_id: str) -> None:
    assert external_id == created(service, external_id=external_id)["org"]["external_id"]
