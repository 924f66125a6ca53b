"""Items of the portal come under management without a write: by a declaration, and by `pulumi import --file`."""

from collections.abc import Mapping
from typing import Any, cast

from pulumi.dynamic import ResourceProvider, dynamic

from pulumi_dataprotection.resources.org import OrgProvider
from pulumi_dataprotection.resources.protection import ProtectionProvider
from pulumi_dataprotection.resources.protection_set import ProtectionSetProvider
from support import Emulator
from support.engine.stack import Stack

ORG = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
JANE = {
    "tenant_id": "tenant-contoso",
    "resource": "jane.doe@contoso.example",
    "policy": "Silver",
    "on_conflict": "fail",
    "on_destroy": "unprotect",
    "resource_id": "res-contoso-user-01",
    "policy_id": "policy-contoso-silver",
}
SET = {
    "tenant_id": "tenant-contoso",
    "assignments": {"res-contoso-user-02": "policy-contoso-bronze", "res-contoso-user-03": "policy-contoso-gold"},
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}
DECLARED = """
    Org("northwind", external_id="crm-1001", name="Northwind Traders", parent_org_id="org-alpine")
    Protection("jane", tenant_id="tenant-contoso", resource="jane.doe@contoso.example", policy="Silver")
    members = {"res-contoso-user-02": "Bronze", "res-contoso-user-03": "Gold"}
    ProtectionSet("set", tenant_id="tenant-contoso", assignments=members)
"""


def imported(
    provider: type[ResourceProvider], name: str, id: str, inputs: Mapping[str, object], outputs: Mapping[str, object]
) -> dict[str, Any]:
    """Return a resource of an import file, as the state will hold it."""
    pickled = {"__provider": cast("Any", dynamic).serialize_provider(provider())}
    return {
        "type": f"pulumi-python:dynamic/dataprotection:{provider.__name__.removesuffix('Provider')}",
        "name": name,
        "id": id,
        "inputs": {**inputs, **pickled},
        "outputs": {**inputs, **outputs, "schema_version": 2, **pickled},
    }


def test_imported_resources_are_unchanged_in_the_next_preview(stack: Stack, emulator: Emulator) -> None:
    protection = next(one for one in emulator.state()["protections"] if one["resource_id"] == JANE["resource_id"])
    computed = {"job_id": protection["job_id"], "own_policy_id": None}
    resources = [
        imported(OrgProvider, "northwind", "org-northwind", ORG, {"kind": "basic", "invitation_url": None}),
        imported(ProtectionProvider, "jane", "tenant-contoso/res-contoso-user-01", JANE, computed),
        imported(ProtectionSetProvider, "set", "tenant-contoso", SET, {"protected": SET["assignments"], "adopted": {}}),
    ]
    adopted = stack.adopt(resources)
    assert not adopted.failed, adopted.text
    ids = {"northwind": "org-northwind", "jane": "tenant-contoso/res-contoso-user-01", "set": "tenant-contoso"}
    assert ids == {name: resource["id"] for name, resource in stack.resources().items()}
    stack.write(DECLARED)
    preview = stack.preview()
    assert (False, {}, {}) == (preview.failed, preview.steps, stack.refresh().refreshed)
    assert emulator.writes() == []


def test_a_refresh_corrects_a_wrong_import_file(stack: Stack) -> None:
    resources = [
        imported(OrgProvider, "northwind", "org-northwind", {**ORG, "name": "Northwind"}, {}),
        imported(OrgProvider, "gone", "org-nowhere", ORG, {}),
        imported(ProtectionProvider, "jane", "tenant-contoso/res-contoso-user-20", JANE, {}),
    ]
    adopted = stack.adopt(resources)
    assert not adopted.failed, adopted.text
    assert {"northwind": "update", "gone": "delete", "jane": "delete"} == stack.refresh().refreshed
    assert "Northwind Traders" == stack.resources()["northwind"]["inputs"]["name"]
