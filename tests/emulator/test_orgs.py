"""Organizations (operations 2 to 4)."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import Case, case, each_case

ADMIN = {"admin_email": "admin@fabrikam.example"}
NEW = {"parent_org_id": "org-alpine", "external_id": "crm-2001", "name": "Fabrikam"}
OF_A_TENANT = {"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]}
OF_TWO_ORGS = {"installations": [{"id": "installation-9", "key_name": "Full access", "org_id": "org-alpine"}]}
FOREIGN = {"orgs": [{"id": "org-foreign", "external_id": "crm-7", "name": "Foreign"}]}


def created(service: httpx.Client, **parameters: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.post("orgs", params=parameters).raise_for_status().json()
    return answer


@each_case(
    {
        "the fields of the interface": case(
            "GET orgs/org-contoso",
            answer={"id": "org-contoso", "external_id": "crm-1002", "kind": "basic", "name": "Contoso"},
        ),
        "an unknown organization": case(
            "GET orgs/org-nowhere", status=404, answer='there is no organization "org-nowhere"'
        ),
        "direct children": case("GET orgs/org-meridian/orgs", answer=["org-alpine", "org-harbor"]),
        "no children": case("GET orgs/org-contoso/orgs", answer=[]),
        "a key of one tenant without a parent": case(
            OF_A_TENANT, "POST orgs?name=New", status=400, answer="is installed for no organizations"
        ),
        "a key of two organizations without a parent": case(
            OF_TWO_ORGS, "POST orgs?name=New", status=400, answer="is installed for 2 organizations"
        ),
        "an external id outside the key's reach": case(FOREIGN, "POST orgs?external_id=crm-7", status=403),
    }
)
def test_an_answer_about_organizations(service: httpx.Client, emulator: Emulator, case: Case) -> None:
    case.check(service, emulator)


def test_a_new_organization_is_answered_as_it_is_read_and_listed_later(service: httpx.Client) -> None:
    org = created(service, **NEW)["org"]
    assert {"id": org["id"], "external_id": "crm-2001", "kind": "basic", "name": "Fabrikam"} == org
    assert org == service.get(f"orgs/{org['id']}").json()
    assert org in service.get("orgs/org-alpine/orgs").json()["items"]


def test_without_a_parent_the_new_organization_is_a_child_of_the_keys_own(service: httpx.Client) -> None:
    org = created(service, name="Fabrikam")["org"]
    assert org in service.get("orgs/org-meridian/orgs").json()["items"]


def test_each_administrators_address_brings_another_invitation(service: httpx.Client) -> None:
    urls = {created(service, **ADMIN)["invitation_url"] for _ in range(3)}
    assert (3, True) == (len(urls), all(url.startswith("https://") for url in urls))


@pytest.mark.parametrize(
    "second",
    [{}, {"name": "Another name"}, {"parent_org_id": "org-harbor"}, ADMIN],
    ids=["the same", "another name", "another parent", "an administrator"],
)
def test_a_known_external_id_answers_the_organization_that_has_it(
    service: httpx.Client, emulator: Emulator, second: dict[str, str]
) -> None:
    first = created(service, **NEW, **ADMIN)
    before = emulator.state()["orgs"]
    assert {"org": first["org"], "invitation_url": ""} == created(service, **{**NEW, **second})
    assert before == emulator.state()["orgs"]


def test_organizations_without_an_external_id_are_all_new(service: httpx.Client) -> None:
    assert created(service, name="Fabrikam")["org"]["id"] != created(service, name="Fabrikam")["org"]["id"]


def test_an_organization_may_have_no_name(service: httpx.Client) -> None:
    assert created(service, external_id="crm-2001")["org"]["name"] == ""


@pytest.mark.parametrize("external_id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b", "a+b", "a&b=c"])
def test_an_external_id_may_hold_any_character(service: httpx.Client, external_id: str) -> None:
    assert external_id == created(service, external_id=external_id)["org"]["external_id"]
