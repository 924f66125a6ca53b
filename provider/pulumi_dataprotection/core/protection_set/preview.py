"""The preview of a protection set: reasons for which an `up` would fail, and notes on its work."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.core.messages import item_label, listed, name_of
from pulumi_dataprotection.core.protection.observe import preview, preview_removal
from pulumi_dataprotection.core.protection.plan import OnConflict, is_first_policy
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, SetContext
from pulumi_dataprotection.core.protection_set.plan import SetPlan, max_removals

__all__ = ["Preview", "member_problems", "preview_members", "removal_problem"]

_EXPLAINED = {
    "protect again": ", without any policy now",
    "finish": ", with a displaced policy that is removed now",
}


@dataclass(frozen=True, slots=True)
class Preview:
    """The work on the members that get a policy.

    Attributes:
        problem: the members that cannot be protected, with the reasons, or empty.
        work: the steps of an `up`, or empty.
        counts: the number of members by step: `protect`, `change`, `adopt`, `protect again`, `finish` and `own`.
        new: the kinds of the members that get their first policy, by the item's id.
    """

    problem: str
    work: str
    counts: Mapping[str, int]
    new: Mapping[str, str]


def member_problems(context: SetContext, resolved: ResolvedMembers) -> Iterator[str]:
    """Declare the members of a set, and find names and items that cannot be its members."""
    if resolved.policies:
        yield f"{len(resolved.policies):,} not to be found:{listed(resolved.policies.values())}"
    if resolved.refused:
        advice = 'Correct these names, or remove them. With on_missing "warn", missing and archived items are skipped'
        yield f"{len(resolved.refused):,} cannot be members:{listed(resolved.refused.values())}\n{advice}"
    twice: list[str] = []
    for item_id, member in resolved.members.items():
        _, other = context.run.registry.declare(context.urn, *context.key(item_id))
        if other:
            twice.append(f'{item_label(member.item)}, also by the resource "{name_of(other)}"')
    context.note_wanted(resolved)
    if twice:
        yield f"{len(twice):,} declared twice:{listed(twice)}\nKeep one of each"


def preview_members(
    context: SetContext,
    resolved: ResolvedMembers,
    shown: Mapping[str, str],
    on_conflict: OnConflict,
    plan: SetPlan | None = None,
    *,
    own: Collection[str] | None = None,
) -> Preview:
    """Preview the work on the members that get a policy.

    Args:
        context: the set.
        resolved: its members.
        shown: the policies that the state of the set shows as its own, by the item's id.
        on_conflict: what to do about other policies.
        plan: the plan; None for a new set, all of whose members get a policy.
        own: the members whose adopted policies become the set's own; by default those that it adopts now.
    """
    refused: list[str] = []
    advice: dict[str, None] = {}
    work: dict[str, list[str]] = {"protect": [], "change": [], "adopt": []}
    other_policies: list[str] = []
    new = [*plan.bare] if plan else []
    for item_id in [*plan.new, *plan.changed] if plan else resolved.members:
        member = resolved.members.get(item_id)
        if member is None or member.policy is None:
            continue
        ours, found = context.own(item_id, shown), member.observed(context)
        steps = preview(context.tenant, found, member.policy.id, own=ours, on_conflict=on_conflict, changes=True)
        if steps[0].action == "refuse":
            refused.append(steps[0].reason)
            advice[steps[0].advice] = None
        else:
            action = "adopt" if steps[0].action == "adopt" else "change" if steps[1:] else "protect"
            reasons = [step.reason for step in steps if step.reason]
            work[action].append("; ".join([found.name, *reasons]))
            new += [item_id] if is_first_policy(steps) else []
            if steps[0].policy_id != member.policy.id:
                other_policies.append(f"{found.name} has {found.label(steps[0].policy_id)}")
    problem = "\n".join([f"{len(refused):,} cannot be protected:{listed(refused)}", *advice]) if refused else ""
    work["protect again"] = [*map(context.label, plan.bare)] if plan else []
    work["finish"] = [*map(context.label, plan.unfinished)] if plan else []
    work["own"] = work["adopt"] if own is None else [*map(context.label, own)]
    hides_names = context.run.resource.hides_names
    text = _work_text(work, other_policies, len(resolved.members), hides_names=hides_names)
    counts = {step: len(names) for step, names in work.items()}
    return Preview(problem, text, counts, {id: resolved.members[id].item.kind or "" for id in new})


def _work_text(
    work: Mapping[str, Sequence[str]], other_policies: Sequence[str], members: int, *, hides_names: bool
) -> str:
    """Format the steps of an `up`: a line of counts in a form that programs can read, then the names for each step.

    Args:
        work: the names of the members, by step.
        other_policies: the adopted members that keep another policy than the program names.
        members: the number of members.
        hides_names: whether the names are secret.
    """
    counts = {step: f"{len(names):,} to {step}" for step, names in work.items() if names}
    if not counts:
        return ""
    if other_policies:
        counts["adopt"] += f", {len(other_policies):,} of them with another policy"
    lists = {f"to {step}{_EXPLAINED.get(step, '')}": names for step, names in work.items()}
    lists["with another policy"] = other_policies
    names = [f"{what}:{listed(names)}" for what, names in lists.items() if names and not hides_names]
    return "\n".join([f"{', '.join(counts.values())}, of {members:,} members.", *names])


def removal_problem(
    context: SetContext,
    removed: Mapping[str, str],
    limit: object,
    *,
    members: int,
    stay: int,
    moves_to: str = "",
    online: bool = True,
) -> str:
    """Return the reason for which a change removes too many members; empty if it does not.

    Args:
        context: the set.
        removed: the policies that it would remove, by the item's id.
        limit: the argument `max_removals`.
        members: the number of members before.
        stay: the number of these members that stay.
        moves_to: the tenant that the whole set moves to, if it does.
        online: whether the service may be asked which items would lose a policy.
    """
    allowed, tenant = max_removals(limit, members), context.tenant

    def too_many(count: int) -> bool:
        # The last of several members leaves only if the program says so.
        last = limit is None and members > 1 and not stay
        return count > allowed or (last and count > 0)

    if not too_many(len(removed)):
        return ""
    loses = [*removed]
    if online:
        tenant.protections.expect_proofs(removed)
        # An item without our policy has nothing to lose.
        loses = [id for id in loses if preview_removal(tenant, id, removed[id]).action == "unprotect"]
    if not too_many(len(loses)):
        return ""
    change = f"move the set to tenant {printable(moves_to)}, and unprotect" if moves_to else "unprotect"
    reason = f"max_removals allows {allowed:,}" if len(loses) > allowed else "no member would stay in the set"
    return (
        f"this would {change} {len(loses):,} of {members:,} members in tenant {printable(tenant.id)}, and {reason}:"
        f"{listed(map(context.label if online else printable, loses))}\n"
        f'If you want that, set max_removals to {len(loses)}, or to a share such as "100%".'
    )
