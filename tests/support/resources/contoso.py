"""The tenant Contoso: its items, edits in the portal, and the calls that the service got."""

from support import Emulator
from support.resources.servicer import Properties

TENANT = "tenant-contoso"
GOLD, SILVER, BRONZE = "policy-contoso-gold", "policy-contoso-silver", "policy-contoso-bronze"
JANE, HANNAH = "res-contoso-user-01", "res-contoso-user-20"
"""A user with the policy Silver, and a user without a policy."""
JANE_ID = f"{TENANT}/{JANE}"


def user(number: int) -> str:
    """Return the id of a user; the first eight have a policy, the 29th is archived."""
    return f"res-contoso-user-{number:02}"


def record(emulator: Emulator, resource_id: str) -> Properties:
    """Return a resource, as the service has it."""
    (found,) = (one for one in emulator.state()["resources"] if one["id"] == resource_id)
    return found


def name_of(emulator: Emulator, number: int) -> str:
    """Return the name of a user."""
    name: str = record(emulator, user(number))["name"]
    return name


def policies(emulator: Emulator, tenant_id: str = TENANT) -> dict[str, list[str]]:
    """Return the policies on each protected resource of a tenant."""
    on: dict[str, list[str]] = {}
    for one in emulator.state()["protections"]:
        if one["tenant_id"] == tenant_id:
            on.setdefault(one["resource_id"], []).append(one["policy_id"])
    return on


def change(emulator: Emulator, resource_id: str, **fields: object) -> None:
    """Change a resource in the portal."""
    emulator.patch({"resources": [{**record(emulator, resource_id), **fields}]})


def add_policy(emulator: Emulator, policy_id: str, *resource_ids: str, tenant_id: str = TENANT) -> None:
    """Assign a policy in the portal, beside the policies that are there."""
    made = [{"resource_id": id, "policy_id": policy_id, "job_id": f"job-{id}"} for id in resource_ids]
    named = [{"id": f"by-hand-{policy_id}-{one['resource_id']}", "tenant_id": tenant_id, **one} for one in made]
    emulator.patch({"protections": named})


def protect(emulator: Emulator, policy_id: str, *resource_ids: str, tenant_id: str = TENANT) -> None:
    """Assign a policy in the portal, in the place of all policies that are there."""
    unprotect(emulator, *resource_ids)
    add_policy(emulator, policy_id, *resource_ids, tenant_id=tenant_id)


def unprotect(emulator: Emulator, *resource_ids: str, policy_id: str = "") -> None:
    """Remove all policies of resources in the portal, or one policy."""
    found = [one for one in emulator.state()["protections"] if one["resource_id"] in resource_ids]
    gone = [one for one in found if policy_id in ("", one["policy_id"])]
    emulator.patch({"protections": [{**one, "deleted": True} for one in gone]})


def delete_tenant(emulator: Emulator) -> None:
    """Delete the tenant."""
    emulator.patch({"tenants": [{"id": TENANT, "deleted": True}]})


def patch_task(emulator: Emulator, task_id: str, **fields: object) -> None:
    """Change a task."""
    emulator.patch({"tasks": [{"tenant_id": TENANT, "id": task_id, **fields}]})


def written(emulator: Emulator) -> list[str]:
    """Return the resources of the writes to policies, sorted."""
    return sorted(request["path"].split("/")[-2] for request in emulator.writes())
