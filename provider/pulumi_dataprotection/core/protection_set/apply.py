"""The operations on the members of a protection set: assign policies, remove them, read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import declared_twice, item_label
from pulumi_dataprotection.core.outcomes import PurposeError, UnfinishedSwapError, cause_of
from pulumi_dataprotection.core.protection.apply import assign_policy, remove_policy
from pulumi_dataprotection.core.protection.observe import read_protection
from pulumi_dataprotection.core.protection.plan import OnConflict, Step
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, SetContext, resolve_members
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.protection_set.progress import Result, for_each
from pulumi_dataprotection.core.registry import RunItem

__all__ = ["assign_policies", "read_members", "remove_policies"]

Show = Callable[[str], None]


def assign_policies(
    context: SetContext,
    resolved: ResolvedMembers,
    item_ids: Collection[str],
    result: Result,
    *,
    shown: Mapping[str, str],
    made: Mapping[str, str],
    on_conflict: OnConflict,
    show: Show,
) -> None:
    """Assign policies to members of a set.

    Args:
        context: the set.
        resolved: its members.
        item_ids: the members that get a policy.
        result: gets the outcomes.
        shown: the policies that the state of the set shows as its own, by the item's id.
        made: the policies that the state says the set assigned, by the item's id.
        on_conflict: what to do about other policies.
        show: shows the progress.
    """
    swaps: dict[str, UnfinishedSwapError] = {}
    noted: dict[str, RunItem] = {}

    def assign(item_id: str) -> tuple[str, str | None]:
        member = resolved.members[item_id]
        item, other = context.run.registry.declare(context.urn, "protection", context.tenant.id, item_id)
        noted[item_id] = item
        if other:
            raise errors.DataProtectionError(declared_twice(item_label(member.item), other))
        if member.policy is None:
            raise errors.DataProtectionError(f"{printable(member.item.name)}: {resolved.policies[member.policy_name]}")
        displaced = result.displaced.get(item_id, ())
        own = {*item.own, *displaced, *([shown[item_id]] if item_id in shown else [])}
        try:
            protection, assigned = assign_policy(
                context.tenant, member.item, member.policy, own=own, on_conflict=on_conflict
            )
        except errors.DataProtectionError as error:
            if swap := cause_of(error, UnfinishedSwapError):
                swaps[item_id] = swap
            raise
        # The set did not assign a displaced policy that the program wants back.
        return protection.policy_id, None if protection.policy_id in displaced else assigned

    sender, label = context.tenant.client, resolved.label
    work = for_each(assign, item_ids, result, sender, label=label, show=show, does="protected")
    for item_id, (policy_id, assigned) in work:
        ours = {assigned, made.get(item_id), *noted[item_id].made}
        result.note(item_id, policy_id, made=policy_id in ours)
    if on_conflict == "take_over":
        _keep_swaps(swaps, result)
    for item_id in item_ids:
        # A policy that another resource gave up for this set belongs to it from now on, even if the swap failed, or if
        # the run ended before it tried the item.
        given = noted.get(item_id) or context.run.registry.item(*context.key(item_id))
        if given.own and item_id not in result.protected and item_id not in result.adopted:
            (result.protected if given.made else result.adopted)[item_id] = min(given.made or given.own)


def _keep_swaps(swaps: Mapping[str, UnfinishedSwapError], result: Result) -> None:
    """Keep the policies that a take-over could not remove: the next `up` removes them."""
    for item_id, swap in swaps.items():
        if swap.made:
            result.forget(item_id)
            result.protected[item_id] = swap.protection.policy_id
        result.displaced[item_id] = swap.displaced


def remove_policies(context: SetContext, policies: Mapping[str, str], result: Result, *, show: Show) -> list[str]:
    """Remove policies of a set from the items that have them.

    Args:
        context: the set.
        policies: the policies, by the item's id.
        result: gets the outcomes.
        show: shows the progress.

    Returns:
        The items that stay protected, with the reasons.
    """
    tenant, stays = context.tenant, list[str]()

    def remove(item_id: str) -> Step:
        try:
            return remove_policy(tenant, item_id, own=policies[item_id], on_destroy="unprotect")
        except errors.DataProtectionError as error:
            purpose = f"cannot unprotect {printable(item_id)} in tenant {printable(tenant.id)}"
            raise PurposeError(purpose, error) from error

    tenant.protections.expect_proofs(policies)
    for item_id, step in for_each(remove, policies, result, tenant.client, show=show, does="unprotected"):
        result.forget(item_id)
        result.removed += step.action == "unprotect"
        if step.reason:
            stays.append(f"{printable(item_id)}: {step.reason}")
    return stays


def read_members(context: SetContext, before: SetState, inputs: SetInputs) -> SetState:
    """Read the policies that the members of a set have now.

    Args:
        context: the set.
        before: the state.
        inputs: the inputs of the last run; get the changes that an `up` would have to undo.

    Raises:
        DataProtectionError: The policies cannot be read.
    """
    protections = context.tenant.protections
    protections.expect_proofs(before.policies)
    result = Result.after(before)
    for item_id, policy_id in before.policies.items():
        found = read_protection(context.tenant, item_id, known=[policy_id], managed=True)
        if found is None:
            result.forget(item_id)
        elif found.policy_id != policy_id:
            # If somebody removed our policy, and assigned it again later, then it is not ours any more.
            result.note(item_id, found.policy_id, made=False)
    for item_id, policy_ids in [*result.displaced.items()]:
        if left := [policy for policy in policy_ids if policy in protections.policy_ids_on(item_id)]:
            result.displaced[item_id] = left
        else:
            del result.displaced[item_id]
    after = replace(before, protected=result.protected, adopted=result.adopted, displaced=result.displaced)
    _describe(context, inputs, after.policies)
    return after


def _describe(context: SetContext, inputs: SetInputs, on: Mapping[str, str]) -> None:
    """Let the inputs differ from the program by the work of an `up`, even work that an earlier `up` left undone."""
    wanted = inputs.wanted()
    if wanted == on or (inputs.any_policy and wanted.keys() == on.keys()):
        return
    resolve_members(context.tenant, inputs, on.keys(), known=inputs.assignments.keys(), follow=False)
    for name, policy in [*inputs.assignments.items()]:
        policy_id = on.get(inputs.resource_id(name))
        if policy_id is None and name not in inputs.missing:
            del inputs.assignments[name]
        elif policy_id and not inputs.any_policy and inputs.policy_id(policy) != policy_id:
            inputs.assignments[name] = policy_id
    named = {inputs.resource_id(name) for name in inputs.assignments}
    inputs.assignments.update({item_id: policy for item_id, policy in on.items() if item_id not in named})
