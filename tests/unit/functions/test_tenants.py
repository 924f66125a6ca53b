"""Look-ups of tenants."""

from collections.abc import Mapping, Sequence
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pulumi
import pytest

from pulumi_dataprotection import get_tenant, get_tenant_quotas, get_tenants
from pulumi_dataprotection.client.records import Quota
from support import HANG, Emulator
from support.functions.program import Program
from support.resources.scripted import Reply, ScriptedServer, items
from support.scripted import Request


@pytest.mark.parametrize(
    "arguments",
    [{"id": "tenant-contoso"}, {"name": "Contoso Workspace", "org_id": "org-contoso"}],
    ids=["id", "name"],
)
def test_a_tenant_is_found(shop: Program, arguments: dict[str, str]) -> None:
    tenant = shop.run(lambda: get_tenant(**arguments))
    assert ("tenant-contoso", "office_suite_a", "Contoso Workspace") == (tenant.id, tenant.kind, tenant.name)


def test_a_tenant_keeps_every_field_that_the_service_sent(shop: Program) -> None:
    tenant = shop.run(lambda: get_tenant("tenant-contoso"))
    assert {"id", "kind", "name"} < tenant.fields.keys()


def test_a_tenants_name_may_be_written_in_another_unicode_form(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "name": "Café"}]})
    tenant = shop.run(lambda: get_tenant(name="Cafe\u0301", org_id="org-contoso"))
    assert tenant.id == "tenant-contoso"


COMBINATION = "get_tenant: give either id, or name and org_id"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, COMBINATION),
        ({"name": "Contoso Workspace"}, COMBINATION),
        ({"org_id": "org-contoso"}, COMBINATION),
        ({"id": "tenant-contoso", "name": "Contoso Workspace"}, COMBINATION),
        ({"id": "tenant-contoso", "org_id": "org-contoso"}, COMBINATION),
        ({"id": "tenant-contoso", "name": "Contoso Workspace", "org_id": "org-contoso"}, COMBINATION),
        ({"id": ""}, "get_tenant: id must not be empty; leave it out where it is not wanted"),
        (
            {"name": "", "org_id": "org-contoso"},
            "get_tenant: name must not be empty; leave it out where it is not wanted",
        ),
        (
            {"name": "contoso workspace", "org_id": "org-contoso"},
            'get_tenant: no tenant "contoso workspace" in the organization org-contoso; there are: "Contoso Workspace"',
        ),
        (
            {"name": "Contoso Workspace", "org_id": "org-northwind"},
            'get_tenant: no tenant "Contoso Workspace" in the organization org-northwind; there are: none',
        ),
        (
            {"id": "tenant-nowhere"},
            (
                "get_tenant: cannot read a tenant: 404 not found (GET /api/v1/tenants/tenant-nowhere): there is no "
                'tenant "tenant-nowhere". Check the ids, and that the base URL is the service\'s'
            ),
        ),
    ],
)
def test_a_tenant_that_cannot_be_found_ends_the_program_with_the_reason(
    shop: Program, arguments: dict[str, str], expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_tenant(**arguments))
    assert expected == str(raised.value)


def test_a_name_that_several_tenants_have_ends_the_program_with_their_ids(shop: Program, emulator: Emulator) -> None:
    emulator.patch(
        {
            "tenants": [
                {"id": "tenant-2", "org_id": "org-contoso", "name": "Contoso Workspace", "kind": "office_suite_a"}
            ]
        }
    )
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_tenant(name="Contoso Workspace", org_id="org-contoso"))
    expected = 'get_tenant: "Contoso Workspace" is the name of 2 tenants of org-contoso: tenant-2, tenant-contoso'
    assert expected == str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"org_id": "org-contoso"}, ["tenant-contoso"]),
        ({"org_id": "org-alpine"}, []),
        ({"org_id": "org-alpine", "recursive": True}, ["tenant-contoso"]),
        ({"org_id": "org-contoso", "recursive": True}, ["tenant-contoso"]),
        ({"org_id": "org-meridian", "recursive": True}, ["tenant-contoso", "tenant-adatum"]),
    ],
)
def test_tenants_are_listed_by_organization(shop: Program, arguments: dict[str, Any], expected: list[str]) -> None:
    assert expected == [tenant.id for tenant in shop.run(lambda: get_tenants(**arguments)).items]


