"""Tenants and their quotas: operations 5, 8 and 9."""

from pulumi_dataprotection.emulator.handlers._handler import by_switch, each_item, fields, handler
from pulumi_dataprotection.emulator.handlers._pages import page
from pulumi_dataprotection.emulator.handlers._quotas import quotas_of
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

_shape = by_switch(
    "tenant_fields",
    {
        "published": fields("id external_id kind name region deleted"),
        "plain": fields("id org_id kind name created_at"),
        "prefixed": fields("tenant_id=id kind name org_id"),
    },
)
_with_usage = fields("kind count units used")
_without_usage = fields("kind count units")


def _view(row: Row) -> Payload:
    return {**dict(row), "deleted": bool(row["terminated"])}


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
    shape=by_switch(
        "quotas_container",
        {
            "published": fields("quotas"),
            "plain": lambda answer: {
                "tenant_id": answer["tenant_id"], "items": [_with_usage(quota) for quota in answer["quotas"]]
            },
            "bare": lambda answer: {"quotas": [_without_usage(quota) for quota in answer["quotas"]]},
        },
    ),
)  # fmt: skip
def get_tenant_quotas(request: Request, store: Store) -> Payload:
    """Read the limits and the usage of a tenant (operation 9)."""
    return {"tenant_id": request.path["id"], "quotas": quotas_of(store, request.path["id"])}
