"""The policies on resources, and the effects of writes on them, computed beside the emulator."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from support import Emulator

__all__ = ["Write", "moments_without_policy", "policies_by_resource", "policies_on", "replay"]


class Write(NamedTuple):
    """A write to the policies of a resource.

    Attributes:
        id: the resource.
        key: the method, the resource and the policy.
        changed: whether it changed the policies of the resource.
        bared: whether it removed the last policy of the resource.
        refused: whether the service had refused a second policy for the resource before.
    """

    id: str
    key: tuple[str, str, str]
    changed: bool
    bared: bool
    refused: bool


def replay(emulator: Emulator, on: dict[str, set[str]], second_policy: str) -> list[Write]:
    """Return the writes of the log.

    Args:
        emulator: the service.
        on: the policies of each resource before the log began; becomes the policies after it.
        second_policy: the service's answer to a second policy.
    """
    writes: list[Write] = []
    refused: set[str] = set()
    for request in emulator.writes():
        id, policy = request["path"].split("/")[-2], request["query"]["policy_id"]
        has = on.setdefault(id, set())
        had = {*has}
        if request["status"] in {400, 409}:
            refused.add(id)
        if request["status"] != 404 and not _prevents(request["fault"] or ""):
            _apply(request["method"], policy, has, second_policy)
        key = (request["method"], id, policy)
        writes.append(Write(id, key, has != had, bool(had) and not has, id in refused))
    return writes


def moments_without_policy(emulator: Emulator, resource_id: str, before: Iterable[str], second_policy: str) -> int:
    """Count the writes of the log that removed the last policy of a resource.

    Args:
        emulator: the service.
        resource_id: the resource.
        before: the policies that were on it when the log began.
        second_policy: the service's answer to a second policy.

    Raises:
        AssertionError: The log does not lead to the state of the service.
    """
    on = {resource_id: {*before}}
    moments = sum(write.bared for write in replay(emulator, on, second_policy) if write.id == resource_id)
    assert sorted(on[resource_id]) == policies_on(emulator, resource_id)
    return moments


def policies_by_resource(emulator: Emulator) -> dict[str, set[str]]:
    """Return the policies of each protected resource."""
    on: dict[str, set[str]] = {}
    for one in emulator.state()["protections"]:
        on.setdefault(one["resource_id"], set()).add(one["policy_id"])
    return on


def policies_on(emulator: Emulator, resource_id: str) -> list[str]:
    """Return the policies of a resource, sorted."""
    return sorted(policies_by_resource(emulator).get(resource_id, ()))


def _apply(method: str, policy: str, has: set[str], second_policy: str) -> None:
    if method == "DELETE":
        has.discard(policy)
    elif second_policy == "adds" or not has:
        has.add(policy)
    elif second_policy == "replaces":
        has.clear()
        has.add(policy)


def _prevents(fault: str) -> bool:
    """Return whether a fault of the log kept the service from the write."""
    if fault.startswith("{"):
        return not json.loads(fault).get("after")
    return fault.startswith(("status", "reset", "disguised"))
