"""An organization, as the engine drives it over the provider's wire."""

from typing import Any

import pytest

from support import Emulator
from support.resources.arguments import SHOP
from support.resources.scripted import ScriptedServer
from support.resources.servicer import UNKNOWN, Engine, Properties, Run, Servicer, assert_names, failure_of
from support.scripted import page

ADDRESS = "it@shop.example"
NEW: Properties = {**SHOP, "admin_email": ADDRESS}
WITHOUT_PARENT = {"external_id": "crm-7", "name": "Shop"}
ID = "org-northwind"
NORTHWIND: Properties = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
"""The arguments of an organization that exists."""
STATE: Properties = {**NORTHWIND, "kind": "basic", "schema_version": 2}


# check: a new organization


def test_a_new_organization_costs_one_listing(run: Run, emulator: Emulator) -> None:
    assert (SHOP, [], ["list_orgs"]) == (*run.org.check({}, SHOP), emulator.operations())


def test_many_checks_list_the_children_of_a_parent_once(servicer: Servicer) -> None:
    with ScriptedServer({"GET /api/v1/orgs/org-1/orgs": [page()]}) as server:
        run = servicer.run(server)
        for number in range(3):
            run.org.check({}, {"external_id": f"crm-{number}", "name": f"Shop {number}", "parent_org_id": "org-1"})
        assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["external_id", "name", "parent_org_id"])
def test_an_unknown_argument_of_the_lookup_costs_no_call(run: Run, emulator: Emulator, name: str) -> None:
    inputs = {**SHOP, name: UNKNOWN}
    assert (inputs, [], []) == (*run.org.check({}, inputs), emulator.requests())


def test_the_parent_is_by_default_the_organization_of_the_key(run: Run, later_run: Run) -> None:
    expected = {**SHOP, "parent_org_id": "org-meridian"}
    assert (expected, []) == run.org.check({}, WITHOUT_PARENT)
    assert "org-meridian" == later_run.org.create(WITHOUT_PARENT).outs["parent_org_id"]


def test_an_organization_that_exists_is_adopted_without_a_write(run: Run, emulator: Emulator) -> None:
    assert (NORTHWIND, []) == run.org.check({}, NORTHWIND)
    made = run.org.create({**NORTHWIND, "admin_email": ADDRESS})
    assert (ID, {**STATE, "admin_email": ADDRESS}, []) == (*made, emulator.writes())


@pytest.mark.parametrize(
    ("inputs", "texts"),
    [
        (NORTHWIND, ["1 to adopt", ID]),
        (NEW, ["1 to create", "an invitation goes to"]),
        ({**NEW, "admin_email": UNKNOWN}, ["1 to create", "an invitation goes to"]),
        (SHOP, ["1 to create", "nobody is invited"]),
    ],
)
def test_a_check_tells_an_adoption_from_a_creation(
    run: Run, later_run: Run, engine: Engine, inputs: Properties, texts: list[str]
) -> None:
    run.org.check({}, inputs)
    (note,) = engine.notes
    assert_names(note, *texts)
    assert ADDRESS not in note
    later_run.org.check(inputs, inputs)
    assert [note] == engine.notes


PROBLEMS: list[tuple[Properties, str, list[str]]] = [
    ({"external_id": "crm-1001"}, "name", ['"crm-1001"', f'"Northwind Traders" ({ID})', '"Shop"']),
    ({"name": "Contoso"}, "external_id", ['"Contoso"', '"crm-1002" (org-contoso)', '"crm-7"']),
    ({"parent_org_id": "org-nowhere"}, "parent_org_id", ["404", "GET /api/v1/orgs/org-nowhere/orgs", "base URL"]),
    ({"external_id": 12345678901234567890}, "external_id", ["text"]),
    ({"name": "Shop ", "admin_email": ADDRESS}, "name", ["blank"]),
]


@pytest.mark.parametrize(("change", "name", "names"), PROBLEMS)
def test_a_problem_fails_on_its_property(run: Run, change: Properties, name: str, names: list[str]) -> None:
    checked = run.org.check({}, {**SHOP, **change})
    assert_names(checked.reason, *names)
    assert [name] == checked.names


def test_a_key_without_an_organization_fails_on_the_parent(run: Run, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "deleted": True}]})
    checked = run.org.check({}, WITHOUT_PARENT)
    assert_names(checked.reason, "the key", "none")
    assert ["parent_org_id"] == checked.names


# check: an organization of the state


CHANGES: list[tuple[str, object, object, list[str]]] = [
    ("external_id", "crm-7", "crm-8", ['"crm-7"', "another resource"]),
    ("name", "Shop", "Deli", ['"Shop"', "`pulumi refresh`"]),
    ("name", "Shop", "shop", ['"Shop"', "`pulumi refresh`"]),
    ("parent_org_id", "org-alpine", "org-harbor", ['"org-alpine"', "another resource"]),
    ("admin_email", ADDRESS, "new@shop.example", ["another address", 'ignore_changes=["admin_email"]']),
    ("admin_email", None, ADDRESS, ["is empty", 'ignore_changes=["admin_email"]']),
    ("admin_email", ADDRESS, None, ["another address", 'ignore_changes=["admin_email"]']),
]


def with_value(name: str, value: object) -> dict[str, Any]:
    return {key: one for key, one in {**SHOP, name: value}.items() if one is not None}


