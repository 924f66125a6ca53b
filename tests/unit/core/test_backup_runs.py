"""The wait for a task, on a driven clock."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from pulumi_dataprotection.client import Account, errors
from pulumi_dataprotection.core.backup_runs import Goal, Reached, run_job, wait_for_task
from support import Emulator
from support.resources.contoso import TENANT, patch_task
from support.resources.servicer import assert_names
from support.scripted import DrivenClock, InterruptedClock

JOB = "job-contoso-01"
UP = "`pulumi up`"
GOAL = Goal(success_statuses=("done", "warnings"), failure_statuses=("failed", "canceled"), timeout=7200)


class Waiting:
    """A task that has just begun, and the wait for it.

    Attributes:
        task_id: the task.
        shown: the texts that the waits showed.
    """

    def __init__(self, account: Account) -> None:
        self.account = account
        self.task_id = run_job(account, TENANT, JOB)
        self.shown: list[str] = []

    def wait(self, goal: Goal = GOAL, *, at_once: bool = False) -> Reached:
        """Wait for the task."""
        self.account.client.show = self.shown.append
        return wait_for_task(self.account, TENANT, self.task_id, goal, at_once=at_once)


@pytest.fixture
def clock() -> DrivenClock:
    return DrivenClock()


@pytest.fixture
def account(open_account: Callable[..., Account], clock: DrivenClock) -> Account:
    """The service, whose own clock stands still."""
    return open_account(clock, read_lag=0)


@pytest.fixture
def task(account: Account) -> Waiting:
    return Waiting(account)


def test_a_task_is_read_after_growing_intervals(task: Waiting, clock: DrivenClock, emulator: Emulator) -> None:
    reached = task.wait()
    # It never ends, since the service's clock stands still: the last read is at the end of the time.
    intervals = [15, 30, 60, 120, *[240] * 29]
    assert [*intervals, 7200 - sum(intervals)] == clock.waits
    assert len(intervals) + 1 == emulator.operations().count("get_task")
    first, *others = task.shown
    assert_names(first, "15 s", task.task_id)
    for number, (text, wait) in enumerate(zip(others, clock.waits[1:], strict=True), start=1):
        assert_names(text, f"{wait:g} s", task.task_id, "open", f"{sum(intervals[:number])} s")
    assert_names(reached.problem, task.task_id, "7200 s", "open", UP)


class End(NamedTuple):
    """The end of a task: the dialect and the fields of its record, and the names in the problem if there is one."""

    dialect: dict[str, str]
    fields: dict[str, str]
    names: list[str]


FULL = {"status": "failed", "message": "disk full."}
PLAIN = {"task_fields": "plain"}
ENDS = {
    "done": End({}, {"status": "done"}, []),
    "warnings": End({}, {"status": "warnings"}, []),
    "failed": End({}, FULL, ["failed, ", "portal. ", UP]),
    "canceled": End({}, {"status": "canceled"}, ["canceled, ", "portal. ", UP]),
    "failed with a message": End(PLAIN, FULL, ["failed: disk full. ", UP]),
    "failed without a message": End(PLAIN, {"status": "failed"}, ["failed, ", "portal. ", UP]),
    "canceled with a message": End(PLAIN, {"status": "canceled", "message": "by Ada"}, ["canceled: by Ada. ", UP]),
    "upper": End({**PLAIN, "task_statuses": "upper"}, FULL, ["FAILED: disk full. ", UP]),
    "prefixed": End({"task_fields": "prefixed"}, FULL, ["failed: disk full. ", UP]),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_problem_has_the_status_and_the_message_of_the_task(task: Waiting, emulator: Emulator, end: End) -> None:
    emulator.set_dialect(**end.dialect)
    patch_task(emulator, task.task_id, **end.fields)
    problem = task.wait().problem
    assert bool(end.names) == bool(problem)
    assert_names(problem, *([task.task_id, *end.names] if problem else []))


@pytest.mark.parametrize("status", ["open", "inprogress", "suspended"])
def test_a_task_that_goes_on_is_awaited(task: Waiting, clock: DrivenClock, emulator: Emulator, status: str) -> None:
    patch_task(emulator, task.task_id, status=status)
    reached = task.wait(Goal(GOAL.success_statuses, GOAL.failure_statuses, timeout=100))
    assert (status, [15, 30, 55]) == (reached.task and reached.task.status, clock.waits)
    assert_names(reached.problem, task.task_id, status, "100 s", UP)


def test_a_wait_shows_an_undocumented_status(task: Waiting, clock: DrivenClock, emulator: Emulator) -> None:
    emulator.set_dialect("foreign")
    assert ("", [15, 30, 60]) == (task.wait().problem, clock.waits)
    for text, status, seconds in zip(task.shown[1:], ("queued", "finalizing"), ("15 s", "45 s"), strict=True):
        assert_names(text, task.task_id, status, seconds)


def test_a_task_that_may_have_ended_is_read_immediately(task: Waiting, clock: DrivenClock, emulator: Emulator) -> None:
    patch_task(emulator, task.task_id, status="done")
    assert ("", []) == (task.wait(at_once=True).problem, clock.waits)
    assert emulator.operations().count("get_task") == 1


BUSY = {"status": 409, "headers": {"Retry-After": "3"}}
TEMPORARY = {
    "423": ["status:423"] * 8,
    "429": ["status:429"] * 8,
    "503": ["status:503"] * 8,
    "no answer": ["reset"] * 8,
    "429 with a wait": [{"status": 429, "headers": {"Retry-After": "100"}}],
}


@pytest.mark.parametrize("case", TEMPORARY)
def test_a_temporary_failure_is_shown_and_does_not_end_the_wait(task: Waiting, emulator: Emulator, case: str) -> None:
    patch_task(emulator, task.task_id, status="done")
    with emulator.faults({"operation": "get_task", "do": TEMPORARY[case]}):
        assert "" == task.wait().problem
    polls = [text for text in task.shown[1:] if task.task_id in text]
    assert (case != "429 with a wait") == len(polls)
    for text in polls:
        assert_names(text, task.task_id, "no status", "s, ", case if case != "no answer" else "lost")


def test_the_problem_at_the_end_of_the_time_has_the_last_failure(task: Waiting, emulator: Emulator) -> None:
    goal = Goal(GOAL.success_statuses, GOAL.failure_statuses, timeout=20)
    with emulator.faults({"operation": "get_task", "nth": 2, "do": ["status:429"] * 8}):
        reached = task.wait(goal)
    assert "open" == (reached.task and reached.task.status)
    assert_names(reached.problem, "20 s", "open", "429")


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_rejection_ends_the_wait(task: Waiting, clock: DrivenClock, emulator: Emulator, status: int) -> None:
    with emulator.faults({"operation": "get_task", "do": [f"status:{status}"]}):
        reached = task.wait()
    assert (None, [15]) == (reached.task, clock.waits)
    assert_names(reached.problem, task.task_id, "read a task", str(status), UP)


def test_a_new_task_may_be_listed_late(open_account: Callable[..., Account], emulator: Emulator) -> None:
    clock = DrivenClock()
    late = Waiting(open_account(clock, read_lag=46))
    patch_task(emulator, late.task_id, status="done")
    with emulator.faults({"operation": "get_task", "do": ["status:404"] * 2}):
        assert ("", [15, 30, 60]) == (late.wait().problem, clock.waits)
    with emulator.faults({"operation": "get_task", "do": ["status:404"] * 3}):
        assert "404" in late.wait().problem


def test_an_interruption_ends_the_wait_and_names_the_task(open_account: Callable[..., Account]) -> None:
    clock = InterruptedClock()
    task = Waiting(open_account(clock))
    clock.meanwhile = clock.interrupt
    reached = task.wait()
    assert reached.task is None
    assert_names(reached.problem, task.task_id, "interrupted", UP)


@pytest.mark.parametrize(
    "do", ["after:reset", "after:status:503", "truncated", "status:500", "status:423", "after:status:408", BUSY]
)
def test_a_job_is_not_triggered_again_after_an_unclear_outcome(account: Account, emulator: Emulator, do: str) -> None:
    with (
        emulator.faults({"operation": "trigger_job", "do": [do]}),
        pytest.raises(errors.DataProtectionError) as raised,
    ):
        run_job(account, TENANT, JOB)
    assert 1 == len(emulator.writes())
    assert_names(raised.value, "may run", "portal", UP)
