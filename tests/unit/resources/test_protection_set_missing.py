"""What becomes of members that do not exist, are archived, vanish, or come back."""

import pytest

from support import Emulator
from support.resources.contoso import GOLD, TENANT, change, name_of, policies, record, unprotect, user
from support.resources.runs import told
from support.resources.servicer import Engine, Properties
from support.resources.sets import Sets, members

ARCHIVED, NOBODY = user(29), "nobody@contoso.example"
CHOICES: list[Properties] = [{}, {"on_missing": "fail"}, {"on_missing": "warn"}]


def vanish(emulator: Emulator, resource_id: str) -> None:
    unprotect(emulator, resource_id)
    change(emulator, resource_id, deleted=True)


@pytest.mark.parametrize("choice", CHOICES[:2], ids=str)
@pytest.mark.parametrize(
    ("reference", "reason"),
    [(NOBODY, "there is no such resource"), (ARCHIVED, "is archived and cannot be backed up any more")],
)
def test_a_new_member_that_cannot_be_protected_fails_in_the_preview(
    sets: Sets, choice: Properties, reference: str, reason: str
) -> None:
    turn = sets.preview(people=members(user(9), reference, **choice))
    assert f"1 cannot be members: {reference}: {reason}\nMend or leave them out" in turn.error


@pytest.mark.parametrize("choice", CHOICES[:2], ids=str)
def test_a_member_that_is_new_in_a_set_that_exists_has_to_exist_too(sets: Sets, choice: Properties) -> None:
    sets.up(people=members(user(9), **choice))
    turn = sets.preview(people=members(user(9), NOBODY, **choice))
    assert "1 cannot be members: nobody" in turn.error


def test_new_members_that_cannot_be_protected_are_skipped_where_the_program_says_so(
    sets: Sets, emulator: Emulator, engine: Engine
) -> None:
    program = members(user(9), NOBODY, ARCHIVED, on_missing="warn")
    assert {"people": "create"} == sets.up(people=program).steps
    assert ({user(9): GOLD}, 1) == (sets.kept["people"].outs["protected"], len(emulator.writes()))
    (warning,) = (text for text in told(engine) if "skipped" in text)
    assert ("2 skipped:" in warning, NOBODY in warning, ARCHIVED in warning) == (True, True, True)
    assert {"people": "same"} == sets.up(people=program).steps


def test_who_was_skipped_is_protected_when_it_is_there(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), NOBODY, ARCHIVED, on_missing="warn")
    sets.up(people=program)
    change(emulator, ARCHIVED, archived=False)
    emulator.patch({"resources": [{**record(emulator, user(9)), "id": "res-new", "external_id": "e", "name": NOBODY}]})
    assert {"people": "update"} == sets.up(people=program).steps
    assert {user(9): GOLD, ARCHIVED: GOLD, "res-new": GOLD} == sets.kept["people"].outs["protected"]


@pytest.mark.parametrize("choice", [CHOICES[0], CHOICES[2]], ids=str)
def test_a_member_that_vanishes_is_skipped_with_a_warning(
    sets: Sets, emulator: Emulator, engine: Engine, choice: Properties
) -> None:
    program = members(name_of(emulator, 9), user(10), user(11), **choice)
    sets.up(people=program)
    name = name_of(emulator, 9)
    vanish(emulator, user(9))
    vanish(emulator, user(11))
    engine.messages.clear()
    emulator.clear_requests()
    turn = sets.up(people=program)
    assert ("", []) == (turn.error, emulator.writes())
    (warning,) = (text for text in told(engine) if "skipped" in text)
    assert ("2 skipped:" in warning, name in warning, user(11) in warning) == (True, True, True)


def test_a_member_that_vanishes_fails_in_the_preview_where_the_program_says_so(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), user(10), on_missing="fail")
    sets.up(people=program)
    vanish(emulator, user(9))
    assert f"1 cannot be members: {user(9)}: there is no such resource" in sets.preview(people=program).error


