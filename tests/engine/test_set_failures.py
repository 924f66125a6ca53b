"""A set that fails in part: the work is kept, the error names the rest, and the next `up` does only the rest."""

import re

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack, traceback_in
from support.resources.contoso import GOLD, name_of, user
from support.resources.effects import policies_on

NUMBERS = range(9, 29)
FAILING = (12, 13)


def test_failed_members_are_reported_and_done_by_the_next_up(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect_all("people", {[*NUMBERS]})'))
    faults = {**dict.fromkeys(FAILING, "status:403"), 20: "stall:1"}
    rules = [
        {"operation": "protect_resource", "path": f"*/{user(number)}/*", "do": [fault]}
        for number, fault in faults.items()
    ]
    with emulator.faults(*rules):
        up = stack.up()
    assert up.failed
    names = [name_of(emulator, number) for number in FAILING]
    assert all(named in up.messages["people"] for named in ("2 failed: 403 forbidden", *names))
    assert not traceback_in(up)
    # The program declares nothing for an engine that has ended.
    assert "never awaited" not in up.text
    assert re.search(r"^\d+/20 protected", up.progress["people"], re.MULTILINE)
    done = {user(number) for number in NUMBERS if number not in FAILING}
    people = stack.resources()["people"]
    assert (dict.fromkeys(done, GOLD), 1) == (people["outputs"]["protected"], len(people["initErrors"]))
    assert done == {user(number) for number in NUMBERS if policies_on(emulator, user(number))}

    emulator.clear_requests()
    # A refresh clears the failure in the state; the rest must be done nevertheless.
    for preview in (stack.preview(), stack.preview("--refresh")):
        assert ({"people": "update"}, "2 to protect, of 20 members.") == (
            preview.steps,
            preview.notes["people"].splitlines()[0],
        )
    assert {} == stack.refresh().steps
    up = stack.up()
    assert (False, {"people": "update"}) == (up.failed, up.steps)
    assert {"contoso-user-12": ["+gold"], "contoso-user-13": ["+gold"]} == writes_by_thing(emulator)
    assert {} == stack.up().steps
