"""Installations of the calling application: operation 1."""

from pulumi_dataprotection.emulator.handlers._handler import handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store


@handler("InstallationPage")
def list_installations(request: Request, store: Store) -> Payload:
    """List the installations of the calling application (operation 1)."""
    statement = "SELECT * FROM installations WHERE key_name = :key_name"
    return page(request, store, statement, _view, key_name=request.key.name)


def _view(row: Row) -> Payload:
    return {"tenant_id": row["tenant_id"] or "", "org_id": row["org_id"] or ""}
