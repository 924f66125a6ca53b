"""Policies and protections: operations 14, 15, 19 and 20."""

from pulumi_dataprotection.emulator._errors import InvalidArgument, NotFound, refuse_as
from pulumi_dataprotection.emulator.handlers._events import record_event
from pulumi_dataprotection.emulator.handlers._handler import handler
from pulumi_dataprotection.emulator.handlers._pages import page, view_of
from pulumi_dataprotection.emulator.handlers._quotas import find_used_up
from pulumi_dataprotection.emulator.handlers.resources import EXTERNAL_ID_PREFIX, find_resource, resource_filter
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.document import insert_record
from pulumi_dataprotection.emulator.store.store import Row, Store, new_id


@handler("PoliciesPage")
def list_policies(request: Request, store: Store) -> Payload:
    """List the policies of a tenant, or those of a name (operation 14)."""
    statement = "SELECT * FROM policies WHERE tenant_id = :tenant_id"
    if request.text("name") is not None:
        contains = request.dialect.policy_name_filter == "contains"
        statement += " AND instr(casefold(name), casefold(:name))" if contains else " AND name = :name"
    return page(request, store, statement, view_of("Policy"), name=request.text("name"))


@handler("ProtectionPage")
def list_protections(request: Request, store: Store) -> Payload:
    """List the protections of a tenant, or those of one resource (operation 15)."""
    statement = f"SELECT * FROM protections WHERE tenant_id = :tenant_id {resource_filter(request, store)}"  # noqa: S608 - ours
    return page(request, store, statement, view_of("Protection"), resource_id=request.text("resource_id"))


@handler("ProtectResourceResult")
def protect_resource(request: Request, store: Store) -> Payload:
    """Assign a policy to a resource (operation 19)."""
    resource = _addressed(request, store)
    tenant_id, policy_id = request.path["tenant_id"], str(request.query["policy_id"])
    if store.one("SELECT 1 FROM policies WHERE tenant_id = ? AND id = ?", (tenant_id, policy_id)) is None:
        refuse_as(
            request.dialect.unknown_reference, f'the policy "{policy_id}" does not exist in the tenant "{tenant_id}"'
        )
    present = store.all(
        "SELECT * FROM protections WHERE tenant_id = :tenant_id AND resource_id = :resource_id ORDER BY id",
        request.path,
    )
    for protection in present:
        if protection["policy_id"] == policy_id:
            refuse_as(request.dialect.same_policy, f'the policy "{policy_id}" is on "{resource["id"]}" already')
            return {"job_id": protection["job_id"]}
    if resource["archived"]:
        refuse_as(
            request.dialect.archived_resource,
            f'the resource "{resource["id"]}" is archived and can no longer be backed up',
        )
    if not present:
        _check_quota(request, store, resource)
    else:
        refuse_as(
            request.dialect.second_policy,
            f'the resource "{resource["id"]}" is protected by the policy "{present[0]["policy_id"]}" already, '
            "and a resource can have at most one policy",
        )
        if request.dialect.second_policy == "replaces":
            for replaced in sorted({protection["policy_id"] for protection in present}):
                _remove(request, store, resource, replaced)
    return {"job_id": _add(request, store, resource, policy_id)}


@handler("Nothing")
def unprotect_resource(request: Request, store: Store) -> Payload:
    """Remove a policy from a resource (operation 20)."""
    resource = _addressed(request, store)
    policy_id = str(request.query["policy_id"])
    if not _remove(request, store, resource, policy_id):
        refuse_as(
            request.dialect.absent_protection,
            f'the resource "{resource["id"]}" is not protected by a policy "{policy_id}"',
        )
    return {}


def _check_quota(request: Request, store: Store, resource: Row) -> None:
    if request.dialect.used_up_quota != "accepted":
        quota = find_used_up(store, resource["tenant_id"], resource["kind"])
        if quota is not None:
            refuse_as(
                request.dialect.used_up_quota,
                f'the quota "{quota["kind"]}" of the tenant "{resource["tenant_id"]}" is used up: '
                f"{quota['used']} of {quota['limit']}",
            )


def _add(request: Request, store: Store, resource: Row, policy_id: str) -> str:
    job_id = new_id(request.now)
    owner = {"tenant_id": resource["tenant_id"], "resource_id": resource["id"]}
    insert_record(
        store, "protections", request.now, **owner, id=new_id(request.now), policy_id=policy_id, job_id=job_id
    )
    _record(request, store, "resource.protect", resource, policy_id)
    return job_id


def _remove(request: Request, store: Store, resource: Row, policy_id: str) -> bool:
    removed = store.execute(
        "DELETE FROM protections WHERE tenant_id = ? AND resource_id = ? AND policy_id = ?",
        (resource["tenant_id"], resource["id"], policy_id),
    )
    if removed:
        _record(request, store, "resource.unprotect", resource, policy_id)
    return removed > 0


def _record(request: Request, store: Store, action: str, resource: Row, policy_id: str) -> None:
    record_event(request, store, action, resource["name"], resource_id=resource["id"], policy_id=policy_id)


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
