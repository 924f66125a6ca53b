"""What creating and updating a protection come down to, without a word of pulumi."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.resources._executor import failing, protect
from pulumi_dataprotection.resources._planner import OnConflict, plan_protection

__all__ = ["bring_policy", "find_obstacles"]


def find_obstacles(
    view: client.TenantView,
    resource: client.records.Resource,
    wanted: client.records.Policy,
    before: str | None,
    on_conflict: OnConflict,
) -> Iterator[tuple[str, str]]:
    """Find what stands in the way of a policy, as pairs of the property at fault and the reason.

    Args:
        view: the tenant.
        resource: what is to be protected.
        wanted: the policy.
        before: the policy that the program wanted before; where it is the same, nothing has to be done.
        on_conflict: what to do about a policy that is not ours.
    """
    if wanted.id == before:
        return
    observed = view.policy_ids_on(resource.id)
    plan = plan_protection(wanted.id, observed, own={before} if before else (), on_conflict=on_conflict)
    if plan.action == "refuse":
        yield "policy", _conflict(view, resource, wanted, observed)
    if plan.action in {"protect", "replace"} and resource.archived:
        yield "resource", _archived(resource)


def bring_policy(
    estate: client.Estate,
    view: client.TenantView,
    resource: client.records.Resource,
    wanted: client.records.Policy,
    *,
    own: Collection[str],
    on_conflict: OnConflict,
) -> tuple[client.records.Protection, str | None]:
    """Bring a policy onto a resource.

    Returns:
        The protection, and the id of the policy that was put there; None where it was there before.

    Raises:
        DataProtectionError: it failed; the policy that was there is there again, or the text says what is.
    """
    observed = view.policy_ids_on(resource.id)
    plan = plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)
    if plan.action == "adopt" or (own and {*own}.isdisjoint(observed)):
        # Nothing would be written, or ours does not show: what an earlier process did may not show yet.
        observed = [protection.policy_id for protection in view.settled_protections_of(resource.id)]
        plan = plan_protection(wanted.id, observed, own=own, on_conflict=on_conflict)
    with failing(f'cannot protect {resource.name} in tenant {view.id} with policy "{wanted.name}"'):
        if plan.action == "refuse":
            raise errors.DataProtectionError(_conflict(view, resource, wanted, observed))
        if plan.action != "adopt" and resource.archived:
            raise errors.DataProtectionError(_archived(resource))
        protection = protect(estate, view.id, resource.id, plan)
    view.claimed.add(resource.id)
    return protection, None if plan.action == "adopt" else wanted.id


def _conflict(
    view: client.TenantView,
    resource: client.records.Resource,
    wanted: client.records.Policy,
    observed: Sequence[str],
) -> str:
    there = ", ".join(view.policy_label(policy_id) for policy_id in observed)
    return (
        f"{resource.name} ({resource.id}) is protected with policy {there} already, and this asks for "
        f'{view.policy_label(wanted.id)}: set on_conflict to "take_over" to swap it, or to "accept" to leave it'
    )


def _archived(resource: client.records.Resource) -> str:
    return f"{resource.name} ({resource.id}) is archived and cannot be backed up any more: take it out of the program"
