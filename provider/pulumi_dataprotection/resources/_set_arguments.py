"""The arguments of a protection set, as programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, cast, get_args

import pulumi
from pulumi.dynamic import CheckFailure

from pulumi_dataprotection import client
from pulumi_dataprotection.resources._base import Properties, is_unknown
from pulumi_dataprotection.resources._set_members import listed

__all__ = ["OnMissing", "argument_failures", "as_assignments", "plain_names"]

OnMissing = Literal["fail", "warn"]

_Assignments = pulumi.Input[Mapping[str, pulumi.Input[str]]]


def as_assignments(assignments: object, resources: object, policy: object) -> _Assignments:
    """Make a mapping of whichever way the members of a set are given in; who is named twice counts once.

    Args:
        assignments: the policy of each member, or
        resources: the members, and
        policy: the policy of all of them.

    Raises:
        pulumi.RunError: neither is given, or both, or it is no mapping or list.
    """
    if assignments is not None and resources is None and policy is None:
        if not isinstance(assignments, (Mapping, pulumi.Output)):
            raise pulumi.RunError("ProtectionSet: assignments must be a mapping of members to policies")
        if isinstance(assignments, Mapping):
            _check_names([*cast("Mapping[object, object]", assignments)])
        return cast("_Assignments", assignments)
    if assignments is not None or resources is None or policy is None:
        raise pulumi.RunError("ProtectionSet: give assignments, or resources and a policy")
    if isinstance(resources, (str, Mapping)) or not isinstance(resources, (Iterable, pulumi.Output)):
        raise pulumi.RunError("ProtectionSet: resources must be a list of members")
    if isinstance(resources, pulumi.Output):
        members: pulumi.Input[list[object]] = cast("pulumi.Output[list[object]]", resources)
    else:
        members = [*cast("Iterable[object]", resources)]
        if not any(isinstance(one, pulumi.Output) for one in (*members, policy)):
            return cast("_Assignments", _all_with(members, policy))
    both = pulumi.Output.all(members, policy)
    return cast("_Assignments", both.apply(lambda known: _all_with(*known)))


def plain_names(members: object) -> list[str]:
    """The names of members that are known while the program runs."""
    names = cast("Iterable[object]", members) if isinstance(members, Iterable) else ()
    return [name for name in names if isinstance(name, str)]


def _all_with(members: list[object], policy: object) -> dict[object, object]:
    _check_names(members)
    return dict.fromkeys(members, policy)


def _check_names(members: list[object]) -> None:
    for member in members:
        if not isinstance(member, str):
            raise pulumi.RunError(f"ProtectionSet: {member!r} is not the name of a member, which is text")


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
        for what, value in (("the name of a member", name), (f'the policy of "{name}"', policy)):
            if is_unknown(value):
                continue
            if not isinstance(value, str):
                yield f"{what} must be text"
            elif not value.strip():
                yield f"{what} must not be empty"
            elif client.has_control_characters(value):
                yield f"{what} must not hold control characters"
