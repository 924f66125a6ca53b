"""How a dialect creates organizations (operation 2)."""

import httpx

from support import Emulator
from support.emulator.variants import each_variant, records_of

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
