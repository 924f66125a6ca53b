"""The preview of a protection set: reasons for which an `up` would fail, and notes on its work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pulumi_dataprotection.core.messages import listed, name_of
from pulumi_dataprotection.core.protection.operations import preview, preview_removal
from pulumi_dataprotection.core.protection.plan import OnConflict
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, SetContext
from pulumi_dataprotection.core.protection_set.plan import SetPlan, max_removals

__all__ = ["Preview", "member_problems", "preview_members", "removal_problem"]


@dataclass(frozen=True, slots=True)
class Preview:
    """The work on the members that get a policy.

    Attributes:
        problem: the members that cannot be protected, with the reasons, or empty.
        notes: texts for the user.
    """

    problem: str
    notes: list[str]


def member_problems(context: SetContext, resolved: ResolvedMembers) -> Iterator[str]:
    """Declare the members of a set, and find names and items that cannot be its members."""
    if resolved.policies:
        yield f"{len(resolved.policies):,} not to be found:{listed(resolved.policies.values())}"
    if resolved.refused:
        advice = 'Mend or leave them out; with on_missing "warn", those that are not there or archived are skipped'
        yield f"{len(resolved.refused):,} cannot be members:{listed(resolved.refused.values())}\n{advice}"
    twice: list[str] = []
    for item_id, member in resolved.members.items():
        _, other = context.run.registry.declare(context.urn, *context.key(item_id))
        if other:
            twice.append(f'{member.item.name} ({item_id}), also by the resource "{name_of(other)}"')
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
    own: int | None = None,
) -> Preview:
    """Preview the work on the members that get a policy.

    Args:
        context: the set.
        resolved: its members.
        shown: the policies that the state of the set shows as its own, by the item's id.
        on_conflict: what to do about other policies.
        plan: the plan; None for a new set, all of whose members get a policy.
        own: the number of adopted policies that become the set's own; by default those that it adopts now.
    """
    refused: list[str] = []
    advice: dict[str, None] = {}
    taken: list[str] = []
    counts = {"protect": 0, "change": 0, "adopt": 0}
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
            counts["adopt" if steps[0].action == "adopt" else "change" if steps[1:] else "protect"] += 1
            taken += [step.reason for step in steps if step.reason]
    problem = "\n".join([f"{len(refused):,} cannot be protected:{listed(refused)}", *advice]) if refused else ""
    bare, unfinished = (plan.bare, plan.unfinished) if plan else ((), ())
    notes: list[str] = []
    if bare:
        names = listed(map(context.label, bare))
        notes.append(f"{len(bare):,} to protect again, without any policy now:{names}")
    if unfinished:
        found_on = f"{len(unfinished):,} taken over with the displaced policy still on, which is removed now"
        notes.append(f"{found_on}:{listed(map(context.label, unfinished))}")
    if taken:
        notes.append(f"{len(taken):,} taken over:{listed(taken)}")
    counts |= {"protect again": len(bare), "own": counts["adopt"] if own is None else own}
    if steps_text := ", ".join(f"{count:,} to {what}" for what, count in counts.items() if count):
        notes.append(f"{steps_text}, of {len(resolved.members):,} members.")
    return Preview(problem, notes)


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
    change = f"move the set to tenant {moves_to}, and unprotect" if moves_to else "unprotect"
    reason = f"max_removals allows {allowed:,}" if len(loses) > allowed else "no member would stay in the set"
    return (
        f"this would {change} {len(loses):,} of {members:,} members in tenant {tenant.id}, and {reason}:"
        f"{listed(map(context.label, loses) if online else loses)}\n"
        f'If you want that, set max_removals to {len(loses)}, or to a share such as "100%".'
    )
