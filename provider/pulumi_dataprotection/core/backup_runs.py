"""Runs a job, and waits for its task to end."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import UNCLEAR

__all__ = ["POLL_INTERVALS", "Goal", "Reached", "glance_at_task", "run_job", "wait_for_task"]

POLL_INTERVALS = (15, 30, 60, 120, 240)
"""Seconds before each look at a task; the last one is repeated. Faster ones see nothing newer (section 4, rule 6)."""

_GO_ON = "The next `pulumi up` goes on waiting for it, and other triggers run the job again"
_UNEXPLAINED = ", and the service does not say why: look at it in the portal"
_UNCLEAR = (*UNCLEAR, errors.AnswerError)
_PASSING = (*UNCLEAR, errors.TooManyRequestsError, errors.NotSentError)


@dataclass(frozen=True, slots=True)
class Goal:
    """How a task has to end, and how long that may take; any other status is one of a task that goes on.

    Attributes:
        success_statuses: those of a run that is good, without regard to case.
        failure_statuses: those of a run that is not.
        timeout: seconds.
    """

    success_statuses: Collection[str]
    failure_statuses: Collection[str]
    timeout: float

    def is_met(self, status: str | None) -> bool:
        """Whether a task of this status has ended well."""
        return _is_among(status, self.success_statuses)

    def is_missed(self, status: str | None) -> bool:
        """Whether a task of this status has ended, and not well."""
        return _is_among(status, self.failure_statuses)


@dataclass(frozen=True, slots=True)
class Reached:
    """The progress of a task.

    Attributes:
        task: the task, as it was read last; None if it was not read.
        problem: why its goal was not met, and what to do; empty if it was met.
    """

    task: client.records.Task | None
    problem: str = ""


def run_job(account: client.Account, tenant_id: str, job_id: str) -> str:
    """Run a job once (operation 13), and return the id of its task.

    Raises:
        DataProtectionError: it could not be run, or it may run and its task is not known.
    """
    try:
        return account.client.send(client.calls.trigger_job(tenant_id, job_id)).task_id
    except _UNCLEAR as error:
        raise errors.DataProtectionError(
            f"{error.detail}. It may run all the same, and was not asked for twice: look at it in the portal. "
            "The next `pulumi up` runs it again"
        ) from error


def wait_for_task(
    account: client.Account,
    tenant_id: str,
    task_id: str,
    goal: Goal,
    *,
    at_once: bool = False,
) -> Reached:
    """Look at a task (operation 22) at growing intervals until it has ended, or as long as the goal allows.

    A passing failure to read the task is ignored. Any other end of the wait is a problem in the result, so that the
    task is not lost.

    Args:
        account: the service.
        tenant_id: the tenant.
        task_id: the task.
        goal: how it has to end.
        at_once: whether to look before the first interval, at a task that may have ended long ago.
    """
    clock = account.client.clock
    began = clock.monotonic()
    over = began + goal.timeout
    task: client.records.Task | None = None
    progress = f"the task {printable(task_id)} was started"
    intervals = chain([0] if at_once else [], POLL_INTERVALS, repeat(POLL_INTERVALS[-1]))
    while True:
        unread = ""
        try:
            account.client.wait_until(min(clock.monotonic() + next(intervals), over), progress)
            task = account.client.send(client.calls.get_task(tenant_id, task_id))
        except _PASSING as error:
            unread = f", and could not be read: {error.detail}"
        except errors.DataProtectionError as error:
            # The service may show a new task late.
            lags = isinstance(error, errors.NotFoundError)
            if not lags or clock.monotonic() - began >= account.client.settings.read_lag:
                return Reached(task, f"the task {printable(task_id)} is not waited for any more: {error}. {_GO_ON}")
        status = task.status if task else None
        if goal.is_met(status):
            return Reached(task)
        if goal.is_missed(status):
            said = f": {printable(task.message.rstrip('.'))}" if task and task.message else _UNEXPLAINED
            return Reached(
                task, f"the task {printable(task_id)} is {printable(status)}{said}. `pulumi up` runs the job again"
            )
        state = f"is {printable(status)}" if status else "shows no status"
        passed = clock.monotonic() - began
        if passed >= goal.timeout:
            return Reached(
                task,
                f"the task {printable(task_id)} did not end within {goal.timeout:g} s, it {state}{unread}. {_GO_ON}",
            )
        progress = f"the task {printable(task_id)} {state} after {passed:.0f} s{unread}"


def glance_at_task(account: client.Account, tenant_id: str, task_id: str) -> client.records.Task | None:
    """Read a task that nobody waits for; None if the service does not show it yet, or does not answer."""
    with suppress(errors.DataProtectionError):
        return account.client.send(client.calls.get_task(tenant_id, task_id))
    return None


def _is_among(status: str | None, statuses: Collection[str]) -> bool:
    return status is not None and status.casefold() in {known.casefold() for known in statuses}
