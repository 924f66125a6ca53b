"""The check of an existing project: whether an `up` of its data files would write anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import orgs_file
from pulumi_dataprotection.adoption.files import load_file, load_set
from pulumi_dataprotection.adoption.project import find_data_files
from pulumi_dataprotection.adoption.proof import Proof, prove_orgs, prove_set
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.inventory import LEFT_OUT

__all__ = ["check"]


def check(account: Account, folder: Path, progress: Callable[[list[Path]], Iterable[Path]]) -> tuple[Proof, Proof]:
    """Preview the data files of a project, as for stacks that do not exist yet.

    Args:
        account: the account of the key.
        folder: the folder of the project.
        progress: yields the files of tenants, and shows how many are done.

    Returns:
        The preview of the organizations, and of all sets.

    Raises:
        DataFileError: A data file cannot be read, or the folder has none.
        DataProtectionError: A call failed with another error than `LEFT_OUT`.
    """
    org_paths, tenant_paths = find_data_files(folder)
    if not org_paths and not tenant_paths:
        raise DataFileError(f"Cannot check {printable(folder)}: it has no data file. Name the folder of the project.")
    orgs = Proof()
    for path in org_paths:
        declared = load_file(path, orgs_file.loads)
        try:
            orgs = prove_orgs(account, declared).at(str(path.relative_to(folder)))
        except LEFT_OUT as error:
            orgs = Proof(problems=[f"{path.relative_to(folder)}: {error}"])
    files: dict[str, Path] = {}
    sets = [_check(account, path, folder, files) for path in progress(tenant_paths)]
    return orgs, Proof.total(sets)


def _check(account: Account, path: Path, folder: Path, files: dict[str, Path]) -> Proof:
    def items_of(tenant_id: str) -> list[Resource]:
        return account.tenant(tenant_id).complete_items()

    place = str(path.relative_to(folder))
    try:
        found = load_file(path, lambda text, source: load_set(text, source, items_of))
        other = files.setdefault(found.tenant_id, path)
        if other != path:
            problem = f"tenant {printable(found.tenant_id)} is also in {printable(other.relative_to(folder))}"
            return Proof(problems=[problem]).at(place)
        return prove_set(account, found).at(place)
    except LEFT_OUT as error:
        return Proof(problems=[str(error)]).at(place)
    finally:
        account.forget_tenants()
