"""A protection set, and other policies on its members."""

import pytest

from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import BRONZE, GOLD, SILVER, name_of, policies, protect, unprotect, user
from support.resources.servicer import UNKNOWN, assert_names
from support.resources.sets import Sets

THREE = [user(9), user(10), user(11)]


def test_another_policy_on_a_new_member_fails_in_the_preview_with_both_names(sets: Sets, emulator: Emulator) -> None:
    error = sets.preview(people=members(user(1), user(2), user(9))).error
    first, *lines, _ = error.splitlines()
    assert ("2 ", 2) == (first[:2], len(lines))
    for line, number, policy in zip(lines, (1, 2), (f'"Silver" ({SILVER})', f'"Bronze" ({BRONZE})'), strict=True):
        assert_names(line, f"{name_of(emulator, number)} ({user(number)})", policy, f'"Gold" ({GOLD})')
    assert_names(error, "on_conflict", '"take_over"', '"accept"')


def test_another_policy_fails_in_an_up_without_checks_for_its_member(offline_sets: Sets, emulator: Emulator) -> None:
    outcome = offline_sets.up(people=members(user(1), *THREE))
    assert_names(outcome.error, "1 failed", "jane.doe@contoso.example", user(1), SILVER, GOLD)
    assert ([SILVER], dict.fromkeys(THREE, GOLD)) == (policies(emulator)[user(1)], offline_sets.protected())


def test_an_unknown_choice_leaves_conflicts_to_the_up(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9)))
    protect(emulator, BRONZE, user(10))
    outcome = sets.preview(people=members(user(9), user(10), on_conflict=UNKNOWN))
    assert ({"people": "update"}, "") == (outcome.steps, outcome.error)


@pytest.mark.parametrize("joins", [False, True])
def test_a_preview_names_the_policies_that_it_would_take_over(sets: Sets, emulator: Emulator, *, joins: bool) -> None:
    if joins:
        sets.up(people=members(user(9), on_conflict="take_over"))
    (note,) = sets.preview(people=members(user(1), user(9), on_conflict="take_over")).notes
    assert_names(note, "1 to change", "2 members")
    assert_names(note, f"to change: {name_of(emulator, 1)} ({user(1)}); taken over from", f'"Silver" ({SILVER})')


def test_a_set_that_accepts_conflicts_adopts_any_policy(sets: Sets) -> None:
    outcome = sets.converge(people=members(user(1), user(2), user(9), on_conflict="accept"))
    assert ({user(1): SILVER, user(2): BRONZE}, {user(9): GOLD}) == (sets.adopted(), sets.protected())
    assert [user(9)] == outcome.written


def test_a_preview_counts_and_names_the_accepted_policies(sets: Sets, emulator: Emulator) -> None:
    program = {user(1): "Silver", user(2): "Silver", user(9): "Gold"}
    (note,) = sets.preview(people=assigned(program, on_conflict="accept")).notes
    assert "people: 1 to protect, 2 to adopt, 1 of them with another policy, of 3 members." == note.splitlines()[0]
    assert_names(note, f"with another policy: {name_of(emulator, 2)} ({user(2)}) has", f'"Bronze" ({BRONZE})')


def test_an_accepted_policy_does_not_drift_to_another_policy(sets: Sets, emulator: Emulator) -> None:
    program = members(user(1), user(9), on_conflict="accept")
    sets.up(people=program)
    protect(emulator, BRONZE, user(1), user(9))
    sets.refresh()
    assert [] == sets.converge(people=program).written
    assert [BRONZE] == policies(emulator)[user(9)]


def test_a_member_that_lost_its_accepted_policy_gets_the_named_policy(sets: Sets, emulator: Emulator) -> None:
    program = members(user(1), user(9), on_conflict="accept")
    sets.up(people=program)
    unprotect(emulator, user(1))
    sets.refresh()
    sets.up(people=program)
    assert [GOLD] == policies(emulator)[user(1)]


@pytest.mark.parametrize(
    ("choice", "of_others", "own"),
    [("accept", SILVER, GOLD), ("fail", SILVER, GOLD), ("take_over", BRONZE, BRONZE)],
)
def test_another_policy_in_the_program_meets_the_accepted_policies(
    sets: Sets, emulator: Emulator, choice: str, of_others: str, own: str
) -> None:
    sets.up(people=members(user(1), user(9), on_conflict="accept"))
    outcome = sets.up(people=members(user(1), user(9), policy="Bronze", on_conflict=choice))
    on = policies(emulator)
    assert (choice == "fail", [of_others], [own]) == (user(1) in outcome.error, on[user(1)], on[user(9)])
    assert (choice == "take_over") == bool(outcome.written)


def test_a_policy_that_was_assigned_meanwhile_fails_in_the_preview_of_a_change(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*THREE))
    protect(emulator, BRONZE, user(9))
    assert_names(sets.preview(people=members(*THREE, policy="Silver")).error, f"({user(9)})", '"Bronze"')
    assert [BRONZE] == policies(emulator)[user(9)]


@pytest.mark.parametrize("policy", ["Gold", "Silver"])
def test_a_policy_that_a_refresh_saw_does_not_belong_to_the_set(sets: Sets, emulator: Emulator, policy: str) -> None:
    sets.up(people=members(*THREE))
    unprotect(emulator, user(9))
    sets.refresh()
    protect(emulator, {"Gold": GOLD, "Silver": SILVER}[policy], user(9))
    sets.refresh()
    sets.up(people=assigned({user(9): policy, user(10): "Gold"}))
    sets.destroy()
    assert user(9) in policies(emulator)
