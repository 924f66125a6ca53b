"""A take-over whose second half failed, on the real engine."""

import pytest

from support import Emulator
from support.engine.programs import program
from support.engine.stack import Stack, traceback_in

GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"
PERSON = "res-contoso-user-01"
PROGRAMS = {
    "a protection": 'protect("one", 1, on_conflict="take_over")',
    "a set": 'protect_all("one", [1, 9], on_conflict="take_over")',
}


def on(emulator: Emulator) -> set[str]:
    """The policies on the person."""
    return {one["policy_id"] for one in emulator.state()["protections"] if one["resource_id"] == PERSON}


@pytest.mark.parametrize("declared", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("refreshes", [False, True])
def test_the_next_up_removes_the_displaced_policy(
    stack: Stack, emulator: Emulator, declared: str, *, refreshes: bool
) -> None:
    emulator.set_dialect(second_policy="adds")
    stack.write(program(declared))
    with emulator.faults({"operation": "unprotect_resource", "do": ["status:403"]}):
        failed = stack.up()
    said = f"The next `pulumi up` finishes the swap and removes the policy {SILVER}"
    assert (True, False) == (said in failed.messages["one"], traceback_in(failed)), failed.text
    assert {GOLD, SILVER} == on(emulator)
    if refreshes:
        assert not stack.refresh().failed
    preview = stack.preview()
    assert ({"one": "update"}, True) == (preview.steps, "1 taken over with" in preview.notes["one"]), preview.text
    finished = stack.up()
    assert ({"one": "update"}, {GOLD}) == (finished.steps, on(emulator)), finished.text
    assert {} == stack.preview("--refresh", "--expect-no-changes").steps
    assert not stack.destroy().failed
    assert set() == on(emulator)
