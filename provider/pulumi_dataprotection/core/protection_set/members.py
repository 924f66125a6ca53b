"""The members of a protection set: what its inputs name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.apply import GRAVE

__all__ = ["MOST_LISTED", "Member", "ResolvedMembers", "SetInputs", "is_living", "listed", "resolve_members"]

MOST_LISTED = 20
"""So many things of many are named in a message."""


@dataclass(frozen=True, slots=True)
class SetInputs:
    """The inputs of a set.

    Attributes:
        assignments: the policy of each member, by how the program names them; empty where it is not known yet.
        resource_ids: what the names of members mean, where that is no id itself.
        policy_ids: what the names of policies mean, where that is no id itself.
        missing: members that do not exist or are archived, and what they meant before.
        on_missing: what to do about such.
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
        """Read them from properties whose shape was checked."""
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
        """What the names mean, as the state has it."""
        maps = {"resource_ids": self.resource_ids, "policy_ids": self.policy_ids, "missing": self.missing}
        return {name: ids for name, ids in maps.items() if ids}

    def resource_id(self, name: str) -> str:
        """What the name of a member means, or meant before; itself where that is not known."""
        return self.resource_ids.get(name) or self.missing.get(name) or name

    def policy_id(self, name: str) -> str:
        """What the name of a policy means; itself where that is not known."""
        return self.policy_ids.get(name, name)

    def wanted(self) -> dict[str, str]:
        """The policy of each member by the ids of both; empty where the policy is not known."""
        return {
            self.resource_id(name): self.policy_id(policy)
            for name, policy in self.assignments.items()
            if name not in self.missing
        }

    def carry_on(self, before: SetInputs) -> None:
        """Let names that did not change mean what they meant before, also after a renaming."""
        for now, then in ((self.resource_ids, before.resource_ids), (self.missing, before.missing)):
            now.update({name: then[name] for name in self.assignments if name in then})
        policies = {*self.assignments.values()}
        self.policy_ids.update({name: id_ for name, id_ in before.policy_ids.items() if name in policies})


@dataclass(frozen=True, slots=True)
class Member:
    """A resource of the tenant, and the policy that it should have; None where that is not known, or does not exist."""

    resource: client.records.Resource
    policy: client.records.Policy | None
    policy_name: str


@dataclass(frozen=True, slots=True)
class ResolvedMembers:
    """Who is there of those that the inputs name.

    Attributes:
        members: those that can be protected, by the resource's id.
        archived: those of them that are not backed up any more, as messages name them.
        skipped: those that are not there or archived, and why; nothing is done about them.
        refused: those that stand in the way, and why.
        policies: names that are not those of one policy, and why.
        passed_on: living items whose references in the program mean other items now.
    """

    members: dict[str, Member] = field(default_factory=dict[str, Member])
    archived: list[str] = field(default_factory=list[str])
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    policies: dict[str, str] = field(default_factory=dict[str, str])
    passed_on: set[str] = field(default_factory=set[str])

    def wanted(self) -> dict[str, str]:
        """The policy of each member by the ids of both; empty where the policy is not known."""
        return {id_: member.policy.id if member.policy else "" for id_, member in self.members.items()}


def resolve_members(
    tenant: client.TenantCache,
    inputs: SetInputs,
    kept: Collection[str],
    known: Collection[str] = (),
    *,
    follow: bool = True,
) -> ResolvedMembers:
    """Find out what the names of a set mean.

    Args:
        tenant: the tenant.
        inputs: the inputs; get the ids that the names mean.
        kept: ids of those that are members already, and stay so though they are archived.
        known: names that meant somebody before.
        follow: whether a name passes on to another living item if the known item has lost it.

    Raises:
        NotFoundError: the tenant does not exist.
        CallError: it cannot be read.
    """
    tenant.expect_lookups(len(inputs.assignments))
    resolved = ResolvedMembers()
    policies = _find_policies(tenant, inputs, resolved, follow=follow)
    names: dict[str, str] = {}
    known_names = {*known, *kept, *inputs.resource_ids, *inputs.missing}
    # New names first: what one of them means, a name of before means no more, as when a newcomer has got it.
    for name, policy in sorted(inputs.assignments.items(), key=lambda item: (item[0] in known_names, item[0])):
        id_ = inputs.resource_id(name) if name in known_names else None
        resource: client.records.Resource | None = None
        try:
            resource = tenant.items.find(name, None if id_ in names else id_, follow=follow)
        except errors.ReferenceNotFoundError:
            reason = "there is no such resource"
        except errors.AmbiguousReferenceError as error:
            resolved.refused[name] = str(error)
            continue
        else:
            reason = "is archived and cannot be backed up any more"
        if resource is None or (resource.archived and resource.id not in kept):
            inputs.resource_ids.pop(name, None)
            inputs.missing[name] = resource.id if resource else id_ or ""
            skips = inputs.on_missing == "warn" or (name in known_names and inputs.on_missing != "fail")
            (resolved.skipped if skips else resolved.refused)[name] = f"{name}: {reason}"
            continue
        if id_ and id_ != resource.id and is_living(tenant, id_):
            resolved.passed_on.add(id_)
        inputs.missing.pop(name, None)
        _note(inputs.resource_ids, name, resource.id)
        if resource.id in names:
            resolved.refused[name] = f'{name}: means the same as "{names[resource.id]}", {resource.id}'
            continue
        names[resource.id] = name
        resolved.members[resource.id] = Member(resource, policies.get(policy), policy)
        if resource.archived:
            resolved.archived.append(f"{resource.name} ({resource.id})")
    resolved.passed_on.difference_update(resolved.members)
    return resolved


def is_living(tenant: client.TenantCache, resource_id: str) -> bool:
    """Return whether an item exists and is not archived."""
    try:
        return not tenant.items.find(resource_id, resource_id).archived
    except (errors.ReferenceNotFoundError, errors.NotFoundError):
        return False


def listed(lines: Iterable[str]) -> str:
    """Put many things behind the colon of a message: the gravest first, only a few, and how many more there are."""
    found = sorted(lines, key=lambda line: (GRAVE not in line, line))
    more = [f"and {len(found) - MOST_LISTED:,} more"] if len(found) > MOST_LISTED else []
    return "\n  ".join(["", *found[:MOST_LISTED], *more]) if len(found) > 1 else f" {found[0]}"


def _find_policies(
    tenant: client.TenantCache, inputs: SetInputs, resolved: ResolvedMembers, *, follow: bool
) -> dict[str, client.records.Policy]:
    found: dict[str, client.records.Policy] = {}
    for name in {*inputs.assignments.values()} - {""}:
        try:
            found[name] = tenant.policies.find(name, inputs.policy_ids.get(name), follow=follow)
        except errors.UnresolvedReferenceError as error:
            resolved.policies[name] = str(error)
        else:
            _note(inputs.policy_ids, name, found[name].id)
    return found


def _note(ids: dict[str, str], name: str, id_: str) -> None:
    """Note what a name means; an id means itself."""
    if id_ == name:
        ids.pop(name, None)
    else:
        ids[name] = id_


def _mapping(properties: Mapping[str, object], name: str) -> dict[str, object]:
    value = properties.get(name)
    return {**cast("Mapping[str, object]", value)} if isinstance(value, Mapping) else {}
