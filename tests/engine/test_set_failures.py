"""Sets of which a part fails: what was done is kept, the error says what was not, and the next `up` does that alone."""

import re

import pytest

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Outcome, Stack, traceback_in
from support.history import policies_on

NUMBERS = range(9, 29)
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"


def members(policy: str, numbers: range = NUMBERS) -> str:
    return program(f'protect_all("people", {[*numbers]}, "{policy}", max_removals=2)')


def resource(number: int) -> str:
    return f"res-contoso-user-{number:02}"


def fails(operation: str, *numbers: int) -> list[dict[str, object]]:
    return [{"operation": operation, "path": f"*/{resource(number)}/*", "do": ["status:403"]} for number in numbers]


def kept(stack: Stack) -> dict[str, str]:
    """What the state says of the members, by resource."""
    outputs = stack.resources()["people"]["outputs"]
    return {**outputs["adopted"], **outputs["protected"]}


def on(emulator: Emulator) -> dict[str, str]:
    """The policies that are on the members."""
    found = {resource(number): policies_on(emulator, resource(number)) for number in NUMBERS}
    return {one: policy for one, policies in found.items() for policy in policies}


def assert_readable(outcome: Outcome, *lines: str) -> None:
    assert outcome.failed
    text = outcome.messages["people"]
    assert [] == [line for line in lines if line not in text], text
    assert "What was done is kept, and the next `pulumi up` does the rest" in text
    assert not traceback_in(outcome)
    # The program declares nothing for an engine that has ended.
    assert "never awaited" not in outcome.text


@pytest.mark.parametrize("refreshed", [False, True])
def test_members_that_fail_are_told_and_done_by_the_next_up(
    stack: Stack, emulator: Emulator, *, refreshed: bool
) -> None:
    stack.write(members("Gold"))
    late = {"operation": "protect_resource", "nth": 10, "do": ["stall:1"]}
    with emulator.faults(late, *fails("protect_resource", 12, 13)):
        up = stack.up()
    assert_readable(
        up,
        "2 failed:",
        'cannot protect wei.zhang@contoso.example in tenant tenant-contoso with policy "Gold": 403 forbidden',
        'cannot protect yuki.tanaka@contoso.example in tenant tenant-contoso with policy "Gold": 403 forbidden',
    )
    assert re.search(r"^\d+/20 protected", up.progress["people"], re.MULTILINE)
    assert dict.fromkeys(map(resource, {*NUMBERS} - {12, 13}), GOLD) == kept(stack) == on(emulator)
    assert 1 == len(stack.resources()["people"]["initErrors"])

    # What the state says failed is forgotten by a refresh, and must be done all the same.
    assert not refreshed or {} == stack.refresh().steps
    emulator.clear_requests()
    preview = stack.preview()
    assert ({"people": "update"}, "2 to protect, of 20 members.") == (preview.steps, preview.notes["people"].strip())
    up = stack.up()
    assert (False, {"people": "update"}) == (up.failed, up.steps)
    assert {"contoso-user-12": ["+gold"], "contoso-user-13": ["+gold"]} == writes_by_thing(emulator)
    assert {} == stack.up().steps


@pytest.mark.parametrize("refreshed", [False, True])
def test_an_update_that_fails_half_way_is_gone_on_with_or_taken_back(
    stack: Stack, emulator: Emulator, *, refreshed: bool
) -> None:
    emulator.set_dialect(second_policy="adds")
    stack.write(members("Gold", range(9, 27)))
    stack.up()
    stack.write(members("Silver", range(11, 29)))
    with emulator.faults(*fails("protect_resource", 12, 28)):
        up = stack.up()
    assert_readable(up, "2 failed:", "wei.zhang@contoso.example", "arjun.patel@contoso.example")
    done = dict.fromkeys(map(resource, {*range(11, 28)} - {12}), SILVER)
    done |= dict.fromkeys(map(resource, (9, 10, 12)), GOLD)
    assert done == kept(stack) == on(emulator)

    assert not refreshed or {} == stack.refresh().steps
    emulator.clear_requests()
    stack.write(members("Gold", range(9, 27)))
    assert {"people": "update"} == stack.up().steps
    assert dict.fromkeys(map(resource, range(9, 27)), GOLD) == kept(stack) == on(emulator)
    assert {"contoso-user-12"} & {*writes_by_thing(emulator)} == set()
    assert {} == stack.preview().steps


def test_a_destruction_that_fails_half_way_is_gone_on_with_without_a_limit(stack: Stack, emulator: Emulator) -> None:
    stack.write(members("Gold"))
    stack.up()
    with emulator.faults(*fails("unprotect_resource", 13)):
        destroy = stack.destroy()
    assert "cannot unprotect all members in tenant tenant-contoso: 1 failed:" in destroy.messages["people"]
    assert resource(13) in destroy.messages["people"]
    assert not traceback_in(destroy)
    assert [resource(13)] == [*on(emulator)]
    emulator.clear_requests()
    assert not stack.destroy().failed
    assert {"contoso-user-13": ["-gold"]} == writes_by_thing(emulator)
    assert {} == stack.resources()
