"""The ids of resources that belong to a tenant."""

from __future__ import annotations

from urllib.parse import quote, unquote

from pulumi_dataprotection.client import errors

__all__ = ["joined_id", "split_id"]


def joined_id(tenant_id: str, id: str) -> str:
    """The tenant's id and that of something in it, each percent-encoded."""
    return f"{quote(tenant_id, safe='')}/{quote(id, safe='')}"


def split_id(id: str, form: str) -> tuple[str, str]:
    """The two ids of a joined one.

    Args:
        id: the joined id.
        form: what it is the id of, and how that looks, as the error says it.

    Raises:
        DataProtectionError: it is none.
    """
    parts = [unquote(part) for part in id.split("/")]
    if len(parts) != 2 or not all(part.strip() for part in parts):  # noqa: PLR2004 - the tenant's, and its own
        raise errors.DataProtectionError(f'"{id}" is no id of {form}')
    return parts[0], parts[1]
