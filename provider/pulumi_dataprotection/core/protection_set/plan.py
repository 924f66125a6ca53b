"""The plan of a protection set: pure decisions about its members, which check, diff and update share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from pulumi_dataprotection.core.protection_set.inputs import SetInputs

__all__ = ["MIN_REMOVALS", "Leavers", "SetPlan", "SetState", "leavers_since", "max_removals", "plan_set"]

MIN_REMOVALS = 5
"""The number of members that a change may remove by default, if that is not more than half of them."""

_PERCENT = 10


@dataclass(frozen=True, slots=True)
class Leavers:
    """The items that left a set, as its `MemberRemoval` needs them.

    Attributes:
        tenant_id: the tenant.
        generation: the number of the set's last update with leavers.
        removed: policies of the set to remove, by the update in which the item left, and by the item's id.
        adopted: items whose policies stay, since the set had adopted them.
        passed_on: policies of items whose references in the program mean other items now, by the item's id.
        stay: the number of members that the set still has.
        limit: the argument `max_removals`.
    """

    tenant_id: str
    generation: int
    removed: Mapping[int, Mapping[str, str]] = field(default_factory=dict[int, Mapping[str, str]])
    adopted: Collection[str] = ()
    passed_on: Mapping[str, str] = field(default_factory=dict[str, str])
    stay: int = 0
    limit: object = None


def leavers_since(removed: Mapping[int, Mapping[str, str]], generation: int = 0) -> dict[str, str]:
    """Return the policies of the items that left in an update, or after it, by the item's id."""
    found: dict[str, str] = {}
    for left_in, policies in removed.items():
        if left_in >= generation:
            found |= policies
    return found


@dataclass(frozen=True)  # Without slots, for what is made once.
class SetState:
    """The state of a set.

    Attributes:
        protected: policies that the set put on its members, by the resource's id.
        adopted: policies that were on its members before it came.
        displaced: policies that a take-over could not remove from its members yet.
        leavers: policies that the set put on items that left it, by the update in which they left.
        generation: the number of the last update with leavers; 0 before the first.
        passed_on: policies of the set on items whose references in the program mean other items now.
    """

    protected: Mapping[str, str] = field(default_factory=dict[str, str])
    adopted: Mapping[str, str] = field(default_factory=dict[str, str])
    displaced: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    leavers: Mapping[int, Mapping[str, str]] = field(default_factory=dict[int, Mapping[str, str]])
    generation: int = 0
    passed_on: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, outputs: Mapping[str, object]) -> SetState:
        """Read the state from outputs; an empty state without outputs."""
        protected, adopted = (cast("dict[str, str]", outputs.get(name) or {}) for name in ("protected", "adopted"))
        leavers = cast("dict[str, dict[str, str]]", outputs.get("leavers") or {})
        generation = cast("int", outputs.get("generation") or 0)
        passed_on = cast("dict[str, str]", outputs.get("passed_on") or {})
        displaced = cast("dict[str, Sequence[str]]", outputs.get("displaced") or {})
        by_update = {int(left_in): gone for left_in, gone in leavers.items()}
        return cls(protected, adopted, displaced, by_update, generation, passed_on)

    def outputs(self, members: int) -> dict[str, object]:
        """Write the state as outputs, with the counts that programs read.

        Args:
            members: the number of members that the program names.
        """
        leavers = {str(left_in): gone for left_in, gone in self.leavers.items()}
        optional = {
            "generation": self.generation,
            "displaced": self.displaced,
            "passed_on": self.passed_on,
            "leavers": leavers,
        }
        stated = {name: value for name, value in optional.items() if value}
        on, protected = len(self.policies), len(self.protected)
        counts = {"protected": protected, "adopted": on - protected, "missing": max(0, members - on)}
        return {
            "protected": self.protected,
            "adopted": self.adopted,
            "counts": {"members": members, **counts},
            **stated,
        }

    @cached_property
    def policies(self) -> Mapping[str, str]:
        """The policies that are on the members, by the resource's id."""
        return {**self.adopted, **self.protected} if self.adopted else self.protected

    @property
    def made(self) -> Mapping[str, str]:
        """The policies that the set put on its members, and on items that left it."""
        return {**self.passed_on, **leavers_since(self.leavers), **self.protected}

    def filtered(self, has: Callable[[str, str], bool]) -> SetState:
        """Return the state without the items of earlier updates that do not have the policy of the set any more.

        Args:
            has: whether an item has a policy, by the ids of both.
        """

        def still(policies: Mapping[str, str]) -> dict[str, str]:
            return {id: policy for id, policy in policies.items() if has(id, policy)}

        leavers = {left_in: still(gone) for left_in, gone in self.leavers.items()}
        return replace(self, leavers=leavers, passed_on=still(self.passed_on))

    def without(
        self, leaving: Mapping[str, str], passed_on: Mapping[str, str], members: Collection[str], now: int
    ) -> SetState:
        """Return the state after an update in which items left, whose policies are still to be removed.

        Args:
            leaving: the policies of the items that left, by the item's id.
            passed_on: the policies of the items whose references passed on to others.
            members: the members of the set now: an item that came back has not left.
            now: seconds since the epoch. A set that was replaced by force must not repeat a generation of the old set.
        """
        leavers = {**self.leavers, self.generation: leaving} if leaving else self.leavers
        kept = {
            left_in: {id: policy for id, policy in gone.items() if id not in members}
            for left_in, gone in leavers.items()
        }
        kept = {left_in: gone for left_in, gone in kept.items() if gone}
        stay = {id: policy for id, policy in {**self.passed_on, **passed_on}.items() if id not in members}
        generation = max(self.generation + 1, now) if leaving else self.generation
        return replace(self, leavers=kept, generation=generation, passed_on=stay)


