"""The update of a project: the data files get the changes of the service, and keep the edits by hand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from pulumi_dataprotection.adoption.adopt import Progress, data_file, read_each
from pulumi_dataprotection.adoption.changes import Changes
from pulumi_dataprotection.adoption.estate import TenantPlace, find_estate
from pulumi_dataprotection.adoption.existing import ExistingProject
from pulumi_dataprotection.adoption.files import load_set
from pulumi_dataprotection.adoption.members import TenantPlan, plan_tenant
from pulumi_dataprotection.adoption.merge import Merge, merge
from pulumi_dataprotection.adoption.project import Options, Style, whole_files
from pulumi_dataprotection.adoption.proof import Proof, prove_orgs, prove_set
from pulumi_dataprotection.adoption.result import Result, TenantResult, Unread, noting
from pulumi_dataprotection.adoption.snapshot import of_text, take
from pulumi_dataprotection.adoption.staging import exclusive
from pulumi_dataprotection.client import Account
from pulumi_dataprotection.inventory import Report, TenantContents, open_contents

__all__ = ["update"]

_UNCLEAR = ("several_policies", "unknown_policy", "gone")


def update(
    account: Account,
    out: Path,
    options: Options,
    *,
    org_ids: Collection[str],
    tenant_ids: Collection[str],
    force: bool,
    report: Report,
    progress: Progress,
) -> tuple[Result, Changes]:
    """Merge the service into an existing project, and preview the result.

    Everything is read before the first file is written. An interrupted update is finished by the next update.

    Args:
        account: the account of the key.
        out: the folder of the project.
        options: the choices about new files.
        org_ids: the organizations that are meant, with all below; empty for all that the key reaches.
        tenant_ids: the tenants that are meant; empty for all of these.
        force: whether files that were edited by hand get the content of the service.
        report: shows an organization or a tenant that cannot be read, which is left out.
        progress: shows the progress.

    Raises:
        StagingError: Another process is writing the folder.
        DataFileError: A data file is not valid, or it cannot be merged, or the folder has none.
        UnresolvedReferenceError: A tenant of `tenant_ids` is not among the tenants.
        DataProtectionError: A call failed with another error than `LEFT_OUT`.
        OSError: A file cannot be read or written.
    """
    unread: list[Unread] = []
    note = noting(unread, report)
    with exclusive(out):
        project, changes = ExistingProject(out), Changes()
        estate = find_estate(account, org_ids, tenant_ids, note, project.kept)
        tenants = _Tenants(account, project, options, changes, force=force)
        results = read_each(progress([*estate.tenants]), tenants.read, note)
        result = Result(estate, results, prove_orgs(account, estate.orgs, read=estate.names.keys()), unread)
        is_part = bool(org_ids or tenant_ids)
        if not is_part:
            found = {place.tenant.id for place in estate.tenants}
            changes.not_found = [project.name(file.path) for id, file in project.files.items() if id not in found]
        for place, tenant in results:
            if tenant.text:
                project.write(project.path(place), place.tenant.id, tenant.text, tenant.snapshot)
                project.add_stack(place.customer, options.base_url)
        # A part of the estate does not say what the whole has.
        if not is_part and not unread:
            changes.not_merged += _write_whole_files(project, result, force=force)
    return result, changes


class _Tenants:
    """The merge of each tenant into its data file.

    Args:
        account: the account of the key.
        project: the project.
        options: the choices about new files.
        changes: gets the changes.
        force: whether files that were edited by hand get the content of the service.
    """

    def __init__(
        self, account: Account, project: ExistingProject, options: Options, changes: Changes, *, force: bool
    ) -> None:
        self._account, self._project, self._options, self._changes = account, project, options, changes
        self._force = force

    def read(self, place: TenantPlace) -> TenantResult:
        """Read a tenant, and merge it into its file."""
        path = self._project.path(place)
        name, present = self._project.name(path), self._project.text(path)
        with open_contents(self._account, place.tenant) as contents:
            plan = plan_tenant(contents)
            if not present and not plan.policy_of:
                return TenantResult("", plan.entries, Proof())
            merged = self._merge(name, present or "", contents, plan)
            text = merged.text if merged else present or ""
            proof = prove_set(self._account, load_set(text, name, lambda _: contents.items))
        if merged:
            self._changes.note(name, merged)
            return TenantResult(text, plan.entries, proof, merged.snapshot)
        if proof.problems or proof.write or proof.adopt != len(plan.policy_of):
            self._changes.not_merged.append(name)
        return TenantResult("", plan.entries, proof)

    def _merge(self, name: str, present: str, contents: TenantContents, plan: TenantPlan) -> Merge | None:
        """Merge a tenant into its file; None if the file has rules that were edited by hand."""
        file, base = self._project.files.get(contents.tenant.id), self._project.evidence.load(contents.tenant.id)
        options = self._options
        if file:
            style: Style = "rules" if file.has_rules else "names"
            options = replace(options, style=style, on_conflict=file.on_conflict)
        if not file or self._force or (file.has_rules and base.wrote(present)):
            text = data_file(contents, plan.policy_of, options)
            return Merge(text, take(text, contents, plan.policy_of))
        if file.has_rules:
            return None
        unclear = [entry.id for kind in _UNCLEAR for entry in plan.entries.get(kind, ())]
        return merge(present, name, contents, plan.policy_of, base=base, unclear=unclear, on_conflict=file.on_conflict)


def _write_whole_files(project: ExistingProject, result: Result, *, force: bool) -> list[str]:
    """Write the files about all tenants, and return the paths of those that were edited by hand."""
    edited: list[str] = []
    for path, text in whole_files(project.folder, result).items():
        name, present = project.name(path), project.text(path)
        if force or present is None or present == text or project.evidence.load(name).wrote(present):
            project.write(path, name, text, of_text(text))
        else:
            edited.append(name)
    return edited
