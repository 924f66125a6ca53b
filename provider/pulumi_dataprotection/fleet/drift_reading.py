"""The read of one tenant, or of one organization, and its comparison with the states that declare parts of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.archives import find_kept_archive
from pulumi_dataprotection.core.drift import Status, compare_org
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.fleet.drift_claims import Claim, Job, unreadable
from pulumi_dataprotection.fleet.drift_policies import finding_of, read_protection_drift, read_set_drift
from pulumi_dataprotection.fleet.drift_records import Finding
from pulumi_dataprotection.inventory import LEFT_OUT

__all__ = ["read_job"]


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


def _read_archive_deletion(account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    if tenant.gone:
        yield from _gone(Job(None, tenant.id, [claim]), tenant)
    elif find_kept_archive(account, tenant.id, claim.id):
        finding = finding_of(claim, Status.DRIFTED, tenant.id, id=claim.id)
        yield replace(
            finding, declared="to be deleted", found="kept", reason="the deletion of the archive was canceled"
        )
    else:
        yield finding_of(claim, Status.IN_STEP, tenant.id, id=claim.id)


def _read_backup_run(_account: client.Account, tenant: client.TenantCache, claim: Claim) -> Iterator[Finding]:
    """Read nothing: no change in the service takes a run back."""
    yield finding_of(claim, Status.IN_STEP, tenant.id, id=claim.id)


def _read_org(account: client.Account, claim: Claim) -> Finding:
    org, outputs = account.org(claim.id), claim.resource.outputs
    name = str(outputs.get("name") or "")
    if org is None:
        return replace(finding_of(claim, Status.GONE, id=claim.id), name=name, reason="the organization does not exist")
    changed = compare_org(org, outputs)
    finding = finding_of(claim, Status.DRIFTED if changed else Status.IN_STEP, id=claim.id)
    values = {"name": org.name, "external_id": org.external_id}
    return replace(
        finding,
        name=org.name or name,
        declared=", ".join(f'{property_} "{printable(outputs.get(property_))}"' for property_ in changed),
        found=", ".join(f'{property_} "{printable(values[property_])}"' for property_ in changed),
    )


_SAME_READ = (("Protection", "ProtectionSet"), ("ArchiveDeletion",), ("BackupRun",))
"""The kinds of resources in the order of their reads; kinds that fail together are grouped."""

_READS: Mapping[str, Callable[[client.Account, client.TenantCache, Claim], Iterator[Finding]]] = {
    "ArchiveDeletion": _read_archive_deletion,
    "BackupRun": _read_backup_run,
    "Protection": read_protection_drift,
    "ProtectionSet": read_set_drift,
}
