"""The ready-made estates."""

import pytest

from support import Emulator


@pytest.fixture
def demo_names(emulator: Emulator) -> dict[str, list[tuple[str, str]]]:
    names: dict[str, list[tuple[str, str]]] = {}
    for resource in emulator.state()["resources"]:
        names.setdefault(resource["tenant_id"], []).append((resource["kind"], resource["name"]))
    return names


def test_demo_has_organizations_and_tenants_of_each_kind(emulator: Emulator) -> None:
    state = emulator.state()
    assert [org["kind"] for org in state["orgs"]] == ["distributor", "msp", "msp", "basic", "basic", "basic"]
    assert [tenant["kind"] for tenant in state["tenants"]] == ["office_suite_a", "office_suite_b"]


def test_demo_has_about_40_resources_in_each_tenant(demo_names: dict[str, list[tuple[str, str]]]) -> None:
    assert {tenant: len(names) for tenant, names in demo_names.items()} == {"tenant-contoso": 41, "tenant-adatum": 39}


def test_demo_has_two_items_of_different_kind_with_one_name(demo_names: dict[str, list[tuple[str, str]]]) -> None:
    twins = [kind for kind, name in demo_names["tenant-contoso"] if name == "support@contoso.example"]
    assert twins == ["office_user", "office_teamdrive"]


@pytest.mark.parametrize("character", ["é", "ü", "'", "🚀", "/", "&"])
def test_demo_has_names_that_are_not_plain(demo_names: dict[str, list[tuple[str, str]]], character: str) -> None:
    assert any(character in name for _, name in demo_names["tenant-contoso"])


def test_demo_has_one_archived_resource_in_each_tenant(emulator: Emulator) -> None:
    archived = [resource["tenant_id"] for resource in emulator.state()["resources"] if resource["archived"]]
    assert archived == ["tenant-contoso", "tenant-adatum"]


def test_demo_has_the_same_ids_every_time(emulator: Emulator) -> None:
    first = [record.get("id") for records in emulator.state().values() for record in records]
    emulator.reset("demo")
    assert first == [record.get("id") for records in emulator.state().values() for record in records]


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
