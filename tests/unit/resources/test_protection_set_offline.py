"""Sets where the preview could not look ahead, and what others did meanwhile."""

from support import Emulator
from support.resources.contoso import BRONZE, GOLD, policies, protect, user
from support.resources.runs import told
from support.resources.servicer import UNKNOWN, Engine, Servicer
from support.resources.sets import Sets, assigned, members


def test_what_is_declared_twice_fails_in_the_up_where_the_preview_is_offline(
    servicer: Servicer, emulator: Emulator
) -> None:
    sets = Sets(servicer, emulator, previewChecks="false")
    twice = {"one": members(user(9), user(10)), "other": members(user(10), user(11))}
    assert 'also by the resource "one": keep one of them' in sets.up(**twice).error
    assert [{user(9), user(10)}, {user(11)}] == [{*sets.kept[name].outs["protected"]} for name in twice]


def test_a_policy_that_there_is_not_fails_for_its_members_alone_where_the_preview_is_offline(
    servicer: Servicer, emulator: Emulator
) -> None:
    sets = Sets(servicer, emulator, previewChecks="false")
    assert 'no policy "Glod"' in sets.up(people=assigned({user(9): "Gold", user(10): "Glod"})).error
    assert {user(9): GOLD} == sets.kept["people"].outs["protected"]


def test_a_name_elsewhere_in_the_program_that_means_nobody_is_in_nobodys_way(sets: Sets, emulator: Emulator) -> None:
    everyone = {"people": members(user(9), user(10)), "visitors": members(user(11), "nobody", on_missing="warn")}
    sets.up(**everyone)
    assert "" == sets.up(**{**everyone, "people": members(user(9))}).error
    assert user(10) not in policies(emulator)


def test_a_choice_that_is_not_known_yet_leaves_conflicts_to_the_up(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9)))
    protect(emulator, BRONZE, user(10))
    turn = sets.preview(people=members(user(9), user(10), on_conflict=UNKNOWN))
    assert ({"people": "update"}, "") == (turn.steps, turn.error)


def test_who_has_another_policy_by_now_keeps_it_when_the_set_goes(
    sets: Sets, emulator: Emulator, engine: Engine
) -> None:
    sets.up(people=assigned({user(9): "Gold", user(10): "Gold"}))
    protect(emulator, BRONZE, user(10))
    engine.messages.clear()
    assert {"people": "delete"} == sets.destroy().steps
    expected = f"people: 1 stay protected: {user(10)}: another policy is on it now, {BRONZE}"
    assert ([expected], [BRONZE]) == (told(engine), policies(emulator)[user(10)])
    assert GOLD not in policies(emulator).get(user(9), [])
