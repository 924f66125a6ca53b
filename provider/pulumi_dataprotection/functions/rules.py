"""Rules that say which policy each resource of a tenant gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions.resources import matches_name

__all__ = ["Assignments", "Rule", "assign"]


@dataclass(frozen=True)
class Rule:
    """Which policy the resources get that meet all of its conditions; without conditions it is for everything.

    Args:
        policy: the policy, by id or name; None leaves those out on purpose that meet the conditions.
        kind: the resource is of exactly this kind, such as `office_user` or `office_teamdrive`.
        name: its name matches this pattern (`*@contoso.example`), without regard to case.
        among: it is one of these: ids, `ext$` and external ids, or names without regard to case. Each is looked for
            among what meets the other conditions.

    Raises:
        TypeError: an argument is not of its type; one text as `among`, too.
        ValueError: a text is empty or holds control characters.
    """

    policy: str | None
    _: KW_ONLY
    kind: str | None = None
    name: str | None = None
    among: Iterable[str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for argument in ("policy", "kind", "name"):
            if (value := getattr(self, argument)) is not None:
                _check_usable(argument, value)
        if isinstance(self.among, str):
            raise TypeError("Rule: among must be a list of references, not a single text")
        if self.among is not None:
            listed = tuple(self.among)
            for reference in listed:
                _check_text("each of among", reference)
            object.__setattr__(self, "among", listed)


@dataclass(frozen=True)  # Without slots: a stack's output is made from the attributes' dictionary.
class Assignments:
    """What rules make of the resources of a tenant; each of them is in exactly one of the first four groups.

    Attributes:
        assignments: the policy by resource, for a `ProtectionSet`. A resource stands there with its name where that
            means no other one, else with its id.
        excluded: what a rule leaves out on purpose.
        unmatched: what no rule is for.
        archived: what can no longer be backed up, so that no rule is for it.
        matched: for each rule how many resources it was the first one for.
        unresolved: what is listed in an `among` and means none of the resources, archived ones counted, or several.
    """

    assignments: dict[str, str]
    excluded: list[client.records.Resource]
    unmatched: list[client.records.Resource]
    archived: list[client.records.Resource]
    matched: list[int]
    unresolved: list[str]


def assign(resources: Iterable[client.records.Resource], rules: Iterable[Rule]) -> Assignments:
    """Give each resource of a tenant the policy of the first rule that is for it.

    Nothing is asked of the service here, and nothing changes there before a `ProtectionSet` has the assignments.

    Example:
        ```python
        from pulumi_dataprotection import ProtectionSet, Rule, assign, get_resources

        baseline = assign(
            get_resources("tenant-contoso").items,
            [
                Rule(None, name="test-*"),
                Rule("Gold", among=["jane.doe@contoso.example", "ext$usr-1002"]),
                Rule("Silver", kind="office_user"),
            ],
        )
        ProtectionSet("everybody", tenant_id="tenant-contoso", assignments=baseline.assignments)
        ```

    Args:
        resources: all resources of one tenant: a name counts as one resource's alone only if no other one is left out.
        rules: the rules; the first one whose conditions a resource meets decides.

    Returns:
        The assignments, and what is not among them.
    """
    index = _index(resources)
    everything = [*index.by_id.values()]
    unmatched = [resource for resource in everything if not resource.archived]
    named = _resolve(index, (resource.name for resource in everything if resource.name))
    assignments: dict[str, str] = {}
    excluded: list[client.records.Resource] = []
    matched: list[int] = []
    listed: dict[str, None] = {}
    resolved: set[str] = set()
    for rule in rules:
        if rule.among is None:
            ids = {resource.id for resource in _fitting(rule, unmatched)}
        else:
            found = _resolve(_index(_fitting(rule, everything)), rule.among)
            ids = {*found.values()}
            resolved |= found.keys()
            listed |= dict.fromkeys(rule.among)
        decided = [resource for resource in unmatched if resource.id in ids]
        unmatched = [resource for resource in unmatched if resource.id not in ids]
        matched.append(len(decided))
        if rule.policy is None:
            excluded += decided
        else:
            assignments |= {_reference(resource, named): rule.policy for resource in decided}
    return Assignments(
        assignments=assignments,
        excluded=excluded,
        unmatched=unmatched,
        archived=[resource for resource in everything if resource.archived],
        matched=matched,
        unresolved=[reference for reference in listed if reference not in resolved],
    )


def _index(resources: Iterable[client.records.Resource]) -> client.ResourceIndex:
    # The tenant stands in its errors alone, which nobody sees here.
    return client.ResourceIndex("", resources)


def _fitting(rule: Rule, resources: Iterable[client.records.Resource]) -> Iterator[client.records.Resource]:
    """The resources that meet the conditions on their own fields."""
    for resource in resources:
        if rule.kind in {None, resource.kind} and (rule.name is None or matches_name(resource, rule.name)):
            yield resource


def _resolve(index: client.ResourceIndex, references: Iterable[str]) -> dict[str, str]:
    """The ids of the resources that references mean, by reference; one that means none or several is left out."""
    ids: dict[str, str] = {}
    # Each text once: to learn that thousands have a name takes a look at all of them.
    for reference in dict.fromkeys(references):
        with suppress(errors.UnresolvedReferenceError):
            ids[reference] = index.find(reference).id
    return ids


def _reference(resource: client.records.Resource, named: Mapping[str, str]) -> str:
    name = resource.name or ""
    alone = named.get(name) == resource.id
    # Such a name is no reference that a resource takes as its argument.
    odd = not name.strip() or client.has_control_characters(name)
    return name if alone and not odd else resource.id


def _check_text(argument: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"Rule: {argument} must be text, not {type(value).__name__}")


def _check_usable(argument: str, value: str) -> None:
    _check_text(argument, value)
    if not value.strip():
        raise ValueError(f"Rule: {argument} must not be empty")
    if client.has_control_characters(value):
        raise ValueError(f"Rule: {argument} must not hold control characters")
