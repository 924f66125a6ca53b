"""The operations on the protection of one item: find, preview, assign, read and remove."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import error_context
from pulumi_dataprotection.core.protection.apply import protect, unprotect
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
    "find_item",
    "preview",
    "preview_removal",
    "read_protection",
    "remove_policy",
    "require_item",
]


def find_item(
    tenant: client.TenantCache, reference: str, known_id: str | None = None, *, follow: bool = True
) -> Observed:
    """Find the item that a program names, without its policies.

    Args:
        tenant: the tenant.
        reference: the item, as the program names it.
        known_id: the item that the reference meant before.
        follow: whether the reference passes on to another living item if the known item has lost it.

    Raises:
        CallError: The tenant cannot be read.
    """
    try:
        return Observed(tenant.items.find(reference, known_id, follow=follow), label=tenant.policies.label)
    except errors.NotFoundError as error:
        return Observed(missing="tenant_id", reason=str(error))
    except errors.UnresolvedReferenceError as error:
        return Observed(missing="resource", reason=str(error))


def require_item(found: Observed) -> client.records.Resource:
    """Return the item that was found.

    Raises:
        DataProtectionError: It was not found.
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
    """Plan the steps of an `up`; steps with a reason are what the user should know.

    Args:
        tenant: the tenant.
        found: the item.
        wanted: the policy's id; empty if it is unknown.
        own: the policies that are ours to replace.
        on_conflict: what to do about a policy that is not ours.
        changes: whether there is work even if the wanted policy is among our own.
    """
    if not found.missing and not (wanted and (changes or wanted not in own)):
        return ()
    steps = plan_protection(wanted, _observe(tenant, found), own=own, on_conflict=on_conflict)
    if found.resource and steps[0].property == "policy":
        # A policy that an earlier process removed may still show.
        steps = plan_protection(wanted, _observe_after_lag(tenant, found), own=own, on_conflict=on_conflict)
    return steps


def assign_policy(
    tenant: client.TenantCache,
    found: Observed,
    wanted: client.records.Policy,
    *,
    own: Collection[str],
    on_conflict: OnConflict,
) -> tuple[client.records.Protection, str | None]:
    """Assign a policy to an item.

    Args:
        tenant: the tenant.
        found: the item.
        wanted: the policy.
        own: the policies that are ours to replace.
        on_conflict: what to do about a policy that is not ours.

    Returns:
        The protection, and the id of the policy that was assigned; None if the item had the policy.

    Raises:
        DataProtectionError: It failed, and the item has the policy that it had, unless the text says otherwise.
    """
    item = require_item(found)
    observed = _observe(tenant, found)
    steps = plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)
    if steps[0].action in {"adopt", "refuse"} or (own and {*own}.isdisjoint(observed.policies)):
        # Nothing would be written, or ours does not show: a write of an earlier process may not show yet.
        observed = _observe_after_lag(tenant, found)
        steps = plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)
    with error_context(
        f"cannot protect {printable(item.name or item.id)} in tenant {printable(tenant.id)} "
        f'with policy "{printable(wanted.name)}"'
    ):
        _raise_refusal(steps)
        try:
            protection = protect(tenant, item.id, steps)
        except (errors.InvalidArgumentError, errors.ConflictError):
            # If somebody else was faster, then the refusal of a new plan is the better text.
            now = _observe(tenant, found)
            _raise_refusal(plan_protection(wanted.id, now, own=own, on_conflict=on_conflict))
            raise
    # An item with one of our policies beside the wanted policy is in the middle of our own swap.
    return protection, None if steps[0].action == "adopt" and not steps[1:] else wanted.id


def read_protection(
    tenant: client.TenantCache, item_id: str, *, known: Sequence[str], managed: bool
) -> client.records.Protection | None:
    """Read the protection of an item.

    Args:
        tenant: the tenant.
        item_id: the item.
        known: ids of the policies that may be ours, the likeliest first.
        managed: whether the state has the protection; if not, it has to exist.

    Returns:
        The protection; None if it is gone.

    Raises:
        DataProtectionError: It cannot be read, or is not managed and does not exist.
    """
    observed, protections = _read(tenant, item_id, known)
    step = plan_read(known, observed, managed=managed)
    with error_context(f"cannot read what protects {printable(item_id)} in tenant {printable(tenant.id)}"):
        _raise_refusal([step])
    return next((protection for protection in protections if protection.policy_id == step.policy_id), None)


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


def preview_removal(tenant: client.TenantCache, item_id: str, own: str | None) -> Step:
    """Plan the removal of our policy.

    Args:
        tenant: the tenant.
        item_id: the item.
        own: the policy that we assigned, if we did.

    Raises:
        DataProtectionError: The item cannot be read.
    """
    observed, _ = _read(tenant, item_id, [own] if own else [])
    return plan_removal(own, observed)


def _observe(tenant: client.TenantCache, found: Observed) -> Observed:
    return replace(found, policies=tenant.protections.policy_ids_on(found.resource.id)) if found.resource else found


def _observe_after_lag(tenant: client.TenantCache, found: Observed) -> Observed:
    """Observe an item so late that no write of an earlier process is hidden."""
    protections = tenant.protections.after_lag(found.resource.id) if found.resource else []
    return replace(found, policies=[protection.policy_id for protection in protections])


def _read(
    tenant: client.TenantCache, item_id: str, known: Sequence[str]
) -> tuple[Observed, Sequence[client.records.Protection]]:
    """Read an item of which the state knows the id and the policies; that it has none of them needs evidence."""
    if tenant.gone:
        return Observed(missing="tenant_id", reason=tenant.gone), []
    try:
        protections = tenant.protections.proven(item_id)
        if known and not any(protection.policy_id in known for protection in protections):
            protections = tenant.protections.after_lag(item_id)
    except (errors.NotFoundError, errors.ForbiddenError) as error:
        if tenant.witness.tenant_exists():
            raise
        tenant.require_installation()
        tenant.gone = error.detail
        return Observed(missing="tenant_id", reason=error.detail), []
    return Observed(policies=[protection.policy_id for protection in protections]), protections


def _raise_refusal(steps: Sequence[Step]) -> None:
    for step in steps:
        if step.action == "refuse":
            raise errors.DataProtectionError(step.text())
