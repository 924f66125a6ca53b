"""A call of each operation, about what is there."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import Record
from support.contract.scene import Scene

__all__ = ["NOTHING", "examples", "lists", "with_path"]

NOTHING = "no-such-thing-4711"
"""An id that nothing has."""


def examples(scene: Scene) -> dict[str, Call[Any]]:
    """Return the calls by the ids of their operations."""
    tenant_id, owner_id = scene.tenant_id, scene.owner_id
    # On the hour, so that a second one asks for the same.
    end = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    start = end - timedelta(days=20)
    all_calls = [
        calls.list_installations(),
        calls.create_org(
            parent_org_id=scene.org_id, external_id="crm-4711", name="Fourth Coffee", admin_email="it@fourth.example"
        ),
        calls.get_org(owner_id),
        calls.list_orgs(scene.parent_id),
        calls.list_tenants(owner_id),
        calls.list_subscriptions(owner_id),
        calls.get_subscription_history(owner_id, start=start, end=end),
        calls.get_tenant(tenant_id),
        calls.get_tenant_quotas(tenant_id),
        calls.list_archives(tenant_id),
        calls.delete_archive(tenant_id, scene.archive_id, reason="left"),
        calls.list_audit_events(tenant_id),
        calls.trigger_job(tenant_id, scene.job_id),
        calls.list_policies(tenant_id),
        calls.list_protections(tenant_id),
        calls.list_resources(tenant_id),
        calls.get_resource_stats(tenant_id),
        calls.get_resource(tenant_id, scene.protected_id),
        calls.protect_resource(tenant_id, scene.free_id, policy_id=scene.policy_id),
        calls.unprotect_resource(tenant_id, scene.protected_id, policy_id=scene.protected_by),
        calls.get_task_stats(tenant_id, start_time=start, end_time=end),
        calls.get_task(tenant_id, scene.found.get("task_id", NOTHING)),
    ]
    return {call.operation.id: call for call in all_calls}


def lists(scene: Scene) -> dict[str, Call[list[Record]]]:
    """Return the calls that list."""
    return {name: call for name, call in examples(scene).items() if call.operation.answers == "page"}


def with_path(call: Call[Any], **changed: str) -> Call[Any]:
    """Return the same call about something else."""
    return replace(call, path={**call.path, **changed})
