"""Reads of one item: find it, preview the work on it, and read its protection."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import PurposeError
from pulumi_dataprotection.core.protection.plan import (
    Observed,
    OnConflict,
    Step,
    check_possible,
    plan_protection,
    plan_read,
    plan_removal,
)

__all__ = [
    "find_item",
    "preview",
    "preview_removal",
    "read_protection",
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
    if found.resource is None:
        return plan_protection(wanted, found, own=own, on_conflict=on_conflict)
    protections = tenant.protections
    for read in (protections.confirmed, protections.after_lag):
        observed = replace(found, policies=[protection.policy_id for protection in read(found.resource.id)])
        steps = plan_protection(wanted, observed, own=own, on_conflict=on_conflict)
        # A policy that an earlier process removed may still show.
        if steps[0].property != "policy":
            break
    return steps


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
    try:
        check_possible([step])
    except errors.DataProtectionError as error:
        raise PurposeError(
            f"cannot read the protection of {printable(item_id)} in tenant {printable(tenant.id)}", error
        ) from error
    return next((protection for protection in protections if protection.policy_id == step.policy_id), None)


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
