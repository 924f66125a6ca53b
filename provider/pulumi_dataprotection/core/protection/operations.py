"""What each operation on a protection comes down to, without a word of pulumi."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection.apply import failing, protect, unprotect
from pulumi_dataprotection.core.protection.plan import (
    Observed,
    OnConflict,
    OnDestroy,
    Step,
    plan_protection,
    plan_read,
    plan_removal,
)

__all__ = [
    "assign_policy",
    "find",
    "must_exist",
    "preview",
    "preview_removal",
    "read_protection",
    "remove_policy",
]


def find(tenant: client.TenantCache, reference: str, known_id: str | None, *, follow: bool = True) -> Observed:
    """Find what a program names, without the policies that are on it.

    Args:
        tenant: the tenant.
        reference: the resource, as the program names it.
        known_id: what it was resolved to before.
        follow: whether the reference passes on to another living item if the known item has lost it.

    Raises:
        CallError: the tenant cannot be read.
    """
    try:
        return Observed(tenant.items.find(reference, known_id, follow=follow), label=tenant.policies.label)
    except errors.NotFoundError as error:
        return Observed(missing="tenant_id", reason=str(error))
    except errors.UnresolvedReferenceError as error:
        return Observed(missing="resource", reason=str(error))


def must_exist(found: Observed) -> client.records.Resource:
    """Return the resource that was found.

    Raises:
        DataProtectionError: it was not.
    """
    if found.resource is None:
        raise errors.DataProtectionError(found.reason)
    return found.resource


def preview(
    tenant: client.TenantCache,
    found: Observed,
    wanted: str,
    *,
    own: Collection[str],
    on_conflict: OnConflict,
    changes: bool,
) -> tuple[Step, ...]:
    """Find what an `up` would do.

    Args:
        tenant: the tenant.
        found: what is to be protected.
        wanted: the policy's id; empty where it is not known yet.
        own: the policies that are ours to replace.
        on_conflict: what to do about a policy that is not ours.
        changes: whether there is something to do though the wanted policy is among our own.

    Returns:
        The steps; those with a reason are what the user should know.
    """
    if not found.missing and not (wanted and (changes or wanted not in own)):
        return ()
    steps = plan_protection(wanted, _look(tenant, found), own=own, on_conflict=on_conflict)
    if found.resource and steps[0].property == "policy":
        # What an earlier process took off may still show.
        steps = plan_protection(wanted, _look_late(tenant, found), own=own, on_conflict=on_conflict)
    return steps


def assign_policy(
    account: client.Account,
    tenant: client.TenantCache,
    found: Observed,
    wanted: client.records.Policy,
    *,
    own: Collection[str],
    on_conflict: OnConflict,
    read_back: bool = True,
) -> tuple[client.records.Protection, str | None]:
    """Bring a policy onto a resource.

    Args:
        account: the service.
        tenant: the tenant.
        found: what is to be protected.
        wanted: the policy.
        own: the policies that are ours to replace.
        on_conflict: what to do about a policy that is not ours.
        read_back: whether to read the ids of a protection that was made, which costs a call.

    Returns:
        The protection, and the id of the policy that was put there; None where it was there before.

    Raises:
        DataProtectionError: it failed; the policy that was there is there again, or the text says what is.
    """

    def plan(observed: Observed) -> tuple[Step, ...]:
        return plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)

    resource = must_exist(found)
    observed = _look(tenant, found)
    steps = plan(observed)
    if steps[0].action in {"adopt", "refuse"} or (own and {*own}.isdisjoint(observed.policies)):
        # Nothing would be written, or ours does not show: what an earlier process did may not show yet.
        steps = plan(_look_late(tenant, found))
    with failing(f'cannot protect {resource.name} in tenant {tenant.id} with policy "{wanted.name}"'):
        _refuse(steps)
        try:
            protection = protect(account, tenant.id, resource.id, steps, read_back=read_back)
        except (errors.InvalidArgumentError, errors.ConflictError):
            # Somebody else may have been faster; then that is what there is to say.
            _refuse(plan(_look(tenant, found)))
            raise
    # Where one of ours is on it beside the wanted one, we were in the middle of swapping them.
    return protection, None if steps[0].action == "adopt" and not steps[1:] else wanted.id


def read_protection(
    account: client.Account, tenant_id: str, resource_id: str, *, known: Sequence[str], managed: bool
) -> client.records.Protection | None:
    """Read what protects a resource.

    Args:
        account: the service.
        tenant_id: the tenant.
        resource_id: the resource.
        known: ids of the policies that may be ours, the likeliest first.
        managed: whether the state has it; where not, it has to exist.

    Returns:
        The protection; None where it is gone.

    Raises:
        DataProtectionError: it cannot be read, or is not managed and does not exist.
    """
    observed, protections = _seen(account, tenant_id, resource_id, known)
    step = plan_read(known, observed, managed=managed)
    with failing(f"cannot read what protects {resource_id} in tenant {tenant_id}"):
        _refuse([step])
    return next((protection for protection in protections if protection.policy_id == step.policy_id), None)


def remove_policy(
    account: client.Account,
    tenant_id: str,
    resource_id: str,
    *,
    own: str | None,
    on_destroy: OnDestroy,
    declared_by: str = "",
) -> Step:
    """Take our policy off a resource, where it is still on it and nobody declares it.

    Args:
        account: the service.
        tenant_id: the tenant.
        resource_id: the resource.
        own: the policy that was put there, if it was.
        on_destroy: what the program wants.
        declared_by: the resource of this run that declares the same protection, if one does.

    Returns:
        What was done, and why.

    Raises:
        DataProtectionError: it is still on it.
    """
    step = plan_removal(own, Observed(), on_destroy=on_destroy, declared_by=declared_by)
    if step.action == "leave":
        # It does not depend on what is there.
        return step
    step = preview_removal(account, tenant_id, resource_id, own)
    if step.action == "unprotect":
        unprotect(account, tenant_id, resource_id, step.policy_id)
    return step


def preview_removal(account: client.Account, tenant_id: str, resource_id: str, own: str | None) -> Step:
    """Find what removing our policy would do.

    Args:
        account: the service.
        tenant_id: the tenant.
        resource_id: the resource.
        own: the policy that was put there, if it was.

    Raises:
        DataProtectionError: the resource cannot be read.
    """
    observed, _ = _seen(account, tenant_id, resource_id, [own] if own else [])
    return plan_removal(own, observed)


def _look(tenant: client.TenantCache, found: Observed) -> Observed:
    return replace(found, policies=tenant.protections.policy_ids_on(found.resource.id)) if found.resource else found


def _look_late(tenant: client.TenantCache, found: Observed) -> Observed:
    """Look so late that nothing is hidden that an earlier process did."""
    settled = tenant.protections.after_lag(found.resource.id) if found.resource else []
    return replace(found, policies=[protection.policy_id for protection in settled])


def _seen(
    account: client.Account, tenant_id: str, resource_id: str, known: Sequence[str]
) -> tuple[Observed, Sequence[client.records.Protection]]:
    """Look at a resource of which the state knows the id and the policies; that none of them is on it is a finding."""
    tenant = account.tenant(tenant_id)
    if tenant.gone:
        return Observed(missing="tenant_id", reason=tenant.gone), []
    try:
        protections = tenant.protections.proven(resource_id)
        if known and not any(protection.policy_id in known for protection in protections):
            protections = tenant.protections.after_lag(resource_id)
    except errors.NotFoundError as error:
        if tenant.witness.tenant_exists():
            raise
        account.require_installation()
        tenant.gone = error.detail
        return Observed(missing="tenant_id", reason=error.detail), []
    return Observed(policies=[protection.policy_id for protection in protections]), protections


def _refuse(steps: Sequence[Step]) -> None:
    for step in steps:
        if step.action == "refuse":
            raise errors.DataProtectionError(step.text())