@pytest.mark.parametrize(("name", "old", "new", "names"), CHANGES)
def test_an_impossible_change_fails(run: Run, name: str, old: object, new: object, names: list[str]) -> None:
    checked = run.org.check(with_value(name, old), with_value(name, new))
    assert_names(checked.reason, "cannot be changed", *names)
    assert ["" if name == "admin_email" else name] == checked.names


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("admin_email", ADDRESS, "IT@Shop.example"),
        ("admin_email", ADDRESS, f" {ADDRESS} "),
        ("name", "Café", "Cafe\u0301"),
        ("name", "Shop", "Shop"),
        *((name, value, UNKNOWN) for name, value in NEW.items()),
    ],
)
def test_another_spelling_and_an_unknown_value_are_not_changes(run: Run, name: str, old: str, new: str) -> None:
    inputs = {**NEW, name: new}
    assert (inputs, []) == run.org.check({**NEW, name: old}, inputs)


@pytest.mark.parametrize(("olds", "checked"), [(SHOP, SHOP), (WITHOUT_PARENT, WITHOUT_PARENT)])
def test_the_parent_of_the_state_is_kept(run: Run, emulator: Emulator, olds: Properties, checked: Properties) -> None:
    assert (checked, [], []) == (*run.org.check(olds, WITHOUT_PARENT), emulator.requests())


def test_a_diff_leaves_the_comparison_to_the_engine(run: Run, emulator: Emulator) -> None:
    assert ("unknown", [], []) == (*run.org.diff(ID, STATE, {**SHOP, "name": UNKNOWN}), emulator.requests())


# create


def test_a_created_organization_costs_one_write_and_has_all_outputs(run: Run, emulator: Emulator) -> None:
    id, outs = run.org.create(NEW)
    invitation_url = outs.pop("invitation_url")
    assert {**NEW, "kind": "basic", "schema_version": 2} == outs
    assert invitation_url.startswith("https://portal.example/invitations/")
    (org,) = (org for org in emulator.state()["orgs"] if org["id"] == id)
    assert SHOP == {name: org[name] for name in SHOP}
    assert ["create_org"] == [request["operation"] for request in emulator.writes()]


# a key that is installed for a tenant


def install_for_a_tenant(emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": "tenant-contoso"}]})


@pytest.mark.parametrize("inputs", [SHOP, WITHOUT_PARENT], ids=["a parent", "no parent"])
def test_a_key_of_a_tenant_fails_in_the_preview(run: Run, emulator: Emulator, inputs: Properties) -> None:
    install_for_a_tenant(emulator)
    ((name, reason),) = run.org.check({}, inputs).failures
    assert "parent_org_id" == name
    assert_names(reason, "dataprotection:apiKey", "tenant-contoso", "organization")


def test_a_key_of_a_tenant_cannot_create(run: Run, emulator: Emulator) -> None:
    install_for_a_tenant(emulator)
    assert_names(failure_of(run.org.create, SHOP), '"crm-7"', "tenant-contoso", "organization")
    assert [] == emulator.writes()


def test_an_organization_is_not_gone_for_a_key_of_a_tenant(run: Run, emulator: Emulator) -> None:
    install_for_a_tenant(emulator)
    with emulator.faults({"operation": "get_org", "do": ["status:404"] * 2}):
        assert_names(failure_of(run.org.read, ID, STATE), "tenant-contoso", "organization")
        assert_names(failure_of(run.org.get, ID), "tenant-contoso", "organization")


# read


@pytest.mark.parametrize(
    "others", [{}, {"invitation_url": "https://portal.example/invitations/1", "admin_email": ADDRESS}]
)
def test_a_refresh_of_an_unchanged_organization_changes_nothing(run: Run, others: Properties) -> None:
    found = run.org.read(ID, {**STATE, **others})
    address = {name: value for name, value in others.items() if name == "admin_email"}
    assert (ID, {**STATE, **others}, {**NORTHWIND, **address}) == found


def test_an_organization_that_is_gone_leaves_the_state(run: Run, emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-empty", "name": "Empty", "parent_org_id": "org-alpine"}]})
    emulator.patch({"orgs": [{"id": "org-empty", "deleted": True}]})
    assert ("", {}, {}) == run.org.read("org-empty", STATE)


def test_a_get_returns_the_outputs(run: Run) -> None:
    inputs = {name: value for name, value in NORTHWIND.items() if name != "parent_org_id"}
    assert (ID, {**inputs, "kind": "basic", "schema_version": 2}, inputs) == run.org.get(ID)


def test_a_get_of_an_organization_that_does_not_exist_fails(run: Run) -> None:
    assert_names(failure_of(run.org.get, "org-nowhere"), "404", "(GET /api/v1/orgs/org-nowhere)", "base URL")


@pytest.mark.parametrize("id", ["", " ", "org\n1"])
def test_an_impossible_id_is_not_sent(run: Run, emulator: Emulator, id: str) -> None:
    assert_names(failure_of(run.org.read, id, STATE), "organization", "id must be text")
    assert [] == emulator.requests()


# update and delete


COMPUTED = {**STATE, "invitation_url": "https://x", "admin_email": "it@northwind.example"}


@pytest.mark.parametrize(
    ("olds", "news", "expected"),
    [
        (COMPUTED, {**NORTHWIND, "admin_email": "IT@x"}, {**COMPUTED, "admin_email": "IT@x"}),
        ({**STATE, "schema_version": 0}, NORTHWIND, STATE),
        ({**STATE, "profile": "old"}, NORTHWIND, STATE),
    ],
    ids=["computed outputs", "another version", "a removed profile"],
)
def test_an_update_keeps_the_computed_outputs_without_a_call(
    run: Run, emulator: Emulator, olds: Properties, news: Properties, expected: Properties
) -> None:
    assert (expected, []) == (run.org.update(ID, olds, news), emulator.requests())


def test_a_deletion_keeps_the_organization_with_a_warning(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.org.delete(ID, STATE)
    (warning,) = engine.warnings
    assert_names(warning, f'"Northwind Traders" ({ID})', "portal")
    assert [] == emulator.requests()


# profiles
