"""The rules of one tenant: the fewest that assign today's policies, and the exceptions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pulumi_dataprotection import client
from pulumi_dataprotection.adoption.references import Reference, item_references, policy_references, sort_key
from pulumi_dataprotection.adoption.rules_file import RuleEntry, RulesFile
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.functions.resources import comparable
from pulumi_dataprotection.functions.rules import assign
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["infer"]

_MIN_SAVED = 3
"""The exceptions that a pattern has to save; a reviewer reads fewer names faster than a pattern."""

_FIRST_WORD = re.compile(r"[^\W_]+[-_. ]")
_SPECIAL = str.maketrans({character: f"[{character}]" for character in "*?["})

_Label = str | None
"""The reference of a policy, or None for an item that has none."""


def infer(contents: TenantContents, policy_of: Mapping[str, str], on_conflict: OnConflict) -> RulesFile:
    """Find rules that assign to each item of a tenant exactly the policy that it has.

    Each kind gets its most common policy. A pattern (an e-mail domain, or the first word of a name) comes before, if it
    saves exceptions. The remaining exceptions come first, by their names.

    Args:
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item; no rule matches any other item.
        on_conflict: the argument of the tenant's set.
    """
    policies, items = policy_references(contents.policies, policy_of.values()), item_references(contents)
    living = [item for item in contents.items if not item.archived]
    wanted = {item.id: policies[policy_of[item.id]].text if item.id in policy_of else None for item in living}
    by_kind: defaultdict[str, list[Resource]] = defaultdict(list)
    for item in living:
        if item.kind and item.kind.strip() and not client.has_control_characters(item.kind):
            by_kind[item.kind].append(item)
    rules = [rule for kind in sorted(by_kind) for rule in _rules_of_kind(kind, by_kind[kind], wanted)]
    return RulesFile(
        tenant=contents.tenant.id,
        on_conflict=on_conflict,
        rules=[*_exceptions(contents, rules, wanted, items), *rules],
    )


def _rules_of_kind(kind: str, items: Sequence[Resource], wanted: Mapping[str, _Label]) -> list[RuleEntry]:
    """Return the rules of one kind: patterns, and then the most common policy."""
    usual = _most_common(wanted[item.id] for item in items)
    given = {item.id: usual for item in items}
    rules = [RuleEntry(policy=usual, kind=kind)] if usual else []
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        for pattern in _patterns(item):
            groups[pattern].append(item.id)
    while True:
        best, most_saved = "", _MIN_SAVED - 1
        for pattern in sorted(groups):
            ids = groups[pattern]
            right = sum(given[id] == wanted[id] for id in ids)
            saved = Counter(wanted[id] for id in ids).most_common(1)[0][1] - right
            if saved > most_saved:
                best, most_saved = pattern, saved
        if not best:
            return rules
        policy = _most_common(wanted[id] for id in groups[best])
        given.update(dict.fromkeys(groups[best], policy))
        # Before the others: a pattern that is found later corrects an earlier pattern.
        rules.insert(0, RuleEntry(policy=policy, kind=kind, name=best))


def _most_common(labels: Iterable[_Label]) -> _Label:
    # If there are as many without a policy, the rule protects newcomers.
    return min(Counter(labels).items(), key=lambda entry: (-entry[1], entry[0] is None, entry[0] or ""))[0]


def _patterns(item: Resource) -> Iterator[str]:
    name = comparable(item.name or "")
    if client.has_control_characters(name):
        return
    if domain := name.rpartition("@")[2] if "@" in name else "":
        yield f"*@{domain.translate(_SPECIAL)}"
    if word := _FIRST_WORD.match(name):
        yield f"{word[0]}*"


def _exceptions(
    contents: TenantContents, rules: Sequence[RuleEntry], wanted: Mapping[str, _Label], items: Mapping[str, Reference]
) -> Iterator[RuleEntry]:
    """Yield rules by name for the items that would get another policy."""
    given = assign(contents.items, [entry.rule for entry in rules]).assignments
    listed: defaultdict[_Label, list[Reference]] = defaultdict(list)
    for id, label in wanted.items():
        if given.get(items[id].text) != label:
            listed[label].append(items[id])
    for label in sorted(listed, key=lambda label: (label is not None, label or "")):
        yield RuleEntry(policy=label, among=[one.text for one in sorted(listed[label], key=sort_key)])
