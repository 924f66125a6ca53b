"""The quotas of a tenant, with what is used of each."""

from pulumi_dataprotection.emulator.requests.request import Payload
from pulumi_dataprotection.emulator.store.store import Store

UNLIMITED = 2**32 - 1
"""The limit of a quota without a limit."""


def quotas_of(store: Store, tenant_id: str) -> list[Payload]:
    """Return the quotas of a tenant: the limit is the maximum of automatic licensing, if that is on."""
    rows = store.all(
        """
        SELECT kind, units,
            coalesce(used, (
                SELECT count(DISTINCT resource_id) FROM protections
                JOIN resources ON resources.tenant_id = protections.tenant_id AND resources.id = resource_id
                WHERE protections.tenant_id = quotas.tenant_id AND quotas.kind IN ('resource', resources.kind)
            )) AS used,
            coalesce((
                SELECT auto_license_max FROM subscription_items AS item
                JOIN subscriptions ON subscriptions.id = subscription_id
                WHERE tenant_id = quotas.tenant_id AND item.kind = quotas.kind AND auto_license
            ), count) AS "limit"
        FROM quotas WHERE tenant_id = ? ORDER BY kind
        """,
        (tenant_id,),
    )
    return [_quota(row["kind"], row["units"], int(row["used"]), int(row["limit"])) for row in rows]


def find_used_up(store: Store, tenant_id: str, kind: str) -> Payload | None:
    """Return a quota of a kind of resource that admits no further protected resource, if any."""
    for quota in quotas_of(store, tenant_id):
        limit = int(quota["limit"])
        if quota["kind"] in {"resource", kind} and limit != UNLIMITED and int(quota["used"]) >= limit:
            return quota
    return None


def _quota(kind: str, units: str, used: int, limit: int) -> Payload:
    exceeded = limit != UNLIMITED and used > limit
    return {
        "kind": kind, "count": str(limit), "units": units, "used": str(used), "limit": str(limit), "exceeded": exceeded
    }  # fmt: skip
