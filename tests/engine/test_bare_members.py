"""Declared items without a policy are a change for each preview and `up`, for each cause of the loss."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support import Emulator
from support.engine.held import HELD, Run, hold_up
from support.engine.programs import program
from support.engine.stack import Stack
from support.resources.contoso import user
from support.resources.effects import policies_on

PEOPLE = [user(number) for number in range(9, 29)]
ALL = program(f'protect_all("people", {PEOPLE})')
GOLD = "policy-contoso-gold"


def bare(emulator: Emulator) -> list[str]:
    return [one for one in PEOPLE if not policies_on(emulator, one)]


def assert_that_up_protects_again(stack: Stack, emulator: Emulator) -> None:
    """Assert that the preview names all bare items, that `up` protects them, and that nothing is left to do."""
    missing = bare(emulator)
    assert missing
    preview = stack.preview("--expect-no-changes")
    assert (True, {"people": "update"}) == (preview.failed, preview.steps)
    assert f"{len(missing):,} to protect again" in preview.notes["people"]
    assert all(f"({one})" in preview.notes["people"] for one in missing)
    up = stack.up("--skip-preview")
    assert sorted(missing) == sorted(write["path"].split("/")[-2] for write in up.writes)
    assert ([], {}) == (bare(emulator), stack.preview("--expect-no-changes").steps)


@pytest.mark.parametrize("end", [Run.press_ctrl_c, Run.kill], ids=lambda end: end.__name__)
def test_an_up_protects_again_after_a_destroy_that_was_ended(
    stack: Stack, emulator: Emulator, cache: Path, end: Callable[[Run], None]
) -> None:
    stack.deploy(ALL)
    rule = {"operation": "unprotect_resource", "nth": 6, "do": [HELD] * 4}
    with hold_up(stack, emulator, rule, command="destroy") as run:
        end(run)
        emulator.clear_faults()
        assert run.end() != 0
        run.until(lambda: not run.providers())
    stack.cancel()
    shutil.rmtree(cache, ignore_errors=True)
    assert_that_up_protects_again(stack, emulator)


def test_the_former_program_protects_again_after_a_killed_swap(stack: Stack, emulator: Emulator, cache: Path) -> None:
    stack.deploy(ALL)
    stack.write(program(f'protect_all("people", {PEOPLE}, "Silver")'))
    # The service refuses a second policy: the old policies are removed, and the new ones not assigned yet.
    rule = {"operation": "unprotect_resource", "nth": 1, "do": [HELD] * 4}
    with hold_up(stack, emulator, rule) as run:
        run.kill_provider()
        run.end()
    shutil.rmtree(cache, ignore_errors=True)
    stack.write(ALL)
    assert 4 == len(bare(emulator))
    assert_that_up_protects_again(stack, emulator)
    assert {(GOLD,)} == {tuple(policies_on(emulator, one)) for one in PEOPLE}
