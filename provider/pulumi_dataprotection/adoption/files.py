"""The data files as programs read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pulumi

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import orgs_file, tenant_file
from pulumi_dataprotection.adoption.orgs_file import OrgsFile
from pulumi_dataprotection.adoption.tenant_file import TenantFile
from pulumi_dataprotection.adoption.yaml_text import DataFileError

__all__ = ["load_file", "read_orgs_file", "read_tenant_file"]

T = TypeVar("T")


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


def read_tenant_file(path: Path) -> TenantFile:
    """Read the data file of a tenant.

    Args:
        path: the file.

    Returns:
        The arguments of a `ProtectionSet`: the id of the `tenant`, the `assignments`, and `on_conflict`.

    Raises:
        pulumi.RunError: The file cannot be read, or has another content; the text names the line.
    """
    return _read(path, tenant_file.loads)


def _read(path: Path, loads: Callable[[str, str], T]) -> T:
    try:
        return load_file(path, loads)
    except DataFileError as error:
        raise pulumi.RunError(str(error)) from None
