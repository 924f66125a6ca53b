"""Take-overs on an account that allows several policies, when the removal of the displaced policy fails."""

from collections.abc import Callable

import pytest

from support import Emulator
from support.history import policies_on
from support.resources.contoso import BRONZE, GOLD, SILVER, TENANT, name_of, policies, user
from support.resources.runs import told
from support.resources.servicer import Engine, Properties
from support.resources.sets import Sets, members

PERSON = user(1)  # somebody gave this person Silver
NEXT = f"The next `pulumi up` finishes the swap and removes the policy {SILVER}"
KEPT = {"operation": "unprotect_resource", "do": ["status:403"]}


def protection(policy: str = "Gold", on_conflict: str = "take_over") -> Properties:
    """What the program says of a protection."""
    return {
        "tenant_id": TENANT,
        "resource": PERSON,
        "policy": policy,
        "on_conflict": on_conflict,
        "on_destroy": "unprotect",
    }


def one_set(policy: str = "Gold", on_conflict: str = "take_over") -> Properties:
    """What the program says of a set."""
    return members(PERSON, user(9), policy=policy, on_conflict=on_conflict)


Declare = Callable[..., Properties]
KINDS = pytest.mark.parametrize("declared", [protection, one_set], ids=["a protection", "a set"])


@pytest.fixture(autouse=True)
def _several_policies(emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")


def fail_to_take_over(sets: Sets, emulator: Emulator, program: Properties) -> str:
    """Let the removal of the displaced policy fail, and return what the user reads."""
    with emulator.faults(KEPT):
        error = sets.up(one=program).error
    assert {GOLD, SILVER} == {*policies(emulator)[PERSON]}
    return error


@KINDS
@pytest.mark.parametrize("refreshes", [False, True])
def test_the_next_up_removes_what_a_take_over_displaced(
    sets: Sets, emulator: Emulator, engine: Engine, declared: Declare, *, refreshes: bool
) -> None:
    error = fail_to_take_over(sets, emulator, declared())
    assert (True, True) == (NEXT in error, "403 forbidden" in error)
    assert sets.kept["one"].half_done
    if refreshes:
        sets.refresh()
        assert not sets.kept["one"].half_done
    engine.messages.clear()
    assert {"one": "update"} == sets.preview(one=declared()).steps
    assert "1 taken over with the displaced policy still on" in told(engine)[0]
    assert ({"one": "update"}, "") == ((turn := sets.up(one=declared())).steps, turn.error)
    assert [GOLD] == policies(emulator)[PERSON]
    assert "displaced" not in sets.kept["one"].outs
    emulator.clear_requests()
    assert ({"one": "same"}, []) == (sets.up(one=declared()).steps, emulator.writes())
    sets.destroy()
    assert PERSON not in policies(emulator)


@KINDS
def test_a_removal_that_fails_again_is_tried_again(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    assert NEXT in fail_to_take_over(sets, emulator, declared())
    assert "" == sets.up(one=declared()).error
    assert [GOLD] == policies(emulator)[PERSON]
    sets.destroy()
    assert PERSON not in policies(emulator)


@KINDS
@pytest.mark.parametrize("on_conflict", ["fail", "accept"])
def test_a_program_that_takes_nothing_over_any_more_leaves_the_displaced_policy(
    sets: Sets, emulator: Emulator, declared: Declare, on_conflict: str
) -> None:
    fail_to_take_over(sets, emulator, declared())
    program = declared(on_conflict=on_conflict)
    assert "" == sets.up(one=program).error
    assert {GOLD, SILVER} == {*policies(emulator)[PERSON]}
    assert {"one": "same"} == sets.up(one=program).steps
    assert "" == sets.up(one=declared()).error
    assert {GOLD, SILVER} == {*policies(emulator)[PERSON]}, "nobody asked to displace it again"


@KINDS
def test_a_displaced_policy_that_is_gone_is_forgotten_by_a_refresh(
    sets: Sets, emulator: Emulator, declared: Declare
) -> None:
    fail_to_take_over(sets, emulator, declared())
    silver = [
        one for one in emulator.state()["protections"] if (one["resource_id"], one["policy_id"]) == (PERSON, SILVER)
    ]
    emulator.patch({"protections": [{**one, "deleted": True} for one in silver]})
    sets.refresh()
    assert "displaced" not in sets.kept["one"].outs
    assert {"one": "same"} == sets.up(one=declared()).steps


@KINDS
def test_a_third_policy_that_somebody_adds_stays(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    bronze = {"tenant_id": TENANT, "id": "by-hand", "resource_id": PERSON, "policy_id": BRONZE, "job_id": "job"}
    emulator.patch({"protections": [bronze]})
    assert "" == sets.up(one=declared()).error
    assert {GOLD, BRONZE} == {*policies(emulator)[PERSON]}


@KINDS
def test_a_program_that_wants_the_displaced_policy_back_adopts_it(
    sets: Sets, emulator: Emulator, declared: Declare
) -> None:
    fail_to_take_over(sets, emulator, declared())
    assert "" == sets.up(one=declared(policy="Silver")).error
    assert [SILVER] == policies(emulator)[PERSON]
    sets.destroy()
    assert [SILVER] == policies_on(emulator, PERSON), "it was there before"


@KINDS
def test_a_destroy_removes_the_own_policy_only(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    fail_to_take_over(sets, emulator, declared())
    assert "" == sets.destroy().error
    assert [SILVER] == policies(emulator)[PERSON]


@KINDS
def test_a_take_over_in_an_update_is_finished_too(sets: Sets, emulator: Emulator, declared: Declare) -> None:
    sets.up(one=declared(policy="Silver"))
    bronze = {"tenant_id": TENANT, "id": "by-hand", "resource_id": PERSON, "policy_id": BRONZE, "job_id": "job"}
    emulator.patch({"protections": [bronze]})
    with emulator.possible_faults({"operation": "unprotect_resource", "do": ["status:403"] * 2}):
        error = sets.up(one=declared()).error
    assert "finishes the swap" in error
    assert "" == sets.up(one=declared()).error
    assert [GOLD] == policies(emulator)[PERSON]


def test_a_member_that_leaves_an_unfinished_take_over_keeps_what_others_put_on(sets: Sets, emulator: Emulator) -> None:
    fail_to_take_over(sets, emulator, one_set())
    assert "" == sets.up(one=members(user(9), on_conflict="take_over")).error
    assert [SILVER] == policies(emulator)[PERSON]
    assert "displaced" not in sets.kept["one"].outs


def test_the_preview_of_a_set_names_the_members(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    fail_to_take_over(sets, emulator, one_set())
    engine.messages.clear()
    sets.preview(one=one_set())
    still = f"{name_of(emulator, 1)} ({PERSON})"
    expected = f"one: 1 taken over with the displaced policy still on, which is removed now: {still}"
    assert [expected] == told(engine)
