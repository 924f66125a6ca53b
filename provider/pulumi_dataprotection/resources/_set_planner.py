"""What has to be done to the members of a protection set: pure decisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

__all__ = ["FEWEST_REMOVALS", "SetPlan", "SetState", "most_removals", "plan_set"]

FEWEST_REMOVALS = 5
"""So many members may always be taken off, where nothing else is said."""

_PERCENT = 10


@dataclass(frozen=True)  # Without slots, for what is made once.
class SetState:
    """What the state has of a set.

    Attributes:
        protected: policies that the set put on its members, by the resource's id.
        adopted: policies that were on its members before it came.
    """

    protected: Mapping[str, str] = field(default_factory=dict[str, str])
    adopted: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, outputs: Mapping[str, object]) -> SetState:
        """Read it from outputs; nothing where there are none."""
        protected, adopted = (cast("dict[str, str]", outputs.get(name) or {}) for name in ("protected", "adopted"))
        return cls(protected, adopted)

    @cached_property
    def policies(self) -> Mapping[str, str]:
        """The policies that are on the members, by the resource's id."""
        return {**self.adopted, **self.protected} if self.adopted else self.protected


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What to do to the members of a set, by the resource's id.

    Attributes:
        new: members that get a policy.
        changed: members that get another policy.
        removed: policies of ours to take off those that are members no more.
        left: those that are members no more and keep what was there before.
    """

    new: Collection[str]
    changed: Collection[str]
    removed: Mapping[str, str]
    left: Collection[str]

    @property
    def bringing(self) -> list[str]:
        """Members that get a policy, or another one."""
        return [*self.new, *self.changed]

    @property
    def leaving(self) -> list[str]:
        """Those that are members no more."""
        return [*self.removed, *self.left]

    @property
    def nothing(self) -> bool:
        """Whether all is as it should be."""
        return not (self.bringing or self.leaving)


def plan_set(wanted: Mapping[str, str], state: SetState, *, skipped: Collection[str], any_policy: bool) -> SetPlan:
    """Decide what has to be done.

    Args:
        wanted: the policy of each member; empty where it is not known yet.
        state: what the state has.
        skipped: members that cannot be protected; what they have stays.
        any_policy: whether any policy will do.
    """
    on = state.policies
    stay = {*wanted, *skipped}
    left = [member for member in on if member not in stay]
    return SetPlan(
        new=[member for member in wanted if member not in on],
        changed=[
            member for member, policy in wanted.items() if not any_policy and member in on and on[member] != policy
        ],
        removed={member: state.protected[member] for member in left if member in state.protected},
        left=[member for member in left if member not in state.protected],
    )


def most_removals(limit: object, members: int) -> int:
    """Return how many members an update may take off.

    Args:
        limit: a number, or a share as "10%"; None for a tenth, and five in a small set.
        members: how many there are.
    """
    if isinstance(limit, int):
        return limit
    if isinstance(limit, str):
        return members * int(limit.rstrip("%")) // 100
    return max(FEWEST_REMOVALS, members * _PERCENT // 100)
