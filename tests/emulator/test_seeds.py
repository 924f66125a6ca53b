"""The ready-made estates."""

from collections import Counter
from datetime import datetime

import httpx
import pytest

from pulumi_dataprotection.emulator.seeds import seed_document
from support import Emulator


def test_demo_has_records_of_all_kinds_and_the_same_ids_every_time(emulator: Emulator) -> None:
    emulator.reset("demo")
    state = emulator.state()
    assert [org["kind"] for org in state["orgs"]] == ["distributor", "msp", "msp", "basic", "basic", "basic"]
    assert [tenant["kind"] for tenant in state["tenants"]] == ["office_suite_a", "office_suite_b"]
    resources = state["resources"]
    assert {"tenant-contoso": 41, "tenant-adatum": 39} == Counter(resource["tenant_id"] for resource in resources)
    archived = [resource["tenant_id"] for resource in resources if resource["archived"]]
    assert archived == ["tenant-contoso", "tenant-adatum"]
    contoso = [resource for resource in resources if resource["tenant_id"] == "tenant-contoso"]
    twins = [resource["kind"] for resource in contoso if resource["name"] == "support@contoso.example"]
    assert twins == ["office_user", "office_teamdrive"]
    names = "".join(resource["name"] for resource in contoso)
    assert set("éü'🚀/&") <= set(names)
    emulator.reset("demo")
    again = [record.get("id") for records in emulator.state().values() for record in records]
    assert [record.get("id") for records in state.values() for record in records] == again


def test_one_tenant_is_demo_with_both_keys_installed_for_a_tenant_only(
    service: httpx.Client, reader: httpx.Client, emulator: Emulator
) -> None:
    now = emulator.now()
    demo, one_tenant = (seed_document({"seed": name}, now) for name in ("demo", "one-tenant"))
    assert {**demo, "installations": []} == {**one_tenant, "installations": []}
    emulator.reset("one-tenant")
    for client in (service, reader):
        installations = client.get("applications/me/installations").json()["items"]
        assert [{"tenant_id": "tenant-contoso", "org_id": ""}] == installations
        paths = ["tenants/tenant-contoso", "tenants/tenant-adatum", "orgs/org-contoso", "orgs/org-contoso/tenants"]
        assert [200, 403, 403, 403] == [client.get(path).status_code for path in paths]
    assert service.post("orgs", params={"name": "New"}).status_code == 400


def test_customer_left_is_demo_with_a_deleted_tenant_whose_subscription_is_canceled(
    service: httpx.Client, emulator: Emulator
) -> None:
    emulator.reset("customer-left")
    (tenant,) = service.get("orgs/org-northwind/tenants").json()["items"]
    assert ("tenant-northwind", True) == (tenant["id"], tenant["deleted"])
    (subscription,) = service.get("orgs/org-northwind/licensing/subscriptions").json()["items"]
    assert ("tenant-northwind", "canceled") == (subscription["tenant_id"], subscription["status"])
    assert datetime.fromisoformat(subscription["expires"]) < emulator.now()
    assert ["tenant-contoso", "tenant-adatum", "tenant-northwind"] == [one["id"] for one in emulator.state()["tenants"]]


def test_empty_has_one_organization_and_the_keys(emulator: Emulator) -> None:
    emulator.reset("empty")
    filled = {name: len(records) for name, records in emulator.state().items() if records}
    assert filled == {"orgs": 1, "keys": 2, "installations": 2}


def test_large_has_as_much_as_asked_for(emulator: Emulator) -> None:
    emulator.reset("large:3x20")
    state = emulator.state()
    counts = {name: len(state[name]) for name in ("tenants", "policies", "resources", "protections")}
    assert counts == {"tenants": 3, "policies": 9, "resources": 60, "protections": 0}


def test_an_estate_has_what_portals_leave_behind(emulator: Emulator) -> None:
    emulator.reset("estate:40x60x3000")
    state = emulator.state()
    customers = [org for org in state["orgs"] if org["parent_org_id"] and "provider" in org["parent_org_id"]]
    assert [40, 60, 3000] == [len(customers), len(state["tenants"]), len(state["resources"])]
    assert sum(not org["external_id"] for org in customers) == 5
    assert len({org["name"].casefold() for org in customers}) == 38
    parents = {org["id"]: org["parent_org_id"] for org in state["orgs"]}
    assert max(depth(parents, id) for id in parents) == 5
    policies = Counter(one["policy_id"] for one in state["protections"])
    assert policies["policy-silver"] > policies["policy-gold"] > policies["policy-bronze"] > 0
    protected = {(one["tenant_id"], one["resource_id"]) for one in state["protections"]}
    kinds = {(one["archived"], (one["tenant_id"], one["id"]) in protected) for one in state["resources"]}
    assert len(kinds) == 4
    names = Counter((one["tenant_id"], one["name"].casefold()) for one in state["resources"])
    assert max(names.values()) == 2


def depth(parents: dict[str, str | None], id: str) -> int:
    """Return the level of an organization in the tree."""
    parent = parents[id]
    return 1 if parent is None else 1 + depth(parents, parent)


@pytest.mark.parametrize("seed", ["demo", "one-tenant", "customer-left", "empty", "large:1x1", "estate:1x1x1"])
def test_the_keys_are_the_same_in_all_seeds(emulator: Emulator, seed: str) -> None:
    emulator.reset(seed)
    assert [emulator.api_key, emulator.read_only_key] == [key["key"] for key in emulator.state()["keys"]]
