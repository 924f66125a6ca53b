"""The update of a tenant's file: changes in the service are merged, and edits by hand stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.edited_file import EditedFile
from pulumi_dataprotection.adoption.references import item_references, policy_references
from pulumi_dataprotection.adoption.snapshot import Snapshot, take
from pulumi_dataprotection.adoption.tenant_file import OnConflict, build, dumps, loads
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["Change", "Merge", "merge"]


@dataclass(frozen=True, slots=True)
class Change:
    """A member whose policies in the file and in the service differ.

    Attributes:
        id: the id of the item.
        reference: the member, as the file names it.
        file: its policy in the file; None if the file does not have the member.
        service: its policy in the service; None if it has none, or if it cannot be backed up any more.
    """

    id: str
    reference: str
    file: str | None
    service: str | None


@dataclass(frozen=True, slots=True)
class Merge:
    """The result of an update.

    Attributes:
        text: the new text of the file.
        snapshot: the evidence for the next update.
        merged: the changes of the service that the file got.
        kept: the edits by hand that the service does not have.
        contradictions: the members that both changed; the file has its own policy.
        unknown: the references of the file that mean no item or no policy, or an item twice. They stay.
    """

    text: str
    snapshot: Snapshot
    merged: list[Change] = field(default_factory=list[Change])
    kept: list[Change] = field(default_factory=list[Change])
    contradictions: list[Change] = field(default_factory=list[Change])
    unknown: list[str] = field(default_factory=list[str])


def merge(
    text: str,
    source: str,
    contents: TenantContents,
    policy_of: Mapping[str, str],
    *,
    base: Snapshot,
    unclear: Collection[str] = (),
    on_conflict: OnConflict = "fail",
) -> Merge:
    """Merge the service into a file that may have been edited by hand.

    A member that is in the file as it was written gets the policy of the service. A member that was edited keeps its
    policy; if the service changed, too, this is a contradiction.

    Args:
        text: the text of a valid file.
        source: the file, as errors name it.
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item.
        base: the evidence of the last adoption; an empty snapshot without one.
        unclear: the ids of items whose policy in the service is unclear, such as items with two policies.
        on_conflict: the argument of the tenant's set in the file.

    Raises:
        DataFileError: A change is in a list that is not written line by line.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    generated = dumps(build(contents, policy_of, on_conflict), contents)
    if base.wrote(text) and not unclear:
        changes = _changes_of_untouched(contents, policy_of, base)
        return Merge(mark + generated, take(generated, contents, policy_of), changes)
    file = EditedFile(text, source, contents, policy_of.values(), base)
    before = {id: policy_id for id, (_, policy_id) in base.members.items()}
    # An unclear policy does not count as a change in the service.
    now = {**policy_of, **{id: policy for id in unclear if (policy := before.get(id) or file.policy_of.get(id))}}
    merged: dict[str, str | None] = {}
    result = Merge(text, base, unknown=file.unknown)
    for id in sorted({*file.policy_of, *now}):
        written, today, earlier = (policies.get(id) for policies in (file.policy_of, now, before))
        if written != today:
            change = Change(id, file.name(id), file.policy_name(written), file.policy_name(today))
            if written == earlier:
                result.merged.append(change)
                merged[id] = today
            else:
                (result.kept if today == earlier else result.contradictions).append(change)
    edited = file.edit(merged)
    expected = {id: policy for id, policy in {**file.policy_of, **merged}.items() if policy}
    # A large tenant needs the memory.
    del file
    snapshot = _snapshot(
        take(edited if edited == generated else "", contents, policy_of),
        base,
        {id: reference.text for id, reference in item_references(contents).items()},
        {*unclear, *(change.id for change in result.contradictions)},
    )
    if edited not in {text, generated} and expected != _meaning(edited, source, contents, policy_of.values(), snapshot):
        # A file can have a form that nobody thought of.
        raise DataFileError(f"Cannot update {printable(source)}: its form is unusual. Write one member per line.")
    return replace(result, text=mark + edited, snapshot=snapshot)


def _changes_of_untouched(contents: TenantContents, policy_of: Mapping[str, str], base: Snapshot) -> list[Change]:
    """Return the changes in a file that nobody edited: it has what the evidence has."""
    items, policies = item_references(contents), policy_references(contents.policies, policy_of.values())
    names = {**base.policies, **{id: reference.text for id, reference in policies.items()}}
    changes: list[Change] = []
    for id in sorted({*base.members, *policy_of}):
        reference, before = base.members.get(id) or (items[id].text, "")
        today = policy_of.get(id, "")
        if before != today:
            changes.append(Change(id, reference, names.get(before), names.get(today)))
    return changes


def _meaning(
    text: str, source: str, contents: TenantContents, used: Iterable[str], base: Snapshot
) -> Mapping[str, str] | None:
    """Return the policies that an edited text means; None if it is not valid."""
    try:
        loads(text, source)
    except DataFileError:
        return None
    return EditedFile(text, source, contents, used, base).policy_of


def _snapshot(taken: Snapshot, base: Snapshot, references: Mapping[str, str], unsettled: Collection[str]) -> Snapshot:
    """Return the evidence for the next update, which finds a contradiction again."""
    members = {id: member for id, member in taken.members.items() if id not in unsettled}
    for id in unsettled:
        if id in base.members:
            reference, policy_id = base.members[id]
            members[id] = references.get(id, reference), policy_id
    policies = {id: base.policies[id] for _, id in members.values() if id in base.policies} | taken.policies
    return taken.model_copy(
        update={"members": dict(sorted(members.items())), "policies": dict(sorted(policies.items()))}
    )
