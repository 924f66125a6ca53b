"""Members of a protection set that do not exist, are archived, vanish, or come back."""

import pytest

from support import Emulator
from support.resources.arguments import members
from support.resources.contoso import GOLD, change, name_of, policies, record, unprotect, user
from support.resources.servicer import Properties, assert_names
from support.resources.sets import Sets

ARCHIVED, NOBODY = user(29), "nobody@contoso.example"
DEFAULT: Properties = {}
FAIL, WARN = {"on_missing": "fail"}, {"on_missing": "warn"}


def vanish(emulator: Emulator, *resource_ids: str) -> None:
    for id in resource_ids:
        unprotect(emulator, id)
        change(emulator, id, deleted=True)


@pytest.mark.parametrize("choice", [DEFAULT, FAIL], ids=str)
@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize(("reference", "reason"), [(NOBODY, "does not exist"), (ARCHIVED, "archived")])
def test_a_new_member_that_cannot_be_protected_fails_in_the_preview(
    sets: Sets, choice: Properties, reference: str, reason: str, *, exists: bool
) -> None:
    if exists:
        sets.up(people=members(user(9), **choice))
    error = sets.preview(people=members(user(9), reference, **choice)).error
    assert_names(error, f"1 cannot be members: {reference}", reason)


def test_members_that_cannot_be_protected_are_skipped_if_the_program_says_so(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), NOBODY, ARCHIVED, on_missing="warn")
    outcome = sets.converge(people=program)
    assert ({"people": "create"}, {user(9): GOLD}, [user(9)]) == (outcome.steps, sets.protected(), outcome.written)
    (warning,) = outcome.warnings
    assert_names(warning, "2 skipped:", NOBODY, ARCHIVED)

    change(emulator, ARCHIVED, archived=False)
    emulator.patch({"resources": [{**record(emulator, user(9)), "id": "res-new", "external_id": "e", "name": NOBODY}]})
    assert {"people": "update"} == sets.up(people=program).steps
    assert {user(9): GOLD, ARCHIVED: GOLD, "res-new": GOLD} == sets.protected()


@pytest.mark.parametrize("choice", [DEFAULT, WARN], ids=str)
@pytest.mark.parametrize("refreshes", [False, True])
def test_a_member_that_vanishes_is_skipped_with_a_warning(
    sets: Sets, emulator: Emulator, choice: Properties, *, refreshes: bool
) -> None:
    name = name_of(emulator, 9)
    program = members(name, user(10), user(11), **choice)
    sets.up(people=program)
    vanish(emulator, user(9), user(11))
    if refreshes:
        sets.refresh()
        assert {user(10): GOLD} == sets.protected()
    outcome = sets.converge(people=program)
    (warning,) = outcome.warnings
    assert_names(warning, "2 skipped:", name, user(11))
    assert [] == outcome.written


def test_a_member_that_vanishes_fails_in_the_preview_if_the_program_says_so(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), user(10), on_missing="fail")
    sets.up(people=program)
    vanish(emulator, user(9))
    assert_names(sets.preview(people=program).error, f"1 cannot be members: {user(9)}")


@pytest.mark.parametrize("up_between", [False, True])
def test_a_person_who_comes_back_is_a_new_member(sets: Sets, emulator: Emulator, *, up_between: bool) -> None:
    name = name_of(emulator, 9)
    program = members(name, user(10))
    sets.up(people=program)
    again = {**record(emulator, user(9)), "id": "res-again", "external_id": "again"}
    vanish(emulator, user(9))
    if up_between:
        sets.up(people=program)
    emulator.patch({"resources": [again]})
    assert {"people": "update"} == sets.up(people=program).steps
    assert ([GOLD], {name: "res-again"}) == (
        policies(emulator)["res-again"],
        sets.kept["people"].inputs["resource_ids"],
    )
    assert {"res-again": GOLD, user(10): GOLD} == sets.protected()


@pytest.mark.parametrize("choice", [DEFAULT, FAIL, WARN], ids=str)
def test_an_archived_member_stays_with_a_warning_and_can_leave(
    sets: Sets, emulator: Emulator, choice: Properties
) -> None:
    sets.up(people=members(user(9), user(10), **choice))
    change(emulator, user(9), archived=True)
    outcome = sets.up(people=members(user(9), user(10), **choice))
    (warning,) = outcome.warnings
    assert_names(warning, "people: 1 archived", f"{name_of(emulator, 9)} ({user(9)})")
    assert ({"people": "same"}, [], [GOLD]) == (outcome.steps, outcome.written, policies(emulator)[user(9)])
    assert {"people": "update"} == sets.up(people=members(user(10), **choice)).steps
    assert user(9) not in policies(emulator)


def test_an_archived_member_that_lost_its_policy_is_not_protected_again(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), user(10))
    sets.up(people=program)
    change(emulator, user(9), archived=True)
    unprotect(emulator, user(9))
    sets.refresh()
    assert [] == sets.converge(people=program).written


def test_vanished_members_leave_and_the_set_is_deleted_without_a_write(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9), user(10)))
    vanish(emulator, user(9))
    outcome = sets.up(people=members(user(10)))
    assert ({"people": "update"}, [], {user(10): GOLD}) == (outcome.steps, outcome.written, sets.protected())
    vanish(emulator, user(10))
    outcome = sets.destroy()
    assert ({"people": "delete"}, "", []) == (outcome.steps, outcome.error, outcome.written)
