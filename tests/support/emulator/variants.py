"""What the tests of the dialect share: the variants of a switch as parameters, and a call of each operation."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, cast, get_args, get_origin

import httpx
import pytest

from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from support import Emulator

CONTOSO = "tenants/tenant-contoso"
FREE = "res-contoso-user-20"
PROTECTED = "res-contoso-user-01"
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"


def variants_of(field: str) -> set[str]:
    """Return the variants of a switch; none for one that takes numbers."""
    annotation = Dialect.model_fields[field].annotation
    return set(get_args(annotation)) if get_origin(annotation) is Literal else set()


def each_variant(field: str, expected: Mapping[Any, object]) -> pytest.MarkDecorator:
    """Parametrize a test over all variants of a switch: it gets the `variant`, and what is `expected` then."""
    assert variants_of(field) in (set(), set(expected)), f"not all variants of {field} are tested"
    return pytest.mark.parametrize(("variant", "expected"), expected.items(), ids=[str(name) for name in expected])


def protect(service: httpx.Client, resource_id: str, policy_id: str) -> httpx.Response:
    path = f"{CONTOSO}/resources/{resource_id}/protect"
    return service.post(path, params={"policy_id": policy_id}, json={})


def unprotect(service: httpx.Client, resource_id: str, policy_id: str) -> httpx.Response:
    return service.delete(f"{CONTOSO}/resources/{resource_id}/protect", params={"policy_id": policy_id})


def records_of(emulator: Emulator, section: str, **fields: str) -> list[dict[str, Any]]:
    """Return the records of the true state that have these values."""
    return [record for record in emulator.state()[section] if fields.items() <= record.items()]


def calls(now: datetime) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return one call of each operation that succeeds on the demo estate: method, path and query, further arguments."""
    period = {"start_time": (now - timedelta(days=2)).isoformat(), "end_time": now.isoformat()}
    policy = {"policy_id": SILVER}
    return {
        "list_installations": ("GET", "applications/me/installations", {}),
        "create_org": ("POST", "orgs?parent_org_id=org-alpine&external_id=crm-9&name=New", {}),
        "get_org": ("GET", "orgs/org-northwind", {}),
        "list_orgs": ("GET", "orgs/org-alpine/orgs", {}),
        "list_tenants": ("GET", "orgs/org-contoso/tenants", {}),
        "list_subscriptions": ("GET", "orgs/org-contoso/licensing/subscriptions", {}),
        "get_subscription_history": ("GET", "orgs/org-contoso/licensing/subscriptions/history", {}),
        "get_tenant": ("GET", CONTOSO, {}),
        "get_tenant_quotas": ("GET", f"{CONTOSO}/quotas", {}),
        "list_archives": ("GET", f"{CONTOSO}/archives", {}),
        "delete_archive": ("DELETE", f"{CONTOSO}/archives/archive-contoso-01?reason=left", {}),
        "list_audit_events": ("GET", f"{CONTOSO}/audit/events", {}),
        "trigger_job": ("PUT", f"{CONTOSO}/jobs/job-contoso-01/trigger", {}),
        "list_policies": ("GET", f"{CONTOSO}/policies", {}),
        "list_protections": ("GET", f"{CONTOSO}/protections", {}),
        "list_resources": ("GET", f"{CONTOSO}/resources", {}),
        "get_resource_stats": ("GET", f"{CONTOSO}/resources/statistics/summary", {}),
        "get_resource": ("GET", f"{CONTOSO}/resources/res-contoso-user-17", {}),
        "protect_resource": ("POST", f"{CONTOSO}/resources/{FREE}/protect", {"params": policy, "json": {}}),
        "unprotect_resource": ("DELETE", f"{CONTOSO}/resources/{PROTECTED}/protect", {"params": policy}),
        "get_task_stats": ("GET", f"{CONTOSO}/tasks/statistics/summary", {"params": period}),
        "get_task": ("GET", f"{CONTOSO}/tasks/task-contoso-01", {}),
    }


def answer(service: httpx.Client, emulator: Emulator, operation_id: str) -> Any:  # noqa: ANN401 - JSON
    """Return what an operation answers."""
    method, path, arguments = calls(emulator.now())[operation_id]
    return service.request(method, path, **arguments).raise_for_status().json()


def fields_of(value: object) -> Iterator[tuple[str, object]]:
    """Return the fields of an answer with their values, at all depths."""
    if isinstance(value, dict):
        for name, field in cast("dict[str, object]", value).items():
            yield name, field
            yield from fields_of(field)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from fields_of(item)
