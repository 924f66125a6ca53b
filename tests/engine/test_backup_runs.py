"""Runs of a job on the real engine, on driven time."""

import signal
from typing import cast

from pulumi_dataprotection.testing import Emulator, Outcome, StackFactory
from support import until
from support.engine.stack import Stack

HEAD = "import pulumi\nfrom pulumi_dataprotection import *\n"
RUN = HEAD + 'run = BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", triggers=[{}])\n'
OUTPUTS = 'pulumi.export("run", pulumi.Output.all(run.id, run.task_id, run.status, run.started_at))\n'
PERSON = "res-contoso-user-01"


def program(trigger: str) -> str:
    return RUN.format(repr(trigger)) + OUTPUTS


def run_of(outcome: Outcome) -> list[str]:
    """The run's id, task, status and start."""
    return cast("list[str]", outcome.outputs["run"])


def triggered(emulator: Emulator) -> int:
    return sum(request["operation"] == "trigger_job" for request in emulator.requests())


def archive(emulator: Emulator, *, archived: bool) -> None:
    """Let the backups of the job fail or succeed."""
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": PERSON, "archived": archived}]})


def test_a_run_runs_once_and_again_when_its_triggers_change(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(program("monday"))
    preview = stack.preview()
    assert ({"run": "create"}, []) == (preview.steps, preview.writes)
    up = stack.up()
    id, task_id, status, started_at = run_of(up)
    assert (f"tenant-contoso/{task_id}", "done", True) == (id, status, started_at.endswith("Z"))
    assert f"the task {task_id} is running after 15 s" in up.progress["run"]
    assert ["trigger_job"] == [request["operation"] for request in up.writes]

    assert ({}, []) == (stack.up().steps, stack.refresh().writes)
    stack.write(program("tuesday"))
    again = stack.up()
    assert ({"run": "replace"}, 2) == (again.steps, triggered(dataprotection_emulator))
    assert task_id != run_of(again)[1]
    assert ({"run": "delete"}, []) == ((destroy := stack.destroy()).steps, destroy.writes)


def test_a_run_that_failed_is_run_again_by_the_next_up(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    archive(dataprotection_emulator, archived=True)
    stack = dataprotection_stack(program("monday"))
    up = stack.up()
    assert up.failed
    assert "is failed" in up.messages["run"]
    preview = stack.preview()
    assert {"run": "replace"} == preview.steps
    assert "is failed" in preview.notes["run"]
    # Still in the same state after a second failure.
    assert (True, 2) == (stack.up().failed, triggered(dataprotection_emulator))
    archive(dataprotection_emulator, archived=False)
    stack.refresh()
    up = stack.up()
    assert (False, {"run": "replace"}, 3) == (up.failed, up.steps, triggered(dataprotection_emulator))
    assert {} == stack.preview().steps


def test_the_next_up_waits_for_a_run_or_replacement_that_takes_too_long(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    with_timeout = ("triggers", "timeout=40, triggers")
    stack = dataprotection_stack(program("monday").replace(*with_timeout))
    up = stack.up()
    assert up.failed
    assert "40 s" in up.messages["run"]
    preview = stack.preview()
    assert {"run": "update"} == preview.steps
    assert "goes on waiting" in preview.notes["run"]
    up = stack.up()
    assert (False, {"run": "update"}, "done") == (up.failed, up.steps, run_of(up)[2])
    assert 1 == triggered(dataprotection_emulator)

    stack.write(program("tuesday").replace(*with_timeout))
    assert stack.up().failed
    up = stack.up()
    assert (False, "done", 2) == (up.failed, run_of(up)[2], triggered(dataprotection_emulator))
    assert {} == stack.preview().steps


def test_ctrl_c_ends_the_wait_and_the_next_up_goes_on(stack: Stack, emulator: Emulator) -> None:
    stack.write(RUN.removeprefix(HEAD).format("'monday'"))
    process = stack.start("up", "--yes", "--skip-preview")
    try:
        until(lambda: bool(triggered(emulator)), process)
        process.send_signal(signal.SIGINT)
    finally:
        text = stack.finish(process)
    assert "interrupted" in text
    emulator.advance(60)
    up = stack.up()
    assert (False, {"run": "update"}, 1) == (up.failed, up.steps, triggered(emulator))


def test_a_run_that_get_read_survives_all_commands(stack: Stack, emulator: Emulator) -> None:
    stack.write(
        'run = BackupRun.get("run", "tenant-contoso/task-contoso-02")\n'
        'pulumi.export("run", pulumi.Output.all(run.status, run.wait, run.timeout, run.success_statuses))\n'
    )
    up = stack.up()
    expected = ["warnings", False, 7200, ["done", "warnings"]]
    assert (False, expected) == (up.failed, up.outputs["run"]), up.text
    for command in (stack.refresh, stack.up, stack.destroy):
        outcome = command()
        assert (False, []) == (outcome.failed, outcome.writes), outcome.text
    assert 0 == triggered(emulator)