@dataclass(frozen=True, slots=True)
class SetPlan:
    """The work on the members of a set, by the item's id.

    Attributes:
        new: members that get a policy.
        changed: members that get another policy.
        bare: members that lost their policy, and get it again.
        unfinished: members that still have a policy that a take-over displaced.
        removed: our policies to remove from items that left.
        left: items that left, and keep the policies that they had before.
        passed_on: our policies that stay on items whose references mean other items now.
        wanted: all members, and items that cannot be protected now.
    """

    new: Collection[str]
    changed: Collection[str]
    bare: Collection[str]
    unfinished: Collection[str]
    removed: Mapping[str, str]
    left: Collection[str]
    passed_on: Mapping[str, str]
    wanted: Collection[str]

    @property
    def assigning(self) -> list[str]:
        """The members that get a policy, or another policy."""
        return [*self.new, *self.changed, *self.bare, *self.unfinished]

    @property
    def leaving(self) -> list[str]:
        """The items that left."""
        return [*self.removed, *self.left, *self.passed_on]

    @property
    def nothing(self) -> bool:
        """Whether nothing has to be done."""
        return not (self.assigning or self.leaving)


def plan_set(
    wanted: Mapping[str, str],
    state: SetState,
    inputs: SetInputs,
    *,
    passed_on: Collection[str] = (),
    bare: Callable[[Collection[str]], Collection[str]] = lambda _: (),
) -> SetPlan:
    """Plan the work on a set.

    Args:
        wanted: the policy of each member; empty if it is unknown.
        state: the state.
        inputs: the inputs.
        passed_on: items whose references mean other items now; they keep their policies.
        bare: finds the members without a policy among those that have no other work.
    """
    on = state.policies
    stay = {*wanted, *inputs.missing.values()}
    left = [member for member in on if member not in stay]
    compared = dict[str, str]() if inputs.any_policy else wanted
    changed = [member for member, policy in compared.items() if member in on and on[member] != policy]
    unchanged = {member for member in wanted if member in on}.difference(changed)
    without = bare(unchanged)
    unfinished = unchanged.intersection(state.displaced).difference(without) if inputs.takes_over else set[str]()
    return SetPlan(
        new=[member for member in wanted if member not in on],
        changed=changed,
        bare=without,
        unfinished=sorted(unfinished),
        removed={id: state.protected[id] for id in left if id in state.protected and id not in passed_on},
        passed_on={id: state.protected[id] for id in left if id in state.protected and id in passed_on},
        left=[member for member in left if member not in state.protected],
        wanted=stay,
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
    tenth = max(MIN_REMOVALS, members * _PERCENT // 100)
    # The only member of a set may leave.
    return max(1, min(tenth, members // 2))
