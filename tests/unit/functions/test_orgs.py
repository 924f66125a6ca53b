"""The functions for organizations."""

from typing import Any

import pulumi
import pytest

from pulumi_dataprotection import get_org, get_orgs
from pulumi_dataprotection.client.records import Org
from support import NIGHTLY, Emulator
from support.functions.program import Program, use_service
from support.resources.scripted import ScriptedServer
from support.scripted import page

CONTOSO = Org(id="org-contoso", external_id="crm-1002", kind="basic", name="Contoso")
BELOW_MERIDIAN = ["org-alpine", "org-harbor", "org-contoso", "org-northwind", "org-adatum"]


@pytest.mark.parametrize(
    "arguments", [{"id": "org-contoso"}, {"external_id": "crm-1002", "parent_org_id": "org-alpine"}]
)
def test_an_organization_is_found_by_its_id_or_its_external_id(shop: Program, arguments: dict[str, str]) -> None:
    assert CONTOSO == shop.run(lambda: get_org(**arguments))


def test_an_organization_without_a_parent_is_searched_below_the_organization_of_the_key(
    shop: Program, emulator: Emulator
) -> None:
    emulator.patch({"orgs": [{"id": "org-harbor", "external_id": "crm-2"}]})
    assert shop.run(lambda: get_org(external_id="crm-2")).id == "org-harbor"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, " external_id$"),
        ({"id": "org-contoso", "external_id": "crm-1002"}, " external_id$"),
        ({"external_id": "crm-9", "parent_org_id": "org-alpine"}, '"crm-9" below org-alpine$'),
        ({"external_id": "crm-1002"}, '"crm-1002" below org-meridian$'),
        ({"id": "org-nowhere"}, r"404 not found \(GET /api/v1/orgs/org-nowhere\)"),
    ],
)
def test_an_organization_that_is_not_found_ends_the_program(
    shop: Program, arguments: dict[str, str], expected: str
) -> None:
    with pytest.raises(pulumi.RunError, match=f"^get_org: .*{expected}"):
        shop.run(lambda: get_org(**arguments))


def test_a_key_for_several_organizations_needs_a_parent(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-3", "key_name": "Full access", "org_id": "org-harbor"}]})
    with pytest.raises(pulumi.RunError, match=r"^get_org: .* 2 \(org-meridian, org-harbor\)"):
        shop.run(lambda: get_org(external_id="crm-1002"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["org-alpine", "org-harbor"]),
        ({"parent_org_id": "org-alpine"}, ["org-contoso", "org-northwind"]),
        ({"parent_org_id": "org-contoso"}, []),
        ({"recursive": True}, BELOW_MERIDIAN),
        ({"parent_org_id": "org-harbor", "recursive": True}, ["org-adatum"]),
    ],
)
def test_the_organizations_below_an_organization_are_listed(
    shop: Program, arguments: dict[str, Any], expected: list[str]
) -> None:
    assert expected == [org.id for org in shop.run(lambda: get_orgs(**arguments)).items]


def test_children_are_listed_once_for_all_functions(shop: Program, emulator: Emulator) -> None:
    shop.run(
        lambda: [
            get_orgs(recursive=True),
            get_orgs("org-alpine"),
            get_org(external_id="crm-1002", parent_org_id="org-alpine"),
        ]
    )
    asked = [request["path"] for request in emulator.requests()]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("parent_of_meridian", ["org-contoso", "org-meridian"], ids=["a circle", "its own child"])
def test_organizations_in_a_circle_are_listed_once_each_and_without_the_first(
    shop: Program, emulator: Emulator, parent_of_meridian: str
) -> None:
    emulator.patch({"orgs": [{"id": "org-meridian", "parent_org_id": parent_of_meridian}]})
    assert BELOW_MERIDIAN == [org.id for org in shop.run(lambda: get_orgs("org-meridian", recursive=True)).items]


def test_organizations_in_a_circle_below_the_first_are_requested_once_each(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = {
        "GET /api/v1/orgs/org-1/orgs": [page({"id": "org-2"}, {"id": "org-3"})],
        "GET /api/v1/orgs/org-2/orgs": [page({"id": "org-1"}, {"id": "org-2"}, {"id": "org-3"})],
        "GET /api/v1/orgs/org-3/orgs": [page({"id": "org-2"})],
    }
    with ScriptedServer(script) as server:
        use_service(monkeypatch, server.url)
        orgs = program.run(lambda: get_orgs("org-1", recursive=True)).items
        assert (["org-2", "org-3"], 3) == ([org.id for org in orgs], len(server.requests))


def test_each_of_very_many_organizations_is_one_call(shop: Program, emulator: Emulator) -> None:
    # A line of a hundred, each with children: ten thousand organizations in the nightly run.
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


def test_an_organization_whose_children_cannot_be_listed_ends_the_program(shop: Program, emulator: Emulator) -> None:
    rule = {"operation": "list_orgs", "path": "*/org-harbor/orgs", "do": ["status:403"]}
    with emulator.faults(rule), pytest.raises(pulumi.RunError, match=r"^get_orgs: .*GET /api/v1/orgs/org-harbor/orgs"):
        shop.run(lambda: get_orgs(recursive=True))
