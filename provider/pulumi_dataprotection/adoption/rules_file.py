"""The rules file of one tenant: rules in their order, with the arguments of `Rule`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pulumi_dataprotection.adoption.references import item_references, policy_references
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.adoption.yaml_content import FileContent, Text, load
from pulumi_dataprotection.adoption.yaml_text import comment, noted, scalar
from pulumi_dataprotection.functions.rules import Rule, assign
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["RuleEntry", "RulesFile", "dumps", "loads"]


class RuleEntry(FileContent):
    """One rule, with the arguments of `Rule`."""

    policy: Text | None
    kind: Text | None = None
    name: Text | None = None
    among: list[Text] | None = None

    @property
    def rule(self) -> Rule:
        """The rule of a program."""
        return Rule(self.policy, kind=self.kind, name=self.name, among=self.among)


class RulesFile(FileContent):
    """The content of the rules file of one tenant.

    Attributes:
        tenant: the tenant's id.
        on_conflict: the argument of the tenant's set.
        rules: the rules in their order; the first rule that matches an item decides.
    """

    tenant: Text
    on_conflict: OnConflict = "fail"
    rules: list[RuleEntry]


def dumps(file: RulesFile, contents: TenantContents) -> str:
    """Return the text of a rules file; a comment on each rule says how many items of today it covers.

    Args:
        file: the content.
        contents: the tenant's contents.
    """
    counts = assign(contents.items, [entry.rule for entry in file.rules]).matched
    policies = {one.text: one.note for one in policy_references(contents.policies).values()}
    members = {one.text: one.note for one in item_references(contents).values()}
    lines = _lines(file, contents.tenant.name or contents.tenant.id, counts, policies, members)
    return "".join(f"{line}\n" for line in lines)


def loads(text: str, source: str) -> RulesFile:
    """Read the text of a rules file.

    Args:
        text: the content of the file.
        source: the file, as errors name it.

    Raises:
        DataFileError: The text is not the content of a rules file; the error names the line.
    """
    return load(text, source, RulesFile)


def _lines(
    file: RulesFile, name: str, counts: Sequence[int], policies: Mapping[str, str], members: Mapping[str, str]
) -> Iterator[str]:
    yield comment(f"The protections of {name}, by rule: the first rule that matches an item decides")
    yield f"tenant: {scalar(file.tenant)}"
    if file.on_conflict != "fail":
        yield f"on_conflict: {file.on_conflict}"
    yield "rules:" if file.rules else "rules: []"
    for entry, count in zip(file.rules, counts, strict=True):
        yield f"  # {count:,} {'item' if count == 1 else 'items'}{'' if entry.policy else ' without a policy'}"
        yield noted(
            f"  - policy: {'null' if entry.policy is None else scalar(entry.policy)}", policies.get(entry.policy or "")
        )
        yield from (
            f"    {key}: {scalar(value)}" for key, value in (("kind", entry.kind), ("name", entry.name)) if value
        )
        if entry.among is not None:
            yield "    among:" if entry.among else "    among: []"
            yield from (noted(f"      - {scalar(member)}", members.get(member)) for member in entry.among)
