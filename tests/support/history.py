"""What one request after the other made of the policies on a resource."""

import json
from collections.abc import Iterable

from support import Emulator

__all__ = ["moments_without_policy", "policies_on"]


def policies_on(emulator: Emulator, resource_id: str) -> list[str]:
    """Return the policies that are on a resource now."""
    rows = emulator.state()["protections"]
    return sorted(row["policy_id"] for row in rows if row["resource_id"] == resource_id)


def moments_without_policy(emulator: Emulator, resource_id: str, before: Iterable[str], second_policy: str) -> int:
    """Count the requests of the emulator's log that left a resource without any policy.

    Args:
        emulator: the service.
        resource_id: the resource.
        before: the policies that were on it when the log began.
        second_policy: what the service does about a second policy, as its dialect names it.

    Raises:
        AssertionError: the log does not lead to what the service holds.
    """
    on, moments = {*before}, 0
    for write in emulator.writes():
        if f"/resources/{resource_id}/protect" not in write["path"] or _prevents(write["fault"] or ""):
            continue
        policy_id = write["query"]["policy_id"]
        if write["method"] == "DELETE":
            on.discard(policy_id)
        elif second_policy == "replaces":
            on = {policy_id}
        elif second_policy == "adds" or not on:
            on.add(policy_id)
        moments += not on
    assert sorted(on) == policies_on(emulator, resource_id)
    return moments


def _prevents(fault: str) -> bool:
    """Whether the service did not do what it was asked for; one that is held or loses its answer did."""
    if fault.startswith("{"):
        return not json.loads(fault).get("after")
    return fault.startswith(("status", "reset"))
