"""Look-ups of organizations."""

from typing import Any

import pulumi
import pytest

from pulumi_dataprotection import get_org, get_orgs
from pulumi_dataprotection.client.records import Org
from support import NIGHTLY, Emulator
from support.functions.program import Program
from support.resources.scripted import ScriptedServer, items

CONTOSO = Org(id="org-contoso", external_id="crm-1002", kind="basic", name="Contoso")


def test_an_organization_is_found_by_its_id(shop: Program) -> None:
    assert CONTOSO == shop.run(lambda: get_org("org-contoso"))


def test_an_organization_is_found_by_its_external_id(shop: Program) -> None:
    assert CONTOSO == shop.run(lambda: get_org(external_id="crm-1002", parent_org_id="org-alpine"))


def test_an_organization_is_looked_for_below_the_keys_own_where_no_parent_is_given(
    shop: Program, emulator: Emulator
) -> None:
    emulator.patch({"orgs": [{"id": "org-harbor", "external_id": "crm-2"}]})
    assert shop.run(lambda: get_org(external_id="crm-2")).id == "org-harbor"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "get_org: give either id or external_id"),
        ({"id": "org-contoso", "external_id": "crm-1002"}, "get_org: give either id or external_id"),
        (
            {"external_id": "crm-9", "parent_org_id": "org-alpine"},
            'get_org: no organization with the external_id "crm-9" below org-alpine',
        ),
        (
            {"external_id": "crm-1002"},
            'get_org: no organization with the external_id "crm-1002" below org-meridian',
        ),
        (
            {"id": "org-nowhere"},
            (
                "get_org: cannot read an organization: 404 not found (GET /api/v1/orgs/org-nowhere): there is no "
                'organization "org-nowhere". Check the ids, and that the base URL is the service\'s'
            ),
        ),
        ({"id": " "}, "get_org: id must not be empty; leave it out where it is not wanted"),
        ({"external_id": ""}, "get_org: external_id must not be empty; leave it out where it is not wanted"),
    ],
)
def test_an_organization_that_cannot_be_found_ends_the_program_with_the_reason(
    shop: Program, arguments: dict[str, str], expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_org(**arguments))
    assert expected == str(raised.value)


def test_a_key_for_several_organizations_needs_a_parent(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-3", "key_name": "Full access", "org_id": "org-harbor"}]})
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_org(external_id="crm-1002"))
    expected = (
        "get_org: the key is installed for 2 (org-meridian, org-harbor) where one organization is needed: name it"
    )
    assert expected == str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["org-alpine", "org-harbor"]),
        ({"parent_org_id": "org-alpine"}, ["org-contoso", "org-northwind"]),
        ({"parent_org_id": "org-contoso"}, []),
        ({"recursive": True}, ["org-alpine", "org-harbor", "org-contoso", "org-northwind", "org-adatum"]),
        ({"parent_org_id": "org-harbor", "recursive": True}, ["org-adatum"]),
    ],
)
def test_organizations_are_listed_below_one(shop: Program, arguments: dict[str, Any], expected: list[str]) -> None:
    assert expected == [org.id for org in shop.run(lambda: get_orgs(**arguments)).items]


def test_organizations_below_one_that_does_not_exist_end_the_program(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_orgs: cannot list child organizations: 404 not found"):
        shop.run(lambda: get_orgs("org-nowhere"))


def test_children_are_listed_once_for_all_look_ups(shop: Program, emulator: Emulator) -> None:
    shop.run(
        lambda: [
            get_orgs(recursive=True),
            get_orgs("org-alpine"),
            get_org(external_id="crm-1002", parent_org_id="org-alpine"),
        ]
    )
    asked = [request["path"] for request in emulator.requests()]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(
    ("parent_of_meridian", "expected"),
    [
        ("org-contoso", ["org-alpine", "org-harbor", "org-contoso", "org-northwind", "org-adatum"]),
        ("org-meridian", ["org-alpine", "org-harbor", "org-contoso", "org-northwind", "org-adatum"]),
    ],
    ids=["a circle", "its own child"],
)
def test_organizations_in_a_circle_are_listed_once_each_and_without_the_first(
    shop: Program, emulator: Emulator, parent_of_meridian: str, expected: list[str]
) -> None:
    emulator.patch({"orgs": [{"id": "org-meridian", "parent_org_id": parent_of_meridian}]})
    assert expected == [org.id for org in shop.run(lambda: get_orgs("org-meridian", recursive=True)).items]


def test_organizations_in_a_circle_below_the_first_are_asked_for_once_each(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = {
        "GET /api/v1/orgs/org-1/orgs": [items({"id": "org-2"}, {"id": "org-3"})],
        "GET /api/v1/orgs/org-2/orgs": [items({"id": "org-1"}, {"id": "org-2"}, {"id": "org-3"})],
        "GET /api/v1/orgs/org-3/orgs": [items({"id": "org-2"})],
    }
    with ScriptedServer(script) as server:
        monkeypatch.setenv("DATAPROTECTION_API_KEY", "key")
        monkeypatch.setenv("DATAPROTECTION_BASE_URL", server.url)
        orgs = program.run(lambda: get_orgs("org-1", recursive=True)).items
        assert (["org-2", "org-3"], 3) == ([org.id for org in orgs], len(server.requests))


def test_each_of_very_many_organizations_is_one_call(shop: Program, emulator: Emulator) -> None:
    # A line of a hundred, each with children of its own: ten thousand organizations at night.
    line = [f"line-{depth:03}" for depth in range(100)]
    parents = dict(zip(line, ["org-adatum", *line], strict=False))
    parents |= {f"{parent}-{number:02}": parent for parent in line for number in range(99 if NIGHTLY else 4)}
    emulator.patch({"orgs": [{"id": id, "parent_org_id": parent} for id, parent in parents.items()]})
    found = [org.id for org in shop.run(lambda: get_orgs("org-adatum", recursive=True)).items]
    asked = [request["path"].split("/")[4] for request in emulator.requests()]
    assert sorted(parents) == sorted(found)
    assert sorted(["org-adatum", *parents]) == sorted(asked)
    places = {id: place for place, id in enumerate(found)}
    assert [] == [id for id in found if places.get(parents[id], -1) > places[id]]


def test_an_organization_that_cannot_be_asked_for_its_children_ends_the_program(
    shop: Program, emulator: Emulator
) -> None:
    rule = {"operation": "list_orgs", "path": "*/org-harbor/orgs", "do": ["status:403"]}
    with emulator.faults(rule), pytest.raises(pulumi.RunError, match=r"^get_orgs: .*GET /api/v1/orgs/org-harbor/orgs"):
        shop.run(lambda: get_orgs(recursive=True))
