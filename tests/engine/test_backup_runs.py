"""Runs of a job on the real engine, on driven time."""

from typing import cast

from pulumi_dataprotection.testing import Emulator, Outcome, StackFactory

PROGRAM = """import pulumi
from pulumi_dataprotection import *
run = BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", triggers=[{}])
pulumi.export("run", pulumi.Output.all(run.id, run.task_id, run.status, run.started_at))
"""
PERSON = "res-contoso-user-01"


def program(trigger: str) -> str:
    return PROGRAM.format(repr(trigger))


def run_of(outcome: Outcome) -> list[str]:
    """The run's id, task, status and start."""
    return cast("list[str]", outcome.outputs["run"])


def triggered(emulator: Emulator) -> int:
    return sum(request["operation"] == "trigger_job" for request in emulator.requests())


def archive(emulator: Emulator, *, archived: bool) -> None:
    """Let the backups of the job fail or succeed."""
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": PERSON, "archived": archived}]})


def test_a_run_is_repeated_after_a_failure_or_another_trigger_and_waited_for_after_its_timeout(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(program("monday"))
    preview = stack.preview()
    assert ({"run": "create"}, []) == (preview.steps, preview.writes)
    up = stack.up()
    id, task_id, status, started_at = run_of(up)
    assert (f"tenant-contoso/{task_id}", "done", True) == (id, status, started_at.endswith("Z"))
    assert f"the task {task_id} is inprogress after 15 s" in up.progress["run"]
    assert ["trigger_job"] == [request["operation"] for request in up.writes]
    assert ({}, []) == (stack.up().steps, stack.refresh().writes)

    archive(dataprotection_emulator, archived=True)
    stack.write(program("tuesday"))
    # Still in the same state after a second failure.
    for triggers in (2, 3):
        up = stack.up()
        assert (True, triggers) == (up.failed, triggered(dataprotection_emulator))
        assert "is failed" in up.messages["run"]
    preview = stack.preview()
    assert {"run": "replace"} == preview.steps
    assert "is failed" in preview.notes["run"]
    archive(dataprotection_emulator, archived=False)
    stack.refresh()
    up = stack.up()
    assert (False, {"run": "replace"}, 4) == (up.failed, up.steps, triggered(dataprotection_emulator))
    assert task_id != run_of(up)[1]

    stack.write(program("wednesday").replace("triggers", "timeout=40, triggers"))
    up = stack.up()
    assert up.failed
    assert "40 s" in up.messages["run"]
    preview = stack.preview()
    assert {"run": "update"} == preview.steps
    assert "goes on waiting" in preview.notes["run"]
    up = stack.up()
    assert (False, {"run": "update"}, "done") == (up.failed, up.steps, run_of(up)[2])
    assert ({}, 5) == (stack.preview().steps, triggered(dataprotection_emulator))
    assert ({"run": "delete"}, []) == ((destroy := stack.destroy()).steps, destroy.writes)
