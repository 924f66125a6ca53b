"""The tenant that most tests of protection sets are in, and what others do there behind the sets' backs."""

from support import Emulator
from support.resources.servicer import Properties

__all__ = [
    "BRONZE",
    "GOLD",
    "SILVER",
    "TENANT",
    "change",
    "name_of",
    "policies",
    "protect",
    "record",
    "unprotect",
    "user",
]

TENANT = "tenant-contoso"
GOLD, SILVER, BRONZE = "policy-contoso-gold", "policy-contoso-silver", "policy-contoso-bronze"


def user(number: int) -> str:
    """The id of a user; the first eight are protected by others, the 29th is archived."""
    return f"res-contoso-user-{number:02}"


def record(emulator: Emulator, resource_id: str) -> Properties:
    """A resource, as the service has it."""
    (found,) = (one for one in emulator.state()["resources"] if one["id"] == resource_id)
    return found


def name_of(emulator: Emulator, number: int) -> str:
    """The name of a user."""
    name: str = record(emulator, user(number))["name"]
    return name


def change(emulator: Emulator, resource_id: str, **fields: object) -> None:
    """Change a resource behind the back of the sets."""
    emulator.patch({"resources": [{**record(emulator, resource_id), **fields}]})


def policies(emulator: Emulator, tenant_id: str = TENANT) -> dict[str, list[str]]:
    """The policies on each resource of a tenant that has any."""
    on: dict[str, list[str]] = {}
    for one in emulator.state()["protections"]:
        if one["tenant_id"] == tenant_id:
            on.setdefault(one["resource_id"], []).append(one["policy_id"])
    return on


def protect(emulator: Emulator, policy_id: str, *resource_ids: str, tenant_id: str = TENANT) -> None:
    """Let somebody else put a policy on resources, in the place of whichever is there."""
    unprotect(emulator, *resource_ids)
    made = [
        {"id": f"by-hand-{id}", "resource_id": id, "policy_id": policy_id, "job_id": f"job-{id}"} for id in resource_ids
    ]
    emulator.patch({"protections": [{"tenant_id": tenant_id, **one} for one in made]})


def unprotect(emulator: Emulator, *resource_ids: str) -> None:
    """Let somebody else take all policies off resources."""
    found = [one for one in emulator.state()["protections"] if one["resource_id"] in resource_ids]
    emulator.patch({"protections": [{**one, "deleted": True} for one in found]})
