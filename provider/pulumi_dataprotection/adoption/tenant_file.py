"""The data file of one tenant: its members by policy, as people read and edit them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.yaml_text import FileContent, Text, comment, load, scalar
from pulumi_dataprotection.client.records import Policy
from pulumi_dataprotection.functions.rules import references
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["Reference", "TenantFile", "build", "dumps", "item_references", "loads", "policy_references"]

_MAX_KEY = 900
"""The characters of a scalar that can be a key; YAML allows 1,024."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The text by which a file names an item or a policy.

    Attributes:
        text: its name if the name is unique, else its id.
        note: a comment beside an id.
        name: the text to sort by: an id has the position of its name.
    """

    text: str
    note: str
    name: str


class TenantFile(FileContent):
    """The content of the data file of one tenant.

    Attributes:
        tenant: the tenant's id.
        on_conflict: the argument of the tenant's set.
        policies: the references of the members by the reference of their policy.
    """

    tenant: Text
    on_conflict: Literal["fail", "accept"] = "fail"
    policies: dict[Text, list[Text]] = Field(default_factory=dict[str, list[str]])

    @field_validator("policies")
    @classmethod
    def _each_member_once(cls, policies: dict[str, list[str]]) -> dict[str, list[str]]:
        seen: dict[str, str] = {}
        for policy, members in policies.items():
            for member in members:
                if member in seen:
                    below = " and ".join(f'"{printable(one)}"' for one in dict.fromkeys((seen[member], policy)))
                    raise ValueError(f'"{printable(member)}" is there twice, below {below}')
                seen[member] = policy
        return policies

    @property
    def assignments(self) -> dict[str, str]:
        """The policy of each member, for a `ProtectionSet`."""
        return {member: policy for policy, members in self.policies.items() for member in members}


def item_references(contents: TenantContents) -> dict[str, Reference]:
    """Return the reference of each item of a tenant by its id."""
    texts = references(contents.items)
    return {
        item.id: _reference(item.id, texts[item.id], item.name, f"{item.name or 'without a name'}, {item.kind}")
        for item in contents.items
    }


def policy_references(policies: Mapping[str, Policy]) -> dict[str, Reference]:
    """Return the reference of each policy of a tenant by its id."""
    # The client compares the names of policies in one Unicode form.
    normal = {id: unicodedata.normalize("NFC", policy.name or "") for id, policy in policies.items()}
    counts = Counter(normal.values())
    found: dict[str, Reference] = {}
    for id, policy in policies.items():
        name = policy.name or ""
        usable = name.strip() and not client.has_control_characters(name) and len(scalar(name)) <= _MAX_KEY
        unique = counts[normal[id]] == 1 and (name == id or name not in policies)
        found[id] = _reference(id, name if usable and unique else id, name, name or "without a name")
    return found


def build(contents: TenantContents, policy_of: Mapping[str, str], on_conflict: Literal["fail", "accept"]) -> TenantFile:
    """Return the file of a tenant.

    Args:
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item.
        on_conflict: the argument of the tenant's set.
    """
    items, policies = item_references(contents), policy_references(contents.policies)
    grouped: dict[Reference, list[Reference]] = {}
    for item_id, policy_id in policy_of.items():
        # The list of policies may lack a policy that is in use.
        policy = policies.get(policy_id) or _reference(policy_id, policy_id, None, "")
        grouped.setdefault(policy, []).append(items[item_id])
    return TenantFile(
        tenant=contents.tenant.id,
        on_conflict=on_conflict,
        policies={
            policy.text: [member.text for member in sorted(grouped[policy], key=_sort_key)]
            for policy in sorted(grouped, key=_sort_key)
        },
    )


def dumps(file: TenantFile, contents: TenantContents) -> str:
    """Return the text of a tenant's file.

    Args:
        file: the content.
        contents: the tenant's contents, for the comments.
    """
    members = {reference.text: reference.note for reference in item_references(contents).values()}
    policies = {reference.text: reference.note for reference in policy_references(contents.policies).values()}
    lines = _lines(file, contents.tenant.name or contents.tenant.id, members, policies)
    return "".join(f"{line}\n" for line in lines)


def loads(text: str, source: str) -> TenantFile:
    """Read the text of a tenant's file.

    Args:
        text: the content of the file.
        source: the file, as errors name it.

    Raises:
        DataFileError: The text is not the content of a tenant's file; the error names the line.
    """
    return load(text, source, TenantFile)


def _sort_key(reference: Reference) -> tuple[str, str, str]:
    return client.folded(reference.name), reference.name, reference.text


def _reference(id: str, text: str, name: str | None, note: str) -> Reference:
    return Reference(text, note if text == id and text != name else "", name or id)


def _lines(
    file: TenantFile, name: str, member_notes: Mapping[str, str], policy_notes: Mapping[str, str]
) -> Iterator[str]:
    yield comment(f"The protections of {name}, by policy")
    yield f"tenant: {scalar(file.tenant)}"
    if file.on_conflict != "fail":
        yield f"on_conflict: {file.on_conflict}"
    yield "policies:" if file.policies else "policies: {}"
    for policy, members in file.policies.items():
        yield _noted(f"  {scalar(policy)}:{'' if members else ' []'}", policy_notes.get(policy))
        yield from (_noted(f"    - {scalar(member)}", member_notes.get(member)) for member in members)


def _noted(line: str, note: str | None) -> str:
    return f"{line}  {comment(note)}" if note else line