def test_tenants_of_one_organization_are_one_call(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: get_tenants("org-meridian"))
    assert ["list_tenants"] == [request["operation"] for request in emulator.requests()]


@pytest.mark.parametrize(("recursive", "what"), [(False, "tenants"), (True, "child organizations")])
def test_tenants_of_an_organization_that_does_not_exist_end_the_program(
    shop: Program, *, recursive: bool, what: str
) -> None:
    with pytest.raises(pulumi.RunError, match=f"^get_tenants: cannot list {what}: 404 not found"):
        shop.run(lambda: get_tenants("org-nowhere", recursive=recursive))


def test_tenants_of_organizations_in_a_circle_are_listed_once_each(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = {
        "GET /api/v1/orgs/org-1/orgs": [items({"id": "org-2"})],
        "GET /api/v1/orgs/org-2/orgs": [items({"id": "org-1"})],
        "GET /api/v1/orgs/org-1/tenants": [items({"id": "tenant-1"})],
        "GET /api/v1/orgs/org-2/tenants": [items({"id": "tenant-2"})],
    }
    with ScriptedServer(script) as server:
        monkeypatch.setenv("DATAPROTECTION_API_KEY", "key")
        monkeypatch.setenv("DATAPROTECTION_BASE_URL", server.url)
        tenants = program.run(lambda: get_tenants("org-1", recursive=True)).items
        assert ["tenant-1", "tenant-2"] == [tenant.id for tenant in tenants]


@pytest.mark.parametrize("preset", ["default", "terse", "foreign"])
def test_the_quotas_of_a_tenant_are_found(shop: Program, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset)
    resource, storage = shop.run(lambda: get_tenant_quotas("tenant-contoso")).quotas
    assert ("resource", 50, Quota(kind="storage", count=2048, units="GB")) == (resource.kind, resource.count, storage)


def test_a_quota_is_a_number_of_64_bits(shop: Program, emulator: Emulator) -> None:
    largest = 2**63 - 1
    emulator.patch({"quotas": [{"tenant_id": "tenant-contoso", "kind": "resource", "count": str(largest)}]})
    found = shop.run(lambda: get_tenant_quotas("tenant-contoso"))
    assert (largest, str(largest)) == (found.quotas[0].count, shop.export(found)["quotas"][0]["count"])


def test_quotas_of_a_tenant_that_does_not_exist_end_the_program(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_tenant_quotas: cannot read .*: 404 not found"):
        shop.run(lambda: get_tenant_quotas("tenant-nowhere"))


def test_tenants_of_several_organizations_are_asked_for_once_each(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: get_tenants("org-meridian", recursive=True))
    asked = [request["path"] for request in emulator.requests() if request["operation"] == "list_tenants"]
    orgs = [org["id"] for org in emulator.state()["orgs"]]
    assert sorted(f"/api/v1/orgs/{id}/tenants" for id in orgs) == sorted(asked)


class AllAtOnce(ScriptedServer):
    """Answers some requests once all of them have come."""

    def __init__(self, script: Mapping[str, Sequence[Reply]], together: Sequence[str]) -> None:
        self._together = together
        self._barrier = Barrier(len(together), timeout=HANG)
        super().__init__(script)

    def take(self, request: Request) -> Reply:
        """Wait for the others."""
        if f"{request.method} {urlsplit(request.target).path}" in self._together:
            self._barrier.wait()
        return super().take(request)


@pytest.mark.parametrize("what", ["orgs", "tenants"])
def test_organizations_of_a_level_are_asked_at_once(
    program: Program, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    below = [f"org-{number}" for number in range(4)]
    script = {"GET /api/v1/orgs/org/orgs": [items(*({"id": id} for id in below))]}
    script |= {f"GET /api/v1/orgs/{id}/orgs": [items()] for id in below}
    script |= {f"GET /api/v1/orgs/{id}/tenants": [items({"id": f"tenant-of-{id}"})] for id in ["org", *below]}
    with AllAtOnce(script, [f"GET /api/v1/orgs/{id}/{what}" for id in below]) as server:
        monkeypatch.setenv("DATAPROTECTION_API_KEY", "key")
        monkeypatch.setenv("DATAPROTECTION_BASE_URL", server.url)
        tenants = program.run(lambda: get_tenants("org", recursive=True)).items
        assert [f"tenant-of-{id}" for id in ["org", *below]] == [tenant.id for tenant in tenants]
