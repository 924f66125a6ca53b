"""A take-over whose second half failed, on the real engine."""

import pytest

from support import Emulator
from support.engine.programs import program
from support.engine.stack import Stack, traceback_in
from support.history import policies_on
from support.resources.contoso import GOLD, SILVER, user

PROGRAM = program('protect("one", 1, on_conflict="take_over")', 'protect_all("many", [4, 9], on_conflict="take_over")')
UPDATES = {"one": "update", "many": "update"}


def on(emulator: Emulator) -> list[list[str]]:
    """Return the policies of the protection and of the first member of the set."""
    return [policies_on(emulator, user(number)) for number in (1, 4)]


@pytest.mark.parametrize("refreshes", [False, True])
def test_the_next_up_removes_the_displaced_policy(stack: Stack, emulator: Emulator, *, refreshes: bool) -> None:
    emulator.set_dialect(second_policy="adds")
    stack.write(PROGRAM)
    with emulator.faults({"operation": "unprotect_resource", "do": ["status:403"] * 2}):
        failed = stack.up("--continue-on-error")
    assert all(SILVER in failed.messages[name] for name in UPDATES), failed.text
    assert not traceback_in(failed)
    assert [[GOLD, SILVER]] * 2 == on(emulator)
    if refreshes:
        assert not stack.refresh().failed
    preview = stack.preview()
    assert UPDATES == preview.steps, preview.text
    assert all("1 to finish" in preview.notes[name] for name in UPDATES), preview.text
    finished = stack.up()
    assert (UPDATES, [[GOLD]] * 2) == (finished.steps, on(emulator)), finished.text
    assert {} == stack.preview("--refresh", "--expect-no-changes").steps
    assert not stack.destroy().failed
    assert [[], []] == on(emulator)
