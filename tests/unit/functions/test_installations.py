"""The function for installations, and all functions with a key that is installed for one tenant."""

from collections.abc import Callable

import pulumi
import pytest

from pulumi_dataprotection import (
    get_installations,
    get_licences,
    get_org,
    get_orgs,
    get_subscription_history,
    get_subscriptions,
    get_tenant,
    get_tenant_quotas,
    get_tenants,
)
from support import Emulator
from support.functions.program import Program, use_service


def test_all_installations_of_the_key_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch(
        {"installations": [{"id": "installation-3", "key_name": "Full access", "tenant_id": "tenant-adatum"}]}
    )
    installations = shop.run(get_installations).items
    assert [("org-meridian", ""), ("", "tenant-adatum")] == [(one.org_id, one.tenant_id) for one in installations]


# The functions that need an organization, with the arguments that lead to one.
NEED_ORG: dict[str, Callable[[], object]] = {
    "get_org": lambda: get_org("org-contoso"),
    "get_org by external_id": lambda: get_org(external_id="crm-1002"),
    "get_org below a parent": lambda: get_org(external_id="crm-1002", parent_org_id="org-alpine"),
    "get_orgs": get_orgs,
    "get_orgs below a parent": lambda: get_orgs("org-alpine", recursive=True),
    "get_tenant by name": lambda: get_tenant(name="Contoso Workspace", org_id="org-contoso"),
    "get_tenants": lambda: get_tenants("org-contoso"),
    "get_tenants below an organization": lambda: get_tenants("org-alpine", recursive=True),
    "get_licences": lambda: get_licences("org-contoso"),
    "get_subscriptions": lambda: get_subscriptions("org-contoso"),
    "get_subscription_history": lambda: get_subscription_history("org-contoso"),
}


@pytest.fixture
def of_a_tenant(shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program whose key is installed for one tenant."""
    emulator.reset("one-tenant")
    use_service(monkeypatch, emulator.url, emulator.api_key)
    return shop


@pytest.mark.parametrize("name", NEED_ORG)
def test_a_key_of_a_tenant_ends_a_program_that_needs_an_organization(of_a_tenant: Program, name: str) -> None:
    with pytest.raises(pulumi.RunError) as caught:
        of_a_tenant.run(NEED_ORG[name])
    text = str(caught.value)
    assert text.startswith(f"{name.split(maxsplit=1)[0]}: ")
    named = ["DATAPROTECTION_API_KEY", "the tenant tenant-contoso", "organization"]
    assert [] == [part for part in named if part not in text]


def test_a_key_of_a_tenant_reads_the_tenant(of_a_tenant: Program) -> None:
    assert "tenant-contoso" == of_a_tenant.run(lambda: get_tenant("tenant-contoso")).id
    assert of_a_tenant.run(lambda: get_tenant_quotas("tenant-contoso")).quotas != []
