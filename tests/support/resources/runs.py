"""Runs of the engine: what a program says of a protection, what the state has, what is told, and what was asked for."""

from support import Emulator
from support.resources.servicer import Engine, Properties, Wire

TENANT, GOLD, SILVER = "tenant-contoso", "policy-contoso-gold", "policy-contoso-silver"
JANE, HANNAH = "res-contoso-user-01", "res-contoso-user-20"
JANE_ID = f"{TENANT}/{JANE}"


def protection(reference: str = JANE, policy: str = "Silver", **others: str) -> Properties:
    choices = {"on_conflict": "fail", "on_destroy": "unprotect", **others}
    return {"tenant_id": TENANT, "resource": reference, "policy": policy, **choices}


def state(resource_id: str = JANE, policy_id: str = SILVER, own: str | None = SILVER) -> Properties:
    """The outputs of a protection, as an earlier run left them."""
    inputs = protection(resource_id, "Silver" if policy_id == SILVER else "Gold")
    ids = {"resource_id": resource_id, "policy_id": policy_id, "own_policy_id": own}
    return {**inputs, **ids, "job_id": "job", "protection_id": "prot", "schema_version": 1}


def inputs_of(outputs: Properties) -> Properties:
    names = ("tenant_id", "resource", "policy", "on_conflict", "on_destroy", "resource_id", "policy_id")
    return {name: outputs[name] for name in names}


def called(wire: Wire, name: str) -> Wire:
    """The provider, called about the resource with this name in the program."""
    wire.urn = f"{wire.urn.rpartition('::')[0]}::{name}"
    return wire


def told(engine: Engine) -> list[str]:
    return [f"{message.urn.rpartition('::')[2]}: {message.message}" for message in engine.messages]


def operations(emulator: Emulator) -> list[str]:
    return [request["operation"] for request in emulator.requests()]


def patch_task(emulator: Emulator, task_id: str, **fields: object) -> None:
    emulator.patch({"tasks": [{"tenant_id": TENANT, "id": task_id, **fields}]})
