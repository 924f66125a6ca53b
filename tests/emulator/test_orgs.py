"""Organizations (operations 2 to 4)."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import case, each_case
from support.emulator.variants import each_variant, records_of

ADMIN = {"admin_email": "admin@fabrikam.example"}
OF_A_TENANT = {"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]}
OF_TWO_ORGS = {"installations": [{"id": "installation-9", "key_name": "Full access", "org_id": "org-alpine"}]}
FOREIGN = {"orgs": [{"id": "org-foreign", "external_id": "crm-7", "name": "Foreign"}]}


def created(service: httpx.Client, **parameters: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.post("orgs", params=parameters).raise_for_status().json()
    return answer


test_an_answer_about_organizations = each_case(
    {
        "a key of one tenant without a parent": case(
            OF_A_TENANT, "POST orgs?name=New", status=400, answer="is installed for no organizations"
        ),
        "a key of two organizations without a parent": case(
            OF_TWO_ORGS, "POST orgs?name=New", status=400, answer="is installed for 2 organizations"
        ),
        "an external id outside the key's reach": case(FOREIGN, "POST orgs?external_id=crm-7", status=403),
    }
)


def test_each_administrators_address_brings_another_invitation(service: httpx.Client) -> None:
    urls = {created(service, **ADMIN)["invitation_url"] for _ in range(3)}
    assert (3, True) == (len(urls), all(url.startswith("https://") for url in urls))


@pytest.mark.parametrize("external_id", ["ACME/West", "a?b", "a#b", "50%41", "x y", "Ünï", "a$b", "a+b", "a&b=c"])
def test_an_external_id_may_hold_any_character(service: httpx.Client, external_id: str) -> None:
    assert external_id == created(service, external_id=external_id)["org"]["external_id"]


REPEATED = {"parent_org_id": "org-alpine", "external_id": "crm-1002", "name": "Again", "admin_email": "a@b.example"}


@each_variant(
    "repeated_external_id",
    existing=(200, "org-contoso", False),
    existing_invited=(200, "org-contoso", True),
    invalid_argument=(400, None, False),
    conflict=(409, None, False),
)
def test_a_repeated_external_id(
    service: httpx.Client, emulator: Emulator, expected: tuple[int, str | None, bool]
) -> None:
    before = emulator.state()["orgs"]
    response = service.post("orgs", params=REPEATED)
    answer = response.json()
    org_id, invitation_url = answer.get("org", {}).get("id"), answer.get("invitation_url", "")
    assert expected == (response.status_code, org_id, invitation_url.startswith("https://"))
    assert before == emulator.state()["orgs"]


@each_variant("external_id_scope", service=1, parent=2)
def test_an_external_id_that_exists_below_another_parent(
    service: httpx.Client, emulator: Emulator, expected: int
) -> None:
    service.post("orgs", params={**REPEATED, "parent_org_id": "org-harbor"}).raise_for_status()
    assert expected == len(records_of(emulator, "orgs", external_id="crm-1002"))
    # Below its own parent, it is repeated in every scope.
    assert service.post("orgs", params=REPEATED).json()["org"]["id"] == "org-contoso"


@each_variant("missing_parent", own_org=(200, "org-meridian"), invalid_argument=(400, None))
def test_a_missing_parent(service: httpx.Client, emulator: Emulator, expected: tuple[int, str | None]) -> None:
    response = service.post("orgs", params={"name": "Fabrikam"})
    parents = [org["parent_org_id"] for org in records_of(emulator, "orgs", name="Fabrikam")]
    assert expected == (response.status_code, *(parents or [None]))


@each_variant("unknown_reference", not_found=404, invalid_argument=400)
def test_a_parent_that_does_not_exist(service: httpx.Client, expected: int) -> None:
    assert expected == service.post("orgs", params={"parent_org_id": "org-nowhere"}).status_code


@each_variant("uninvited_org", no_url=False, url=True)
def test_an_organization_without_an_invited_administrator(service: httpx.Client, *, expected: bool) -> None:
    answer = service.post("orgs", params={"name": "Fabrikam"}).json()
    assert expected == answer["invitation_url"].startswith("https://")


@each_variant("stored_name", as_sent=" Cafe\u0301 ", normalized="Caf\u00e9")
def test_a_name_with_blanks_and_a_combining_character(service: httpx.Client, expected: str) -> None:
    org = service.post("orgs", params={"name": " Cafe\u0301 "}).json()["org"]
    assert (expected, expected) == (org["name"], service.get(f"orgs/{org['id']}").json()["name"])
