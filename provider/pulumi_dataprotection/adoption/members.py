"""The members of one tenant to adopt, and all that is left out: a pure decision about the contents of the tenant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pulumi_dataprotection import client
from pulumi_dataprotection.adoption.references import item_references, policy_references
from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["KINDS", "Entry", "TenantPlan", "plan_tenant"]

KINDS: Mapping[str, str] = {
    "by_id": "adopted by id",
    "unprotected": "not protected",
    "archived": "archived",
    "several_policies": "several policies",
    "unknown_policy": "unknown policy",
    "gone": "item is gone",
}
"""The headings of the kinds of items in a report. Items of the kind `by_id` are adopted, all others are left out."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in a report.

    Attributes:
        id: its id.
        name: its name; None if the service does not state it.
        policies: the policies on it, as a program can name them.
    """

    id: str
    name: str | None
    policies: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TenantPlan:
    """The members of one tenant to adopt.

    Attributes:
        policy_of: the id of the policy of each member, by the id of the item.
        entries: the items in the report, by the kinds of `KINDS`.
    """

    policy_of: Mapping[str, str]
    entries: Mapping[str, Sequence[Entry]]


def plan_tenant(contents: TenantContents) -> TenantPlan:
    """Decide which protections of a tenant are adopted."""
    items, policies = item_references(contents), policy_references(contents.policies)
    policy_of: dict[str, str] = {}
    entries: defaultdict[str, list[Entry]] = defaultdict(list)
    known = {item.id: item for item in contents.items}
    for id in [*known, *(contents.policy_ids.keys() - known.keys())]:
        item, policy_ids = known.get(id), sorted({*contents.policy_ids.get(id, ())})
        kind = _left_out(item, policy_ids, contents)
        if policy_ids and not kind:
            policy_of[id] = policy_ids[0]
            kind = "by_id" if items[id].note else ""
        if kind:
            texts = [policies[policy].text if policy in policies else policy for policy in policy_ids]
            entries[kind].append(Entry(id, item.name if item else None, texts))
    return TenantPlan(policy_of, {kind: sorted(entries[kind], key=_by_name) for kind in KINDS if kind in entries})


def _left_out(item: Resource | None, policy_ids: Sequence[str], contents: TenantContents) -> str:
    """Return the kind of an item that is left out; empty if it is adopted, or if nobody can protect it."""
    if item is None:
        return "gone"
    if not policy_ids:
        return "" if item.archived else "unprotected"
    if item.archived:
        return "archived"
    if len(policy_ids) > 1:
        return "several_policies"
    return "" if policy_ids[0] in contents.policies else "unknown_policy"


def _by_name(entry: Entry) -> tuple[str, str]:
    return client.folded(entry.name or ""), entry.id
