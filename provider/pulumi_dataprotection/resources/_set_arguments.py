"""The arguments of a protection set, as programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, cast, get_args

import pulumi
from pulumi.dynamic import CheckFailure

from pulumi_dataprotection.core.protection_set.members import listed
from pulumi_dataprotection.resources._provider import Properties, is_unknown, text_problem

__all__ = ["OnMissing", "argument_failures", "as_assignments"]

OnMissing = Literal["fail", "warn"]

_Assignments = pulumi.Input[Mapping[str, pulumi.Input[str]]]


def as_assignments(assignments: object, resources: object, policy: object) -> tuple[_Assignments, list[str]]:
    """Make a mapping of whichever way the members of a set are given in; who is named twice counts once.

    Args:
        assignments: the policy of each member, or
        resources: the members, and
        policy: the policy of all of them.

    Returns:
        The mapping, and the names in it that are known while the program runs.

    Raises:
        pulumi.RunError: neither is given, or both, or it is no mapping or list.
    """
    if assignments is not None and resources is None and policy is None:
        if isinstance(assignments, pulumi.Output):
            return cast("pulumi.Output[object]", assignments).apply(_mapping), []
        known = _mapping(assignments)
        return known, [*known]
    if assignments is not None or resources is None or policy is None:
        raise pulumi.RunError("ProtectionSet: give assignments, or resources and a policy")
    if isinstance(resources, pulumi.Output):
        return _later(cast("pulumi.Output[object]", resources), policy), []
    members = _members(resources)
    names = [member for member in members if isinstance(member, str)]
    if any(isinstance(part, pulumi.Output) for part in (*members, policy)):
        return _later(members, policy), names
    return _all_with(members, policy), names


def _later(members: pulumi.Input[object], policy: object) -> _Assignments:
    both = pulumi.Output.all(members, policy)
    return both.apply(lambda known: _all_with(*known))


def _all_with(members: object, policy: object) -> Mapping[str, pulumi.Input[str]]:
    names = _members(members)
    for name in names:
        _check_name(name)
    return _mapping(dict.fromkeys(names, policy))


def _members(members: object) -> list[object]:
    if isinstance(members, (str, Mapping)) or not isinstance(members, Iterable):
        raise pulumi.RunError("ProtectionSet: resources must be a list of members")
    return [*cast("Iterable[object]", members)]


def _mapping(assignments: object) -> Mapping[str, pulumi.Input[str]]:
    if not isinstance(assignments, Mapping):
        raise pulumi.RunError("ProtectionSet: assignments must be a mapping of members to policies")
    for name, policy in cast("Mapping[object, object]", assignments).items():
        _check_name(name)
        if policy is None:
            raise pulumi.RunError(f'ProtectionSet: "{name}" has no policy')
    return cast("Mapping[str, pulumi.Input[str]]", assignments)


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise pulumi.RunError(f"ProtectionSet: {name!r} is not the name of a member, which is text")


def argument_failures(inputs: Properties) -> Iterator[CheckFailure]:
    """Find what is wrong with the shape of the assignments, with the limit of removals, and with what is missing."""
    assignments = inputs.get("assignments")
    if isinstance(assignments, Mapping):
        if wrong := [*_wrong(cast("Mapping[str, object]", assignments))]:
            # The property's name would make the engine print all of its value.
            yield CheckFailure("", f"assignments:{listed(wrong)}")
    elif not is_unknown(assignments):
        yield CheckFailure("assignments", "must be a mapping of members to policies")
    limit = inputs.get("max_removals")
    share = isinstance(limit, str) and re.fullmatch(r"(100|\d{1,2})%", limit)
    number = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
    if not (limit is None or share or number or is_unknown(limit)):
        yield CheckFailure("max_removals", 'must be a whole number, or a share such as "10%"')
    choice, choices = inputs.get("on_missing"), get_args(OnMissing)
    if choice not in (None, *choices) and not is_unknown(choice):
        yield CheckFailure("on_missing", f"must be one of: {', '.join(choices)}")


def _wrong(assignments: Mapping[str, object]) -> Iterator[str]:
    for name, policy in assignments.items():
        if problem := text_problem(name):
            yield f"the name of a member {problem}"
        if not is_unknown(policy) and (problem := text_problem(policy)):
            yield f'the policy of "{name}" {problem}'
