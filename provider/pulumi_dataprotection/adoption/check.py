"""The check of an existing project: whether an `up` of its data files would write anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import orgs_file, tenant_file
from pulumi_dataprotection.adoption.files import load_file
from pulumi_dataprotection.adoption.project import find_data_files
from pulumi_dataprotection.adoption.proof import Proof, prove_orgs, prove_set
from pulumi_dataprotection.adoption.yaml_text import DataFileError
from pulumi_dataprotection.client import Account
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
        raise DataFileError(f"Cannot check {folder}: it has no data file. Name the folder of the project.")
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
    file = load_file(path, tenant_file.loads)
    place = str(path.relative_to(folder))
    other = files.setdefault(file.tenant, path)
    if other != path:
        problem = f"tenant {printable(file.tenant)} is also in {other.relative_to(folder)}"
        return Proof(problems=[problem]).at(place)
    try:
        return prove_set(account, file.tenant, file.assignments, file.on_conflict).at(place)
    except LEFT_OUT as error:
        return Proof(problems=[str(error)]).at(place)
    finally:
        account.forget_tenants()
