"""Organizations (operations 2 to 4)."""

from typing import Any

import httpx
import pytest

from support.emulator.cases import case, each_case

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
