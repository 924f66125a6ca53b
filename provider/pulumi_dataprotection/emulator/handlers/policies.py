"""Policies and protections: operations 14, 15, 19 and 20."""

from pulumi_dataprotection.emulator._errors import InvalidArgument, NotFound
from pulumi_dataprotection.emulator._events import record_event
from pulumi_dataprotection.emulator._identifiers import new_id
from pulumi_dataprotection.emulator._pages import page
from pulumi_dataprotection.emulator._request import Payload, Request
from pulumi_dataprotection.emulator._store import Row, Store
from pulumi_dataprotection.emulator.handlers.resources import EXTERNAL_ID_PREFIX, find_resource

__all__ = ["list_policies", "list_protections", "protect_resource", "unprotect_resource"]


def list_policies(request: Request, store: Store) -> Payload:
    """List the policies of a tenant, or those of exactly one name (operation 14)."""
    return page(
        request,
        store,
        """
        SELECT *, id AS position FROM policies
        WHERE tenant_id = :tenant_id AND (:name IS NULL OR name = :name) AND (:after IS NULL OR id > :after)
        ORDER BY id LIMIT :limit
        """,
        {**request.path, "name": request.text("name")},
        lambda row: {name: row[name] for name in ("id", "tenant_id", "name")},
    )


def list_protections(request: Request, store: Store) -> Payload:
    """List the protections of a tenant, or those of one resource (operation 15)."""
    resource_id = request.text("resource_id")
    if resource_id is None:
        statement = """
            SELECT *, id AS position FROM protections
            WHERE tenant_id = :tenant_id AND (:after IS NULL OR id > :after) ORDER BY id LIMIT :limit
        """
    else:
        statement = """
            SELECT *, id AS position FROM protections
            WHERE tenant_id = :tenant_id AND resource_id = :resource_id AND (:after IS NULL OR id > :after)
            ORDER BY id LIMIT :limit
        """
    return page(
        request,
        store,
        statement,
        {**request.path, "resource_id": resource_id},
        lambda row: {name: row[name] for name in ("id", "resource_id", "policy_id", "job_id")},
    )


def protect_resource(request: Request, store: Store) -> Payload:
    """Assign a policy to a resource; the one that is on it already stays as it is (operation 19)."""
    resource = _addressed(request, store)
    tenant_id, policy_id = request.path["tenant_id"], str(request.query["policy_id"])
    policy = store.one("SELECT * FROM policies WHERE tenant_id = ? AND id = ?", (tenant_id, policy_id))
    if policy is None:
        raise NotFound(f'there is no policy "{policy_id}" in the tenant "{tenant_id}"')
    present = store.all(
        "SELECT * FROM protections WHERE tenant_id = :tenant_id AND resource_id = :resource_id ORDER BY id",
        request.path,
    )
    for protection in present:
        if protection["policy_id"] == policy["id"]:
            return {"job_id": protection["job_id"]}
    if resource["archived"]:
        raise InvalidArgument(f'the resource "{resource["id"]}" is archived and can no longer be backed up')
    if present:
        raise InvalidArgument(
            f'the resource "{resource["id"]}" is protected by the policy "{present[0]["policy_id"]}" already, '
            "and a resource can have at most one policy"
        )
    job_id = new_id("job")
    store.execute(
        "INSERT INTO protections (tenant_id, id, resource_id, policy_id, job_id) VALUES (?, ?, ?, ?, ?)",
        (tenant_id, new_id("protection"), resource["id"], policy["id"], job_id),
    )
    record_event(request, store, "resource.protect", resource["name"], resource_id=resource["id"], policy_id=policy_id)
    return {"job_id": job_id}


def unprotect_resource(request: Request, store: Store) -> Payload:
    """Remove a policy from a resource (operation 20)."""
    resource = _addressed(request, store)
    policy_id = str(request.query["policy_id"])
    removed = store.execute(
        """
        DELETE FROM protections
        WHERE tenant_id = :tenant_id AND resource_id = :resource_id AND policy_id = :policy_id
        """,
        {**request.path, "policy_id": policy_id},
    )
    if not removed:
        raise NotFound(f'the resource "{resource["id"]}" is not protected by a policy "{policy_id}"')
    record_event(
        request,
        store,
        "resource.unprotect",
        resource["name"],
        resource_id=resource["id"],
        policy_id=policy_id,
    )
    return {}


def _addressed(request: Request, store: Store) -> Row:
    tenant_id, resource_id = request.path["tenant_id"], request.path["resource_id"]
    try:
        return find_resource(store, tenant_id, resource_id)
    except NotFound:
        if resource_id.startswith(EXTERNAL_ID_PREFIX):
            raise InvalidArgument(
                f'"{resource_id}" is an external id; this operation takes the resource\'s own id'
            ) from None
        raise
