"""Look-ups of tasks: the runs of jobs."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import later, lookup, open_program_account
from pulumi_dataprotection.functions._time_range import task_window

__all__ = ["get_task", "get_task_output", "get_task_stats", "get_task_stats_output"]


@lookup
def get_task(tenant_id: str, task_id: str, *, profile: str | None = None) -> client.records.Task:
    """Look up one task of a tenant (operation 22), as it is when the program first asks for it.

    Args:
        tenant_id: the tenant.
        task_id: the task's id.
        profile: the profile of the config whose key is used.

    Returns:
        The task: `id`, `status`, `message`, `started_at`, and in `fields` all that the service sent.

    Raises:
        pulumi.RunError: there is none, or it cannot be read; the text says why.
    """
    return open_program_account(profile).ask(client.calls.get_task(tenant_id, task_id))


def get_task_output(
    tenant_id: pulumi.Input[str], task_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Task]:
    """As `get_task`, for arguments that are outputs."""
    return later(get_task, tenant_id=tenant_id, task_id=task_id, profile=profile)


@lookup
def get_task_stats(
    tenant_id: str, *, start_time: datetime | str, end_time: datetime | str, profile: str | None = None
) -> client.records.TaskStats:
    """Look up how many tasks of a period ended in which way (operation 21).

    Args:
        tenant_id: the tenant.
        start_time: the start of the period: a datetime with a time zone, or RFC 3339 text; within the most recent 35
            days. The nearest full hour counts.
        end_time: its end, in the same form: at most 31 days later, and not in the future.
        profile: the profile of the config whose key is used.

    Returns:
        In `fields` all that the service sent: tasks counted by status.

    Raises:
        pulumi.RunError: the period is not possible, or it cannot be read; the text says why.
    """
    account = open_program_account(profile)
    start, end = task_window(start_time, end_time, now=account.client.clock.time())
    return account.ask(client.calls.get_task_stats(tenant_id, start_time=start, end_time=end))


def get_task_stats_output(
    tenant_id: pulumi.Input[str],
    *,
    start_time: pulumi.Input[datetime | str],
    end_time: pulumi.Input[datetime | str],
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[client.records.TaskStats]:
    """As `get_task_stats`, for arguments that are outputs."""
    return later(get_task_stats, tenant_id=tenant_id, start_time=start_time, end_time=end_time, profile=profile)
