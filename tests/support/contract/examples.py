"""A call of each operation about objects of a scene, and the effect of each write."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import Record
from pulumi_dataprotection.spec import OPERATIONS
from support.contract.scene import Scene
from support.contract.service import Content

__all__ = ["NOTHING", "Write", "effects", "examples", "lists", "with_path"]

T = TypeVar("T")

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
    return _of_all({call.operation.id: call for call in all_calls}, {row.id for row in OPERATIONS}, "examples()")


@dataclass(frozen=True)
class Write:
    """The effect of the example of a write.

    Attributes:
        ids: the ids of the objects that it made, changed or removed, given the content before and after it.
        answer: the field of the result that holds the id; None if the result is nothing.
        repeated: the switch that decides about a repetition, if there is a switch.
    """

    ids: Callable[[Content, Content], list[str]]
    answer: str | None = None
    repeated: str | None = None


def effects(scene: Scene) -> dict[str, Write]:
    """Return the effects of the examples of all writes, by the ids of their operations."""

    def added(table: str, field: str = "id") -> Callable[[Content, Content], list[str]]:
        def ids(before: Content, after: Content) -> list[str]:
            known = {row["id"] for row in before[table]}
            return [row[field] for row in after[table] if row["id"] not in known]

        return ids

    def pending(_before: Content, after: Content) -> list[str]:
        return [row["id"] for row in after["archives"] if row["delete_at"] and row["id"] == scene.archive_id]

    def unprotected(_before: Content, after: Content) -> list[str]:
        protected = {row["resource_id"] for row in after["protections"]}
        return [id for id in [scene.protected_id] if id not in protected]

    writes = {
        "create_org": Write(added("orgs"), "org.id"),
        "delete_archive": Write(pending, repeated="repeated_deletion"),
        "trigger_job": Write(added("tasks"), "task_id"),
        "protect_resource": Write(added("protections", "job_id"), "job_id", "same_policy"),
        "unprotect_resource": Write(unprotected, repeated="absent_protection"),
    }
    return _of_all(writes, {row.id for row in OPERATIONS if row.writes}, "effects()")


def _of_all(found: dict[str, T], expected: set[str], place: str) -> dict[str, T]:
    missing = ", ".join(sorted(expected - found.keys()))
    assert not missing, f"add {missing} to {place} in tests/support/contract/examples.py"
    return found


def lists(scene: Scene) -> dict[str, Call[list[Record]]]:
    """Return the calls that list."""
    return {name: call for name, call in examples(scene).items() if call.operation.answers == "page"}


def with_path(call: Call[Any], **changed: str) -> Call[Any]:
    """Return the same call about something else."""
    return replace(call, path={**call.path, **changed})
