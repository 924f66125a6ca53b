"""The data file of one tenant: its members by policy, as people read and edit them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field, field_validator

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.references import Reference, item_references, policy_references, sort_key
from pulumi_dataprotection.adoption.yaml_content import FileContent, Text, load
from pulumi_dataprotection.adoption.yaml_text import comment, noted, scalar
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["OnConflict", "TenantFile", "build", "dumps", "loads"]

OnConflict = Literal["fail", "accept"]
"""The choices of `on_conflict` that write nothing for what is adopted."""


class TenantFile(FileContent):
    """The content of the data file of one tenant.

    Attributes:
        tenant: the tenant's id.
        on_conflict: the argument of the tenant's set.
        policies: the references of the members by the reference of their policy.
    """

    tenant: Text
    on_conflict: OnConflict = "fail"
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


def build(contents: TenantContents, policy_of: Mapping[str, str], on_conflict: OnConflict) -> TenantFile:
    """Return the file of a tenant.

    Args:
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item.
        on_conflict: the argument of the tenant's set.
    """
    items, policies = item_references(contents), policy_references(contents.policies, policy_of.values())
    grouped: dict[Reference, list[Reference]] = {}
    for item_id, policy_id in policy_of.items():
        grouped.setdefault(policies[policy_id], []).append(items[item_id])
    return TenantFile(
        tenant=contents.tenant.id,
        on_conflict=on_conflict,
        policies={
            policy.text: [member.text for member in sorted(grouped[policy], key=sort_key)]
            for policy in sorted(grouped, key=sort_key)
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


def _lines(
    file: TenantFile, name: str, member_notes: Mapping[str, str], policy_notes: Mapping[str, str]
) -> Iterator[str]:
    yield comment(f"The protections of {name}, by policy")
    yield f"tenant: {scalar(file.tenant)}"
    if file.on_conflict != "fail":
        yield f"on_conflict: {file.on_conflict}"
    yield "policies:" if file.policies else "policies: {}"
    for policy, members in file.policies.items():
        yield noted(f"  {scalar(policy)}:{'' if members else ' []'}", policy_notes.get(policy))
        yield from (noted(f"    - {scalar(member)}", member_notes.get(member)) for member in members)
