"""What has to be done to the members of a protection set: pure decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

__all__ = ["FEWEST_REMOVALS", "SetPlan", "SetState", "max_removals", "plan_set"]

FEWEST_REMOVALS = 5
"""The number of members that a change may remove by default, if that is not more than half of them."""

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
        bare: members that lost their policy, and get it again.
        removed: policies of ours to take off those that are members no more.
        left: those that are members no more and keep what was there before.
        members: the number of members before.
    """

    new: Collection[str]
    changed: Collection[str]
    bare: Collection[str]
    removed: Mapping[str, str]
    left: Collection[str]
    members: int

    @property
    def bringing(self) -> list[str]:
        """Members that get a policy, or another one."""
        return [*self.new, *self.changed, *self.bare]

    @property
    def leaving(self) -> list[str]:
        """Those that are members no more."""
        return [*self.removed, *self.left]

    @property
    def nothing(self) -> bool:
        """Whether all is as it should be."""
        return not (self.bringing or self.leaving)


def plan_set(
    wanted: Mapping[str, str],
    state: SetState,
    *,
    skipped: Collection[str],
    any_policy: bool,
    bare: Callable[[Collection[str]], Collection[str]] = lambda _: (),
) -> SetPlan:
    """Decide what has to be done.

    Args:
        wanted: the policy of each member; empty where it is not known yet.
        state: what the state has.
        skipped: members that cannot be protected; what they have stays.
        any_policy: whether any policy will do.
        bare: finds the members without a policy among those that have nothing else to be done.
    """
    on = state.policies
    stay = {*wanted, *skipped}
    left = [member for member in on if member not in stay]
    changed = [member for member, policy in wanted.items() if not any_policy and member in on and on[member] != policy]
    return SetPlan(
        new=[member for member in wanted if member not in on],
        changed=changed,
        bare=bare({member for member in wanted if member in on}.difference(changed)),
        removed={member: state.protected[member] for member in left if member in state.protected},
        left=[member for member in left if member not in state.protected],
        members=len(on),
    )


def max_removals(limit: object, members: int) -> int:
    """Return the number of members that a change may remove.

    Args:
        limit: a number, or a share as "10%"; by default a tenth and at least 5, but never more than half.
        members: the number of members before the change.
    """
    if isinstance(limit, int):
        return limit
    if isinstance(limit, str):
        return members * int(limit.rstrip("%")) // 100
    tenth = max(FEWEST_REMOVALS, members * _PERCENT // 100)
    # The only member of a set may leave.
    return max(1, min(tenth, members // 2))
