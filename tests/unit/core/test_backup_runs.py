"""How a task is waited for, on a driven clock."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from pulumi_dataprotection.client import Account, Client, Settings, errors
from pulumi_dataprotection.core.backup_runs import Goal, Reached, run_job, wait_for_task
from support import Emulator
from support.resources.contoso import patch_task
from support.scripted import DrivenClock, InterruptedClock

TENANT, JOB = "tenant-contoso", "job-contoso-01"
GO_ON = "The next `pulumi up` goes on waiting for it, and other triggers run the job again"
GOAL = Goal(success_statuses=("done", "warnings"), failure_statuses=("failed", "canceled"), timeout=7200)


class Together(DrivenClock):
    """Lets the emulator's time go on with its own."""

    def __init__(self, emulator: Emulator) -> None:
        super().__init__()
        self.emulator = emulator

    def sleep(self, seconds: float, /) -> None:
        """Go on, both."""
        super().sleep(seconds)
        self.emulator.advance(seconds)


@pytest.fixture
def open_account(emulator: Emulator) -> Iterator[Callable[..., Account]]:
    """Opens the service on a clock, as seen by a client that knows of a lag."""
    opened: list[Account] = []

    def open_one(clock: DrivenClock, *, read_lag: float = 0) -> Account:
        settings = Settings(api_key=emulator.api_key, base_url=emulator.url, calls_per_second=0, read_lag=read_lag)
        opened.append(Account(Client(settings, clock=clock)))
        return opened[-1]

    yield open_one
    for account in opened:
        account.client.close()


@pytest.fixture
def clock() -> DrivenClock:
    return DrivenClock()


@pytest.fixture
def account(open_account: Callable[..., Account], clock: DrivenClock) -> Account:
    """The service, whose own time stands still."""
    return open_account(clock)


@pytest.fixture
def task_id(account: Account) -> str:
    """A task that has just begun."""
    return run_job(account, TENANT, JOB)


def polls(emulator: Emulator) -> int:
    return sum(request["operation"] == "get_task" for request in emulator.requests())


def test_a_task_is_looked_at_after_the_intervals_of_the_interface(
    account: Account, clock: DrivenClock, task_id: str, emulator: Emulator
) -> None:
    shown: list[str] = []
    reached = wait_for_task(account, TENANT, task_id, GOAL, show=shown.append)
    # It never ends, as the service's time stands still: the last look is at the end of the time.
    intervals = [15, 30, 60, 120, *[240] * 29]
    assert ([*intervals, 7200 - sum(intervals)], len(intervals) + 1) == (clock.waits, polls(emulator))
    passed = [sum(intervals[: number + 1]) for number in range(len(intervals))]
    assert [f"the task {task_id} is queued after {seconds} s" for seconds in passed] == shown
    expected = f"the task {task_id} did not end within 7200 s, it is queued. "
    assert expected + GO_ON == reached.problem


def test_a_task_that_ends_well_is_what_was_waited_for(open_account: Callable[..., Account], emulator: Emulator) -> None:
    account = open_account(clock := Together(emulator))
    reached = wait_for_task(account, TENANT, run_job(account, TENANT, JOB), GOAL)
    # It runs after 10 seconds, and ends after 60.
    assert ("", "done", [15, 30, 60]) == (reached.problem, reached.task and reached.task.status, clock.waits)


ENDS: list[tuple[Mapping[str, str], str]] = [
    ({"status": "warnings"}, ""),
    ({"status": "failed", "message": "disk full."}, "is failed: disk full. `pulumi up` runs the job again"),
    ({"status": "failed"}, "is failed. `pulumi up` runs the job again"),
    ({"status": "canceled", "message": "by Ada"}, "is canceled: by Ada. `pulumi up` runs the job again"),
]


@pytest.mark.parametrize(("fields", "problem"), ENDS)
def test_a_task_that_ends_otherwise_says_so_in_its_own_words(
    account: Account, task_id: str, emulator: Emulator, fields: Mapping[str, str], problem: str
) -> None:
    patch_task(emulator, task_id, **fields)
    expected = f"the task {task_id} {problem}" if problem else ""
    assert expected == wait_for_task(account, TENANT, task_id, GOAL).problem


VARIANTS = {
    "upper": ("is FAILED: disk full", {"task_statuses": "upper"}),
    "prefixed": ("is failed: disk full", {"task_fields": "prefixed"}),
    "bare": ("is failed", {"task_fields": "bare"}),
}


@pytest.mark.parametrize(("expected", "variants"), VARIANTS.values(), ids=VARIANTS)
def test_a_task_is_understood_in_each_dialect(
    account: Account, task_id: str, emulator: Emulator, expected: str, variants: Mapping[str, str]
) -> None:
    emulator.set_dialect(**variants)
    patch_task(emulator, task_id, status="failed", message="disk full")
    reached = wait_for_task(account, TENANT, task_id, GOAL)
    assert f"the task {task_id} {expected}. `pulumi up` runs the job again" == reached.problem


