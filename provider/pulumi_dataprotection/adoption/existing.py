"""A project that exists: its data files, the names that it has, and the writes of an update."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection._whole_file import remove_unfinished, write_whole
from pulumi_dataprotection.adoption import orgs_file
from pulumi_dataprotection.adoption.estate import Kept, TenantPlace
from pulumi_dataprotection.adoption.evidence import Evidence
from pulumi_dataprotection.adoption.files import load_file, load_tenant_file
from pulumi_dataprotection.adoption.project import find_data_files, stack_config
from pulumi_dataprotection.adoption.rules_file import RulesFile
from pulumi_dataprotection.adoption.snapshot import Snapshot
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.adoption.yaml_content import DataFileError

__all__ = ["DataFile", "ExistingProject"]


@dataclass(frozen=True, slots=True)
class DataFile:
    """The data file of a tenant.

    Attributes:
        path: the file.
        has_rules: whether it has rules, and does not list members by policy.
        on_conflict: the argument of the tenant's set.
    """

    path: Path
    has_rules: bool
    on_conflict: OnConflict


class ExistingProject:
    """The files of a project.

    Args:
        folder: the folder of the project, in which no other process writes.

    Attributes:
        folder: the folder of the project.
        files: the data file of each tenant, by the id of the tenant.
        kept: the names that the project has.
        evidence: the texts that the command wrote.

    Raises:
        DataFileError: A data file is not valid, two files are about one tenant, or the folder has no data file.
        OSError: The folder cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.evidence = Evidence(folder)
        org_paths, tenant_paths = find_data_files(folder)
        if not org_paths and not tenant_paths:
            raise DataFileError(
                f"Cannot update {printable(folder)}: it has no data file. Name the folder of the project."
            )
        remove_unfinished(folder)
        self._base = folder / "customer" if (folder / "customer").is_dir() else folder
        self.files: dict[str, DataFile] = {}
        for path in tenant_paths:
            found = load_file(path, load_tenant_file)
            if other := self.files.get(found.tenant):
                both = f"{printable(self.name(other.path))} and {printable(self.name(path))}"
                tenant = f"tenant {printable(found.tenant)}"
                raise DataFileError(f"Cannot update {both}: both are about {tenant}. Remove one of them.")
            self.files[found.tenant] = DataFile(path, isinstance(found, RulesFile), found.on_conflict)
        places = {id: (file.path.parent.name, file.path.stem) for id, file in self.files.items()}
        self.kept = Kept(places, load_file(org_paths[0], orgs_file.loads) if org_paths else orgs_file.OrgsFile())

    def name(self, path: Path) -> str:
        """Return the path of a file in the project."""
        return path.relative_to(self.folder).as_posix()

    def path(self, place: TenantPlace) -> Path:
        """Return the data file of a tenant, which may not exist yet."""
        file = self.files.get(place.tenant.id)
        return file.path if file else self._base / "tenants" / place.customer / f"{place.slug}.yaml"

    def text(self, path: Path) -> str | None:
        """Return the text of a file with its line ends; None without a file. A broken text equals no written text."""
        return path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else None

    def write(self, path: Path, key: str, text: str, taken: Snapshot) -> None:
        """Write a file and its snapshot, if they changed. After a kill in between, no text counts as edited by hand.

        Args:
            path: the file.
            key: the key of its snapshot.
            text: the text of the file.
            taken: the snapshot.
        """
        if text != self.text(path):
            self.evidence.save(key, self.evidence.load(key).announcing(taken))
            write_whole(path, text.encode())
        self.evidence.save(key, taken)

    def add_stack(self, customer: str, base_url: str) -> None:
        """Write the config of the stack of a customer, if the customer has none."""
        config = self._base / f"Pulumi.{customer}.yaml"
        if self._base != self.folder and not config.exists():
            write_whole(config, stack_config(base_url).encode())
