"""Tenants and their quotas: operations 5, 8 and 9."""

from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

__all__ = ["get_tenant", "get_tenant_quotas", "list_tenants"]


def list_tenants(request: Request, store: Store) -> Payload:
    """List the tenants of an organization itself (operation 5)."""
    return page(
        request,
        store,
        "SELECT * FROM tenants WHERE org_id = :org_id",
        request.path,
        _view,
    )


def get_tenant(request: Request, store: Store) -> Payload:
    """Read a tenant (operation 8)."""
    (tenant,) = store.all("SELECT * FROM tenants WHERE id = :id", request.path)
    return _view(tenant)


def get_tenant_quotas(request: Request, store: Store) -> Payload:
    """Read the limits and the usage of a tenant (operation 9)."""
    quotas = store.all("SELECT kind, count, units, used FROM quotas WHERE tenant_id = :id ORDER BY kind", request.path)
    return {"tenant_id": request.path["id"], "items": [dict(quota) for quota in quotas]}


def _view(row: Row) -> Payload:
    return {name: row[name] for name in ("id", "org_id", "kind", "name", "created_at")}
