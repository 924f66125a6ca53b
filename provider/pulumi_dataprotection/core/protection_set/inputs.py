"""The inputs of a protection set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.core.messages import listed

__all__ = ["OnMissing", "SetInputs", "input_problems", "text_problem"]

OnMissing = Literal["fail", "warn"]


@dataclass(frozen=True, slots=True)
class SetInputs:
    """The inputs of a set.

    Attributes:
        assignments: the policy of each member, by the name in the program; empty if it is unknown.
        resource_ids: the ids that names of members mean, except names that are ids.
        policy_ids: the ids that names of policies mean, except names that are ids.
        missing: members that do not exist or are archived, and the ids that their names meant before.
        on_missing: the choice about such members.
        any_policy: whether any policy will do.
        takes_over: whether the set displaces other policies.
    """

    assignments: dict[str, str]
    resource_ids: dict[str, str]
    policy_ids: dict[str, str]
    missing: dict[str, str]
    on_missing: object
    any_policy: bool
    takes_over: bool

    @classmethod
    def of(cls, properties: Mapping[str, object]) -> SetInputs:
        """Read the inputs from properties whose shape was checked."""
        assignments = _mapping(properties, "assignments")
        return cls(
            assignments={name: policy if isinstance(policy, str) else "" for name, policy in assignments.items()},
            resource_ids=cast("dict[str, str]", _mapping(properties, "resource_ids")),
            policy_ids=cast("dict[str, str]", _mapping(properties, "policy_ids")),
            missing=cast("dict[str, str]", _mapping(properties, "missing")),
            on_missing=properties.get("on_missing"),
            any_policy=properties.get("on_conflict") == "accept",
            takes_over=properties.get("on_conflict") == "take_over",
        )

    def ids(self) -> dict[str, object]:
        """Return the meanings of the names, as the state has them."""
        maps = {"resource_ids": self.resource_ids, "policy_ids": self.policy_ids, "missing": self.missing}
        return {name: ids for name, ids in maps.items() if ids}

    def resource_id(self, name: str) -> str:
        """Return the id that the name of a member means, or meant before; the name itself if it is unknown."""
        return self.resource_ids.get(name) or self.missing.get(name) or name

    def policy_id(self, name: str) -> str:
        """Return the id that the name of a policy means; the name itself if it is unknown."""
        return self.policy_ids.get(name, name)

    def wanted(self) -> dict[str, str]:
        """Return the policy of each member by the ids of both; empty if the policy is unknown."""
        return {
            self.resource_id(name): self.policy_id(policy)
            for name, policy in self.assignments.items()
            if name not in self.missing
        }

    def carry_on(self, before: SetInputs) -> None:
        """Let names that did not change mean what they meant before, even after a renaming."""
        for now, then in ((self.resource_ids, before.resource_ids), (self.missing, before.missing)):
            now.update({name: then[name] for name in self.assignments if name in then})
        policies = {*self.assignments.values()}
        self.policy_ids.update({name: id_ for name, id_ in before.policy_ids.items() if name in policies})


def input_problems(properties: Mapping[str, object], is_unknown: Callable[[object], bool]) -> Iterator[tuple[str, str]]:
    """Find problems of the assignments, of the limit of removals, and of the choice about missing members.

    Args:
        properties: the inputs.
        is_unknown: recognizes a value that is unknown in a preview.

    Yields:
        The name of the property, and the problem.
    """
    assignments = properties.get("assignments")
    if isinstance(assignments, Mapping):
        if wrong := [*_member_problems(cast("Mapping[str, object]", assignments), is_unknown)]:
            # The name of the property would make the engine print all of its value.
            yield "", f"assignments:{listed(wrong)}"
    elif not is_unknown(assignments):
        yield "assignments", "must be a mapping of members to policies"
    limit = properties.get("max_removals")
    share = isinstance(limit, str) and re.fullmatch(r"(100|\d{1,2})%", limit)
    number = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
    if not (limit is None or share or number or is_unknown(limit)):
        yield "max_removals", 'must be a whole number, or a share such as "10%"'
    choice, choices = properties.get("on_missing"), get_args(OnMissing)
    if choice not in (None, *choices) and not is_unknown(choice):
        yield "on_missing", f"must be one of: {', '.join(choices)}"


def text_problem(value: object) -> str:
    """Return the reason for which a value is not a text that names something; empty if it is."""
    if not isinstance(value, str):
        return "must be text"
    if not value.strip():
        return "must not be empty"
    return "must not hold control characters" if client.has_control_characters(value) else ""


def _member_problems(assignments: Mapping[str, object], is_unknown: Callable[[object], bool]) -> Iterator[str]:
    for name, policy in assignments.items():
        if problem := text_problem(name):
            yield f"the name of a member {problem}"
        if not is_unknown(policy) and (problem := text_problem(policy)):
            yield f'the policy of "{printable(name)}" {problem}'


def _mapping(properties: Mapping[str, object], name: str) -> dict[str, object]:
    value = properties.get(name)
    return {**cast("Mapping[str, object]", value)} if isinstance(value, Mapping) else {}