@pytest.mark.parametrize("refreshes", [False, True])
def test_a_member_that_vanishes_is_gone_from_the_state_after_a_refresh_and_nothing_is_left_to_do(
    sets: Sets, emulator: Emulator, *, refreshes: bool
) -> None:
    program = members(name_of(emulator, 9), user(10))
    sets.up(people=program)
    vanish(emulator, user(9))
    if refreshes:
        sets.refresh()
        assert {user(10): GOLD} == sets.kept["people"].outs["protected"]
    turns = [sets.up(people=program) for _ in range(2)]
    assert ("same", "") == (turns[1].steps["people"], turns[0].error)


def test_a_person_who_comes_back_under_the_same_address_is_a_new_member(sets: Sets, emulator: Emulator) -> None:
    name = name_of(emulator, 9)
    program = members(name, user(10))
    sets.up(people=program)
    again = {**record(emulator, user(9)), "id": "res-again", "external_id": "again"}
    vanish(emulator, user(9))
    emulator.patch({"resources": [again]})
    assert {"people": "update"} == sets.up(people=program).steps
    assert [GOLD] == policies(emulator)["res-again"]
    assert {"res-again": GOLD, user(10): GOLD} == sets.kept["people"].outs["protected"]
    assert {name: "res-again"} == sets.kept["people"].inputs["resource_ids"]


def test_a_person_who_comes_back_after_an_up_without_them_is_a_new_member(sets: Sets, emulator: Emulator) -> None:
    name = name_of(emulator, 9)
    program = members(name, user(10))
    sets.up(people=program)
    again = {**record(emulator, user(9)), "id": "res-again", "external_id": "again"}
    vanish(emulator, user(9))
    sets.up(people=program)
    emulator.patch({"resources": [again]})
    assert {"people": "update"} == sets.up(people=program).steps
    assert [GOLD] == policies(emulator)["res-again"]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_a_member_that_is_archived_stays_protected_and_that_is_told(
    sets: Sets, emulator: Emulator, engine: Engine, choice: Properties
) -> None:
    program = members(user(9), user(10), **choice)
    sets.up(people=program)
    change(emulator, user(9), archived=True)
    emulator.clear_requests()
    assert {"people": "same"} == sets.up(people=program).steps
    assert ([], [GOLD]) == (emulator.writes(), policies(emulator)[user(9)])
    warning = f"people: 1 archived, not backed up any more: {name_of(emulator, 9)} ({user(9)})\n"
    assert [True] == [text.startswith(warning) for text in told(engine) if "archived" in text]


def test_a_member_that_is_archived_can_leave(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9), user(10)))
    change(emulator, user(9), archived=True)
    assert {"people": "update"} == sets.up(people=members(user(10))).steps
    assert user(9) not in policies(emulator)


def test_a_member_that_is_archived_and_lost_its_policy_is_not_protected_again(sets: Sets, emulator: Emulator) -> None:
    program = members(user(9), user(10))
    sets.up(people=program)
    change(emulator, user(9), archived=True)
    unprotect(emulator, user(9))
    emulator.clear_requests()
    sets.refresh()
    assert "" == sets.up(people=program).error
    assert {"people": "same"} == sets.up(people=program).steps
    assert [] == emulator.writes()


def test_a_vanished_member_that_leaves_the_program_takes_no_call(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9), user(10)))
    vanish(emulator, user(9))
    emulator.clear_requests()
    assert {"people": "update"} == sets.up(people=members(user(10))).steps
    assert ([], {user(10): GOLD}) == (emulator.writes(), sets.kept["people"].outs["protected"])


def test_a_set_whose_members_all_vanished_can_be_destroyed(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9), user(10)))
    vanish(emulator, user(9))
    vanish(emulator, user(10))
    emulator.clear_requests()
    assert {"people": "delete"} == sets.destroy().steps
    assert [] == emulator.writes()


def test_a_set_whose_tenant_is_gone_can_be_destroyed(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9), user(10)))
    emulator.patch({"tenants": [{"id": TENANT, "deleted": True}]})
    assert ({"people": "delete"}, "") == ((turn := sets.destroy()).steps, turn.error)
