"""Tenants and their quotas: operations 5, 8 and 9."""

from pulumi_dataprotection.emulator.handlers._handler import by_switch, each_item, fields, handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Store

_view = fields("id org_id kind name created_at")
_shape = by_switch(
    "tenant_fields", {"bare": fields("id kind name"), "prefixed": fields("tenant_id=id kind name org_id")}
)
_quota = fields("kind count units")


def _quotas_without_usage(payload: Payload) -> Payload:
    return {"quotas": [_quota(item) for item in payload["items"]]}


@handler("TenantsPage", shape=each_item(_shape))
def list_tenants(request: Request, store: Store) -> Payload:
    """List the tenants of an organization itself (operation 5)."""
    return page(request, store, "SELECT * FROM tenants WHERE org_id = :org_id", _view, default_limit=100)


@handler("Tenant", shape=_shape)
def get_tenant(request: Request, store: Store) -> Payload:
    """Read a tenant (operation 8)."""
    (tenant,) = store.all("SELECT * FROM tenants WHERE id = :id", request.path)
    return _view(tenant)


@handler(
    "TenantQuotas",
    shape=by_switch("quotas_container", {"quotas": fields("quotas=items"), "bare": _quotas_without_usage}),
)
def get_tenant_quotas(request: Request, store: Store) -> Payload:
    """Read the limits and the usage of a tenant (operation 9)."""
    quotas = store.all("SELECT kind, count, units, used FROM quotas WHERE tenant_id = :id ORDER BY kind", request.path)
    return {"tenant_id": request.path["id"], "items": [dict(quota) for quota in quotas]}
