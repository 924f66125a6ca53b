"""Every function, with arguments that find something in the seed `demo`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from pulumi_dataprotection import functions

NOW = datetime.now(UTC)
TENANT = {"tenant_id": "tenant-contoso"}
JANE = {"resource": "jane.doe@contoso.example"}

ARGUMENTS: dict[str, dict[str, Any]] = {
    "get_archives": {**TENANT, **JANE},
    "get_audit_events": {**TENANT, "start_time": NOW - timedelta(days=300), "end_time": NOW.isoformat()},
    "get_installations": {},
    "get_org": {"id": "org-contoso"},
    "get_orgs": {"parent_org_id": "org-alpine", "recursive": True},
    "get_policies": {**TENANT, "name": "Gold"},
    "get_policy": {**TENANT, "policy": "Gold"},
    "get_protection": {**TENANT, **JANE},
    "get_protections": TENANT,
    "get_resource": {**TENANT, **JANE},
    "get_resource_stats": TENANT,
    "get_resources": {**TENANT, "kind": "office_user", "name": "j*", "archived": False, "protected": True},
    "get_subscription_history": {
        "org_id": "org-contoso",
        "start": (NOW - timedelta(days=20)).isoformat(),
        "end": NOW - timedelta(days=2),
    },
    "get_subscriptions": {"org_id": "org-contoso"},
    "get_task": {**TENANT, "task_id": "task-contoso-01"},
    "get_task_stats": {**TENANT, "start_time": NOW - timedelta(days=20), "end_time": NOW.isoformat()},
    "get_tenant": {"name": "Contoso Workspace", "org_id": "org-contoso"},
    "get_tenant_quotas": TENANT,
    "get_tenants": {"org_id": "org-contoso", "recursive": True},
}

LISTS = [name for name in ARGUMENTS if name.endswith(("s", "ies")) and not name.endswith(("_stats", "_quotas"))]
"""The functions that return a list."""


def function(name: str) -> Callable[..., Any]:
    """Return the function of this name."""
    found: Callable[..., Any] = getattr(functions, name)
    return found
