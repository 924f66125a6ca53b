"""The calls, one function for each operation; `Client.send` sends them.

Each returns a call that is not sent yet. Those of paged operations give the items of all pages.
Times are aware datetimes. Errors are those of `Client.send`.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import TypeVar, cast

from pydantic import TypeAdapter

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._call import (
    EXTERNAL_ID_PREFIX,
    Call,
    asked_for,
    no_error,
    nothing,
    reports_a_failure,
)
from pulumi_dataprotection.client.cache.references import folded
from pulumi_dataprotection.client.records import (
    Archive,
    AuditEvent,
    CreateOrgResult,
    Installation,
    Org,
    Policy,
    Protection,
    ProtectResourceResult,
    Resource,
    ResourceStats,
    Subscription,
    SubscriptionHistory,
    Task,
    TaskStats,
    Tenant,
    TenantQuotas,
    TriggerJobResult,
    rfc3339,
)
from pulumi_dataprotection.spec import BY_ID

__all__ = [  # noqa: RUF022 - in the order of the interface
    "list_installations",
    "create_org",
    "get_org",
    "list_orgs",
    "list_tenants",
    "list_subscriptions",
    "get_subscription_history",
    "get_tenant",
    "get_tenant_quotas",
    "list_archives",
    "delete_archive",
    "list_audit_events",
    "trigger_job",
    "list_policies",
    "list_protections",
    "list_resources",
    "get_resource_stats",
    "get_resource",
    "protect_resource",
    "unprotect_resource",
    "get_task_stats",
    "get_task",
]

T = TypeVar("T")


def list_installations() -> Call[list[Installation]]:
    """Installations of the application that the key identifies (operation 1)."""
    return _call("list_installations", _many(Installation))


def create_org(
    *,
    parent_org_id: str | None = None,
    external_id: str | None = None,
    name: str | None = None,
    admin_email: str | None = None,
) -> Call[CreateOrgResult]:
    """Create a child organization (operation 2).

    Args:
        parent_org_id: the parent; without one the service decides.
        external_id: identity in an external system; prevents duplicates.
        name: the organization's name.
        admin_email: an invitation is sent there.
    """
    query = _given(parent_org_id=parent_org_id, external_id=external_id, name=name, admin_email=admin_email)
    return _call("create_org", no_error(_one(CreateOrgResult), reports_a_failure), query=query)


def get_org(id: str) -> Call[Org]:
    """One organization (operation 3)."""
    return _call("get_org", asked_for(_one(Org), id=id), id=id)


def list_orgs(org_id: str) -> Call[list[Org]]:
    """Child organizations of an organization (operation 4)."""
    return _call("list_orgs", _many(Org), org_id=org_id)


def list_tenants(org_id: str) -> Call[list[Tenant]]:
    """Tenants of an organization (operation 5)."""
    return _call("list_tenants", _many(Tenant), org_id=org_id)


def list_subscriptions(org_id: str) -> Call[list[Subscription]]:
    """Licensing subscriptions of an organization, one a tenant (operation 6)."""
    return _call("list_subscriptions", _many(Subscription), org_id=org_id)


def get_subscription_history(
    org_id: str, *, start: datetime | None = None, end: datetime | None = None
) -> Call[SubscriptionHistory]:
    """Historical usage of an organization's post-pay subscriptions (operation 7).

    Args:
        org_id: the organization.
        start: start of the window, which spans 1 to 40 days.
        end: end of the window, at least one hour before now.
    """
    query = _given(start=start, end=end)
    return _call("get_subscription_history", no_error(_one(SubscriptionHistory)), query=query, org_id=org_id)


def get_tenant(id: str) -> Call[Tenant]:
    """One tenant (operation 8)."""
    return _call("get_tenant", asked_for(_one(Tenant), id=id), id=id)


def get_tenant_quotas(id: str) -> Call[TenantQuotas]:
    """Usage and limits of a tenant (operation 9)."""
    return _call("get_tenant_quotas", no_error(_one(TenantQuotas)), id=id)


def list_archives(tenant_id: str, *, resource_id: str | None = None) -> Call[list[Archive]]:
    """Archives of a tenant, or of one of its resources (operation 10)."""
    query = _given(resource_id=resource_id)
    return _call(
        "list_archives", asked_for(_many(Archive), tenant_id=tenant_id, **query), query=query, tenant_id=tenant_id
    )


def delete_archive(tenant_id: str, id: str, *, reason: str) -> Call[None]:
    """Schedule an archive for deletion, by default in 7 days (operation 11).

    Args:
        tenant_id: the archive's tenant.
        id: the archive.
        reason: why, at most 128 bytes.
    """
    return _call("delete_archive", nothing, query={"reason": reason}, tenant_id=tenant_id, id=id)


def list_audit_events(
    tenant_id: str, *, start_time: datetime | None = None, end_time: datetime | None = None
) -> Call[list[AuditEvent]]:
    """Audit events of a tenant, between two times where given (operation 12)."""
    query = _given(start_time=start_time, end_time=end_time)
    return _call("list_audit_events", _many(AuditEvent), query=query, tenant_id=tenant_id)


def trigger_job(tenant_id: str, job_id: str) -> Call[TriggerJobResult]:
    """Run a job outside its schedule (operation 13)."""
    return _call("trigger_job", _task_spawned, tenant_id=tenant_id, job_id=job_id)


def list_policies(tenant_id: str, *, name: str | None = None) -> Call[list[Policy]]:
    """Policies of a tenant, filtered by name where given (operation 14)."""
    return _call("list_policies", _policies(tenant_id, name or ""), query=_given(name=name), tenant_id=tenant_id)


def list_protections(tenant_id: str, *, resource_id: str | None = None) -> Call[list[Protection]]:
    """Protections of a tenant, or of one of its resources (operation 15)."""
    query = _given(resource_id=resource_id)
    return _call("list_protections", asked_for(_many(Protection), **query), query=query, tenant_id=tenant_id)


def list_resources(tenant_id: str) -> Call[list[Resource]]:
    """Resources of a tenant (operation 16)."""
    return _call("list_resources", asked_for(_many(Resource), tenant_id=tenant_id), tenant_id=tenant_id)


def get_resource_stats(tenant_id: str) -> Call[ResourceStats]:
    """Protection statistics of a tenant, by kind of resource (operation 17)."""
    return _call("get_resource_stats", _statistics_of(tenant_id), tenant_id=tenant_id)


def get_resource(tenant_id: str, id: str) -> Call[Resource]:
    """One resource, by its id or by `ext$` and its external id (operation 18)."""
    return _call("get_resource", _resource(tenant_id, id), tenant_id=tenant_id, id=id)


def protect_resource(tenant_id: str, resource_id: str, *, policy_id: str) -> Call[ProtectResourceResult]:
    """Assign a policy to a resource, by its id (operation 19)."""
    path = {"tenant_id": tenant_id, "resource_id": resource_id}
    decode: Callable[[object], ProtectResourceResult] = no_error(_one(ProtectResourceResult), reports_a_failure)
    return _call("protect_resource", decode, query={"policy_id": policy_id}, **path)


def unprotect_resource(tenant_id: str, resource_id: str, *, policy_id: str) -> Call[None]:
    """Remove a policy from a resource, by its id (operation 20)."""
    path = {"tenant_id": tenant_id, "resource_id": resource_id}
    return _call("unprotect_resource", nothing, query={"policy_id": policy_id}, **path)


def get_task_stats(tenant_id: str, *, start_time: datetime, end_time: datetime) -> Call[TaskStats]:
    """Tasks counted by status (operation 21).

    Args:
        tenant_id: the tenant.
        start_time: start of the period, rounded to the hour by the service.
        end_time: its end: at most 31 days later, and within the most recent 35 days.
    """
    query = _given(start_time=start_time, end_time=end_time)
    return _call("get_task_stats", no_error(_one(TaskStats)), query=query, tenant_id=tenant_id)


def get_task(tenant_id: str, task_id: str) -> Call[Task]:
    """One task (operation 22)."""
    return _call("get_task", asked_for(_one(Task), id=task_id), tenant_id=tenant_id, task_id=task_id)


def _call(
    operation_id: str, decode: Callable[[object], T], *, query: dict[str, str] | None = None, **path: str
) -> Call[T]:
    return Call(BY_ID[operation_id], decode, path, query or {})


def _given(**values: str | datetime | None) -> dict[str, str]:
    return {
        name: rfc3339(value) if isinstance(value, datetime) else value
        for name, value in values.items()
        if value is not None
    }


@cache  # An adapter costs milliseconds to build.
def _one(record: type[T]) -> Callable[[object], T]:
    return TypeAdapter(record).validate_python


@cache
def _many(record: type[T]) -> Callable[[object], list[T]]:
    return TypeAdapter(list[record]).validate_python  # type: ignore[valid-type]  # mypy reads `record` as a name only


def _policies(tenant_id: str, name: str) -> Callable[[object], list[Policy]]:
    """Reject a policy of another tenant, or whose name does not even contain the name that was asked for."""
    decode: Callable[[object], list[Policy]] = asked_for(_many(Policy), tenant_id=tenant_id)

    def decode_and_compare(answer: object) -> list[Policy]:
        policies = decode(answer)
        for policy in policies:
            if folded(name) not in folded(policy.name or ""):
                raise ValueError(f"its name is '{printable(policy.name)}', not '{printable(name)}'")
        return policies

    return decode_and_compare


def _task_spawned(answer: object) -> TriggerJobResult:
    # An error may have an `id` of its own. A task has a status, and may have a message, under its own id.
    named = {"task_id", "task"} & cast("dict[str, object]", answer).keys()
    decode: Callable[[object], TriggerJobResult] = _one(TriggerJobResult)
    return decode(answer) if named else no_error(decode)(answer)


def _resource(tenant_id: str, id: str) -> Callable[[object], Resource]:
    decode: Callable[[object], Resource] = asked_for(_one(Resource), tenant_id=tenant_id)

    def decode_and_compare(answer: object) -> Resource:
        resource = decode(answer)
        # An id may itself begin with the prefix.
        if id not in {resource.id, f"{EXTERNAL_ID_PREFIX}{resource.external_id}"}:
            raise ValueError(f"its id is '{printable(resource.id)}', not '{printable(id)}'")
        return resource

    return decode_and_compare


def _statistics_of(tenant_id: str) -> Callable[[object], ResourceStats]:
    decode: Callable[[object], ResourceStats] = no_error(_one(ResourceStats))

    def decode_and_compare(answer: object) -> ResourceStats:
        statistics = decode(answer)
        for tenant in statistics.tenants:
            if tenant.tenant_id != tenant_id:
                raise ValueError(f"its tenant_id is '{printable(tenant.tenant_id)}', not '{printable(tenant_id)}'")
        return statistics

    return decode_and_compare
