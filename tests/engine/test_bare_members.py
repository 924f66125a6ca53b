"""Declared and without a policy: that is a change for each preview and `up`, whatever took the policy off."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support import Emulator
from support.engine.held import HELD, Run, hold_up
from support.engine.programs import program
from support.engine.stack import Stack
from support.history import policies_on
from support.resources.contoso import change, name_of, protect, unprotect, user

PEOPLE = [user(number) for number in range(9, 29)]
ALL = program(f'protect_all("people", {PEOPLE})')
ONE = program('protect("hannah", 9)', 'protect("wei", 12)')
GOLD = "policy-contoso-gold"


def bare(emulator: Emulator) -> list[str]:
    return [one for one in PEOPLE if not policies_on(emulator, one)]


def assert_that_up_protects_again(stack: Stack, emulator: Emulator) -> None:
    """All who are bare are named by the preview, and protected by `up`; then nothing is left to do."""
    missing = bare(emulator)
    assert missing
    preview = stack.preview()
    assert {"people": "update"} == preview.steps
    assert f"{len(missing):,} to protect again, without any policy now:" in preview.notes["people"]
    assert all(f"({one})" in preview.notes["people"] for one in missing)
    assert stack.preview("--expect-no-changes").failed
    up = stack.up("--skip-preview")
    assert sorted(missing) == sorted(write["path"].split("/")[-2] for write in up.writes)
    assert ([], {}) == (bare(emulator), stack.preview("--expect-no-changes").steps)


def test_a_destroy_that_failed_half_way_is_taken_back_by_an_up(stack: Stack, emulator: Emulator) -> None:
    stack.write(ALL)
    stack.up()
    with emulator.faults({"operation": "unprotect_resource", "nth": 11, "do": ["status:403"] * 10}):
        destroy = stack.destroy()
    assert destroy.failed
    advice = "10 are unprotected, and the others stay as they are. Run the command again to unprotect the rest."
    assert advice in destroy.messages["people"]
    assert "If the set stays in the program, `pulumi up` protects all members again" in destroy.messages["people"]
    assert_that_up_protects_again(stack, emulator)
    stack.destroy()
    assert PEOPLE == bare(emulator)


@pytest.mark.parametrize("end", [Run.press_ctrl_c, Run.kill, Run.kill_provider], ids=lambda end: end.__name__)
def test_a_destroy_that_was_ended_half_way_is_taken_back_by_an_up(
    stack: Stack, emulator: Emulator, cache: Path, end: Callable[[Run], None]
) -> None:
    stack.write(ALL)
    stack.up()
    rule = {"operation": "unprotect_resource", "nth": 6, "do": [HELD] * 4}
    with hold_up(stack, emulator, rule, command="destroy") as run:
        end(run)
        emulator.clear_faults()
        assert run.end() != 0
        run.until(lambda: not run.providers())
    stack.cancel()
    shutil.rmtree(cache, ignore_errors=True)
    assert_that_up_protects_again(stack, emulator)


def test_a_swap_that_was_killed_is_taken_back_with_the_commit(stack: Stack, emulator: Emulator, cache: Path) -> None:
    stack.write(ALL)
    stack.up()
    stack.write(program(f'protect_all("people", {PEOPLE}, "Silver")'))
    # A second policy is refused: the old ones are off, and the new ones not on yet.
    rule = {"operation": "unprotect_resource", "nth": 1, "do": [HELD] * 4}
    with hold_up(stack, emulator, rule) as run:
        run.kill_provider()
        run.end()
    shutil.rmtree(cache, ignore_errors=True)
    stack.write(ALL)
    assert 4 == len(bare(emulator))
    assert_that_up_protects_again(stack, emulator)
    assert {(GOLD,)} == {tuple(policies_on(emulator, one)) for one in PEOPLE}


def test_a_protection_that_was_taken_off_is_assigned_again_and_is_ours(stack: Stack, emulator: Emulator) -> None:
    stack.write(ONE)
    stack.up()
    unprotect(emulator, user(9))
    preview = stack.preview()
    expected = f"1 to protect again, without any policy now: {name_of(emulator, 9)} ({user(9)})."
    assert ({"hannah": "update"}, expected) == (preview.steps, preview.notes["hannah"].strip())
    assert {"hannah": "update"} == stack.up("--skip-preview").steps
    assert [GOLD] == policies_on(emulator, user(9))
    assert {} == stack.preview("--expect-no-changes").steps
    stack.destroy()
    assert [] == policies_on(emulator, user(9))


def test_a_protection_is_bare_only_if_it_could_be_backed_up_and_the_checks_are_on(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(program('protect("hannah", 9)', f'protect_all("people", {PEOPLE[1:4]})'))
    stack.up()
    for number in (9, 10):
        unprotect(emulator, user(number))
    stack.configure("previewChecks", "false")
    assert ({}, []) == ((preview := stack.preview()).steps, preview.requests)
    stack.configure("previewChecks", "true")
    assert {"hannah": "update", "people": "update"} == stack.preview().steps
    for number in (9, 10):
        change(emulator, user(number), archived=True)
    assert {} == stack.up().steps


def test_what_somebody_else_swapped_is_no_change_without_a_refresh(stack: Stack, emulator: Emulator) -> None:
    stack.write(ALL)
    stack.up()
    protect(emulator, "policy-contoso-silver", PEOPLE[0])
    assert {} == stack.preview().steps
    assert {"people": "update"} == stack.preview("--refresh").steps


def test_a_set_that_any_policy_will_do_for_protects_who_has_none(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect_all("people", {PEOPLE}, on_conflict="accept")'))
    stack.up()
    for one in PEOPLE[:3]:
        unprotect(emulator, one)
    assert_that_up_protects_again(stack, emulator)


def test_the_list_of_protections_is_read_once_for_all_of_a_tenant(stack: Stack) -> None:
    lines = [f'protect("p{number}", {number})' for number in range(9, 19)]
    stack.write(program(*lines, f'protect_all("people", {PEOPLE[10:]})'))
    stack.up()
    asked = [request["operation"] for request in stack.preview().requests]
    assert ["list_policies", "list_protections", "list_resources"] == sorted(map(str, asked))


FEW = PEOPLE[:5]


@pytest.mark.parametrize("left", ["[]", f"{PEOPLE[6:9]}"])
def test_nobody_of_a_small_set_stays_only_if_the_program_says_so(stack: Stack, emulator: Emulator, left: str) -> None:
    stack.write(program(f'protect_all("people", {FEW})'))
    stack.up()
    stack.write(program(f'protect_all("people", {left})'))
    joined: set[str] = set()
    for command in (stack.preview, stack.up):
        outcome = command()
        assert outcome.failed
        assert f"this would unprotect 5 of {5 + len(joined)} members in tenant tenant-contoso" in outcome.text
        joined = {write["path"].split("/")[-2] for write in outcome.writes}
    assert joined <= {*PEOPLE[6:9]}, "an `up` without a preview protects newcomers, and removes nobody"
    assert FEW == [one for one in FEW if policies_on(emulator, one)]
    stack.write(program(f'protect_all("people", {left}, max_removals="100%")'))
    assert not stack.up().failed
    assert FEW == [one for one in FEW if not policies_on(emulator, one)]


def test_a_replacement_is_limited_and_names_the_tenant_that_is_left(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect_all("people", {FEW})'))
    stack.up()
    emulator.clear_requests()
    moved = '["res-adatum-user-12"], tenant="adatum"'
    stack.write(program(f'protect_all("people", {moved})'))
    for checks in ("true", "false"):
        stack.configure("previewChecks", checks)
        up = stack.up()
        expected = "move the set to tenant tenant-adatum, and unprotect 5 of 5 members in tenant tenant-contoso"
        assert (True, [], True) == (up.failed, up.writes, bool(re.search(expected, up.text)))
    stack.write(program(f'protect_all("people", {moved}, max_removals=5)'))
    assert {"people": "replace"} == stack.up().steps
    assert FEW == [one for one in FEW if not policies_on(emulator, one)]
