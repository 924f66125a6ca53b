"""What each operation on a protection set comes down to, without a word of pulumi."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.apply import UnfinishedSwapError, failing, unfinished_swap
from pulumi_dataprotection.core.protection.operations import assign_policy, read_protection, remove_policy
from pulumi_dataprotection.core.protection.plan import OnConflict, Step
from pulumi_dataprotection.core.protection_set.apply import Result, carry_out
from pulumi_dataprotection.core.protection_set.context import Context
from pulumi_dataprotection.core.protection_set.members import ResolvedMembers, SetInputs, resolve_members
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.registry import declared_twice

__all__ = ["assign_policies", "read_members", "remove_policies"]

Show = Callable[[str], None]


def assign_policies(
    context: Context,
    resolved: ResolvedMembers,
    resource_ids: Collection[str],
    result: Result,
    *,
    shown: Mapping[str, str],
    made: Mapping[str, str],
    on_conflict: OnConflict,
    show: Show,
) -> None:
    """Bring policies onto members of a set.

    Args:
        context: the set.
        resolved: who is there.
        resource_ids: those that get one.
        result: gets what came of it.
        shown: the policies that the state of the set shows as its own, by the resource's id.
        made: the policies that the state says the set put on, by the resource's id.
        on_conflict: what to do about others.
        show: shows how far it is.
    """
    swaps: dict[str, UnfinishedSwapError] = {}

    def protect(resource_id: str) -> tuple[str, str | None]:
        member = resolved.members[resource_id]
        if other := context.registry.declare(context.key(resource_id), context.urn):
            raise errors.DataProtectionError(declared_twice(f"{member.resource.name} ({resource_id})", other))
        if member.policy is None:
            raise errors.DataProtectionError(f"{member.resource.name}: {resolved.policies[member.policy_name]}")
        with _noting(swaps, resource_id):
            protection, put_on = assign_policy(
                context.account,
                context.tenant,
                context.observed(member.resource),
                member.policy,
                own=context.own(resource_id, shown).union(result.displaced.get(resource_id, ())),
                on_conflict=on_conflict,
                read_back=False,
            )
        # The set did not assign a displaced policy that the program wants back.
        back = protection.policy_id in result.displaced.get(resource_id, ())
        return protection.policy_id, None if back else put_on

    def note(resource_id: str, done: tuple[str, str | None]) -> None:
        policy_id, put_on = done
        ours = {put_on, made.get(resource_id)} | context.registry.made(context.key(resource_id))
        result.note(resource_id, policy_id, made=policy_id in ours)

    carry_out(context.account, protect, resource_ids, result, then=note, show=show, does="protected")
    if on_conflict == "take_over":
        _keep_swaps(swaps, result)
    for resource_id in resource_ids:
        # What another resource gave up for this one is its own from now on, also where it could not be swapped yet.
        if resource_id in result.protected or resource_id in result.adopted:
            continue
        if given := context.registry.own(context.key(resource_id)):
            made_before = context.registry.made(context.key(resource_id))
            (result.protected if made_before else result.adopted)[resource_id] = min(made_before or given)


@contextmanager
def _noting(swaps: dict[str, UnfinishedSwapError], resource_id: str) -> Generator[None]:
    """Note the unfinished swap of a member."""
    try:
        yield
    except errors.DataProtectionError as error:
        if swap := unfinished_swap(error):
            swaps[resource_id] = swap
        raise


def _keep_swaps(swaps: Mapping[str, UnfinishedSwapError], result: Result) -> None:
    """Keep the policies that a take-over could not remove: the next `up` removes them."""
    for resource_id, swap in swaps.items():
        if swap.made:
            result.forget(resource_id)
            result.protected[resource_id] = swap.protection.policy_id
        result.displaced[resource_id] = swap.displaced


def remove_policies(context: Context, policies: Mapping[str, str], result: Result, *, show: Show) -> list[str]:
    """Take policies of a set off resources, where they are still on.

    Args:
        context: the set.
        policies: which, by the resource's id.
        result: gets what came of it.
        show: shows how far it is.

    Returns:
        Who stays protected, and why.
    """
    stays: list[str] = []

    def unprotect(resource_id: str) -> Step:
        own = policies[resource_id]
        with failing(f"cannot unprotect {resource_id} in tenant {context.tenant.id}"):
            return remove_policy(context.account, context.tenant.id, resource_id, own=own, on_destroy="unprotect")

    def note(resource_id: str, step: Step) -> None:
        result.forget(resource_id)
        result.taken_off += step.action == "unprotect"
        if step.reason:
            stays.append(f"{resource_id}: {step.reason}")

    context.tenant.protections.expect_proofs(policies)
    carry_out(context.account, unprotect, policies, result, then=note, show=show, does="unprotected")
    return stays


def read_members(context: Context, before: SetState, inputs: SetInputs) -> SetState:
    """Read what is on the members of a set now.

    Args:
        context: the set.
        before: what the state has.
        inputs: the inputs of the last run; get what an `up` would have to change.

    Raises:
        DataProtectionError: it cannot be read.
    """
    context.tenant.protections.expect_proofs(before.policies)
    result = Result.after(before)
    for resource_id, policy_id in before.policies.items():
        found = read_protection(context.account, context.tenant.id, resource_id, known=[policy_id], managed=True)
        if found is None:
            result.forget(resource_id)
        elif found.policy_id != policy_id:
            # Whoever took ours off, and put it on again later, is another one.
            result.note(resource_id, found.policy_id, made=False)
    for resource_id, policy_ids in [*result.displaced.items()]:
        if left := [policy for policy in policy_ids if policy in context.tenant.protections.policy_ids_on(resource_id)]:
            result.displaced[resource_id] = left
        else:
            del result.displaced[resource_id]
    after = replace(before, protected=result.protected, adopted=result.adopted, displaced=result.displaced)
    _say_what_is(context, inputs, after.policies)
    return after


def _say_what_is(context: Context, inputs: SetInputs, on: Mapping[str, str]) -> None:
    """Let the inputs differ from the program by what an `up` has to do, also where an earlier one left it undone."""
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
    inputs.assignments.update({resource_id: policy for resource_id, policy in on.items() if resource_id not in named})
