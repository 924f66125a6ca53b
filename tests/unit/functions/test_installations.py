"""The function for installations, and all functions with a key that is installed for one tenant."""

from typing import Any

import pulumi
import pytest

from pulumi_dataprotection import get_installations, get_tenant, get_tenant_quotas
from support import Emulator
from support.functions.arguments import ARGUMENTS, function
from support.functions.program import Program, use_service


def test_all_installations_of_the_key_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch(
        {"installations": [{"id": "installation-3", "key_name": "Full access", "tenant_id": "tenant-adatum"}]}
    )
    installations = shop.run(get_installations).items
    assert [("org-meridian", ""), ("", "tenant-adatum")] == [(one.org_id, one.tenant_id) for one in installations]


OF_AN_ORG = ["get_org", *(name for name in ARGUMENTS if {"org_id", "parent_org_id"} & {*ARGUMENTS[name]})]
"""The functions that need an organization."""


@pytest.fixture
def of_a_tenant(shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program whose key is installed for one tenant."""
    emulator.reset("one-tenant")
    use_service(monkeypatch, emulator.url, emulator.api_key)
    return shop


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, ARGUMENTS[name]) for name in OF_AN_ORG),
        ("get_org", {"external_id": "crm-1002"}),
        ("get_org", {"external_id": "crm-1002", "parent_org_id": "org-alpine"}),
        ("get_orgs", {}),
    ],
)
def test_a_key_of_a_tenant_ends_a_program_that_needs_an_organization(
    of_a_tenant: Program, name: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(pulumi.RunError, match=f"^{name}: ") as caught:
        of_a_tenant.run(lambda: function(name)(**arguments))
    named = ["DATAPROTECTION_API_KEY", "the tenant tenant-contoso", "organization"]
    assert [] == [part for part in named if part not in str(caught.value)]


def test_a_key_of_a_tenant_reads_the_tenant(of_a_tenant: Program) -> None:
    assert "tenant-contoso" == of_a_tenant.run(lambda: get_tenant("tenant-contoso")).id
    assert of_a_tenant.run(lambda: get_tenant_quotas("tenant-contoso")).quotas != []
