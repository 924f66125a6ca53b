"""The update of a project: the data files get the changes of the service, and keep the edits by hand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import orgs_file, rules_file, tenant_file
from pulumi_dataprotection.adoption.adopt import Progress, data_file
from pulumi_dataprotection.adoption.estate import Kept, TenantPlace, find_estate
from pulumi_dataprotection.adoption.evidence import Evidence, read_text, write_text
from pulumi_dataprotection.adoption.files import has_rules, load_file, load_set
from pulumi_dataprotection.adoption.members import plan_tenant
from pulumi_dataprotection.adoption.merge import Change, Merge, merge
from pulumi_dataprotection.adoption.project import Options, find_data_files, stack_config, whole_files
from pulumi_dataprotection.adoption.proof import Proof, prove_orgs, prove_set
from pulumi_dataprotection.adoption.result import Result, TenantResult, Unread
from pulumi_dataprotection.adoption.snapshot import of_text, take
from pulumi_dataprotection.adoption.staging import exclusive
from pulumi_dataprotection.adoption.yaml_text import DataFileError
from pulumi_dataprotection.client import Account
from pulumi_dataprotection.inventory import LEFT_OUT, Report, open_contents, tenant_label

__all__ = ["Changes", "update"]

_UNCLEAR = ("several_policies", "unknown_policy", "gone")


@dataclass(slots=True)
class Changes:
    """The changes of an update.

    Attributes:
        merged: the changes of the service that the files got, by the path of the file.
        kept: the edits by hand that the service does not have, by the path of the file.
        contradictions: the members that both changed, by the path of the file.
        unknown: the references without a meaning, by the path of the file.
        not_merged: the files that differ from the service, and were edited by hand in a form that has no merge.
        not_found: the files of tenants that were not found.
    """

    merged: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    kept: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    contradictions: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    unknown: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    not_merged: list[str] = field(default_factory=list[str])
    not_found: list[str] = field(default_factory=list[str])

    def note(self, path: str, merged: Merge) -> None:
        """Add the changes of one file."""
        self.merged |= {path: merged.merged} if merged.merged else {}
        self.kept |= {path: merged.kept} if merged.kept else {}
        self.contradictions |= {path: merged.contradictions} if merged.contradictions else {}
        self.unknown |= {path: merged.unknown} if merged.unknown else {}


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

    def note(what: str, error: object) -> None:
        unread.append(Unread(what, str(error)))
        report(what, error)

    with exclusive(out):
        project = _Project(out, options, force=force)
        estate = find_estate(account, org_ids, tenant_ids, note, project.kept)
        results: list[tuple[TenantPlace, TenantResult]] = []
        for place in progress([*estate.tenants]):
            try:
                results.append((place, project.read(account, place)))
            except LEFT_OUT as error:
                note(tenant_label(place.tenant), error)
        result = Result(estate, results, prove_orgs(account, estate.orgs, read=estate.names.keys()), unread)
        if not org_ids and not tenant_ids:
            found = {place.tenant.id for place in estate.tenants}
            project.changes.not_found = [project.name(path) for id, path in project.paths.items() if id not in found]
        project.write(result, is_whole=not (org_ids or tenant_ids or unread))
    return result, project.changes


class _Project:
    """The project in a folder, and the changes of its files."""

    def __init__(self, folder: Path, options: Options, *, force: bool) -> None:
        self._folder, self._options, self._force = folder, options, force
        self._evidence = Evidence(folder)
        self.changes = Changes()
        org_paths, paths = find_data_files(folder)
        if not org_paths and not paths:
            raise DataFileError(
                f"Cannot update {printable(folder)}: it has no data file. Name the folder of the project."
            )
        self._base = folder / "customer" if (folder / "customer").is_dir() else folder
        self.paths = {load_file(path, _tenant_id): path for path in paths}
        places = {id: (path.parent.name, path.stem) for id, path in self.paths.items()}
        self.kept = Kept(places, load_file(org_paths[0], orgs_file.loads) if org_paths else orgs_file.OrgsFile())

    def name(self, path: Path) -> str:
        """Return the path of a file in the project."""
        return path.relative_to(self._folder).as_posix()

    def read(self, account: Account, place: TenantPlace) -> TenantResult:
        """Read a tenant, and merge it into its file."""
        path = self._path(place)
        with open_contents(account, place.tenant) as contents:
            plan, base = plan_tenant(contents), self._evidence.load(place.tenant.id)
            present = read_text(path) if path.exists() else None
            if present is None or self._force:
                text = data_file(contents, plan.policy_of, self._options) if plan.policy_of or present else ""
                taken = take(text, contents, plan.policy_of)
            elif has_rules(present):
                text, taken = present, base
                if base.wrote(present):
                    text = data_file(contents, plan.policy_of, replace(self._options, style="rules"))
                    taken = take(text, contents, plan.policy_of)
            else:
                unclear = [entry.id for kind in _UNCLEAR for entry in plan.entries.get(kind, ())]
                merged = merge(present, self.name(path), contents, plan.policy_of, base=base, unclear=unclear)
                text, taken = merged.text, merged.snapshot
                self.changes.note(self.name(path), merged)
            if not text:
                return TenantResult("", plan.entries, Proof())
            proof = prove_set(account, load_set(text, self.name(path), lambda _: contents.items))
            if taken is base and (proof.problems or proof.write or proof.adopt != len(plan.policy_of)):
                self.changes.not_merged.append(self.name(path))
            return TenantResult(text, plan.entries, proof, taken)

    def write(self, result: Result, *, is_whole: bool) -> None:
        """Write the files that changed."""
        for place, tenant in result.tenants:
            if tenant.text:
                self._write(self._path(place), tenant.text)
                # After the file: if a kill comes between, the file already has the changes of the service.
                self._evidence.save(place.tenant.id, tenant.snapshot)
                config = self._base / f"Pulumi.{place.customer}.yaml"
                if self._base != self._folder and not config.exists():
                    self._write(config, stack_config(self._options.base_url))
        # A part of the estate does not say what the whole has.
        for path, text in whole_files(self._folder, result).items() if is_whole else ():
            present = read_text(path) if path.exists() else None
            if self._force or present in {None, text} or self._evidence.load(self.name(path)).wrote(present or ""):
                self._write(path, text)
                self._evidence.save(self.name(path), of_text(text))
            else:
                self.changes.not_merged.append(self.name(path))

    def _path(self, place: TenantPlace) -> Path:
        return self.paths.get(place.tenant.id, self._base / "tenants" / place.customer / f"{place.slug}.yaml")

    def _write(self, path: Path, text: str) -> None:
        if not path.exists() or read_text(path) != text:
            write_text(path, text)


def _tenant_id(text: str, source: str) -> str:
    return rules_file.loads(text, source).tenant if has_rules(text) else tenant_file.loads(text, source).tenant
