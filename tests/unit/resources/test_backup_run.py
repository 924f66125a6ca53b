"""Runs of a job, as the engine drives them over the provider's wire; nobody waits for the clock."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types

from support import Emulator
from support.resources.runs import operations, patch_task
from support.resources.servicer import UNKNOWN, Difference, Engine, OperationError, Run, Servicer

TENANT, JOB = "tenant-contoso", "job-contoso-01"
INPUTS: dict[str, Any] = {
    "tenant_id": TENANT,
    "job_id": JOB,
    "triggers": ["monday"],
    "wait": True,
    "timeout": 7200,
    "success_statuses": ["done", "warnings"],
    "failure_statuses": ["failed", "canceled"],
}
AT_ONCE: dict[str, Any] = {**INPUTS, "wait": False}


@pytest.fixture
def run(hurried: Servicer, emulator: Emulator) -> Run:
    """A command of the engine; a task goes on as it is looked at."""
    emulator.set_dialect(task_progress="polls")
    return hurried.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})


def state(**others: object) -> dict[str, Any]:
    """The outputs of a run, as an earlier command left them."""
    task = {"task_id": "task-contoso-01", "status": "done", "started_at": "2026-01-31T08:00:00Z"}
    return {**INPUTS, **task, "schema_version": 1, **others}


def triggers(emulator: Emulator) -> int:
    return operations(emulator).count("trigger_job")


# check


def test_a_run_of_a_job_that_a_protection_has_is_right(run: Run, emulator: Emulator) -> None:
    assert (INPUTS, [], ["list_protections"]) == (*run.backup_run.check({}, INPUTS), operations(emulator))


def test_a_run_that_is_there_already_is_not_checked_in_the_service(run: Run, emulator: Emulator) -> None:
    checked = run.backup_run.check(INPUTS, {**INPUTS, "triggers": ["tuesday"]})
    assert ([], []) == (checked.failures, operations(emulator))


@pytest.mark.parametrize("job_id", ["job-adatum-01", "job-nowhere"])
def test_a_job_that_no_protection_of_the_tenant_has_is_warned_of(run: Run, engine: Engine, job_id: str) -> None:
    assert [] == run.backup_run.check({}, {**INPUTS, "job_id": job_id}).failures
    expected = f"No protection in tenant {TENANT} has the job {job_id}: the service may not know it there."
    assert [expected] == [message.message for message in engine.messages]


def test_a_tenant_that_is_not_there_fails_on_the_tenant(run: Run) -> None:
    ((name, reason),) = run.backup_run.check({}, {**INPUTS, "tenant_id": "tenant-nowhere"}).failures
    assert ("tenant_id", True) == (name, 'there is no tenant "tenant-nowhere"' in reason)


BAD: list[tuple[str, object, str]] = [
    ("tenant_id", "", "must not be empty"),
    ("job_id", None, "is required"),
    ("job_id", 7, "must be text"),
    ("job_id", "a\nb", "must not hold control characters"),
    ("profile", " ", "must not be empty"),
    ("triggers", "monday", "must be a list"),
    ("triggers", {"day": "monday"}, "must be a list"),
    ("wait", "yes", "must be true or false"),
    ("wait", None, "must be true or false"),
    ("timeout", 0, "must be a number of seconds above 0"),
    ("timeout", -1.5, "must be a number of seconds above 0"),
    ("timeout", True, "must be a number of seconds above 0"),
    ("timeout", "60", "must be a number of seconds above 0"),
    ("success_statuses", [], "must be a list with at least one status"),
    ("success_statuses", "done", "must be a list with at least one status"),
    ("failure_statuses", None, "must be a list with at least one status"),
    ("success_statuses", ["done", 7], "each must be text"),
    ("failure_statuses", [" "], "each must not be empty"),
    ("failure_statuses", ["Done"], '"Done" is named twice'),
    ("success_statuses", ["fine", "FINE"], '"FINE" is named twice'),
]


@pytest.mark.parametrize(("name", "value", "reason"), BAD)
def test_a_bad_argument_fails_on_its_property_and_nothing_is_asked(
    run: Run, emulator: Emulator, name: str, value: object, reason: str
) -> None:
    failures = run.backup_run.check({}, {**INPUTS, name: value}).failures
    assert ([(name, reason)], []) == (failures, emulator.requests())


@pytest.mark.parametrize("name", INPUTS)
def test_an_argument_that_is_not_known_yet_is_let_pass(run: Run, name: str) -> None:
    assert [] == run.backup_run.check({}, {**INPUTS, name: UNKNOWN}).failures


def test_a_run_needs_no_triggers(run: Run) -> None:
    inputs = {name: value for name, value in INPUTS.items() if name != "triggers"}
    assert [] == run.backup_run.check({}, inputs).failures


def test_parts_of_arguments_that_are_not_known_yet_are_let_pass(run: Run, emulator: Emulator) -> None:
    inputs = {**INPUTS, "job_id": UNKNOWN, "triggers": [UNKNOWN], "success_statuses": ["done", UNKNOWN]}
    assert ([], []) == (run.backup_run.check({}, inputs).failures, emulator.requests())


def test_nothing_is_asked_where_previews_are_offline(hurried: Servicer, emulator: Emulator) -> None:
    config = {"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"}
    failures = hurried.run(config).backup_run.check({}, INPUTS).failures
    assert ([], []) == (failures, emulator.requests())


# create


def test_a_new_run_runs_the_job_once_and_waits_for_its_end(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(INPUTS)
    (task,) = (task for task in emulator.state()["tasks"] if task["id"] == made.outs["task_id"])
    assert (JOB, "done") == (task["job_id"], task["status"])
    assert state(task_id=task["id"], started_at=task["started_at"]) == made.outs
    assert f"{TENANT}/{task['id']}" == made.id
    assert ["trigger_job", *["get_task"] * 3] == operations(emulator)


def test_what_is_waited_for_is_shown_as_it_goes_on(run: Run, engine: Engine) -> None:
    task_id = run.backup_run.create(INPUTS).outs["task_id"]
    expected = [f"the task {task_id} is queued after 15 s", f"the task {task_id} is running after 45 s"]
    shown = [message.message for message in engine.messages if message.ephemeral]
    assert expected == shown


def test_a_run_that_nobody_waits_for_is_looked_at_once(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    assert ("queued", None) == (made.outs["status"], made.outs.get("started_at"))
    assert ["trigger_job", "get_task"] == operations(emulator)


@pytest.mark.parametrize("do", ["status:404", "status:403", "truncated"])
def test_a_run_that_nobody_waits_for_is_not_lost_where_it_cannot_be_looked_at(
    run: Run, emulator: Emulator, do: str
) -> None:
    with emulator.faults({"operation": "get_task", "do": [do]}):
        outs = run.backup_run.create(AT_ONCE).outs
    assert (True, None) == (outs["task_id"].startswith("task-"), outs.get("status"))


def test_a_job_of_another_tenant_is_an_error_that_names_both(run: Run, emulator: Emulator) -> None:
    with pytest.raises(OperationError) as raised:
        run.backup_run.create({**INPUTS, "job_id": "job-adatum-01"})
    assert str(raised.value).startswith(f"cannot run the job job-adatum-01 in tenant {TENANT}: 404 not found ")
    assert (None, 1) == (raised.value.half_done, len(emulator.writes()))


def test_a_run_whose_answer_got_lost_is_not_asked_for_twice_and_not_kept(run: Run, emulator: Emulator) -> None:
    with emulator.faults({"operation": "trigger_job", "do": ["after:reset"]}), pytest.raises(OperationError) as raised:
        run.backup_run.create(INPUTS)
    assert "It may run all the same, and was not asked for twice" in str(raised.value)
    assert (None, 1) == (raised.value.half_done, len(emulator.writes()))


def test_a_run_that_fails_is_an_error_in_the_tasks_own_words_and_is_kept(run: Run, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": "res-contoso-user-01", "archived": True}]})
    with pytest.raises(OperationError) as raised:
        run.backup_run.create(INPUTS)
    assert raised.value.half_done
    outs = raised.value.half_done.outs
    assert "failed" == outs["status"]
    expected = f"the task {outs['task_id']} is failed: the resource can no longer be backed up. "
    assert f"the job {JOB} in tenant {TENANT}: {expected}`pulumi up` runs the job again" == str(raised.value)
    assert Difference("some", ["status"]) == run.backup_run.diff(raised.value.half_done.id, outs, INPUTS)


def test_a_run_that_takes_too_long_is_kept_and_waited_for_by_the_next_command(run: Run, emulator: Emulator) -> None:
    emulator.set_dialect(task_progress="clock")
    with pytest.raises(OperationError) as raised:
        run.backup_run.create({**INPUTS, "timeout": 50})
    half_done = raised.value.half_done
    assert half_done
    assert "did not end within 50 s, it is queued" in str(raised.value)
    assert "queued" == half_done.outs["status"]
    assert Difference("some", []) == run.backup_run.diff(half_done.id, half_done.outs, {**INPUTS, "timeout": 50})
    emulator.advance(60)
    emulator.clear_requests()
    outs = run.backup_run.update(half_done.id, half_done.outs, {**INPUTS, "timeout": 50})
    assert ("done", ["get_task"]) == (outs["status"], operations(emulator))


def test_ctrl_c_ends_the_wait_and_the_run_is_kept(tmp_path: Path, engine: Engine, emulator: Emulator) -> None:
    with Servicer(tmp_path / "mortal", engine.address) as mortal:
        run = mortal.run({"apiKey": emulator.api_key, "baseUrl": emulator.url})
        with ThreadPoolExecutor(1) as thread:
            pending = thread.submit(run.backup_run.create, INPUTS)
            while not triggers(emulator) and not pending.done():
                pass
            mortal.stub.Cancel(Empty())
            with pytest.raises(OperationError) as raised:
                pending.result(60)
    assert raised.value.half_done
    task_id = raised.value.half_done.outs["task_id"]
    assert f"the task {task_id} is not waited for any more: interrupted: nothing more was sent" in str(raised.value)
    assert 1 == triggers(emulator)


# diff


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("triggers", ["tuesday"]),
        ("triggers", None),
        ("triggers", ["monday", UNKNOWN]),
        ("triggers", [True]),
        ("job_id", "job-contoso-02"),
        ("tenant_id", "tenant-adatum"),
    ],
)
def test_what_says_so_runs_the_job_again(run: Run, name: str, value: object) -> None:
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(), {**INPUTS, name: value})
    assert Difference("some", [name]) == difference


@pytest.mark.parametrize(
    ("name", "before", "value"),
    [
        ("triggers", ["monday"], [UNKNOWN]),
        ("triggers", [{"a": [1, 2], "b": "c"}], [{"a": [UNKNOWN, 2], "b": UNKNOWN}]),
        ("triggers", [["a"], "b"], [UNKNOWN, "b"]),
        ("triggers", ["monday"], UNKNOWN),
        ("triggers", None, UNKNOWN),
        ("job_id", JOB, UNKNOWN),
        ("tenant_id", TENANT, UNKNOWN),
    ],
)
def test_an_unknown_value_may_change_and_does_not_replace(run: Run, name: str, before: object, value: object) -> None:
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(**{name: before}), {**INPUTS, name: value})
    assert Difference("unknown", []) == difference


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ([{"a": [1, 2]}], [{"a": [UNKNOWN, 3]}]),
        ([{"a": 1}], [{"a": UNKNOWN, "b": 2}]),
        ([["a"], "b"], [["a", UNKNOWN], "b"]),
        ([0], [False]),
    ],
)
def test_a_known_part_beside_an_unknown_one_runs_the_job_again(run: Run, before: object, value: object) -> None:
    inputs = {**INPUTS, "triggers": value}
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(triggers=before), inputs)
    assert Difference("some", ["triggers"]) == difference


def test_a_null_in_a_dictionary_is_as_a_missing_part(run: Run) -> None:
    inputs = {**INPUTS, "triggers": [{"a": None, "b": 1}]}
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(triggers=[{"b": 1}]), inputs)
    assert Difference("none", []) == difference


@pytest.mark.parametrize(("name", "value"), [("wait", False), ("timeout", 60), ("failure_statuses", ["failed"])])
def test_how_it_is_waited_for_does_not_run_the_job_again(run: Run, name: str, value: object) -> None:
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(), {**INPUTS, name: value})
    assert Difference("unknown", []) == difference


@pytest.mark.parametrize("status", ["done", "WARNINGS"])
def test_what_has_ended_well_is_not_run_again(run: Run, status: str) -> None:
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(status=status), INPUTS)
    assert Difference("none", []) == difference


@pytest.mark.parametrize("status", ["failed", "running", None])
def test_what_nobody_waited_for_is_not_run_again_however_it_ended(run: Run, status: str | None) -> None:
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", state(wait=False, status=status), AT_ONCE)
    assert Difference("none", []) == difference


LEFT = {
    "failed": "the task task-contoso-01 is failed: this runs the job again.",
    "running": "the task task-contoso-01 had not ended: this goes on waiting for it.",
}


@pytest.mark.parametrize(("status", "expected"), LEFT.items())
def test_a_preview_says_what_becomes_of_a_run_that_was_left(
    run: Run, engine: Engine, status: str, expected: str
) -> None:
    run.backup_run.diff(f"{TENANT}/task-contoso-01", state(status=status), INPUTS)
    assert [expected] == [message.message for message in engine.messages]


def test_a_run_that_was_left_gives_way_to_another_one_without_a_word(run: Run, engine: Engine) -> None:
    left = state(status="running")
    difference = run.backup_run.diff(f"{TENANT}/task-contoso-01", left, {**INPUTS, "triggers": ["tuesday"]})
    assert (Difference("some", ["triggers"]), []) == (difference, engine.messages)


# update


def test_another_way_to_wait_is_kept_without_a_call(run: Run, emulator: Emulator) -> None:
    outs = run.backup_run.update(f"{TENANT}/task-contoso-01", state(profile="p"), {**INPUTS, "timeout": 60})
    assert (state(timeout=60), []) == (outs, emulator.requests())


def test_who_waits_from_now_on_waits_for_the_same_task(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    outs = run.backup_run.update(made.id, made.outs, INPUTS)
    expected = {**made.outs, "wait": True, "status": "done", "started_at": outs["started_at"]}
    assert (expected, 1) == (outs, triggers(emulator))


def test_who_does_not_wait_any_more_asks_nothing(run: Run, emulator: Emulator) -> None:
    outs = run.backup_run.update(f"{TENANT}/task-contoso-01", state(status="running"), AT_ONCE)
    assert (state(status="running", wait=False), []) == (outs, emulator.requests())


def test_a_task_that_was_left_is_looked_at_at_once(run: Run, engine: Engine) -> None:
    made = run.backup_run.create(AT_ONCE)
    run.backup_run.update(made.id, made.outs, INPUTS)
    assert f"the task {made.outs['task_id']} is running after 0 s" == engine.messages[0].message


def test_what_is_known_of_a_task_stays_where_it_cannot_be_read(run: Run, emulator: Emulator) -> None:
    with emulator.faults({"operation": "get_task", "do": ["status:403"]}), pytest.raises(OperationError) as raised:
        run.backup_run.update(f"{TENANT}/task-contoso-01", state(status="running"), INPUTS)
    assert raised.value.half_done
    assert state(status="running") == raised.value.half_done.outs


def test_a_task_that_failed_meanwhile_is_an_error_and_then_run_again(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    patch_task(emulator, made.outs["task_id"], status="failed")
    with pytest.raises(OperationError) as raised:
        run.backup_run.update(made.id, made.outs, INPUTS)
    assert raised.value.half_done
    assert (made.id, "failed") == (raised.value.half_done.id, raised.value.half_done.outs["status"])
    assert Difference("some", ["status"]) == run.backup_run.diff(made.id, raised.value.half_done.outs, INPUTS)


# read


@pytest.mark.parametrize("status", ["done", "failed"])
def test_a_refresh_of_what_has_ended_asks_nothing(run: Run, emulator: Emulator, status: str) -> None:
    found = run.backup_run.read(f"{TENANT}/task-contoso-01", state(status=status))
    assert (f"{TENANT}/task-contoso-01", state(status=status), INPUTS, []) == (*found, emulator.requests())


def test_a_refresh_shows_how_far_a_task_is(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    found = run.backup_run.read(made.id, made.outs)
    assert ("running", AT_ONCE, 1) == (found.outs["status"], found.inputs, triggers(emulator))


def test_a_task_that_the_service_forgot_is_no_drift(run: Run, emulator: Emulator) -> None:
    left = state(status="running", task_id="task-gone")
    found = run.backup_run.read(f"{TENANT}/task-gone", left)
    assert (left, ["get_task", "get_tenant"]) == (found.outs, operations(emulator))


def test_a_tenant_that_is_not_there_is_an_error_of_a_refresh(run: Run) -> None:
    with pytest.raises(OperationError, match="404 not found"):
        run.backup_run.read("tenant-nowhere/task-gone", state(status="running"))


def test_a_run_of_somebody_else_can_be_read(run: Run) -> None:
    found = run.backup_run.get(f"{TENANT}/task-contoso-02")
    assert ("warnings", TENANT, "task-contoso-02") == tuple(
        found.outs[name] for name in ("status", "tenant_id", "task_id")
    )


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        (f"{TENANT}/task-gone", "404 not found"),
        ("task-contoso-01", '"task-contoso-01" is no id of a run, which is TENANT_ID/TASK_ID'),
    ],
)
def test_a_run_that_is_not_there_cannot_be_read(run: Run, id: str, expected: str) -> None:
    with pytest.raises(OperationError, match=expected):
        run.backup_run.get(id)


# delete


def test_a_run_is_forgotten_without_a_call(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.backup_run.delete(f"{TENANT}/task-contoso-01", state())
    assert ([], []) == (emulator.requests(), engine.messages)
