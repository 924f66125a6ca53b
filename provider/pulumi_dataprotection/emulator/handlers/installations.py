"""Installations of the calling application: operation 1."""

from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

__all__ = ["list_installations"]


def list_installations(request: Request, store: Store) -> Payload:
    """List the installations of the calling application (operation 1)."""
    return page(
        request,
        store,
        "SELECT * FROM installations WHERE key_name = :key_name",
        {"key_name": request.key.name},
        _view,
    )


def _view(row: Row) -> Payload:
    return {"tenant_id": row["tenant_id"] or "", "org_id": row["org_id"] or ""}
