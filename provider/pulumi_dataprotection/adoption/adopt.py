"""The run of an adoption: read tenant by tenant, prove each data file, and write the project."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

from pulumi_dataprotection.adoption import rules_file, tenant_file
from pulumi_dataprotection.adoption.estate import TenantPlace, find_estate
from pulumi_dataprotection.adoption.files import load_set
from pulumi_dataprotection.adoption.members import plan_tenant
from pulumi_dataprotection.adoption.project import Options, write_project
from pulumi_dataprotection.adoption.proof import Proof, prove_orgs, prove_set
from pulumi_dataprotection.adoption.result import Result, TenantResult, Unread, noting
from pulumi_dataprotection.adoption.rules import infer
from pulumi_dataprotection.adoption.snapshot import take
from pulumi_dataprotection.adoption.staging import open_staging
from pulumi_dataprotection.adoption.tenant_file import build
from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.records import Tenant
from pulumi_dataprotection.inventory import LEFT_OUT, Report, TenantContents, open_contents, tenant_label

__all__ = ["Progress", "adopt", "data_file", "read_each"]

Progress = Callable[[list[TenantPlace]], Iterable[TenantPlace]]
"""Yields the tenants, and shows how many are done."""


def adopt(
    account: Account,
    out: Path,
    options: Options,
    *,
    org_ids: Collection[str],
    tenant_ids: Collection[str],
    report: Report,
    progress: Progress,
) -> Result:
    """Write a project that adopts an estate, and prove that its `up` writes nothing.

    Args:
        account: the account of the key.
        out: the folder of the project, which does not exist or is empty.
        options: the choices about the project.
        org_ids: the organizations that are meant, with all below; empty for all that the key reaches.
        tenant_ids: the tenants that are meant; empty for all of these.
        report: shows an organization or a tenant that cannot be read, which is left out.
        progress: shows the progress.

    Raises:
        StagingError: The folder cannot be written.
        UnresolvedReferenceError: A tenant of `tenant_ids` is not among the tenants.
        DataProtectionError: A call failed with another error than `LEFT_OUT`.
        OSError: A file cannot be written.
    """
    unread: list[Unread] = []
    note = noting(unread, report)
    fingerprint = f"{version('pulumi-dataprotection')} {options.base_url} {options.style} {options.on_conflict}"
    with open_staging(out, fingerprint) as staging:
        estate = find_estate(account, org_ids, tenant_ids, note)

        def read(place: TenantPlace) -> TenantResult:
            found = staging.load(place.tenant.id)
            if found is None:
                found = _read(account, place.tenant, options)
                staging.save(place.tenant.id, found)
            return found

        results = read_each(progress([*estate.tenants]), read, note)
        result = Result(estate, results, prove_orgs(account, estate.orgs, read=estate.names.keys()), unread)
        staging.publish(lambda folder: write_project(folder, result, options))
    return result


def read_each(
    places: Iterable[TenantPlace], read: Callable[[TenantPlace], TenantResult], report: Report
) -> list[tuple[TenantPlace, TenantResult]]:
    """Read tenants one after the other.

    Args:
        places: the tenants.
        read: reads a tenant.
        report: shows a tenant that cannot be read, which is left out.
    """
    results: list[tuple[TenantPlace, TenantResult]] = []
    for place in places:
        try:
            results.append((place, read(place)))
        except LEFT_OUT as error:
            report(tenant_label(place.tenant), error)
    return results


def _read(account: Account, tenant: Tenant, options: Options) -> TenantResult:
    """Read a tenant, and prove its data file while the contents are cached."""
    with open_contents(account, tenant) as contents:
        plan = plan_tenant(contents)
        if not plan.policy_of:
            return TenantResult("", plan.entries, Proof())
        text = data_file(contents, plan.policy_of, options)
        written = load_set(text, f"the data file of tenant {tenant.id}", lambda _: contents.items)
        proof = prove_set(account, written)
        return TenantResult(text, plan.entries, proof, take(text, contents, plan.policy_of))


def data_file(contents: TenantContents, policy_of: Mapping[str, str], options: Options) -> str:
    """Return the text of the data file of a tenant.

    Args:
        contents: the tenant's contents.
        policy_of: the id of the policy of each member, by the id of the item.
        options: the choices about the project.
    """
    if options.style == "rules":
        return rules_file.dumps(infer(contents, policy_of, options.on_conflict), contents)
    return tenant_file.dumps(build(contents, policy_of, options.on_conflict), contents)
