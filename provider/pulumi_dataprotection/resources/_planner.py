"""What has to be done to a protection or an organization: pure decisions, each with its reason."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from pulumi_dataprotection import client

__all__ = ["OnConflict", "OnDestroy", "OrgPlan", "ProtectionPlan", "plan_org", "plan_protection", "plan_removal"]

OnConflict = Literal["fail", "take_over", "accept"]
OnDestroy = Literal["unprotect", "keep"]


@dataclass(frozen=True, slots=True)
class ProtectionPlan:
    """What to do to one resource.

    Attributes:
        action: `adopt` what is there, `protect`, `replace` another policy, `unprotect`, `leave` all as it is,
            or `refuse`.
        policy_id: the policy that is on the resource afterwards; for `unprotect` the one that is removed.
        displaced: for `replace` and `adopt`, the policies to remove.
        reason: why, where the user should know.
    """

    action: Literal["adopt", "protect", "replace", "unprotect", "leave", "refuse"]
    policy_id: str
    displaced: tuple[str, ...] = ()
    reason: str = ""


def plan_protection(
    wanted: str, observed: Collection[str], *, own: Collection[str] = (), on_conflict: OnConflict = "fail"
) -> ProtectionPlan:
    """Decide how a resource gets the policy that is wanted.

    Args:
        wanted: the policy's id.
        observed: ids of the policies that are on the resource.
        own: ids of the policies that are ours to remove.
        on_conflict: what to do about a policy that is not ours.
    """
    ours = tuple(policy for policy in observed if policy in own and policy != wanted)
    foreign = tuple(policy for policy in observed if policy not in own and policy != wanted)
    if observed and on_conflict == "accept":
        return ProtectionPlan("adopt", wanted if wanted in observed else next(iter(observed)))
    if wanted in observed:
        return ProtectionPlan("adopt", wanted, displaced=ours)
    if foreign and on_conflict == "fail":
        return ProtectionPlan("refuse", wanted, reason=f"another policy is on it: {', '.join(foreign)}")
    displaced = ours + foreign
    return ProtectionPlan("replace" if displaced else "protect", wanted, displaced=displaced)


def plan_removal(own: str, observed: Collection[str], *, on_destroy: OnDestroy = "unprotect") -> ProtectionPlan:
    """Decide what happens to the policy `own` when its resource goes out of the program."""
    if on_destroy == "keep":
        return ProtectionPlan("leave", own)
    if own in observed:
        return ProtectionPlan("unprotect", own)
    reason = f"another policy is on it now: {', '.join(observed)}" if observed else "it was not protected any more"
    return ProtectionPlan("leave", own, reason=reason)


@dataclass(frozen=True, slots=True)
class OrgPlan:
    """What to do about an organization: `create` it, `adopt` one that exists, or `refuse`."""

    action: Literal["create", "adopt", "refuse"]
    org: client.records.Org | None = None
    reason: str = ""


def plan_org(external_id: str, name: str, siblings: Sequence[client.records.Org]) -> OrgPlan:
    """Decide how an organization comes to be among the children of its parent."""
    for org in siblings:
        if org.external_id == external_id:
            if client.same_text(org.name, name):
                return OrgPlan("adopt", org)
            reason = (
                f'the external_id "{external_id}" belongs to the organization "{org.name}" ({org.id}), '
                f'and this asks for "{name}"'
            )
            return OrgPlan("refuse", org, reason)
    for org in siblings:
        if client.same_text(org.name, name):
            its = f'with the external_id "{org.external_id}"' if org.external_id else "without an external_id"
            reason = (
                f'an organization named "{name}" exists already, {its} ({org.id}), '
                f'and this asks for the external_id "{external_id}"'
            )
            return OrgPlan("refuse", org, reason)
    return OrgPlan("create")
