"""Faults: what may be repeated comes to the same in spite of them, and the rest is never done twice."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import attrgetter
from typing import Any

import pytest

from pulumi_dataprotection.client import Call, Client
from pulumi_dataprotection.client import calls as client_calls
from pulumi_dataprotection.client.errors import (
    AnswerError,
    BusyError,
    CallError,
    ConflictError,
    OutcomeUnclearError,
    ServiceError,
)
from pulumi_dataprotection.spec import Operation
from support.contract.examples import effects, examples
from support.contract.faults import DIALECTS_WITH_FAULTS, FAULTS, TIMEOUT, Fault, go_wrong, rule
from support.contract.outcomes import REFUSALS
from support.contract.service import Content, EmulatedService, Service

pytestmark = pytest.mark.parametrize("dialect", DIALECTS_WITH_FAULTS, indirect=True, scope="module")

each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)

FEW = 5
"""Items in a page; every dialect grants this limit."""

Outcomes = dict[str, object]


def calls_of(service: Service, *, writes: bool) -> dict[str, Call[Any]]:
    return {name: call for name, call in examples(service.scene).items() if call.operation.writes == writes}


def client_for(service: Service, fault: Fault) -> Client:
    return service.client(page_size=FEW, request_timeout=TIMEOUT if fault.slow else 30, concurrency=30)


def outcome(client: Client, call: Call[Any]) -> object:
    """Return what a call brings: its result, or the class of its error."""
    try:
        return client.send(call)
    except CallError as error:
        return type(error)


def outcomes(client: Client, calls: Mapping[str, Call[Any]], *, together: bool = False) -> Outcomes:
    """Send calls, one after the other or, where their faults take time, together."""
    with ThreadPoolExecutor(len(calls) if together else 1) as threads:
        return dict(zip(calls, threads.map(partial(outcome, client), calls.values()), strict=True))


def error_after(fault: Fault, operation: Operation) -> type[CallError] | None:
    """Return the error that a fault comes to, if it comes to one."""
    if fault.outcome in operation.repeat_after or fault.outcome == "harmless":
        return None
    # A deletion has nothing to say; what must have an id must say it.
    if fault.outcome == "nothing" and operation.method == "DELETE":
        return None
    errors = {"answer_lost": OutcomeUnclearError, "service_error": ServiceError, "busy": BusyError}
    return {**errors, "conflict": ConflictError}.get(fault.outcome, AnswerError)


@each_fault
def test_a_read_is_the_same_or_an_error_if_a_success_is_garbage(emulated: EmulatedService, fault: Fault) -> None:
    calls = calls_of(emulated, writes=False)
    expected = {
        name: error_after(fault, call.operation) or emulated.read(call, page_size=FEW) for name, call in calls.items()
    }
    with go_wrong(emulated, *(rule(name, fault) for name in calls)):
        found = outcomes(client_for(emulated, fault), calls, together=fault.slow)
    assert expected == found


@each_fault
def test_a_write_is_done_once_or_says_why_not(changeable: Service, emulated: EmulatedService, fault: Fault) -> None:
    calls = calls_of(emulated, writes=True)
    before = emulated.emulator.state()
    with go_wrong(emulated, *(rule(name, fault) for name in calls)):
        found = outcomes(client_for(changeable, fault), calls, together=fault.slow)
    done_to = effects_of(emulated, before, emulated.emulator.state())
    for name, call in calls.items():
        write, error = effects(emulated.scene)[name], error_after(fault, call.operation)
        # Where it was done, and may be repeated, the second try may find that it was done.
        again = fault.done and fault.outcome in call.operation.repeat_after
        refusal = REFUSALS.get(emulated.variants[write.repeated]) if again and write.repeated else None
        done = fault.done or error is None
        expected = (name, error or refusal or "result", int(done))
        assert expected == (name, kind_of(found[name]), len(done_to[name]))
        if not error and not refusal:
            answered = write.answer and fault.outcome != "nothing"
            assert (done_to[name][0] if answered else None) == (write.answer and attrgetter(write.answer)(found[name]))


def kind_of(found: object) -> object:
    return found if isinstance(found, type) else "result"


def effects_of(service: Service, before: Content, after: Content) -> dict[str, list[str]]:
    """Return the ids of the objects that the writes made, changed or removed."""
    return {name: write.ids(before, after) for name, write in effects(service.scene).items()}


def test_a_record_of_something_else_is_an_error(changeable: Service, emulated: EmulatedService) -> None:
    scene = changeable.scene
    task_id = changeable.send(client_calls.trigger_job(scene.tenant_id, scene.job_id)).task_id
    changeable.wait_out_lag()
    records = {name: call for name, call in examples(scene).items() if call.operation.answers == "record"}
    calls = {**records, "get_task": client_calls.get_task(scene.tenant_id, task_id)}
    with go_wrong(emulated, *(rule(name, "other_record") for name in calls)):
        found = outcomes(emulated.client(), calls)
    assert dict.fromkeys(calls, AnswerError) == found
