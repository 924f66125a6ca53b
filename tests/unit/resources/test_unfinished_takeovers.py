"""Take-overs on an account that allows several policies, if the removal of the displaced policy fails."""

from collections.abc import Callable

import pytest

from support import Emulator
from support.resources.arguments import members, protection
from support.resources.contoso import BRONZE, GOLD, JANE, SILVER, add_policy, name_of, policies, unprotect, user
from support.resources.servicer import Properties, assert_names
from support.resources.sets import Sets


def one_protection(policy: str = "Gold", on_conflict: str = "take_over") -> Properties:
    return protection(JANE, policy, on_conflict=on_conflict)


def one_set(policy: str = "Gold", on_conflict: str = "take_over") -> Properties:
    return members(JANE, user(9), policy=policy, on_conflict=on_conflict)


Declare = Callable[..., Properties]


@pytest.fixture(params=[one_protection, one_set], ids=["a protection", "a set"])
def declared(request: pytest.FixtureRequest) -> Declare:
    """Makes the arguments of the resource that takes the policy over."""
    declare: Declare = request.param
    return declare


@pytest.fixture(autouse=True)
def _several_policies(emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")


def fail_to_take_over(sets: Sets, emulator: Emulator, program: Properties) -> str:
    """Let the removal of the displaced policy fail, and return the error."""
    with emulator.faults({"operation": "unprotect_resource", "do": ["status:403"]}):
        error = sets.up(one=program).error
    assert {GOLD, SILVER} == {*policies(emulator)[JANE]}
    assert_names(error, "403", "`pulumi up`", SILVER)
    return error


@pytest.mark.parametrize("refreshes", [False, True])
@pytest.mark.parametrize("failures", [1, 2])
def test_the_next_up_removes_the_displaced_policy(
    sets: Sets, emulator: Emulator, declared: Declare, *, failures: int, refreshes: bool
) -> None:
    for _ in range(failures):
        fail_to_take_over(sets, emulator, declared())
    assert sets.kept["one"].half_done
    if refreshes:
        sets.refresh()
        assert not sets.kept["one"].half_done
    preview = sets.preview(one=declared())
    assert {"one": "update"} == preview.steps
    label = JANE if declared is one_protection else f"{name_of(emulator, 1)} ({JANE})"
    assert_names(preview.notes[0], "one: 1 to finish", "displaced policy", label)
    assert {"one": "update"} == sets.converge(one=declared()).steps
    assert ([GOLD], False) == (policies(emulator)[JANE], "displaced" in sets.kept["one"].outs)
    sets.destroy()
    assert JANE not in policies(emulator)


@pytest.mark.parametrize("on_conflict", ["fail", "accept"])
def test_a_program_that_does_not_take_over_any_more_leaves_the_displaced_policy(
    sets: Sets, emulator: Emulator, declared: Declare, on_conflict: str
) -> None:
    fail_to_take_over(sets, emulator, declared())
    sets.converge(one=declared(on_conflict=on_conflict))
    assert {GOLD, SILVER} == {*policies(emulator)[JANE]}
    assert "" == sets.up(one=declared()).error
    assert {GOLD, SILVER} == {*policies(emulator)[JANE]}, "the program did not displace it again"


def test_a_refresh_forgets_a_displaced_policy_that_is_gone(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    unprotect(emulator, JANE, policy_id=SILVER)
    sets.refresh()
    assert "displaced" not in sets.kept["one"].outs
    assert {"one": "same"} == sets.up(one=declared()).steps


def test_a_third_policy_from_the_portal_stays(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    add_policy(emulator, BRONZE, JANE)
    assert "" == sets.up(one=declared()).error
    assert {GOLD, BRONZE} == {*policies(emulator)[JANE]}


def test_a_program_that_returns_to_the_old_policy_adopts_it(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    assert "" == sets.up(one=declared(policy="Silver")).error
    assert [SILVER] == policies(emulator)[JANE]
    sets.destroy()
    assert [SILVER] == policies(emulator)[JANE], "it was there before"


def test_a_deletion_removes_the_own_policy_only(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    assert "" == sets.destroy().error
    assert [SILVER] == policies(emulator)[JANE]


def test_a_member_that_leaves_a_take_over_keeps_the_policy_of_others(sets: Sets, emulator: Emulator) -> None:
    fail_to_take_over(sets, emulator, one_set())
    assert "" == sets.up(one=members(user(9), on_conflict="take_over")).error
    assert [SILVER] == policies(emulator)[JANE]
    assert "displaced" not in sets.kept["one"].outs
