"""Interrupted and killed runs: they end soon, their work is kept, and the next run continues."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from support import NIGHTLY, Emulator
from support.engine.held import HELD, Run, hold_up
from support.engine.stack import Outcome, Stack
from support.resources.effects import policies_on

PEOPLE = [f"res-contoso-user-{number}" for number in range(12, 20)]

PROGRAM = f"""
    Org("fabrikam", external_id="crm-1042", name="Fabrikam")
    for person in {PEOPLE}:
        Protection(person, tenant_id="tenant-contoso", resource=person, policy="Gold")
"""
Rule = dict[str, Any]

TOO_MANY = {"status": 429, "headers": {"Retry-After": "300"}}
LAST_ONES = {"operation": "protect_resource", "nth": 2, "do": [HELD, HELD]}
NEW_ORG = {"operation": "create_org", "do": [HELD]}
# The second request is held until the test releases it; the third has to wait, and then all others.
WAITING = {"operation": "protect_resource", "nth": 2, "do": [HELD, TOO_MANY]}


def ctrl_c_twice(run: Run) -> None:
    run.press_ctrl_c()
    run.press_ctrl_c()


def protected(emulator: Emulator) -> set[str]:
    return {person for person in PEOPLE if policies_on(emulator, person)}


def orgs(emulator: Emulator) -> set[str]:
    return {org["id"] for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042"}


def remembered(stack: Stack) -> set[str]:
    """The ids that the state holds, as the service has them."""
    return {state["id"].removeprefix("tenant-contoso/") for state in stack.resources().values()}


def is_quiet(stack: Stack) -> bool:
    """Whether the state holds all people but the two that are held back; an engine killed while it writes loses it."""
    with suppress(json.JSONDecodeError):
        return len(PEOPLE) - 2 == len(remembered(stack))
    return False


def assert_that_the_next_up_goes_on(stack: Stack, emulator: Emulator, cache: Path) -> Outcome:
    # The time that the service asked for is over.
    shutil.rmtree(cache, ignore_errors=True)
    up = stack.up()
    assert not up.failed, up.text
    assert {person: ["policy-contoso-gold"] for person in PEOPLE} == {
        person: policies_on(emulator, person) for person in PEOPLE
    }
    assert len(orgs(emulator)) == 1
    assert remembered(stack) == orgs(emulator) | {*PEOPLE}
    done = sorted(write["path"] for write in emulator.writes() if write["status"] == 200)
    assert len({*done}) == len(done), "something was done twice"
    assert stack.preview().steps == {}
    return up


@pytest.mark.parametrize("interrupt", [Run.press_ctrl_c, Run.terminate])
def test_an_interrupted_up_ends_its_waits_and_keeps_its_work(
    stack: Stack, emulator: Emulator, cache: Path, interrupt: Callable[[Run], None]
) -> None:
    stack.write(PROGRAM)
    with hold_up(stack, emulator, WAITING) as run:
        interrupt(run)
        emulator.clear_faults()
        assert run.end() != 0
        run.until(lambda: not run.processes())
    assert "interrupted" in run.text
    assert not run.shows_traceback()
    assert remembered(stack) == protected(emulator) | orgs(emulator)
    assert protected(emulator) != {*PEOPLE}
    assert_that_the_next_up_goes_on(stack, emulator, cache)


def test_a_created_organization_is_kept_if_the_next_read_has_to_wait(stack: Stack, emulator: Emulator) -> None:
    stack.write('Org("fabrikam", external_id="crm-1042", name="Fabrikam")')
    # The first two are those of the check and of the creation.
    with hold_up(stack, emulator, {"operation": "list_orgs", "nth": 3, "do": [TOO_MANY]}) as run:
        run.press_ctrl_c()
        assert run.end() != 0
    assert len(orgs(emulator)) == 1
    assert remembered(stack) == orgs(emulator)


# The nightly run has all combinations.
NIGHTLY_ENDS = [(ctrl_c_twice, [NEW_ORG, LAST_ONES]), (Run.kill_provider, [WAITING])] if NIGHTLY else []
ENDS = [(ctrl_c_twice, [WAITING]), (Run.kill_provider, [NEW_ORG, LAST_ONES]), *NIGHTLY_ENDS]


@pytest.mark.parametrize(("kill", "rules"), ENDS)
def test_a_killed_up_leaves_no_process_and_the_next_up_continues(
    stack: Stack, emulator: Emulator, cache: Path, kill: Callable[[Run], None], rules: list[Rule]
) -> None:
    stack.write(PROGRAM)
    with hold_up(stack, emulator, *rules) as run:
        kill(run)
        assert run.end() != 0
        run.until(lambda: not run.processes())
    assert_that_the_next_up_goes_on(stack, emulator, cache)


def test_the_lock_and_pending_operations_of_a_killed_engine_are_cleared_as_it_advises(
    stack: Stack, emulator: Emulator, cache: Path
) -> None:
    stack.write(PROGRAM)
    with hold_up(stack, emulator, NEW_ORG, LAST_ONES) as run:
        run.until(lambda: is_quiet(stack))
        run.kill()
        run.end()
        assert not stack.preview().failed
        locked = stack.up()
        assert locked.failed
        assert "pulumi cancel" in locked.text
        stack.cancel()
        # The old provider may still hold its calls.
        told = assert_that_the_next_up_goes_on(stack, emulator, cache)
    assert "interrupted while creating" in told.messages[""]
    assert not stack.refresh("--clear-pending-creates").failed
    last = stack.up()
    assert ({}, {}) == (last.messages, last.steps)
