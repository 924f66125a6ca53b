"""Functions for tasks: the runs of jobs."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import as_output, data_source, open_program_account
from pulumi_dataprotection.functions._time_range import task_window

__all__ = ["get_task", "get_task_output", "get_task_stats", "get_task_stats_output"]


@data_source
def get_task(tenant_id: str, task_id: str, *, profile: str | None = None) -> client.records.Task:
    """Get one task of a tenant, in its state at the program's first call (operation 22).

    Args:
        tenant_id: the tenant's id.
        task_id: the task's id.
        profile: the profile in the settings whose key is used.

    Returns:
        The task: `id`, `resource_id`, `status`, `message`, `started_at`, and in `fields` everything that the service
        sent.

    Raises:
        pulumi.RunError: the task does not exist or cannot be read; the text says why.
    """
    return open_program_account(profile).ask(client.calls.get_task(tenant_id, task_id))


def get_task_output(
    tenant_id: pulumi.Input[str], task_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[client.records.Task]:
    """Call `get_task` as soon as its arguments are known."""
    return as_output(get_task, locals())


@data_source
def get_task_stats(
    tenant_id: str, *, start_time: datetime | str, end_time: datetime | str, profile: str | None = None
) -> client.records.TaskStats:
    """Count the tasks of a period by status (operation 21).

    Args:
        tenant_id: the tenant's id.
        start_time: the start of the period: RFC 3339 text such as 2026-11-01T00:00:00Z, or a datetime with a time zone;
            within the most recent 35 days. It is rounded to the nearest full hour.
        end_time: the end of the period, in the same form: at most 31 days later, and not in the future.
        profile: the profile in the settings whose key is used.

    Returns:
        In `total` and `by_action` the ended tasks, counted as `done`, `warnings` and `failed`; in `fields` everything
        that the service sent.

    Raises:
        pulumi.RunError: the period is not possible, or the counts cannot be read; the text says why.
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
    """Call `get_task_stats` as soon as its arguments are known."""
    return as_output(get_task_stats, locals())
