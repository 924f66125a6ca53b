"""The policies on a resource, during and after the requests of a log."""

import json
from collections.abc import Iterable

from support import Emulator

__all__ = ["moments_without_policy", "policies_on"]


def policies_on(emulator: Emulator, resource_id: str) -> list[str]:
    """Return the ids of the policies that are on a resource now."""
    rows = emulator.state()["protections"]
    return sorted(row["policy_id"] for row in rows if row["resource_id"] == resource_id)


def moments_without_policy(emulator: Emulator, resource_id: str, before: Iterable[str], second_policy: str) -> int:
    """Count the requests of the emulator's log after which a resource had no policy.

    Args:
        emulator: the service.
        resource_id: the resource.
        before: the policies that were on it when the log began.
        second_policy: the value of the dialect's `second_policy`.

    Raises:
        AssertionError: The log does not lead to the state of the service.
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
    """Return whether a fault prevents the write; a fault that delays or loses the answer does not."""
    if fault.startswith("{"):
        return not json.loads(fault).get("after")
    return fault.startswith(("status", "reset"))
