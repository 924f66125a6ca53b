"""The members of a protection set: the items and policies that its inputs name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import MAX_LISTED, item_label, listed
from pulumi_dataprotection.core.protection.plan import Observed
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.registry import DeclaredItems
from pulumi_dataprotection.core.session import Context

__all__ = ["Member", "ResolvedMembers", "SetContext", "resolve_members"]


@dataclass(frozen=True, slots=True)
class SetContext:
    """A set in its tenant and its run.

    Attributes:
        run: the run.
        tenant: the tenant.
        urn: the set.
    """

    run: Context
    tenant: client.TenantCache
    urn: str

    @classmethod
    def of(cls, run: Context, tenant_id: object, urn: str = "") -> SetContext:
        """Find the tenant of a set; by default of the set of the operation."""
        return cls(run, run.account.tenant(str(tenant_id)), urn or run.urn)

    def key(self, item_id: str) -> tuple[str, str, str]:
        """Return the key of an item in the registry."""
        return "protection", self.tenant.id, item_id

    def label(self, item_id: str) -> str:
        """Return an item as messages name it, even if it cannot be read or does not exist any more."""
        try:
            return item_label(self.tenant.items.find(item_id))
        except (errors.UnresolvedReferenceError, errors.CallError):
            return printable(item_id)

    def listed(self, item_ids: Collection[str]) -> str:
        """Format items behind the colon of a message; the names of the first ones are read from the service."""
        ids = sorted(item_ids)
        named = 0 if self.tenant.gone else MAX_LISTED
        first, others = ids[:named], ids[named:]
        self.tenant.items.expect_lookups(len(first))
        return listed([*map(self.label, first), *map(printable, others)], ordered=True)

    def bare(self, item_ids: Collection[str]) -> list[str]:
        """Return the items that could be backed up, and have no policy."""
        bare = self.tenant.protections.bare(item_ids)
        return [id for id in bare if not self.tenant.items.find(id, id).archived]

    def undeclared(
        self, policies: Mapping[str, str], *, deleted: str = "", superseded: bool = False, by_name: bool = True
    ) -> dict[str, str]:
        """Return the policies on items that no resource of the program declares, by the item's id.

        Args:
            policies: policies of the set, by the item's id.
            deleted: the URN of the resource that is deleted, if one is.
            superseded: whether a policy is undeclared, too, if the item also has another policy, which is declared.
            by_name: whether to read the names of the items from the service.
        """
        declared = DeclaredItems(self.tenant, self.run.registry, deleted)
        return {
            id: policy
            for id, policy in policies.items()
            if declared.declared_by(id, own=policy if superseded else None, by_name=by_name) is None
        }

    def still_on(self, policies: Mapping[str, str]) -> dict[str, str]:
        """Return the policies that are still on items, and that nobody declares, by the item's id."""
        return DeclaredItems(self.tenant, self.run.registry).still_on(policies) if policies else {}

    def note_wanted(self, resolved: ResolvedMembers) -> None:
        """Note the policy that the set wants on each member, for the other resources of the program."""
        for item_id, member in resolved.members.items():
            if member.policy and not resolved.inputs.any_policy:
                self.run.registry.item(*self.key(item_id)).wanted = member.policy.id

    def own(self, item_id: str, shown: Mapping[str, str]) -> set[str]:
        """Return the policies on an item that are ours to replace.

        Args:
            item_id: the item.
            shown: the policies that the state of the set shows as its own, by the item's id.
        """
        own = self.run.registry.item(*self.key(item_id)).own
        return {*own, shown[item_id]} if item_id in shown else {*own}


@dataclass(frozen=True, slots=True)
class Member:
    """An item, and the policy that it should have; None if the policy is unknown, or does not exist."""

    item: client.records.Resource
    policy: client.records.Policy | None
    policy_name: str

    def observed(self, context: SetContext) -> Observed:
        """Return the item without its policies."""
        return Observed(self.item, label=context.tenant.policies.label)