def test_a_status_that_nobody_knows_is_shown_and_waited_on(
    account: Account, clock: DrivenClock, task_id: str, emulator: Emulator
) -> None:
    emulator.set_dialect("foreign")
    shown: list[str] = []
    reached = wait_for_task(account, TENANT, task_id, GOAL, show=shown.append)
    expected = [f"the task {task_id} is {status}" for status in ("queued after 15 s", "finalizing after 45 s")]
    assert (expected, "", [15, 30, 60]) == (shown, reached.problem, clock.waits)


def test_a_task_that_may_have_ended_long_ago_is_looked_at_at_once(
    account: Account, clock: DrivenClock, task_id: str, emulator: Emulator
) -> None:
    patch_task(emulator, task_id, status="done")
    reached = wait_for_task(account, TENANT, task_id, GOAL, at_once=True)
    assert ("", [], 1) == (reached.problem, clock.waits, polls(emulator))


PASSING = {
    "429": ["status:429"] * 8,
    "503": ["status:503"] * 8,
    "no answer": ["reset"] * 8,
    "429 with a wait": [{"status": 429, "headers": {"Retry-After": "100"}}],
}


@pytest.mark.parametrize("do", PASSING.values(), ids=PASSING)
def test_a_failure_that_may_pass_does_not_end_the_wait(
    account: Account, task_id: str, emulator: Emulator, do: list[object]
) -> None:
    patch_task(emulator, task_id, status="done")
    with emulator.faults({"operation": "get_task", "do": do}):
        reached = wait_for_task(account, TENANT, task_id, GOAL)
    assert "" == reached.problem


def test_a_failure_that_passes_is_shown(account: Account, task_id: str, emulator: Emulator) -> None:
    shown: list[str] = []
    patch_task(emulator, task_id, status="done")
    with emulator.faults({"operation": "get_task", "do": ["status:503"] * 8}):
        wait_for_task(account, TENANT, task_id, GOAL, show=shown.append)
    assert 1 == len(shown)
    assert f"the task {task_id} shows no status after " in shown[0]
    assert ", and could not be read: 503 the service failed" in shown[0]


def test_a_failure_that_lasts_is_told_at_the_end_of_the_time(
    account: Account, task_id: str, emulator: Emulator
) -> None:
    goal = Goal(GOAL.success_statuses, GOAL.failure_statuses, timeout=20)
    with emulator.faults({"operation": "get_task", "nth": 2, "do": ["status:429"] * 8}):
        reached = wait_for_task(account, TENANT, task_id, goal)
    assert reached.task
    assert "queued" == reached.task.status
    assert "did not end within 20 s, it is queued, and could not be read: 429 too many requests" in reached.problem


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_ends_the_wait_and_the_task_is_named(
    account: Account, clock: DrivenClock, task_id: str, emulator: Emulator, status: int
) -> None:
    with emulator.faults({"operation": "get_task", "do": [f"status:{status}"]}):
        reached = wait_for_task(account, TENANT, task_id, GOAL)
    assert (None, [15]) == (reached.task, clock.waits)
    assert reached.problem.startswith(f"the task {task_id} is not waited for any more: cannot read a task: {status} ")
    assert reached.problem.endswith(f". {GO_ON}")


def test_a_new_task_may_show_late(open_account: Callable[..., Account], emulator: Emulator, task_id: str) -> None:
    late = open_account(clock := DrivenClock(), read_lag=46)
    patch_task(emulator, task_id, status="done")
    with emulator.faults({"operation": "get_task", "do": ["status:404"] * 2}):
        assert "" == wait_for_task(late, TENANT, task_id, GOAL).problem
    assert [15, 30, 60] == clock.waits
    with emulator.faults({"operation": "get_task", "do": ["status:404"] * 3}):
        assert "404 not found" in wait_for_task(late, TENANT, task_id, GOAL).problem


def test_an_interruption_ends_the_wait_and_the_task_is_named(
    open_account: Callable[..., Account], task_id: str
) -> None:
    clock = InterruptedClock()
    clock.meanwhile = clock.interrupt
    reached = wait_for_task(open_account(clock), TENANT, task_id, GOAL)
    expected = f"the task {task_id} is not waited for any more: interrupted: nothing more was sent. "
    assert Reached(None, expected + GO_ON) == reached


@pytest.mark.parametrize("do", ["after:reset", "after:status:503", "truncated", "status:500"])
def test_a_run_whose_outcome_is_unclear_is_not_asked_for_twice(account: Account, emulator: Emulator, do: str) -> None:
    with (
        emulator.faults({"operation": "trigger_job", "do": [do]}),
        pytest.raises(errors.DataProtectionError) as raised,
    ):
        run_job(account, TENANT, JOB)
    assert 1 == len(emulator.writes())
    assert str(raised.value).endswith(
        ". It may run all the same, and was not asked for twice: look at it in the portal. "
        "The next `pulumi up` runs it again"
    )


@pytest.mark.parametrize("do", [{"status": 429, "headers": {"Retry-After": "3"}}, "status:429"])
def test_a_run_that_is_put_off_is_asked_for_again(
    account: Account, clock: DrivenClock, emulator: Emulator, do: object
) -> None:
    with emulator.faults({"operation": "trigger_job", "do": [do]}):
        run_job(account, TENANT, JOB)
    assert (2, 1) == (len(emulator.writes()), len(clock.waits))
    assert 3 == len([task for task in emulator.state()["tasks"] if task["tenant_id"] == TENANT])
