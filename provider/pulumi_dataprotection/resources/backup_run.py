"""Runs of a job outside its schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, cast

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.backup_runs import Goal, glance_at_task, run_job, wait_for_task
from pulumi_dataprotection.core.outcomes import PurposeError
from pulumi_dataprotection.core.protection_set.inputs import text_problem
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    changes_in,
    differing,
    inputs_among,
    is_managed,
    is_unknown,
    joined_id,
    optional_str,
    report_errors,
    split_id,
    text_failures,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import fail_half_done, info, warn

__all__ = ["BackupRun", "BackupRunProvider"]

_RUNS_AGAIN = ("tenant_id", "job_id", "triggers")
_INPUTS = (*_RUNS_AGAIN, "wait", "timeout", "success_statuses", "failure_statuses", "profile")
_FORM = "a run, which is TENANT_ID/TASK_ID"
_TIMEOUT = 7200
_WARNINGS = "warnings"
_SUCCESS_STATUSES = ("done", _WARNINGS)
_FAILURE_STATUSES = ("failed", "canceled")


class BackupRunProvider(Provider):
    """Runs a job once when the resource is created, and waits for the task."""

    # A run that was read by `get` is not waited for.
    defaults: ClassVar[Mapping[str, object]] = {
        "wait": False,
        "timeout": _TIMEOUT,
        "success_statuses": [*_SUCCESS_STATUSES],
        "failure_statuses": [*_FAILURE_STATUSES],
    }
    names_in_id = ("tenant_id", "task_id")

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Find in a preview what `up` would fail on."""
        olds, inputs = without_provider(_olds), without_provider(news)
        failures = [
            *text_failures(inputs, required=("tenant_id", "job_id"), optional=("profile",)),
            *_failures_of_waiting(inputs),
        ]
        if differing(olds, inputs, ("tenant_id", "job_id")) and not failures and self.online:
            failures = [*_job_failures(self.checked_context(inputs).account, inputs)]
        return CheckResult(inputs, failures)

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Run the job again after a change of its triggers or a failure; wait for a task that was left."""
        # A refresh compares the inputs of the state.
        olds, inputs = self.stored(_id, _olds), self.stored(_id, _news)
        # A state without the job does not say that another job ran.
        compared = [name for name in _RUNS_AGAIN if name != "job_id" or (name in olds and name in inputs)]
        replaces = differing(olds, inputs, compared)
        if not replaces and _was_left(olds):
            task = f"the task {printable(olds.get('task_id'))}"
            if _goal(olds).is_missed(optional_str(olds, "status")):
                info(f"{task} is {printable(olds['status'])}: this runs the job again.")
                replaces = ["status"]
            else:
                info(f"{task} had not ended: this goes on waiting for it.")
            return DiffResult(changes=True, replaces=replaces)
        return DiffResult(changes=True if replaces else changes_in(olds, inputs, _INPUTS), replaces=replaces)

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Run the job, once."""
        inputs = without_provider(props)
        tenant_id, job_id = cast("str", inputs["tenant_id"]), cast("str", inputs["job_id"])
        account = self.account(inputs)
        started_at = client.records.rfc3339(datetime.fromtimestamp(int(account.client.clock.time()), UTC))
        try:
            task_id = run_job(account, tenant_id, job_id)
        except errors.DataProtectionError as error:
            purpose = f"cannot run the job {printable(job_id)} in tenant {printable(tenant_id)}"
            raise PurposeError(purpose, error) from error
        id_, state = joined_id(tenant_id, task_id), {**inputs, "task_id": task_id, "started_at": started_at}
        if not inputs["wait"]:
            return CreateResult(id_, _state(state, glance_at_task(account, tenant_id, task_id)))
        return CreateResult(id_, _wait(account, id_, state))

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read how far the task is; what has ended stays as it was, also when the service forgets it."""
        state = self.stored(id_, props)
        managed = is_managed(props)
        tenant_id, task_id = split_id(id_, _FORM)
        if not managed:
            state |= {"tenant_id": tenant_id, "task_id": task_id}
        if not managed or not _has_ended(state):
            account = self.account(state)
            try:
                state = _state(state, account.client.send(client.calls.get_task(tenant_id, task_id)))
            except errors.NotFoundError:
                if not managed:
                    raise
                # It ran all the same, unless this is not the service.
                account.tenant(tenant_id).witness.require_tenant()
        return ReadResult(id_, state, inputs_among(state, _INPUTS))

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Wait for a task that the last `up` left, or that the program waits for from now on."""
        olds, inputs = self.stored(_id, _olds), without_provider(_news)
        kept = {name: value for name, value in olds.items() if name not in _INPUTS}
        state = {**kept, **inputs, "schema_version": SCHEMA}
        waits = inputs["wait"] and not (_goal(olds).is_met(optional_str(olds, "status")))
        return UpdateResult(_wait(self.account(inputs), _id, state, at_once=True) if waits else state)

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Forget the run; nothing is left of it that could be taken back."""


def _wait(account: client.Account, id_: str, state: Properties, *, at_once: bool = False) -> Properties:
    """Wait for the task of a state, and keep it in the state whatever comes of it."""
    tenant_id, task_id = cast("str", state["tenant_id"]), cast("str", state["task_id"])
    reached = wait_for_task(account, tenant_id, task_id, _goal(state), at_once=at_once)
    outs = _state(state, reached.task)
    if reached.problem:
        fail_half_done(
            f"the job {printable(state['job_id'])} in tenant {printable(tenant_id)}: {reached.problem}", id_, outs
        )
    if str(outs["status"]).casefold() == _WARNINGS:
        said = (
            f": {printable(reached.task.message)}"
            if reached.task and reached.task.message
            else ". Look at it in the portal"
        )
        warn(f"The task {printable(task_id)} is done, with warnings{said.rstrip('.')}.")
    return outs


def _goal(state: Properties) -> Goal:
    return Goal(
        success_statuses=cast("Sequence[str]", state["success_statuses"]),
        failure_statuses=cast("Sequence[str]", state["failure_statuses"]),
        timeout=cast("float", state["timeout"]),
    )


def _was_left(state: Properties) -> bool:
    """Whether the last `up` waited for the task, and did not see it end well."""
    return bool(state["wait"]) and not _goal(state).is_met(optional_str(state, "status"))


def _has_ended(state: Properties) -> bool:
    goal, status = _goal(state), optional_str(state, "status")
    return goal.is_met(status) or goal.is_missed(status)


def _state(known: Properties, task: client.records.Task | None) -> Properties:
    """Map a task to the outputs; where it could not be read, or does not say, what is known of it stays."""
    seen = dict(task or {})
    return {
        **known,
        "status": seen.get("status") or known.get("status"),
        "started_at": seen.get("started_at") or known.get("started_at"),
        "schema_version": SCHEMA,
    }


def _job_failures(account: client.Account, inputs: Properties) -> Iterator[CheckFailure]:
    """Find the tenant, and say where none of its protections has the job; that it does not exist is not certain."""
    tenant_id, job_id = optional_str(inputs, "tenant_id"), optional_str(inputs, "job_id")
    if not tenant_id or not job_id:
        return
    try:
        protections = account.tenant(tenant_id).protections.all()
    except errors.NotFoundError as error:
        yield CheckFailure("tenant_id", str(error))
        return
    if all(protection.job_id != job_id for protection in protections):
        warn(
            f"No protection in tenant {printable(tenant_id)} has the job {printable(job_id)}: "
            "the service may not know it there."
        )


def _failures_of_waiting(inputs: Properties) -> Iterator[CheckFailure]:
    """Find what says wrongly when the job runs, and how it is waited for; what is not known yet is let pass."""
    triggers, timeout = inputs.get("triggers"), inputs.get("timeout")
    if triggers is not None and not isinstance(triggers, list) and not is_unknown(triggers):
        yield CheckFailure("triggers", "must be a list")
    if not isinstance(inputs.get("wait"), bool) and not is_unknown(inputs.get("wait")):
        yield CheckFailure("wait", "must be true or false")
    seconds = timeout if isinstance(timeout, (int, float)) and not isinstance(timeout, bool) else 0
    if seconds <= 0 and not is_unknown(timeout):
        yield CheckFailure("timeout", "must be a number of seconds above 0")
    yield from _failures_of_statuses(inputs)


def _failures_of_statuses(inputs: Properties) -> Iterator[CheckFailure]:
    named: set[str] = set()
    for name in ("success_statuses", "failure_statuses"):
        value = inputs.get(name)
        if is_unknown(value):
            continue
        if not isinstance(value, list) or not value:
            yield CheckFailure(name, "must be a list with at least one status")
            continue
        for status in cast("list[object]", value):
            if is_unknown(status):
                continue
            if problem := text_problem(status):
                yield CheckFailure(name, f"each {problem}")
            elif (folded := str(status).casefold()) in named:
                yield CheckFailure(name, f'"{printable(status)}" is named twice')
            else:
                named.add(folded)


class BackupRun(DeclaredResource, module="dataprotection", name="BackupRun"):
    """One run of a job outside its schedule.

    The job runs when the resource is created, and again when `tenant_id`, `job_id` or `triggers` change. A refresh, an
    `up` without changes and a destroy never run it. A run that fails is an error, and the next `up` runs the job again;
    if the wait ended before the task did, the next `up` goes on waiting for it.

    Example:
        ```python
        from pulumi_dataprotection import BackupRun, get_protection

        protection = get_protection("tenant-contoso", "jane.doe@contoso.example")
        BackupRun("before-migration", tenant_id="tenant-contoso", job_id=protection.job_id, triggers=["2026-12-01"])
        ```

    Args:
        resource_name: the name in the program.
        tenant_id: the tenant that the job belongs to.
        job_id: the job, as the `job_id` of a protection has it.
        triggers: a list of values, such as texts, numbers, times or records; when they change, the job runs again.
        wait: whether to wait for the end of the task, looking at it after 15, 30, 60, 120, and then every 240 seconds.
        timeout: seconds to wait at most.
        success_statuses: statuses of a task that has ended well, without regard to case; by default `done` and
            `warnings`, which is done with a problem to look at and prints a warning.
        failure_statuses: statuses of a task that has ended otherwise, by default `failed` and `canceled`. With any
            other status, such as `open`, `inprogress` or `suspended`, the task goes on.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.
    """

    provider_class = BackupRunProvider
    outputs = (*_INPUTS, "task_id", "status", "started_at")

    tenant_id: pulumi.Output[str]
    job_id: pulumi.Output[str]
    # The SDK rejects lists and dictionaries for the type `object`: translate_output_properties in runtime/rpc.py.
    triggers: pulumi.Output[Sequence[Any] | None]
    wait: pulumi.Output[bool]
    timeout: pulumi.Output[float]
    success_statuses: pulumi.Output[Sequence[str]]
    failure_statuses: pulumi.Output[Sequence[str]]
    task_id: pulumi.Output[str]
    """The task of this run."""
    status: pulumi.Output[str | None]
    """The task's status in the service's own word, as it was seen last."""
    started_at: pulumi.Output[str | None]
    """When the task began, in RFC 3339: the service's time if it sends one, else the time when this resource ran the
    job, by the clock of this machine."""

    def __init__(
        self,
        resource_name: str,
        *,
        tenant_id: pulumi.Input[str],
        job_id: pulumi.Input[str | None],
        triggers: pulumi.Input[Sequence[pulumi.Input[object]]] | None = None,
        wait: pulumi.Input[bool] = True,
        timeout: pulumi.Input[float] = _TIMEOUT,
        success_statuses: pulumi.Input[Sequence[pulumi.Input[str]]] = _SUCCESS_STATUSES,
        failure_statuses: pulumi.Input[Sequence[pulumi.Input[str]]] = _FAILURE_STATUSES,
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        inputs: dict[str, object] = {
            "tenant_id": tenant_id,
            "job_id": job_id,
            "triggers": triggers,
            "wait": wait,
            "timeout": timeout,
            "success_statuses": success_statuses,
            "failure_statuses": failure_statuses,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)
