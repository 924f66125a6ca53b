"""Interrupted and killed sets: they end soon, their work is kept, and the next run continues."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from support import Emulator
from support.engine.held import HELD, LATER, hold_up
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack
from support.resources.effects import policies_on

PEOPLE = [f"res-contoso-user-{number:02}" for number in range(9, 29)]

WITH_GOLD, WITH_SILVER = (program(f'protect_all("people", {PEOPLE}, "{policy}")') for policy in ("Gold", "Silver"))
TOO_MANY = {"status": 429, "headers": {"Retry-After": "300"}}
Rule = dict[str, Any]

INTERRUPTED: dict[str, tuple[str, str, Rule]] = {
    "a creation": ("", WITH_GOLD, {"operation": "protect_resource", "nth": 6, "do": [HELD, TOO_MANY]}),
    "removals": (
        WITH_GOLD,
        program(f'protect_all("people", {PEOPLE[:1]}, max_removals="100%")'),
        {"operation": "unprotect_resource", "nth": 6, "do": [HELD, TOO_MANY]},
    ),
}


def on(emulator: Emulator) -> dict[str, list[str]]:
    found = {one: policies_on(emulator, one) for one in PEOPLE}
    return {one: policies for one, policies in found.items() if policies}


def kept(stack: Stack) -> dict[str, list[str]]:
    """Return the policies of the members in the state, in the same form."""
    outputs = stack.resources().get("people", {"outputs": {"protected": {}, "adopted": {}}})["outputs"]
    policies: dict[str, str] = {**outputs["adopted"], **outputs["protected"]}
    return {one: [policy] for one, policy in policies.items()}


def started(stack: Stack, emulator: Emulator, before: str, after: str) -> None:
    """Run `up` on a program and write another program, on a service that allows a second policy."""
    emulator.set_dialect(second_policy="adds")
    stack.deploy(before)
    stack.write(after)


def assert_that_the_next_up_goes_on(stack: Stack, emulator: Emulator, cache: Path) -> None:
    # The time that the service asked for is over.
    shutil.rmtree(cache, ignore_errors=True)
    up = stack.up()
    assert not up.failed, up.text
    assert on(emulator) == kept(stack)
    succeeded = [[what for what in done if " " not in what] for done in writes_by_thing(emulator).values()]
    assert [] == [done for done in succeeded if len({*done}) < len(done)], "something was done twice"
    assert {} == stack.preview().steps


@pytest.mark.parametrize("case", INTERRUPTED)
def test_an_interrupted_set_ends_soon_and_keeps_its_work(
    stack: Stack, emulator: Emulator, cache: Path, case: str
) -> None:
    before, after, rule = INTERRUPTED[case]
    started(stack, emulator, before, after)
    untouched = on(emulator)
    with hold_up(stack, emulator, rule) as run:
        run.press_ctrl_c()
        emulator.clear_faults()
        assert run.end() != 0
        run.until(lambda: not run.processes())
    assert not run.shows_traceback()
    told = re.search(r"interrupted: (\d+) done, (\d+) not", run.text)
    assert told, run.text
    touched = {one for one in PEOPLE if on(emulator).get(one) != untouched.get(one)}
    of = len(PEOPLE) - (case == "removals")
    assert (len(touched), of - len(touched)) == (int(told[1]), int(told[2]))
    assert 0 < len(touched) < of
    still = kept(stack)
    # The engine deletes last: the set has lost the items that left it.
    assert still == {one: policies for one, policies in on(emulator).items() if case != "removals" or one in still}
    assert_that_the_next_up_goes_on(stack, emulator, cache)


def test_the_work_of_a_killed_provider_is_found_and_not_done_twice(
    stack: Stack, emulator: Emulator, cache: Path
) -> None:
    started(stack, emulator, WITH_GOLD, WITH_SILVER)
    untouched = kept(stack)
    with hold_up(stack, emulator, {"operation": "unprotect_resource", "nth": 6, "do": [HELD, LATER]}) as run:
        run.kill_provider()
        assert run.end() != 0
    assert untouched == kept(stack) != on(emulator)
    assert_that_the_next_up_goes_on(stack, emulator, cache)
    assert {*PEOPLE} == {*on(emulator)}
