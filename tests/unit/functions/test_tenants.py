"""The functions for tenants and their quotas."""

from collections.abc import Mapping, Sequence
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pulumi
import pytest

from pulumi_dataprotection import get_tenant, get_tenant_quotas, get_tenants, get_tenants_output
from pulumi_dataprotection.client.records import Quota
from support import HANG, Emulator
from support.functions.program import Program, use_service
from support.resources.scripted import Reply, ScriptedServer
from support.scripted import Request, page

TWINS = ("tenant-2", "tenant-adatum")
TERMINATED = {"id": "tenant-3", "org_id": "org-adatum", "name": "Adatum", "terminated": True}


@pytest.mark.parametrize(
    "arguments",
    [{"id": "tenant-contoso"}, {"name": "Contoso Workspace", "org_id": "org-contoso"}],
    ids=["id", "name"],
)
def test_a_tenant_is_found(shop: Program, arguments: dict[str, str]) -> None:
    tenant = shop.run(lambda: get_tenant(**arguments))
    assert ("tenant-contoso", "office_suite_a", "Contoso Workspace") == (tenant.id, tenant.kind, tenant.name)
    assert ("suite-contoso", "EU", False) == (tenant.external_id, tenant.region, tenant.deleted)


def test_the_name_of_a_tenant_may_have_another_unicode_form(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"tenants": [{"id": "tenant-contoso", "name": "Café"}]})
    tenant = shop.run(lambda: get_tenant(name="Cafe\u0301", org_id="org-contoso"))
    assert tenant.id == "tenant-contoso"


NEITHER: list[dict[str, str]] = [
    {},
    {"name": "Contoso Workspace"},
    {"org_id": "org-contoso"},
    {"id": "tenant-contoso", "name": "Contoso Workspace"},
    {"id": "tenant-contoso", "org_id": "org-contoso"},
    {"id": "tenant-contoso", "name": "Contoso Workspace", "org_id": "org-contoso"},
]


@pytest.mark.parametrize("arguments", NEITHER)
def test_a_tenant_is_named_by_its_id_or_by_its_name_and_organization(
    shop: Program, emulator: Emulator, arguments: dict[str, str]
) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_tenant: .* name and org_id$"):
        shop.run(lambda: get_tenant(**arguments))
    assert [] == emulator.requests()


@pytest.mark.parametrize(
    ("name", "org_id", "named"),
    [
        ("Adatum Workspace", "org-adatum", '"Adatum Workspace" .* org-adatum; .*"Adatum Workspace" .deleted.'),
        ("contoso workspace", "org-contoso", '"contoso workspace" .* org-contoso; .*: "Contoso Workspace"'),
        ("Contoso Workspace", "org-northwind", '"Contoso Workspace" .* org-northwind; .*: none$'),
        ("Adatum", "org-adatum", '"Adatum" .* 2 tenants .*: tenant-2, tenant-adatum$'),
    ],
)
def test_a_name_without_exactly_one_tenant_ends_the_program_and_names_the_candidates(
    shop: Program, emulator: Emulator, name: str, org_id: str, named: str
) -> None:
    twins = [{"id": id, "org_id": "org-adatum", "name": "Adatum"} for id in TWINS]
    emulator.patch({"tenants": [*twins, {**TERMINATED, "name": "Adatum Workspace"}, {**TERMINATED, "id": "tenant-4"}]})
    with pytest.raises(pulumi.RunError, match=f"^get_tenant: .*{named}"):
        shop.run(lambda: get_tenant(name=name, org_id=org_id))


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


@pytest.mark.parametrize(
    ("deleted", "expected"), [(False, ["tenant-adatum"]), (True, ["tenant-3"]), (None, ["tenant-3", "tenant-adatum"])]
)
def test_deleted_tenants_are_listed_on_request(
    shop: Program, emulator: Emulator, *, deleted: bool | None, expected: list[str]
) -> None:
    emulator.patch({"tenants": [TERMINATED]})
    found = shop.run(lambda: get_tenants("org-adatum", deleted=deleted)).items
    assert expected == [tenant.id for tenant in found]
    output = shop.wait(lambda: get_tenants_output("org-adatum", deleted=deleted).apply(lambda found: found.items))
    assert (found, True) == output


def test_a_deleted_tenant_is_left_out_of_all_tenants_and_found_by_its_id(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"tenants": [TERMINATED]})
    found = shop.run(lambda: get_tenants("org-meridian", recursive=True)).items
    assert ["tenant-contoso", "tenant-adatum"] == [tenant.id for tenant in found]
    assert shop.run(lambda: get_tenant("tenant-3")).deleted


@pytest.mark.parametrize(
    ("preset", "used", "exceeded"),
    [("published", 71, False), ("plain", 71, None), ("terse", None, None), ("foreign", 71, None)],
)
def test_the_quotas_of_a_tenant_are_found(
    shop: Program, emulator: Emulator, preset: str, used: int | None, *, exceeded: bool | None
) -> None:
    emulator.set_dialect(preset)
    resource, storage = shop.run(lambda: get_tenant_quotas("tenant-contoso")).quotas
    assert ("resource", 50) == (resource.kind, resource.limit)
    assert Quota(kind="storage", used=used, limit=2048, units="GB", exceeded=exceeded) == storage


def test_a_quota_is_a_number_of_64_bits(shop: Program, emulator: Emulator) -> None:
    emulator.set_dialect(quotas_container="plain")
    largest = 2**63 - 1
    emulator.patch({"quotas": [{"tenant_id": "tenant-contoso", "kind": "resource", "count": str(largest)}]})
    found = shop.run(lambda: get_tenant_quotas("tenant-contoso"))
    assert (largest, str(largest)) == (found.quotas[0].limit, shop.export(found)["quotas"][0]["limit"])


class AllAtOnce(ScriptedServer):
    """A service that answers some requests when all of them have arrived."""

    def __init__(self, script: Mapping[str, Sequence[Reply]], together: Sequence[str]) -> None:
        self._together = together
        self._barrier = Barrier(len(together), timeout=HANG)
        super().__init__(script)

    def take(self, request: Request) -> Reply:
        """Wait for the other requests."""
        if f"{request.method} {urlsplit(request.target).path}" in self._together:
            self._barrier.wait()
        return super().take(request)


@pytest.mark.parametrize("what", ["orgs", "tenants"])
def test_the_organizations_of_a_level_are_read_in_parallel(
    program: Program, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    below = [f"org-{number}" for number in range(4)]
    script = {"GET /api/v1/orgs/org/orgs": [page(*({"id": id} for id in below))]}
    script |= {f"GET /api/v1/orgs/{id}/orgs": [page()] for id in below}
    script |= {f"GET /api/v1/orgs/{id}/tenants": [page({"id": f"tenant-of-{id}"})] for id in ["org", *below]}
    with AllAtOnce(script, [f"GET /api/v1/orgs/{id}/{what}" for id in below]) as server:
        use_service(monkeypatch, server.url)
        tenants = program.run(lambda: get_tenants("org", recursive=True)).items
        assert [f"tenant-of-{id}" for id in ["org", *below]] == [tenant.id for tenant in tenants]
