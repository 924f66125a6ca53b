"""The functions for resources and their statistics."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pulumi
import pytest

from pulumi_dataprotection import get_protections, get_resource, get_resource_stats, get_resources
from pulumi_dataprotection.client.records import Resource, ResourceStatsDetailedEntry
from support import Emulator
from support.functions.program import Program, use_service
from support.resources.scripted import ScriptedServer
from support.scripted import page

TENANT = "tenant-contoso"
JANE = Resource(
    id="res-contoso-user-01",
    external_id="usr-1001",
    tenant_id=TENANT,
    name="jane.doe@contoso.example",
    kind="office_user",
    archived=False,
)


def test_a_resource_is_found_by_its_reference(shop: Program) -> None:
    assert [JANE] * 2 == [shop.run(partial(get_resource, TENANT, name)) for name in ("ext$usr-1001", JANE.name or "")]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, 41),
        ({"kind": "office_user"}, 30),
        ({"kind": "office_teamdrive"}, 11),
        ({"kind": "office_group"}, 0),
        ({"name": "*@contoso.example"}, 31),
        ({"name": "JANE.*"}, 1),
        ({"name": "jane"}, 0),
        ({"name": "JOSE\u0301.*"}, 1),
        ({"name": "[jw]*@*"}, 4),
        ({"name": "finance"}, 1),
        ({"archived": True}, 1),
        ({"archived": False}, 40),
        ({"protected": True}, 10),
        ({"protected": False}, 31),
        ({"kind": "office_user", "protected": False, "archived": False}, 21),
        ({"kind": "office_user", "name": "*silva*", "archived": False, "protected": False}, 1),
    ],
)
def test_resources_are_listed_by_filters(shop: Program, filters: dict[str, Any], expected: int) -> None:
    assert expected == len(shop.run(lambda: get_resources(TENANT, **filters)).items)


def test_a_resource_with_only_an_id_is_neither_archived_nor_named(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = {
        "GET /api/v1/tenants/t-1/resources": [page({"id": "r-1"})],
        "GET /api/v1/tenants/t-1/protections": [page()],
    }
    with ScriptedServer(lists) as server:
        use_service(monkeypatch, server.url)
        filters: list[dict[str, Any]] = [{"archived": False}, {"archived": True}, {"name": "?*"}]
        found = [program.run(partial(get_resources, "t-1", **one)).items for one in filters]
        assert [1, 0, 0] == [*map(len, found)]


@pytest.mark.parametrize(
    ("checks", "filters", "expected"),
    [
        ("true", {}, ["list_resources", "list_protections"]),
        ("false", {}, ["list_resources"]),
        ("false", {"protected": True}, ["list_resources", "list_protections"]),
    ],
)
def test_protections_are_the_witness_unless_the_checks_are_off(  # noqa: PLR0917 - three fixtures
    shop: Program,
    emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    checks: str,
    filters: dict[str, Any],
    expected: list[str],
) -> None:
    monkeypatch.setenv("DATAPROTECTION_PREVIEW_CHECKS", checks)
    shop.run(partial(get_resources, TENANT, kind="office_user", **filters))
    assert expected == [request["operation"] for request in emulator.requests()]


def test_the_resources_of_a_tenant_are_read_once_for_all_functions(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: [get_resource(TENANT, f"res-contoso-user-{number:02}") for number in range(1, 31)])
    shop.run(lambda: get_resources(TENANT, protected=True))
    read = [request["operation"] for request in emulator.requests()]
    assert ["list_resources", "list_protections", "get_resource_stats"] == read


@pytest.mark.parametrize("read", [get_protections, partial(get_resources, protected=True)])
@pytest.mark.parametrize("fault", ["short_list:3", "no_items"])
def test_a_list_that_lacks_protections_is_an_error_unless_checks_are_off(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, read: Callable[[str], Any], fault: str
) -> None:
    with emulator.possible_faults({"operation": "list_protections", "do": [fault] * 9}):
        with pytest.raises(pulumi.RunError, match="incomplete"):
            shop.run(lambda: read(TENANT))
        monkeypatch.setenv("DATAPROTECTION_PREVIEW_CHECKS", "false")
        assert len(shop.run(lambda: read(TENANT)).items) <= 3


@pytest.mark.parametrize("preset", ["published", "terse", "foreign"])
def test_the_statistics_of_a_tenant_count_its_resources_by_kind(shop: Program, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset)
    (tenant,) = shop.run(lambda: get_resource_stats(TENANT)).tenants
    expected = [
        ResourceStatsDetailedEntry(kind="office_teamdrive", count=11, protected_count=2),
        ResourceStatsDetailedEntry(kind="office_user", count=30, protected_count=8),
    ]
    assert tenant.resources_total
    assert (TENANT, expected, 41, 10) == (
        tenant.tenant_id,
        sorted(tenant.resource_details, key=lambda entry: entry.kind or ""),
        tenant.resources_total.count,
        tenant.resources_total.protected_count,
    )
