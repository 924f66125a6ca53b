"""The comparison of protections and sets with the policies that the service shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.drift import MemberDrift, Status, compare_members, compare_policy, known_policies
from pulumi_dataprotection.core.protection.observe import read_protection
from pulumi_dataprotection.core.protection_set.apply import read_members
from pulumi_dataprotection.core.protection_set.members import SetContext
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.registry import Registry, RunResource
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.fleet.drift_claims import NAMES, Claim, set_inputs
from pulumi_dataprotection.fleet.drift_records import Finding
from pulumi_dataprotection.inventory import LEFT_OUT

__all__ = ["finding_of", "read_protection_drift", "read_set_drift"]

_GONE_MEMBER = "it does not exist, or is archived; the set goes on without it"


def read_protection_drift(_account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    """Read a protection as a refresh does, and compare it with its state."""
    outputs = claim.resource.outputs
    known = known_policies(outputs)
    protection = read_protection(tenant, claim.id, known=known, managed=True)
    found = protection.policy_id if protection else None
    status = compare_policy(found, known, any_policy=outputs.get("on_conflict") == "accept")
    name = str(outputs.get("resource") or "")
    yield _policy_finding(tenant, claim, MemberDrift(claim.id, name, status, "".join(known[:1]), found))


def read_set_drift(account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    """Read a set as a refresh does, and compare its members one by one with its state."""
    before, program, read = SetState.of(claim.resource.outputs), set_inputs(claim.resource), set_inputs(claim.resource)
    run = Context(account, Registry(""), claim.resource.urn, RunResource())
    after = read_members(SetContext(run, tenant, claim.resource.urn), before, read)
    members = [*compare_members(before, program, after, read)]
    in_step = sum(member.status is Status.IN_STEP for member in members)
    if in_step:
        yield Finding(claim.stack, Status.IN_STEP, claim.resource.urn, tenant.id, items=in_step)
    for member in members:
        if member.status is Status.GONE:
            name = "" if claim.resource.secret & NAMES else member.name
            yield replace(
                finding_of(claim, member.status, tenant.id, id=member.item_id, reason=_GONE_MEMBER), name=name
            )
        elif member.status is not Status.IN_STEP:
            yield _policy_finding(tenant, claim, member)


def _policy_finding(tenant: client.TenantCache, claim: Claim, member: MemberDrift) -> Finding:
    """Return the finding of one item, with the names that the service shows."""
    if member.status is Status.IN_STEP:
        return finding_of(claim, member.status, tenant.id, id=member.item_id)
    status, name, reason = member.status, member.name, ""
    try:
        item = tenant.items.find(member.item_id, member.item_id)
    except errors.UnresolvedReferenceError:
        reason = "the resource does not exist"
        # A protection can outlive its item.
        status = Status.GONE if status is Status.BARE else status
    else:
        name = item.name or name
        reason = "it is archived" if item.archived else ""
    return replace(
        finding_of(claim, status, tenant.id, id=member.item_id, reason=reason),
        name="" if claim.resource.secret & NAMES else name,
        declared=_policy_label(tenant, member.declared),
        found=_policy_label(tenant, member.found or ""),
    )


def _policy_label(tenant: client.TenantCache, policy_id: str) -> str:
    # The key may be allowed to read protections only.
    with suppress(*LEFT_OUT):
        return tenant.policies.label(policy_id) if policy_id else ""
    return printable(policy_id)


def finding_of(claim: Claim, status: Status, tenant_id: str = "", *, id: str = "", reason: str = "") -> Finding:
    """Return the finding of a resource; a member of a set that is gone is not a drift."""
    is_drift = status not in {Status.IN_STEP, Status.UNREADABLE} and reason != _GONE_MEMBER
    return Finding(claim.stack, status, claim.resource.urn, tenant_id, id, reason=reason, is_drift=is_drift)
