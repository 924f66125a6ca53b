"""The ready-made estates."""

from collections import Counter

import pytest

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


def test_empty_has_one_organization_and_the_keys(emulator: Emulator) -> None:
    emulator.reset("empty")
    filled = {name: len(records) for name, records in emulator.state().items() if records}
    assert filled == {"orgs": 1, "keys": 2, "installations": 2}


def test_large_has_as_much_as_asked_for(emulator: Emulator) -> None:
    emulator.reset("large:3x20")
    state = emulator.state()
    counts = {name: len(state[name]) for name in ("tenants", "policies", "resources", "protections")}
    assert counts == {"tenants": 3, "policies": 9, "resources": 60, "protections": 0}


@pytest.mark.parametrize("seed", ["demo", "empty", "large:1x1"])
def test_the_keys_are_the_same_in_all_seeds(emulator: Emulator, seed: str) -> None:
    emulator.reset(seed)
    assert [emulator.api_key, emulator.read_only_key] == [key["key"] for key in emulator.state()["keys"]]
