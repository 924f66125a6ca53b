"""The resources of states, grouped by the tenant or the organization whose read shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.fleet.drift_records import Finding
from pulumi_dataprotection.inventory import StateResource
from pulumi_dataprotection.resources._provider import split_id

__all__ = ["NAMES", "Claim", "Job", "JobKey", "claim_of", "set_inputs", "unreadable"]

NAMES = {"assignments", "resource", "resource_ids", "missing"}
"""The properties with names of items."""

_NEEDED = {
    "Org": {"name", "external_id", "profile"},
    "Protection": {"policy_id", "own_policy_id", "on_conflict", "profile"},
    "ProtectionSet": {"tenant_id", "protected", "adopted", "on_conflict", "profile"},
    "ArchiveDeletion": {"profile"},
    "BackupRun": {"profile"},
}
"""The properties without which a resource of a kind cannot be compared."""

JobKey = tuple[str | None, str, str]
"""The profile, the tenant, and the organization if there is no tenant."""


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
        program = set_inputs(self.resource)
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


def claim_of(stack: int, resource: StateResource) -> tuple[JobKey, Claim]:
    """Return the key of the read that a resource needs, and the resource as a part of it.

    Raises:
        DataProtectionError: The resource cannot be compared.
    """
    needed = _NEEDED.get(resource.kind)
    if needed is None:
        raise errors.DataProtectionError(f"this version does not know resources of the kind {printable(resource.kind)}")
    if hidden := needed & resource.hidden:
        names = ", ".join(sorted(hidden))
        raise errors.DataProtectionError(f"the state has values only encrypted, and the passphrase is missing: {names}")
    profile = str(resource.outputs.get("profile") or "") or None
    if resource.kind == "Org":
        return (profile, "", resource.id), Claim(stack, resource, resource.id)
    if resource.kind == "ProtectionSet":
        tenant_id = str(resource.outputs.get("tenant_id") or unquote(resource.id))
        return (profile, tenant_id, ""), Claim(stack, resource, tenant_id)
    tenant_id, id = split_id(resource.id, "a resource of a tenant")
    return (profile, tenant_id, ""), Claim(stack, resource, id)


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


def set_inputs(resource: StateResource) -> SetInputs:
    """Return the inputs of a set; without names that are encrypted, its members are the items with policies."""
    inputs = resource.inputs
    if "assignments" not in inputs or resource.hidden & NAMES:
        policies = SetState.of(resource.outputs).policies
        inputs = {"assignments": policies, "on_conflict": resource.outputs.get("on_conflict")}
    return SetInputs.of(inputs)
