"""What a protection set does where another policy is on a member."""

import pytest

from support import Emulator
from support.resources.contoso import BRONZE, GOLD, SILVER, name_of, policies, protect, unprotect, user
from support.resources.runs import told
from support.resources.servicer import Engine, Servicer
from support.resources.sets import Sets, assigned, members

THREE = [user(9), user(10), user(11)]


def test_another_policy_on_a_new_member_fails_in_the_preview_with_both_names(sets: Sets, emulator: Emulator) -> None:
    error = sets.preview(people=members(user(1), user(2), user(9))).error
    for number, name, policy in ((1, "Silver", SILVER), (2, "Bronze", BRONZE)):
        already = f'{name_of(emulator, number)} ({user(number)}) is protected with policy "{name}" ({policy}) already'
        assert f'{already}, and this asks for "Gold" ({GOLD})' in error
    assert ("2 cannot be protected:", 1) == (error.splitlines()[0], error.count('set on_conflict to "take_over"'))


def test_another_policy_on_a_member_that_joins_fails_in_the_preview(sets: Sets) -> None:
    sets.up(people=members(*THREE))
    assert "1 cannot be protected: " in sets.preview(people=members(*THREE, user(1))).error


def test_another_policy_fails_in_the_up_where_nothing_was_checked_and_the_others_are_protected(
    hurried: Servicer, emulator: Emulator
) -> None:
    sets = Sets(hurried, emulator, previewChecks="false")
    turn = sets.up(people=members(user(1), *THREE))
    assert "1 failed: cannot protect jane.doe@contoso.example" in turn.error
    assert ([SILVER], dict.fromkeys(THREE, GOLD)) == (
        policies(emulator)[user(1)],
        sets.kept["people"].outs["protected"],
    )


@pytest.mark.parametrize("second_policy", ["invalid_argument", "conflict", "replaces", "adds"])
def test_members_that_are_taken_over_are_swapped_and_then_the_sets(
    sets: Sets, emulator: Emulator, second_policy: str
) -> None:
    emulator.set_dialect(second_policy=second_policy)
    program = members(user(1), user(2), user(9), on_conflict="take_over")
    assert "" == sets.up(people=program).error
    assert dict.fromkeys([user(1), user(2), user(9)], GOLD) == sets.kept["people"].outs["protected"]
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (user(1), user(2))]
    assert {"people": "same"} == sets.up(people=program).steps
    sets.destroy()
    assert set() == {user(1), user(2), user(9)} & policies(emulator).keys()


def test_what_is_taken_over_is_told_in_the_preview(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    sets.preview(people=members(user(1), user(9), on_conflict="take_over"))
    taken = f'takes {name_of(emulator, 1)} ({user(1)}) over from policy "Silver" ({SILVER})'
    assert [f"people: 1 taken over: {taken}", "people: 1 to protect, 1 to change, of 2 members."] == told(engine)
    assert [] == emulator.writes()


def test_who_joins_and_is_taken_over_is_told_in_the_preview(sets: Sets, engine: Engine) -> None:
    sets.up(people=members(user(9), on_conflict="take_over"))
    engine.messages.clear()
    sets.preview(people=members(user(9), user(1), on_conflict="take_over"))
    assert "1 taken over: " in told(engine)[0]


def test_any_policy_will_do_where_the_program_accepts_them(sets: Sets, emulator: Emulator) -> None:
    program = members(user(1), user(2), user(9), on_conflict="accept")
    assert "" == sets.up(people=program).error
    assert ({user(1): SILVER, user(2): BRONZE}, {user(9): GOLD}) == (
        sets.kept["people"].outs["adopted"],
        sets.kept["people"].outs["protected"],
    )
    assert 1 == len(emulator.writes())
    assert {"people": "same"} == sets.up(people=program).steps


def test_what_is_accepted_does_not_drift_to_another_policy(sets: Sets, emulator: Emulator) -> None:
    program = members(user(1), user(9), on_conflict="accept")
    sets.up(people=program)
    protect(emulator, BRONZE, user(1), user(9))
    emulator.clear_requests()
    sets.refresh()
    assert "" == sets.up(people=program).error
    assert {"people": "same"} == sets.up(people=program).steps
    assert ([], [BRONZE]) == (emulator.writes(), policies(emulator)[user(9)])


def test_who_accepts_and_has_lost_a_policy_gets_one(sets: Sets, emulator: Emulator) -> None:
    program = members(user(1), user(9), on_conflict="accept")
    sets.up(people=program)
    unprotect(emulator, user(1))
    sets.refresh()
    sets.up(people=program)
    assert [GOLD] == policies(emulator)[user(1)]


def test_another_named_policy_is_no_change_where_any_will_do(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(1), user(9), on_conflict="accept"))
    emulator.clear_requests()
    sets.up(people=members(user(1), user(9), policy="Bronze", on_conflict="accept"))
    assert ([], [GOLD]) == (emulator.writes(), policies(emulator)[user(9)])


@pytest.mark.parametrize("choice", ["fail", "take_over"])
def test_who_accepts_no_more_swaps_its_own_and_meets_the_others(sets: Sets, emulator: Emulator, choice: str) -> None:
    sets.up(people=members(user(1), user(9), on_conflict="accept"))
    turn = sets.up(people=members(user(1), user(9), policy="Bronze", on_conflict=choice))
    on = policies(emulator)
    expected = (True, [SILVER], [GOLD]) if choice == "fail" else (False, [BRONZE], [BRONZE])
    assert expected == (f"({user(1)}) is protected with" in turn.error, on[user(1)], on[user(9)])


def test_a_policy_that_somebody_else_put_on_meanwhile_fails_in_the_preview_of_a_change(
    sets: Sets, emulator: Emulator
) -> None:
    sets.up(people=members(*THREE))
    protect(emulator, BRONZE, user(9))
    error = sets.preview(people=members(*THREE, policy="Silver")).error
    assert f'({user(9)}) is protected with policy "Bronze"' in error
    assert [BRONZE] == policies(emulator)[user(9)]


def test_a_policy_that_a_refresh_saw_is_swapped(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*THREE))
    protect(emulator, BRONZE, user(9))
    sets.refresh()
    assert ({user(9): BRONZE}, "") == (sets.kept["people"].outs["adopted"], sets.up(people=members(*THREE)).error)
    assert ([GOLD], {}) == (policies(emulator)[user(9)], sets.kept["people"].outs["adopted"])


@pytest.mark.parametrize("policy", ["Gold", "Silver"])
def test_what_a_refresh_saw_is_not_the_sets_to_take_off(sets: Sets, emulator: Emulator, policy: str) -> None:
    sets.up(people=members(*THREE))
    unprotect(emulator, user(9))
    sets.refresh()
    protect(emulator, {"Gold": GOLD, "Silver": SILVER}[policy], user(9))
    sets.refresh()
    sets.up(people=assigned({user(9): policy, user(10): "Gold"}))
    sets.destroy()
    assert user(9) in policies(emulator)
