"""The writes on one item: assign a policy, swap it, remove it. If an outcome is unclear, a read settles it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import (
    REFUSED,
    SETTLED_BY_READING,
    PurposeError,
    UnfinishedSwapError,
    UnprotectedError,
)
from pulumi_dataprotection.core.protection.observe import preview_removal
from pulumi_dataprotection.core.protection.plan import (
    Observed,
    OnConflict,
    OnDestroy,
    Step,
    check_possible,
    plan_protection,
    plan_removal,
)

__all__ = ["assign_policy", "protect", "remove_policy", "unprotect"]


def assign_policy(
    tenant: client.TenantCache,
    item: client.records.Resource,
    wanted: client.records.Policy,
    *,
    own: Collection[str],
    on_conflict: OnConflict,
) -> tuple[client.records.Protection, str | None]:
    """Assign a policy to an item.

    Args:
        tenant: the tenant.
        item: the item.
        wanted: the policy.
        own: the policies that are ours to replace.
        on_conflict: what to do about a policy that is not ours.

    Returns:
        The protection, and the id of the policy that was assigned; None if the item had the policy.

    Raises:
        DataProtectionError: It failed, and the item has the policy that it had, unless the text says otherwise.
    """

    def plan(protections: Sequence[client.records.Protection]) -> tuple[Step, ...]:
        policies = [protection.policy_id for protection in protections]
        observed = Observed(item, policies, label=tenant.policies.label)
        return plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)

    on = tenant.protections.confirmed(item.id)
    steps = plan(on)
    if steps[0].action in {"adopt", "refuse"} or (own and {*own}.isdisjoint(found.policy_id for found in on)):
        # Nothing would be written, or ours does not show: a write of an earlier process may not show yet.
        steps = plan(tenant.protections.after_lag(item.id))
    try:
        check_possible(steps)
        try:
            protection = protect(tenant, item.id, steps)
        except (errors.InvalidArgumentError, errors.ConflictError):
            # If somebody else was faster, then the refusal of a new plan is the better text.
            check_possible(plan(tenant.protections.of(item.id)))
            raise
    except errors.DataProtectionError as error:
        purpose = (
            f"cannot protect {printable(item.name or item.id)} in tenant {printable(tenant.id)} "
            f'with policy "{printable(wanted.name)}"'
        )
        raise PurposeError(purpose, error) from error
    # An item with one of our policies beside the wanted policy is in the middle of our own swap.
    return protection, None if steps[0].action == "adopt" and not steps[1:] else wanted.id


def remove_policy(
    tenant: client.TenantCache, item_id: str, *, own: str | None, on_destroy: OnDestroy, declared_by: str = ""
) -> Step:
    """Remove our policy from an item, if the item has it and nobody declares it.

    Args:
        tenant: the tenant.
        item_id: the item.
        own: the policy that we assigned, if we did.
        on_destroy: the option of the program.
        declared_by: the resource of this run that declares the same protection, if one does.

    Returns:
        The step that was taken, with its reason.

    Raises:
        DataProtectionError: The item still has the policy.
    """
    step = plan_removal(own, Observed(), on_destroy=on_destroy, declared_by=declared_by)
    if step.action == "leave":
        # The decision does not depend on the item.
        return step
    step = preview_removal(tenant, item_id, own)
    if step.action == "unprotect":
        unprotect(tenant, item_id, step.policy_id)
    return step


def protect(tenant: client.TenantCache, item_id: str, steps: Sequence[Step]) -> client.records.Protection:
    """Carry out a plan that adopts or protects, and return the protection that the item has afterwards.

    The answer of a success has the id of a job, which is evidence enough: a creation is one call.

    Args:
        tenant: the tenant.
        item_id: the item.
        steps: the step that assigns or adopts the policy, and then those that remove other policies.

    Raises:
        UnfinishedSwapError: The item has the new policy, and still has a displaced policy.
        UnprotectedError: The item lost its policy.
        DataProtectionError: It failed, and the item has the policy that it had.
    """
    wanted, displaced = steps[0].policy_id, [step.policy_id for step in steps[1:]]
    answer: client.records.ProtectResourceResult | None = None
    left = displaced
    made = steps[0].action == "protect"
    if made:
        answer, left = _assign(tenant, item_id, wanted, displaced)
    if left:
        # Half a swap is worse than a swap that goes on after Ctrl-C.
        with tenant.client.clock.shield():
            try:
                # A displaced policy may be gone, which only a read that shows the new policy can prove.
                tenant.protections.shows(item_id, wanted, wait=True)
                _remove_displaced(tenant, item_id, wanted, left)
            except errors.DataProtectionError as error:
                protection = _protection(item_id, wanted, answer)
                raise UnfinishedSwapError(error, protection, made=made, displaced=left) from error
    if answer:
        return tenant.protections.add(_protection(item_id, wanted, answer))
    for protection in tenant.protections.of(item_id):
        if protection.policy_id == wanted:
            return protection
    raise errors.DataProtectionError("the policy was removed again while this ran")


def unprotect(tenant: client.TenantCache, item_id: str, policy_id: str) -> None:
    """Remove a policy from an item; a policy that the item does not have is a success.

    Raises:
        CallError: The item still has the policy.
    """
    call = client.calls.unprotect_resource(tenant.id, item_id, policy_id=policy_id)
    try:
        tenant.client.send_despite_conflicts(call, lambda: not tenant.protections.shows(item_id, policy_id, wait=False))
    except errors.CallError as error:
        # An earlier attempt may have removed it, whatever the last answer is.
        if error.attempts <= 1 and not isinstance(error, (*SETTLED_BY_READING, errors.NotFoundError)):
            raise
        # One read is not enough, unless the service itself says that the policy is gone.
        for _ in range(1 if isinstance(error, errors.NotFoundError) else 2):
            if tenant.protections.shows(item_id, policy_id, wait=True, expected=False):
                raise
    tenant.protections.remove(item_id, policy_id)


def _assign(
    tenant: client.TenantCache, item_id: str, wanted: str, displaced: list[str]
) -> tuple[client.records.ProtectResourceResult | None, list[str]]:
    """Assign a policy: beside the displaced policies if the service allows it, else after their removal.

    Returns:
        The answer of the service, or None if a read proved the success; and the displaced policies that are left.
    """
    call = client.calls.protect_resource(tenant.id, item_id, policy_id=wanted)
    try:
        # Beside another policy, that policy explains a conflict.
        return tenant.client.send(call) if displaced else _send(tenant, item_id, call), displaced
    except (*SETTLED_BY_READING, errors.ForbiddenError, errors.NotFoundError) as error:
        if error.attempts == 1 and not isinstance(error, SETTLED_BY_READING):
            raise
        # The first attempt may have succeeded, and its answer got lost.
        clear = isinstance(error, REFUSED) and error.attempts == 1
        if clear and not displaced:
            # The cause may be a write of an earlier run that does not show yet.
            tenant.protections.wait_out_lag()
        # A refusal beside another policy needs no read: the other policy has to go first.
        if not (clear and displaced) and tenant.protections.shows(item_id, wanted, wait=not clear):
            return None, displaced
        if not displaced or not isinstance(error, REFUSED):
            raise
    # Ctrl-C is possible until here.
    tenant.client.clock.check()
    with tenant.client.clock.shield():
        return _swap(tenant, item_id, call, displaced)


def _send(
    tenant: client.TenantCache, item_id: str, call: client.Call[client.records.ProtectResourceResult]
) -> client.records.ProtectResourceResult:
    """Assign a policy to an item without any other policy; another policy explains a conflict."""
    return tenant.client.send_despite_conflicts(call, lambda: bool(tenant.protections.after_write(item_id)))


def _swap(
    tenant: client.TenantCache,
    item_id: str,
    call: client.Call[client.records.ProtectResourceResult],
    displaced: list[str],
) -> tuple[client.records.ProtectResourceResult | None, list[str]]:
    """Remove the displaced policies, and assign the new policy; put the old policies back if that fails.

    Returns:
        As `_assign`.
    """
    wanted = call.query["policy_id"]
    left = [*displaced]
    try:
        for policy_id in displaced:
            unprotect(tenant, item_id, policy_id)
            left.remove(policy_id)
        return _send(tenant, item_id, call), left
    except errors.CallError as failure:
        # If a read failed, then the removal is unclear.
        unchanged = left == displaced and failure.operation.id == "unprotect_resource"
        # The refusal before may have been a success.
        with suppress(errors.CallError):
            if tenant.protections.shows(item_id, wanted, wait=not unchanged):
                return None, left
        if unchanged:
            raise
        old = ", ".join(map(printable, displaced))
        try:
            for policy_id in displaced:
                _put_back(tenant, item_id, policy_id)
        except errors.CallError as error:
            raise UnprotectedError(
                f"{failure.detail}. The policy {old} was removed to make room and could not be put back "
                f"({error.detail}): {printable(item_id)} IS NOT PROTECTED. Run `pulumi up` again"
            ) from failure
        raise errors.DataProtectionError(f"{failure.detail}. The policy {old} is on it again") from failure


def _put_back(tenant: client.TenantCache, item_id: str, policy_id: str) -> None:
    try:
        answer = _send(tenant, item_id, client.calls.protect_resource(tenant.id, item_id, policy_id=policy_id))
    except SETTLED_BY_READING:
        if not tenant.protections.shows(item_id, policy_id, wait=True):
            raise
    else:
        tenant.protections.add(_protection(item_id, policy_id, answer))


def _remove_displaced(tenant: client.TenantCache, item_id: str, wanted: str, displaced: Sequence[str]) -> None:
    """Remove the policies that an item has beside the new policy: some accounts allow several."""
    for policy_id in displaced:
        on = tenant.protections.policy_ids_on(item_id)
        if policy_id not in on:
            continue
        if wanted not in on:
            raise errors.DataProtectionError(
                f"the policy {printable(wanted)} does not show on it, and so the policy {printable(policy_id)} stays on"
            )
        try:
            unprotect(tenant, item_id, policy_id)
        except errors.CallError as error:
            raise errors.DataProtectionError(
                f"{error.detail}. The new policy is on it, and the policy {printable(policy_id)} still is too"
            ) from error


def _protection(
    item_id: str, policy_id: str, answer: client.records.ProtectResourceResult | None
) -> client.records.Protection:
    """Make the record of a protection that no read shows yet."""
    job_id = answer.job_id if answer else None
    return client.records.Protection(id="", resource_id=item_id, policy_id=policy_id, job_id=job_id)
