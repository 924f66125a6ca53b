"""The run of a job, as the engine drives it over the provider's wire, on a clock that advances as a thread waits."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types

from pulumi_dataprotection.client.records import Timestamp
from support import Emulator, until
from support.resources.arguments import BACKUP_RUN as INPUTS
from support.resources.contoso import TENANT, patch_task
from support.resources.servicer import UNKNOWN, Difference, Engine, Properties, Run, Servicer, assert_names, failure_of

JOB, TASK = "job-contoso-01", "task-contoso-01"
ID = f"{TENANT}/{TASK}"
AT_ONCE: Properties = {**INPUTS, "wait": False}


@pytest.fixture
def run(hurried: Servicer, emulator: Emulator) -> Run:
    """A command of the engine; each read of a task advances it."""
    emulator.set_dialect(task_progress="polls")
    return hurried.run(emulator)


def state(**others: object) -> Properties:
    """Return the outputs of a run, as an earlier command left them."""
    task = {"task_id": TASK, "status": "done", "started_at": "2026-01-31T08:00:00Z"}
    return {**INPUTS, **task, "schema_version": 2, **others}


def triggers(emulator: Emulator) -> int:
    return emulator.operations().count("trigger_job")


# check


def test_a_job_of_a_protection_passes(run: Run, emulator: Emulator, engine: Engine) -> None:
    assert (INPUTS, [], ["list_protections"]) == (*run.backup_run.check({}, INPUTS), emulator.operations())
    assert [] == engine.messages


def test_a_run_of_the_state_is_not_checked_in_the_service(run: Run, emulator: Emulator) -> None:
    checked = run.backup_run.check(INPUTS, {**INPUTS, "triggers": ["tuesday"]})
    assert ([], []) == (checked.failures, emulator.operations())


@pytest.mark.parametrize("job_id", ["job-adatum-01", "job-nowhere"])
def test_a_job_without_a_protection_in_the_tenant_gets_a_warning(run: Run, engine: Engine, job_id: str) -> None:
    assert [] == run.backup_run.check({}, {**INPUTS, "job_id": job_id}).failures
    (warning,) = engine.warnings
    assert_names(warning, TENANT, job_id)


def test_unknown_parts_of_arguments_pass(run: Run, emulator: Emulator) -> None:
    inputs = {**INPUTS, "job_id": UNKNOWN, "triggers": [UNKNOWN], "success_statuses": ["done", UNKNOWN]}
    assert ([], []) == (run.backup_run.check({}, inputs).failures, emulator.requests())


# create


def test_a_new_run_triggers_the_job_once_and_waits_for_its_end(run: Run, emulator: Emulator, engine: Engine) -> None:
    made = run.backup_run.create(INPUTS)
    (task,) = (task for task in emulator.state()["tasks"] if task["id"] == made.outs["task_id"])
    assert (JOB, "done") == (task["job_id"], task["status"])
    assert (f"{TENANT}/{task['id']}", state(task_id=task["id"], started_at=made.outs["started_at"])) == made
    assert ["trigger_job", *["get_task"] * 3] == emulator.operations()
    assert 3 == len(engine.progress) == len(engine.messages)
    for text, status, seconds in zip(engine.progress[1:], ("open", "inprogress"), ("15 s", "45 s"), strict=True):
        assert_names(text, task["id"], status, seconds)


def test_a_run_began_when_its_job_was_triggered_unless_the_service_knows_better(run: Run, emulator: Emulator) -> None:
    first, second = (Timestamp(run.backup_run.create(inputs).outs["started_at"]) for inputs in (INPUTS, AT_ONCE))
    # The clock advances by the waits of the first run.
    assert timedelta(seconds=15 + 30 + 60) == second - first
    emulator.set_dialect(task_fields="plain", task_progress="polls")
    made = run.backup_run.create(INPUTS)
    (task,) = (task for task in emulator.state()["tasks"] if task["id"] == made.outs["task_id"])
    assert task["started_at"] == made.outs["started_at"]


@pytest.mark.parametrize(
    ("fields", "said"), [("published", "portal"), ("plain", "2 items could not be read")], ids=["published", "plain"]
)
def test_a_run_with_warnings_is_a_success_with_a_warning(
    run: Run, emulator: Emulator, engine: Engine, fields: str, said: str
) -> None:
    made = run.backup_run.create(AT_ONCE)
    emulator.set_dialect(task_fields=fields)
    patch_task(emulator, made.outs["task_id"], status="warnings", message="2 items could not be read")
    outs = run.backup_run.update(made.id, made.outs, INPUTS)
    (warning,) = engine.warnings
    assert ("warnings", SAME) == (outs["status"], run.backup_run.diff(made.id, outs, INPUTS))
    assert_names(warning, made.outs["task_id"], "warnings", said)


def test_a_run_without_a_wait_is_read_once(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    assert "open" == made.outs["status"]
    assert ["trigger_job", "get_task"] == emulator.operations()


@pytest.mark.parametrize("do", ["status:404", "status:403", "truncated"])
def test_a_run_without_a_wait_is_kept_if_its_task_cannot_be_read(run: Run, emulator: Emulator, do: str) -> None:
    with emulator.faults({"operation": "get_task", "do": [do]}):
        outs = run.backup_run.create(AT_ONCE).outs
    assert outs.get("status") is None
    assert outs["task_id"] in {task["id"] for task in emulator.state()["tasks"]}


def test_a_job_of_another_tenant_fails_with_both_names(run: Run, emulator: Emulator) -> None:
    failure = failure_of(run.backup_run.create, {**INPUTS, "job_id": "job-adatum-01"})
    assert_names(failure, "job-adatum-01", TENANT, "404")
    assert (None, 1) == (failure.half_done, len(emulator.writes()))


def test_ctrl_c_ends_the_wait_and_the_run_is_kept(tmp_path: Path, engine: Engine, emulator: Emulator) -> None:
    with Servicer(tmp_path / "mortal", engine) as mortal, ThreadPoolExecutor(1) as thread:
        pending = thread.submit(failure_of, mortal.run(emulator).backup_run.create, INPUTS)
        until(lambda: bool(triggers(emulator)) or pending.done())
        mortal.stub.Cancel(Empty())
        failure = pending.result(60)
    assert failure.half_done
    assert_names(failure, failure.half_done.outs["task_id"], "interrupted")
    assert 1 == triggers(emulator)


# diff


UNCLEAR, SAME = Difference("unknown", []), Difference("none", [])


def replacing(*names: str) -> Difference:
    return Difference("some", [*names])


DIFFERENCES: list[tuple[Properties, Properties, Difference]] = [
    *(({}, {"triggers": value}, replacing("triggers")) for value in (["tuesday"], None, ["monday", UNKNOWN], [True])),
    ({}, {"job_id": "job-contoso-02"}, replacing("job_id")),
    ({}, {"tenant_id": "tenant-adatum"}, replacing("tenant_id")),
    # An unknown value may be a change, and replaces nothing.
    ({}, {"triggers": [UNKNOWN]}, UNCLEAR),
    ({"triggers": [{"a": [1, 2], "b": "c"}]}, {"triggers": [{"a": [UNKNOWN, 2], "b": UNKNOWN}]}, UNCLEAR),
    ({"triggers": [["a"], "b"]}, {"triggers": [UNKNOWN, "b"]}, UNCLEAR),
    *(({}, {name: UNKNOWN}, UNCLEAR) for name in ("triggers", "job_id", "tenant_id")),
    ({"triggers": None}, {"triggers": UNKNOWN}, UNCLEAR),
    # A known part beside an unknown part replaces.
    ({"triggers": [{"a": [1, 2]}]}, {"triggers": [{"a": [UNKNOWN, 3]}]}, replacing("triggers")),
    ({"triggers": [{"a": 1}]}, {"triggers": [{"a": UNKNOWN, "b": 2}]}, replacing("triggers")),
    ({"triggers": [["a"], "b"]}, {"triggers": [["a", UNKNOWN], "b"]}, replacing("triggers")),
    ({"triggers": [0]}, {"triggers": [False]}, replacing("triggers")),
    # A null in a dictionary is a missing part.
    ({"triggers": [{"b": 1}]}, {"triggers": [{"a": None, "b": 1}]}, SAME),
    # The way to wait does not replace.
    *(({}, change, UNCLEAR) for change in ({"wait": False}, {"timeout": 60}, {"failure_statuses": ["failed"]})),
    *(({"status": status}, {}, SAME) for status in ("done", "WARNINGS")),
    # Without a wait the end does not matter.
    *(({"wait": False, "status": status}, {"wait": False}, SAME) for status in ("failed", "inprogress", None)),
]


@pytest.mark.parametrize(("before", "change", "difference"), DIFFERENCES)
def test_a_diff_replaces_the_run_if_its_job_or_triggers_change(
    run: Run, before: Properties, change: Properties, difference: Difference
) -> None:
    assert difference == run.backup_run.diff(ID, state(**before), {**INPUTS, **change})


@pytest.mark.parametrize(
    ("status", "change", "difference", "notes"),
    [
        ("failed", {}, replacing("status"), 1),
        *((status, {}, replacing(), 1) for status in ("open", "inprogress", "suspended")),
        ("canceled", {}, replacing("status"), 1),
        ("inprogress", {"triggers": ["tuesday"]}, replacing("triggers"), 0),
    ],
)
def test_a_preview_reports_the_next_step_of_an_unfinished_run(
    run: Run, engine: Engine, *, status: str, change: Properties, difference: Difference, notes: int
) -> None:
    assert difference == run.backup_run.diff(ID, state(status=status), {**INPUTS, **change})
    assert notes == len(engine.notes) == len(engine.messages)
    for note in engine.notes:
        assert_names(note, TASK, *([status, "again"] if "status" in difference.replaces else ["waiting"]))


# update


@pytest.mark.parametrize(
    ("before", "change"),
    [({"profile": "p"}, {"timeout": 60}), ({"status": "running"}, {"wait": False})],
    ids=["another timeout", "no wait"],
)
def test_a_new_timeout_is_kept_without_a_call(
    run: Run, emulator: Emulator, before: Properties, change: Properties
) -> None:
    outs = run.backup_run.update(ID, state(**before), {**INPUTS, **change})
    kept = {name: value for name, value in before.items() if name != "profile"}
    assert (state(**kept, **change), []) == (outs, emulator.requests())


def test_an_update_that_begins_to_wait_waits_for_the_same_task(run: Run, emulator: Emulator, engine: Engine) -> None:
    made = run.backup_run.create(AT_ONCE)
    outs = run.backup_run.update(made.id, made.outs, INPUTS)
    expected = {**made.outs, "wait": True, "status": "done", "started_at": outs["started_at"]}
    assert (expected, 1) == (outs, triggers(emulator))
    # The first read does not wait.
    assert_names(engine.progress[0], made.outs["task_id"], "inprogress", "0 s")


def test_an_update_keeps_the_outputs_if_the_task_cannot_be_read(run: Run, emulator: Emulator) -> None:
    with emulator.faults({"operation": "get_task", "do": ["status:403"]}):
        failure = failure_of(run.backup_run.update, ID, state(status="running"), INPUTS)
    assert failure.half_done
    assert state(status="running") == failure.half_done.outs


def test_a_task_that_failed_meanwhile_is_an_error_and_runs_again(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    patch_task(emulator, made.outs["task_id"], status="failed")
    failure = failure_of(run.backup_run.update, made.id, made.outs, INPUTS)
    assert failure.half_done
    id, outs = failure.half_done
    assert (made.id, "failed", replacing("status")) == (id, outs["status"], run.backup_run.diff(made.id, outs, INPUTS))


# read


@pytest.mark.parametrize("status", ["done", "failed"])
def test_a_refresh_of_a_finished_run_costs_no_call(run: Run, emulator: Emulator, status: str) -> None:
    found = run.backup_run.read(ID, state(status=status))
    assert (ID, state(status=status), INPUTS, []) == (*found, emulator.requests())


def test_a_refresh_shows_the_status_of_a_task(run: Run, emulator: Emulator) -> None:
    made = run.backup_run.create(AT_ONCE)
    found = run.backup_run.read(made.id, made.outs)
    assert ("inprogress", AT_ONCE, 1) == (found.outs["status"], found.inputs, triggers(emulator))


def test_a_task_that_the_service_forgot_is_not_drift(run: Run, emulator: Emulator) -> None:
    left = state(status="running", task_id="task-gone")
    found = run.backup_run.read(f"{TENANT}/task-gone", left)
    assert (left, ["get_task", "get_tenant"]) == (found.outs, emulator.operations())


def test_a_get_returns_the_run_of_somebody_else(run: Run) -> None:
    outs = run.backup_run.get(f"{TENANT}/task-contoso-02").outs
    assert ("warnings", TENANT, "task-contoso-02") == (outs["status"], outs["tenant_id"], outs["task_id"])


@pytest.mark.parametrize(
    ("id", "names"), [(f"{TENANT}/task-gone", ["404"]), (TASK, [f'"{TASK}"', "TENANT_ID/TASK_ID"])]
)
def test_a_get_of_a_run_that_does_not_exist_fails(run: Run, id: str, names: list[str]) -> None:
    assert_names(failure_of(run.backup_run.get, id), *names)


# delete


def test_a_deletion_forgets_the_run_without_a_call(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.backup_run.delete(ID, state())
    assert ([], []) == (emulator.requests(), engine.messages)