@dataclass(frozen=True, slots=True)
class ResolvedMembers:
    """The items that the inputs of a set name.

    Attributes:
        inputs: the inputs.
        members: the items that can be protected, by id.
        archived: members that are not backed up any more, by id, as messages name them.
        skipped: names of items that do not exist or are archived, and the reasons; such items stay as they are.
        refused: names for which an `up` fails, and the reasons.
        policies: names that do not mean exactly one policy, and the reasons.
        passed_on: living items whose references in the program mean other items now.
    """

    inputs: SetInputs
    members: dict[str, Member] = field(default_factory=dict[str, Member])
    archived: dict[str, str] = field(default_factory=dict[str, str])
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    policies: dict[str, str] = field(default_factory=dict[str, str])
    passed_on: set[str] = field(default_factory=set[str])

    def wanted(self) -> dict[str, str]:
        """Return the policy of each member by the ids of both; empty if the policy is unknown."""
        return {id_: member.policy.id if member.policy else "" for id_, member in self.members.items()}

    def label(self, item_id: str) -> str:
        """Return a member as messages name it."""
        return item_label(self.members[item_id].item)

    def holds_for(self, inputs: SetInputs, kept: Collection[str]) -> bool:
        """Return whether `resolve_members` would return the same members for other arguments."""
        absent = {inputs.missing[name] for name in self.skipped}
        return self.inputs == inputs and self.archived.keys() <= {*kept} and absent.isdisjoint(kept)


def resolve_members(
    tenant: client.TenantCache,
    inputs: SetInputs,
    kept: Collection[str],
    known: Collection[str] = (),
    *,
    follow: bool = True,
) -> ResolvedMembers:
    """Find the items and policies that the inputs of a set name.

    Args:
        tenant: the tenant.
        inputs: the inputs; get the ids that the names mean.
        kept: ids of items that are members already, and stay even if they are archived.
        known: names that meant an item before.
        follow: whether a name passes on to another living item if the known item has lost it.

    Raises:
        NotFoundError: The tenant does not exist.
        CallError: It cannot be read.
    """
    tenant.expect_lookups(len(inputs.assignments))
    resolved = ResolvedMembers(inputs)
    policies = _find_policies(tenant, resolved, follow=follow)
    names: dict[str, str] = {}
    known_names = {*known, *kept, *inputs.resource_ids, *inputs.missing}
    # Resolve new names first: a newcomer may have taken over an old name.
    for name, policy in sorted(inputs.assignments.items(), key=lambda item: (item[0] in known_names, item[0])):
        id_ = inputs.resource_id(name) if name in known_names else None
        item: client.records.Resource | None = None
        try:
            item = tenant.items.find(name, None if id_ in names else id_, follow=follow)
        except errors.ReferenceNotFoundError:
            reason = "the resource does not exist"
        except errors.AmbiguousReferenceError as error:
            resolved.refused[name] = str(error)
            continue
        else:
            reason = "is archived and cannot be backed up any more"
        if item is None or (item.archived and item.id not in kept):
            inputs.resource_ids.pop(name, None)
            inputs.missing[name] = item.id if item else id_ or ""
            skips = inputs.on_missing == "warn" or (name in known_names and inputs.on_missing != "fail")
            (resolved.skipped if skips else resolved.refused)[name] = f"{printable(name)}: {reason}"
            continue
        if id_ and id_ != item.id and tenant.items.is_living(id_):
            resolved.passed_on.add(id_)
        inputs.missing.pop(name, None)
        _note(inputs.resource_ids, name, item.id)
        if item.id in names:
            resolved.refused[name] = (
                f'{printable(name)}: means the same as "{printable(names[item.id])}", {printable(item.id)}'
            )
            continue
        names[item.id] = name
        resolved.members[item.id] = Member(item, policies.get(policy), policy)
        if item.archived:
            resolved.archived[item.id] = item_label(item)
    resolved.passed_on.difference_update(resolved.members)
    return resolved


def _find_policies(
    tenant: client.TenantCache, resolved: ResolvedMembers, *, follow: bool
) -> dict[str, client.records.Policy]:
    found: dict[str, client.records.Policy] = {}
    ids = resolved.inputs.policy_ids
    for name in {*resolved.inputs.assignments.values()} - {""}:
        try:
            found[name] = tenant.policies.find(name, ids.get(name), follow=follow)
        except errors.UnresolvedReferenceError as error:
            resolved.policies[name] = str(error)
        else:
            _note(ids, name, found[name].id)
    return found


def _note(ids: dict[str, str], name: str, id_: str) -> None:
    """Note the id that a name means, unless the name is the id."""
    if id_ == name:
        ids.pop(name, None)
    else:
        ids[name] = id_
