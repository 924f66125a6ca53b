"""The comparison of a state with what a read of the service showed: pure decisions, the same as those of a refresh."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pulumi_dataprotection import client
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState

__all__ = ["MemberDrift", "Status", "compare_members", "compare_org", "compare_policy", "known_policies"]


class Status(StrEnum):
    """The status of a protection, or of another resource, in comparison with the state."""

    IN_STEP = "in step"
    DRIFTED = "drifted"
    BARE = "bare"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class MemberDrift:
    """A member of a set in comparison with the state.

    Attributes:
        item_id: the item.
        name: the name in the program; empty if the program does not name it.
        status: its status. `GONE` is not a drift: the set goes on without a member that is gone or archived.
        declared: the policy that the state declares.
        found: the policy that is on the item; None without a policy.
    """

    item_id: str
    name: str
    status: Status
    declared: str
    found: str | None


def known_policies(outputs: Mapping[str, object]) -> list[str]:
    """Return the ids of the policies that a protection may have according to its state, the likeliest first."""
    names = ("own_policy_id", "policy_id")
    return [policy for name in names if isinstance(policy := outputs.get(name), str) and policy]


def compare_policy(found: str | None, known: Collection[str], *, any_policy: bool) -> Status:
    """Compare the policy on an item with the state.

    Args:
        found: the policy that is on the item; None without a policy.
        known: the policies that it may have according to the state.
        any_policy: whether any policy will do.
    """
    if found is None:
        return Status.BARE
    return Status.IN_STEP if any_policy or found in known else Status.DRIFTED


def compare_members(before: SetState, program: SetInputs, after: SetState, read: SetInputs) -> Iterator[MemberDrift]:
    """Compare the members of a set with the state.

    Args:
        before: the state.
        program: the inputs of the state.
        after: the state after a read.
        read: the inputs after the read.

    Yields:
        Each member that the program names, and then the others that the state has.
    """
    named: set[str] = set()
    for name, policy in program.assignments.items():
        item_id, declared = read.resource_id(name), program.policy_id(policy)
        named.add(item_id)
        found = after.policies.get(item_id)
        status = compare_policy(found, [declared], any_policy=program.any_policy)
        yield MemberDrift(item_id, name, Status.GONE if name in read.missing else status, declared, found)
    for item_id, declared in before.policies.items():
        if item_id not in named:
            found = after.policies.get(item_id)
            status = compare_policy(found, [declared], any_policy=program.any_policy)
            yield MemberDrift(item_id, "", status, declared, found)


def compare_org(org: client.records.Org, outputs: Mapping[str, object]) -> list[str]:
    """Return the properties of an organization that differ from its state."""
    same = {
        "name": client.same_text(str(outputs.get("name") or ""), org.name),
        "external_id": outputs.get("external_id") == org.external_id,
    }
    return [name for name, is_same in same.items() if not is_same]
