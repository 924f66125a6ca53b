"""The read of one tenant, or of one organization, and its comparison with the states that declare parts of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.archives import find_kept_archive
from pulumi_dataprotection.core.drift import (
    MemberDrift,
    Status,
    compare_members,
    compare_org,
    compare_policy,
    known_policies,
)
from pulumi_dataprotection.core.protection.observe import read_protection
from pulumi_dataprotection.core.protection_set.apply import read_members
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.members import SetContext
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.core.registry import Registry, RunResource
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.inventory import LEFT_OUT, StateResource

__all__ = ["Claim", "Finding", "Job", "read_job", "unreadable"]

_GONE_MEMBER = "it does not exist, or is archived; the set goes on without it"
_NAMES = {"assignments", "resource", "resource_ids", "missing"}
"""The properties with names of items."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A resource of a state.

    Attributes:
        stack: the number of the stack.
        resource: the resource.
        id: the id of its item, its archive or its organization; of a set the id of its tenant.
    """

    stack: int
    resource: StateResource
    id: str

    @property
    def items(self) -> int:
        """The number of items: the members of a set, and 1 of other resources."""
        if self.resource.kind != "ProtectionSet":
            return 1
        program = _set_inputs(self.resource)
        return len({*map(program.resource_id, program.assignments), *SetState.of(self.resource.outputs).policies})


@dataclass(frozen=True, slots=True)
class Job:
    """The resources that are compared after the same reads: of one tenant, or one organization.

    Attributes:
        profile: the profile of the key.
        tenant_id: the tenant; empty for an organization.
        claims: the resources.
    """

    profile: str | None
    tenant_id: str
    claims: Sequence[Claim]


@dataclass(frozen=True, slots=True)
class Finding:
    """The comparison of one protection, or of another resource, or of several with the same result.

    Attributes:
        stack: the number of the stack.
        status: the result.
        urn: the resource; empty for several resources.
        tenant_id: the tenant; empty for an organization.
        id: the id of the item, the archive or the organization; empty for several.
        name: its name in the service, or its name in the program; empty if it is unknown or secret.
        declared: the value in the state, as messages name it.
        found: the value in the service, as messages name it.
        reason: the reason, if the values do not show it.
        items: the number of items.
        is_drift: whether a refresh would change the state.
    """

    stack: int
    status: Status
    urn: str = ""
    tenant_id: str = ""
    id: str = ""
    name: str = ""
    declared: str = ""
    found: str = ""
    reason: str = ""
    items: int = 1
    is_drift: bool = False


def unreadable(job: Job, reason: str, status: Status = Status.UNREADABLE) -> Iterator[Finding]:
    """Yield a finding for each stack with resources that cannot be compared.

    Args:
        job: the resources.
        reason: the reason.
        status: the status of the resources.
    """
    counts = Counter[int]()
    for claim in job.claims:
        counts[claim.stack] += claim.items
    is_drift = status is Status.GONE
    for stack, items in counts.items():
        urn = job.claims[0].resource.urn if len(job.claims) == 1 else ""
        yield Finding(stack, status, urn, job.tenant_id, reason=reason, items=items, is_drift=is_drift)


def read_job(account: client.Account, job: Job) -> list[Finding]:
    """Read a tenant or an organization, and compare it with states.

    Args:
        account: the account of the key, in which nothing was read yet.
        job: the resources.

    Raises:
        DataProtectionError: A call failed, and the failure may affect other tenants, too.
    """
    if not job.tenant_id:
        try:
            return [_read_org(account, claim) for claim in job.claims]
        except LEFT_OUT as error:
            return [*unreadable(job, str(error))]
    findings: list[Finding] = []
    tenant = account.tenant(job.tenant_id)
    tenant.protections.expect_proofs([id for claim in job.claims for id in _declared_items(claim)])
    for kinds in _SAME_READ:
        claims = [claim for claim in job.claims if claim.resource.kind in kinds]
        for number, claim in enumerate(claims):
            try:
                found = [*_READS[claim.resource.kind](account, tenant, claim)]
            except errors.DataProtectionError as error:
                if not tenant.gone and not isinstance(error, LEFT_OUT):
                    raise
                # The reads of the other resources would fail, too.
                rest = replace(job, claims=claims[number:])
                findings += _gone(rest, tenant) if tenant.gone else unreadable(rest, str(error))
                break
            findings += found
    return findings


def _gone(job: Job, tenant: client.TenantCache) -> Iterator[Finding]:
    return unreadable(job, f"the tenant does not exist: {tenant.gone}", Status.GONE)


def _declared_items(claim: Claim) -> Collection[str]:
    """Return the items whose protections are about to be proven."""
    if claim.resource.kind == "Protection":
        return [claim.id]
    return SetState.of(claim.resource.outputs).policies if claim.resource.kind == "ProtectionSet" else ()


def _read_protection(_account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    outputs = claim.resource.outputs
    known = known_policies(outputs)
    protection = read_protection(tenant, claim.id, known=known, managed=True)
    found = protection.policy_id if protection else None
    status = compare_policy(found, known, any_policy=outputs.get("on_conflict") == "accept")
    name = str(outputs.get("resource") or "")
    yield _policy_finding(tenant, claim, MemberDrift(claim.id, name, status, "".join(known[:1]), found))


def _read_set(account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    before, program, read = (
        SetState.of(claim.resource.outputs),
        _set_inputs(claim.resource),
        _set_inputs(claim.resource),
    )
    run = Context(account, Registry(""), claim.resource.urn, RunResource())
    after = read_members(SetContext(run, tenant, claim.resource.urn), before, read)
    members = [*compare_members(before, program, after, read)]
    in_step = sum(member.status is Status.IN_STEP for member in members)
    if in_step:
        yield Finding(claim.stack, Status.IN_STEP, claim.resource.urn, tenant.id, items=in_step)
    for member in members:
        if member.status is Status.GONE:
            name = "" if claim.resource.secret & _NAMES else member.name
            yield replace(_finding(claim, member.status, tenant.id, reason=_GONE_MEMBER), id=member.item_id, name=name)
        elif member.status is not Status.IN_STEP:
            yield _policy_finding(tenant, claim, member)


def _policy_finding(tenant: client.TenantCache, claim: Claim, member: MemberDrift) -> Finding:
    """Return the finding of one item, with the names that the service shows."""
    if member.status is Status.IN_STEP:
        return _finding(claim, member.status, tenant.id, id=member.item_id)
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
        _finding(claim, status, tenant.id, id=member.item_id, reason=reason),
        name="" if claim.resource.secret & _NAMES else name,
        declared=_policy_label(tenant, member.declared),
        found=_policy_label(tenant, member.found or ""),
    )


def _policy_label(tenant: client.TenantCache, policy_id: str) -> str:
    # The key may be allowed to read protections only.
    with suppress(*LEFT_OUT):
        return tenant.policies.label(policy_id) if policy_id else ""
    return printable(policy_id)


def _read_archive_deletion(account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    if tenant.gone:
        yield from _gone(Job(None, tenant.id, [claim]), tenant)
    elif find_kept_archive(account, tenant.id, claim.id):
        finding = _finding(claim, Status.DRIFTED, tenant.id, id=claim.id)
        yield replace(
            finding, declared="to be deleted", found="kept", reason="the deletion of the archive was canceled"
        )
    else:
        yield _finding(claim, Status.IN_STEP, tenant.id, id=claim.id)


def _read_backup_run(_account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    """Read nothing: no change in the service takes a run back."""
    yield _finding(claim, Status.IN_STEP, tenant.id, id=claim.id)


def _read_org(account: client.Account, claim: Claim) -> Finding:
    org, outputs = account.org(claim.id), claim.resource.outputs
    name = str(outputs.get("name") or "")
    if org is None:
        return replace(_finding(claim, Status.GONE, id=claim.id), name=name, reason="the organization does not exist")
    changed = compare_org(org, outputs)
    finding = _finding(claim, Status.DRIFTED if changed else Status.IN_STEP, id=claim.id)
    values = {"name": org.name, "external_id": org.external_id}
    return replace(
        finding,
        name=org.name or name,
        declared=", ".join(f'{property_} "{printable(outputs.get(property_))}"' for property_ in changed),
        found=", ".join(f'{property_} "{printable(values[property_])}"' for property_ in changed),
    )


def _finding(claim: Claim, status: Status, tenant_id: str = "", *, id: str = "", reason: str = "") -> Finding:
    is_drift = status not in {Status.IN_STEP, Status.UNREADABLE} and reason != _GONE_MEMBER
    return Finding(claim.stack, status, claim.resource.urn, tenant_id, id, reason=reason, is_drift=is_drift)


def _set_inputs(resource: StateResource) -> SetInputs:
    """Return the inputs of a set; without names that are encrypted, its members are the items with policies."""
    inputs = resource.inputs
    if "assignments" not in inputs or resource.hidden & _NAMES:
        policies = SetState.of(resource.outputs).policies
        inputs = {"assignments": policies, "on_conflict": resource.outputs.get("on_conflict")}
    return SetInputs.of(inputs)


_SAME_READ = (("Protection", "ProtectionSet"), ("ArchiveDeletion",), ("BackupRun",))
"""The kinds of resources in the order of their reads; kinds that fail together are grouped."""

_READS: Mapping[str, Callable[[client.Account, client.TenantCache, Claim], Iterator[Finding]]] = {
    "ArchiveDeletion": _read_archive_deletion,
    "BackupRun": _read_backup_run,
    "Protection": _read_protection,
    "ProtectionSet": _read_set,
}
