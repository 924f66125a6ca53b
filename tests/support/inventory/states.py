"""States of stacks, as the engine writes them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["CONTOSO", "exported", "protection", "protection_set", "resource", "write_state"]

CONTOSO = "tenant-contoso"


def resource(kind: str, name: str, id: str, /, *, stack: str = "north", **fields: object) -> dict[str, Any]:
    """Return a resource of this package; its outputs and its inputs are the same."""
    token = f"pulumi-python:dynamic/dataprotection:{kind}"
    properties = {"__provider": "gASVOgAA", **fields}
    urn = f"urn:pulumi:{stack}::shop::{token}::{name}"
    return {"urn": urn, "custom": True, "id": id, "type": token, "inputs": properties, "outputs": properties}


def protection(
    item_id: str, policy_id: object, *, tenant_id: str = CONTOSO, stack: str = "north", **fields: object
) -> dict[str, Any]:
    """Return the protection of an item."""
    names = {"tenant_id": tenant_id, "resource": item_id, "resource_id": item_id, "policy_id": policy_id}
    return resource("Protection", f"of-{item_id}", f"{tenant_id}/{item_id}", stack=stack, **{**names, **fields})


def protection_set(
    protected: Mapping[str, str], *, tenant_id: str = CONTOSO, stack: str = "north", **fields: object
) -> dict[str, Any]:
    """Return a set that assigned policies to its members, by the ids of both."""
    maps: dict[str, object] = {"tenant_id": tenant_id, "assignments": protected, "protected": protected, "adopted": {}}
    return resource("ProtectionSet", "people", tenant_id, stack=stack, **{**maps, **fields})


def exported(*resources: object) -> dict[str, Any]:
    """Return a state as `pulumi stack export` prints it."""
    return {"version": 3, "deployment": {"manifest": {}, "resources": [*resources]}}


def write_state(folder: Path, *resources: object, stack: str = "north") -> Path:
    """Write the state of a stack as a backend keeps it, and return its file."""
    checkpoint = {"stack": f"organization/shop/{stack}", "latest": exported(*resources)["deployment"]}
    file = folder / f"{stack}.json"
    file.write_text(json.dumps({"version": 3, "checkpoint": checkpoint}))
    return file
