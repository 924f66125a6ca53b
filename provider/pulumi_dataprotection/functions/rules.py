"""Rules that assign policies to the resources of a tenant."""

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
    """A policy for the resources that meet all conditions; without conditions it matches every resource.

    Args:
        policy: the policy, by id or name; None excludes the resources that meet the conditions.
        kind: the resource has exactly this kind, such as `office_user` or `office_teamdrive`.
        name: the resource's name matches this pattern (`*@contoso.example`), without regard to case.
        among: the resource is one of these: ids, `ext$` and external ids, or names without regard to case. A
            reference is resolved among the resources that meet the other conditions.

    Raises:
        TypeError: an argument is not of its type; also if `among` is a single text.
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
    """The result of rules for the resources of a tenant; each resource is in exactly one of the first four groups.

    Attributes:
        assignments: the policy by resource, for a `ProtectionSet`. The key is the resource's name if the name is
            unique, else its id.
        excluded: the resources that a rule with the policy None matched first.
        unmatched: the resources that no rule matches.
        archived: the resources that can no longer be backed up; no rule applies to them.
        matched: the number of resources that each rule matched first.
        unresolved: the references of an `among` that match several resources or, archived ones included, none.
    """

    assignments: dict[str, str]
    excluded: list[client.records.Resource]
    unmatched: list[client.records.Resource]
    archived: list[client.records.Resource]
    matched: list[int]
    unresolved: list[str]


def assign(resources: Iterable[client.records.Resource], rules: Iterable[Rule]) -> Assignments:
    """Assign to each resource of a tenant the policy of the first rule that matches it.

    This makes no call. The service changes only when a `ProtectionSet` applies the assignments.

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
        resources: all resources of one tenant; if some are missing, a name may look unique although it is not.
        rules: the rules; the first rule that matches a resource decides.

    Returns:
        The assignments, and the resources without an assignment.
    """
    index = _index(resources)
    everything = [*index.by_id.values()]
    unmatched = [resource for resource in everything if not resource.archived]
    reference_of = _references(index)
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
            assignments |= {reference_of[resource.id]: rule.policy for resource in decided}
    return Assignments(
        assignments=assignments,
        excluded=excluded,
        unmatched=unmatched,
        archived=[resource for resource in everything if resource.archived],
        matched=matched,
        unresolved=[reference for reference in listed if reference not in resolved],
    )


def references(resources: Iterable[client.records.Resource]) -> dict[str, str]:
    """Return the reference of each resource of a tenant by its id: the name if it is unique, else the id."""
    return _references(_index(resources))


def _references(index: client.ResourceIndex) -> dict[str, str]:
    named = _resolve(index, (resource.name for resource in index.by_id.values() if resource.name))
    return {resource.id: _reference(resource, named) for resource in index.by_id.values()}


def _index(resources: Iterable[client.records.Resource]) -> client.ResourceIndex:
    # The tenant's id is only part of errors, which are suppressed here.
    return client.ResourceIndex("", resources)


def _fitting(rule: Rule, resources: Iterable[client.records.Resource]) -> Iterator[client.records.Resource]:
    """Yield the resources that meet the conditions on their fields."""
    for resource in resources:
        if rule.kind in {None, resource.kind} and (rule.name is None or matches_name(resource, rule.name)):
            yield resource


def _resolve(index: client.ResourceIndex, references: Iterable[str]) -> dict[str, str]:
    """Return the ids of resources by reference, without references that match no resource or several."""
    ids: dict[str, str] = {}
    # Each text once, because finding a name that thousands share takes a scan of all resources.
    for reference in dict.fromkeys(references):
        with suppress(errors.UnresolvedReferenceError):
            ids[reference] = index.find(reference).id
    return ids


def _reference(resource: client.records.Resource, named: Mapping[str, str]) -> str:
    name = resource.name or ""
    alone = named.get(name) == resource.id
    # Resources reject such a name as an argument.
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
