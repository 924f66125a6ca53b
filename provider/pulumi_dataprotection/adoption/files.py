"""The data files, as programs and the proof read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pulumi

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import orgs_file, rules_file, tenant_file
from pulumi_dataprotection.adoption.orgs_file import OrgsFile
from pulumi_dataprotection.adoption.rules_file import RulesFile
from pulumi_dataprotection.adoption.tenant_file import OnConflict, TenantFile
from pulumi_dataprotection.adoption.yaml_content import DataFileError
from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.functions import assign, get_resources

__all__ = ["TenantSet", "load_file", "load_set", "load_tenant_file", "read_orgs_file", "read_tenant_file"]

T = TypeVar("T")

_RULES = re.compile("^rules:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TenantSet:
    """The arguments of the `ProtectionSet` of a tenant.

    Attributes:
        tenant_id: the tenant.
        assignments: the policy of each member.
        on_conflict: what to do about other policies.
    """

    tenant_id: str
    assignments: Mapping[str, str]
    on_conflict: OnConflict


def load_set(text: str, source: str, items_of: Callable[[str], Iterable[Resource]]) -> TenantSet:
    """Read the text of a data file of a tenant, which lists members by policy or has rules.

    Args:
        text: the content of the file.
        source: the file, as errors name it.
        items_of: reads the items of a tenant, for rules.

    Raises:
        DataFileError: The text has another content; the error names the line.
    """
    file = load_tenant_file(text, source)
    if isinstance(file, TenantFile):
        assignments = file.assignments
    else:
        assignments = assign(items_of(file.tenant), [entry.rule for entry in file.rules]).assignments
    return TenantSet(file.tenant, assignments, file.on_conflict)


def load_tenant_file(text: str, source: str) -> TenantFile | RulesFile:
    """Read the text of a data file of a tenant.

    Args:
        text: the content of the file.
        source: the file, as errors name it.

    Raises:
        DataFileError: The text has another content; the error names the line.
    """
    return rules_file.loads(text, source) if _RULES.search(text) else tenant_file.loads(text, source)


def load_file(path: Path, loads: Callable[[str, str], T]) -> T:
    """Read a data file.

    Args:
        path: the file.
        loads: reads the text of the file; the second argument is the file, as errors name it.

    Raises:
        DataFileError: The file cannot be read, or has another content.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(f"Cannot read {printable(path)}: {printable(error)}. Restore the file.") from None
    return loads(text, str(path))


def read_orgs_file(path: Path) -> OrgsFile:
    """Read the data file of the organizations, `orgs.yaml`.

    Args:
        path: the file.

    Returns:
        In `declared` the arguments of each `Org` by the name of the resource, and in `by_id` the ids for `get_org`.

    Raises:
        pulumi.RunError: The file cannot be read, or has another content; the text names the line.
    """
    return _read(path, orgs_file.loads)


def read_tenant_file(path: Path) -> TenantSet:
    """Read the data file of a tenant. If it has rules, they decide about the items that `get_resources` lists.

    Args:
        path: the file.

    Returns:
        The arguments of a `ProtectionSet`: `tenant_id`, `assignments` and `on_conflict`.

    Raises:
        pulumi.RunError: The file cannot be read, or has another content; the text names the line.
    """
    return _read(path, lambda text, source: load_set(text, source, lambda tenant_id: get_resources(tenant_id).items))


def _read(path: Path, loads: Callable[[str, str], T]) -> T:
    try:
        return load_file(path, loads)
    except DataFileError as error:
        raise pulumi.RunError(str(error)) from None
