"""Items of the portal in a file of `pulumi import --file`; tests/docs/test_guides imports a file that is right."""

from collections.abc import Mapping
from typing import Any, cast

from pulumi.dynamic import ResourceProvider, dynamic

from pulumi_dataprotection.resources.org import OrgProvider
from pulumi_dataprotection.resources.protection import ProtectionProvider
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


def imported(provider: type[ResourceProvider], name: str, id: str, inputs: Mapping[str, object]) -> dict[str, Any]:
    """Return a resource of an import file, as the state will hold it."""
    pickled = {"__provider": cast("Any", dynamic).serialize_provider(provider())}
    return {
        "type": f"pulumi-python:dynamic/dataprotection:{provider.__name__.removesuffix('Provider')}",
        "name": name,
        "id": id,
        "inputs": {**inputs, **pickled},
        "outputs": {**inputs, "schema_version": 2, **pickled},
    }


def test_a_refresh_corrects_a_wrong_import_file(stack: Stack) -> None:
    resources = [
        imported(OrgProvider, "northwind", "org-northwind", {**ORG, "name": "Northwind"}),
        imported(OrgProvider, "gone", "org-nowhere", ORG),
        imported(ProtectionProvider, "jane", "tenant-contoso/res-contoso-user-20", JANE),
    ]
    adopted = stack.adopt(resources)
    assert not adopted.failed, adopted.text
    assert {"northwind": "update", "gone": "delete", "jane": "delete"} == stack.refresh().refreshed
    assert "Northwind Traders" == stack.resources()["northwind"]["inputs"]["name"]
