"""What writes do to the policies on resources, worked out beside the emulator."""

import json

from support import Emulator

__all__ = ["carry_out", "policies_by_resource", "prevents"]


def carry_out(method: str, policy: str, has: set[str], second_policy: str) -> None:
    """Do to the policies of one resource what a write does to them.

    Args:
        method: the HTTP method of the write.
        policy: the policy that it names.
        has: the policies of the resource.
        second_policy: what the service makes of a second policy.
    """
    if method == "DELETE":
        has.discard(policy)
    elif second_policy == "adds" or not has:
        has.add(policy)
    elif second_policy == "replaces":
        has.clear()
        has.add(policy)


def prevents(fault: str) -> bool:
    """Whether the service did not do what it was asked for, given the fault of the log."""
    if fault.startswith("{"):
        return not json.loads(fault).get("after")
    return fault.startswith(("status", "reset", "disguised"))


def policies_by_resource(emulator: Emulator) -> dict[str, set[str]]:
    """The policies of each resource that has any."""
    on: dict[str, set[str]] = {}
    for one in emulator.state()["protections"]:
        on.setdefault(one["resource_id"], set()).add(one["policy_id"])
    return on
