"""Resources and their statistics: operations 16, 17 and 18."""

from pulumi_dataprotection.emulator._errors import NotFound
from pulumi_dataprotection.emulator.handlers._handler import handler
from pulumi_dataprotection.emulator.handlers._pages import page, view_of
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.store import Row, Store

EXTERNAL_ID_PREFIX = "ext$"

_INT64_MAX = 2**63 - 1

_view = view_of("Resource")


@handler("ResourcePage")
def list_resources(request: Request, store: Store) -> Payload:
    """List the resources of a tenant (operation 16)."""
    return page(request, store, "SELECT * FROM resources WHERE tenant_id = :tenant_id", _view)


@handler("Resource")
def get_resource(request: Request, store: Store) -> Payload:
    """Read a resource by its id, or by its external id after "ext$" (operation 18)."""
    tenant_id, resource_id = request.path["tenant_id"], request.path["id"]
    try:
        return _view(find_resource(store, tenant_id, resource_id))
    except NotFound:
        # An id may itself begin with the prefix, so the external ids come second.
        if not resource_id.startswith(EXTERNAL_ID_PREFIX):
            raise
    external_id = resource_id.removeprefix(EXTERNAL_ID_PREFIX)
    row = store.one(
        "SELECT * FROM resources WHERE tenant_id = ? AND external_id = ? ORDER BY id", (tenant_id, external_id)
    )
    if row is None or not external_id:
        raise NotFound(f'the tenant "{tenant_id}" has no resource with the external id "{external_id}"')
    return _view(row)


@handler("ResourceStats")
def get_resource_stats(request: Request, store: Store) -> Payload:
    """Count the resources of a tenant and how many are protected, by kind (operation 17)."""
    (tenant,) = store.all("SELECT * FROM tenants WHERE id = :tenant_id", request.path)
    details = store.all(
        """
        SELECT kind, count(*) AS count, sum(EXISTS (
            SELECT 1 FROM protections WHERE tenant_id = :tenant_id AND resource_id = resources.id
        )) AS protected_count
        FROM resources WHERE tenant_id = :tenant_id GROUP BY kind ORDER BY kind
        """,
        request.path,
    )
    sizes = store.all("SELECT size FROM archives WHERE tenant_id = :tenant_id", request.path)
    total = {
        "count": sum(row["count"] for row in details),
        "protected_count": sum(row["protected_count"] for row in details),
        # One archive may be larger than this field can say.
        "size_total": str(min(sum(int(row["size"]) for row in sizes), _INT64_MAX)),
    }
    return {
        "tenants": [
            {
                "tenant_id": tenant["id"],
                "kind": tenant["kind"],
                "name": tenant["name"],
                "resource_details": [dict(row) for row in details],
                "resources_total": total,
            }
        ]
    }


def find_resource(store: Store, tenant_id: str, resource_id: str) -> Row:
    """Find a resource by its own id.

    Raises:
        NotFound: The tenant has no such resource.
    """
    row = store.one("SELECT * FROM resources WHERE tenant_id = ? AND id = ?", (tenant_id, resource_id))
    if row is None:
        raise NotFound(f'the resource "{resource_id}" does not exist in the tenant "{tenant_id}"')
    return row


def resource_filter(request: Request, store: Store) -> str:
    """Return the condition that the optional parameter `resource_id` adds to a listing (operations 10 and 15).

    Raises:
        NotFound: The tenant has no such resource, and the dialect refuses it.
    """
    resource_id = request.text("resource_id")
    if resource_id is None:
        return ""
    if request.dialect.unknown_resource_filter == "not_found":
        find_resource(store, request.path["tenant_id"], resource_id)
    return "AND resource_id = :resource_id"
