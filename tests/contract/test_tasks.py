"""Tasks: running a job spawns one, whose id and status are found wherever the service puts them."""

from contextlib import suppress

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.errors import NotFoundError
from pulumi_dataprotection.client.records import Task, TriggerJobResult
from support.contract.service import EmulatedService, Service

# How a caller waits for a task (section 4, rule 6 of the interface).
INTERVALS = (15, 30, 60, 120, 240)


def run(service: Service) -> Call[TriggerJobResult]:
    """Run a job; what a real service keeps of it is a task, and a backup more."""
    return calls.trigger_job(service.scene.tenant_id, service.scene.job_id)


def task(service: Service, task_id: str) -> Task:
    """Return a task, once reads show it."""
    call = calls.get_task(service.scene.tenant_id, task_id)

    service.wait_out_lag()
    for _ in service.client().reads_within_lag():
        with suppress(NotFoundError):
            return service.send(call)
    raise AssertionError("the task does not show")


def test_a_run_of_a_job_is_a_task_that_can_be_read(changeable: Service) -> None:
    task_id = changeable.send(run(changeable)).task_id
    found = task(changeable, task_id)
    assert task_id == found.id
    assert found.status


def test_a_task_that_is_polled_as_the_interface_asks_for_ends(changeable: Service, emulated: EmulatedService) -> None:
    task_id = changeable.send(run(changeable)).task_id
    statuses: list[str] = []
    for interval in INTERVALS:
        emulated.emulator.advance(interval)
        statuses.append((task(changeable, task_id).status or "").lower())
    assert {"open", "queued", "inprogress", "running", "finalizing", "done"} >= {*statuses}
    assert "done" == statuses[-1]
