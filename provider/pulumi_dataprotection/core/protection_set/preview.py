"""What a preview of a protection set finds: what stands in the way, and what the user should know before it is done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pulumi_dataprotection.core.protection.operations import preview, preview_removal
from pulumi_dataprotection.core.protection.plan import OnConflict
from pulumi_dataprotection.core.protection_set.context import Context
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, listed
from pulumi_dataprotection.core.protection_set.plan import max_removals
from pulumi_dataprotection.core.registry import name_of

__all__ = ["FORCED", "LEFT_EARLIER", "PASSED_ON", "Preview", "member_problems", "preview_members", "removal_problem"]

FORCED = (
    "a forced replacement removes no policy, and the new resource has adopted the policies. "
    'Do not use --replace or `pulumi state taint`. To own the policies again, set adopt to "own".'
)
LEFT_EARLIER = "{} left the set earlier and have its policy:{}"
PASSED_ON = (
    "{} keep the policy, since other items have their names now:{}\n"
    "Name these items in the program, or remove their policies in the portal."
)


@dataclass(frozen=True, slots=True)
class Preview:
    """What stands in the way of those that are to get a policy, and what is to be done about them.

    Attributes:
        problem: who cannot be protected, and why; empty where all can.
        notice: who is taken over; empty where nobody is.
        counts: how many are to be brought to what they should have, by what is done.
    """

    problem: str
    notice: str
    counts: dict[str, int]


def member_problems(context: Context, resolved: ResolvedMembers) -> Iterator[str]:
    """Find who of a set cannot be a member, and declare those who can.

    Args:
        context: the set.
        resolved: who is there.
    """
    if resolved.policies:
        yield f"{len(resolved.policies):,} not to be found:{listed(resolved.policies.values())}"
    if resolved.refused:
        advice = 'Mend or leave them out; with on_missing "warn", those that are not there or archived are skipped'
        yield f"{len(resolved.refused):,} cannot be members:{listed(resolved.refused.values())}\n{advice}"
    twice: list[str] = []
    for resource_id, member in resolved.members.items():
        if other := context.registry.declare(context.key(resource_id), context.urn):
            twice.append(f'{member.resource.name} ({resource_id}), also by the resource "{name_of(other)}"')
    if twice:
        yield f"{len(twice):,} declared twice:{listed(twice)}\nKeep one of each"


def preview_members(
    context: Context,
    resolved: ResolvedMembers,
    resource_ids: Collection[str],
    shown: Mapping[str, str],
    on_conflict: OnConflict,
) -> Preview:
    """Find what would be done about those that are to get a policy.

    Args:
        context: the set.
        resolved: who is there.
        resource_ids: those that are to get one.
        shown: the policies that the state of the set shows as its own, by the resource's id.
        on_conflict: what to do about others.
    """
    refused: list[str] = []
    advice: dict[str, None] = {}
    taken: list[str] = []
    counts = {"protect": 0, "change": 0, "adopt": 0}
    for resource_id in resource_ids:
        member = resolved.members.get(resource_id)
        if member is None or member.policy is None:
            continue
        own = context.own(resource_id, shown)
        found, wanted = context.observed(member.resource), member.policy.id
        steps = preview(context.tenant, found, wanted, own=own, on_conflict=on_conflict, changes=True)
        if steps[0].action == "refuse":
            refused.append(steps[0].reason)
            advice[steps[0].advice] = None
        else:
            counts["adopt" if steps[0].action == "adopt" else "change" if steps[1:] else "protect"] += 1
            taken += [step.reason for step in steps if step.reason]
    return Preview(
        problem="\n".join([f"{len(refused):,} cannot be protected:{listed(refused)}", *advice]) if refused else "",
        notice=f"{len(taken):,} taken over:{listed(taken)}" if taken else "",
        counts=counts,
    )


def removal_problem(
    context: Context,
    removed: Mapping[str, str],
    limit: object,
    *,
    members: int,
    stay: int,
    moves_to: str = "",
    online: bool = True,
) -> str:
    """Return why a change removes too many members; empty if it does not.

    Args:
        context: the set.
        removed: the policies that it would remove, by the resource's id.
        limit: the argument `max_removals`.
        members: the number of members before.
        stay: the number of these members that stay.
        moves_to: the tenant that the whole set moves to, if it does.
        online: whether the service may be asked who would lose a policy.
    """
    allowed = max_removals(limit, members)

    def too_many(count: int) -> bool:
        # A set of several members is left with nobody only if the program says so.
        last = limit is None and members > 1 and not stay
        return count > allowed or (last and count > 0)

    if not too_many(len(removed)):
        return ""
    tenant_id, loses = context.tenant.id, [*removed]
    if online:
        context.tenant.protections.expect_proofs(removed)
        # A member that does not have our policy any more has nothing to lose.
        loses = [
            id for id in loses if preview_removal(context.account, tenant_id, id, removed[id]).action == "unprotect"
        ]
    if not too_many(len(loses)):
        return ""
    change = f"move the set to tenant {moves_to}, and unprotect" if moves_to else "unprotect"
    reason = f"max_removals allows {allowed:,}" if len(loses) > allowed else "no member would stay in the set"
    return (
        f"this would {change} {len(loses):,} of {members:,} members in tenant {tenant_id}, and {reason}:"
        f"{listed(map(context.label, loses) if online else loses)}\n"
        f'If you want that, set max_removals to {len(loses)}, or to a share such as "100%".'
    )
