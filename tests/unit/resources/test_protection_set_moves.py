"""Members that two resources of a program name, and members that move from one to another."""

from collections.abc import Mapping

import pytest

from support import Emulator
from support.history import moments_without_policy
from support.resources.contoso import GOLD, SILVER, name_of, policies, user
from support.resources.runs import protection, told
from support.resources.servicer import Engine, Properties, Servicer
from support.resources.sets import Sets, assigned, members

MOVER = user(10)
REFERENCES = [MOVER, "chiara.rossi@contoso.example", "ext$usr-1010"]
REST = {"a": user(9), "b": user(11)}


def program(order: str, sets: Mapping[str, Properties]) -> dict[str, Properties]:
    """Declare them in an order."""
    return {name: sets[name] for name in order}


def moments(emulator: Emulator, second_policy: str = "invalid_argument") -> int:
    """How often the mover, who had Gold, was left without a policy."""
    return moments_without_policy(emulator, MOVER, [GOLD], second_policy)


@pytest.mark.parametrize("reference", REFERENCES)
def test_who_is_a_member_of_two_sets_fails_in_the_preview(sets: Sets, reference: str) -> None:
    turn = sets.preview(a=members(MOVER, user(9)), b=members(reference, user(11)))
    expected = f'1 declared twice: chiara.rossi@contoso.example ({MOVER}), also by the resource "a"\nKeep one of each'
    assert expected == turn.error


@pytest.mark.parametrize("order", ["ps", "sp"])
def test_who_is_a_member_of_a_set_and_protected_alone_fails_in_the_preview(sets: Sets, order: str) -> None:
    both = {"s": members(MOVER, user(9)), "p": protection(REFERENCES[1], "Gold")}
    turn = sets.preview(**program(order, both))
    assert "declared twice" in turn.error
    assert f'also by the resource "{order[0]}"' in turn.error


def test_who_is_a_member_of_two_sets_is_protected_by_one_where_nothing_is_checked(
    hurried: Servicer, emulator: Emulator
) -> None:
    sets = Sets(hurried, emulator, previewChecks="false")
    turn = sets.up(a=members(MOVER, user(9)), b=members(REFERENCES[1], user(11), policy="Silver"))
    assert f'1 failed: chiara.rossi@contoso.example ({MOVER}) is declared twice, also by the resource "a"' in turn.error
    assert [GOLD] == policies(emulator)[MOVER]
    assert [{user(9): GOLD, MOVER: GOLD}, {user(11): SILVER}] == [
        sets.kept[name].outs["protected"] for name in ("a", "b")
    ]


def test_sets_of_two_tenants_that_use_the_same_names_do_not_meet(sets: Sets, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-adatum", "id": MOVER, "external_id": "e", "name": "n"}]})
    there = {**members(MOVER, policy="policy-adatum-gold"), "tenant_id": "tenant-adatum"}
    assert "" == sets.up(a=members(MOVER), b=there).error
    assert "" == sets.up(a=members(), b=there).error
    assert (False, True) == (MOVER in policies(emulator), MOVER in policies(emulator, "tenant-adatum"))


@pytest.mark.parametrize("checks", ["true", "false"])
@pytest.mark.parametrize("order", ["ab", "ba"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_a_member_that_moves_to_another_set_takes_no_call_and_stays_protected(
    hurried: Servicer, emulator: Emulator, order: str, reference: str, checks: str
) -> None:
    sets = Sets(hurried, emulator, previewChecks=checks)
    sets.up(**program(order, {"a": members(REST["a"], MOVER), "b": members(REST["b"])}))
    moved = program(order, {"a": members(REST["a"]), "b": members(REST["b"], reference)})
    emulator.clear_requests()
    turn = sets.up(**moved)
    assert (dict.fromkeys("ab", "update"), "", []) == (turn.steps, turn.error, emulator.writes())
    assert dict.fromkeys("ab", "same") == sets.up(**moved).steps
    # Who takes over before the other is asked cannot know that the program made the protection.
    owner = "protected" if order == "ab" else "adopted"
    assert {"a": [False, False], "b": [owner == "protected", owner == "adopted"]} == {
        name: [MOVER in sets.kept[name].outs[kind] for kind in ("protected", "adopted")] for name in "ab"
    }


@pytest.mark.parametrize(("second_policy", "bare"), [("invalid_argument", 1), ("replaces", 0), ("adds", 0)])
def test_a_member_that_moves_and_changes_its_policy_is_swapped(
    sets: Sets, emulator: Emulator, second_policy: str, bare: int
) -> None:
    emulator.set_dialect(second_policy=second_policy)
    sets.up(a=members(REST["a"], MOVER), b=members(REST["b"], policy="Silver"))
    emulator.clear_requests()
    moved = {"a": members(REST["a"]), "b": members(REST["b"], REFERENCES[1], policy="Silver")}
    assert "" == sets.up(**moved).error
    assert (bare, [SILVER]) == (moments(emulator, second_policy), policies(emulator)[MOVER])
    assert SILVER == sets.kept["b"].outs["protected"][MOVER]
    assert dict.fromkeys("ab", "same") == sets.up(**moved).steps


def test_who_takes_a_member_over_with_another_policy_must_come_second_and_is_told_so(
    sets: Sets, emulator: Emulator
) -> None:
    sets.up(b=members(REST["b"], policy="Silver"), a=members(REST["a"], MOVER))
    moved = {"b": members(REST["b"], MOVER, policy="Silver"), "a": members(REST["a"])}
    turn = sets.preview(**moved)
    assert ("1 cannot be protected: " in turn.error, "if one gives it up, declare that one first" in turn.error) == (
        True,
        True,
    )
    taking = {**moved, "b": {**moved["b"], "on_conflict": "take_over"}}
    emulator.clear_requests()
    assert ("", 1) == (sets.up(**taking).error, moments(emulator))
    assert SILVER == sets.kept["b"].outs["protected"][MOVER]
    assert dict.fromkeys("ba", "same") == sets.up(**taking).steps


@pytest.mark.parametrize("policy", ["Gold", "Silver"])
def test_a_member_that_moves_while_its_set_fails_half_way_is_still_handed_over(
    sets: Sets, emulator: Emulator, policy: str
) -> None:
    sets.up(a=members(REST["a"], MOVER), b=members(REST["b"], policy=policy))
    moved = {"a": members(REST["a"], user(12)), "b": members(REST["b"], MOVER, policy=policy)}
    fault = {"operation": "protect_resource", "path": f"*/{user(12)}/*", "do": ["status:403"]}
    emulator.clear_requests()
    with emulator.faults(fault):
        assert "1 failed: " in sets.up(**moved).error
    assert "" == sets.up(**moved).error
    assert MOVER in sets.kept["b"].outs["protected"], "who made it is forgotten"
    assert (policy == "Silver", 2) == (bool(moments(emulator)), len(sets.kept["b"].outs["protected"]))


def test_a_member_whose_swap_fails_after_it_moved_is_swapped_by_the_next_run(sets: Sets, emulator: Emulator) -> None:
    sets.up(a=members(REST["a"], MOVER), b=members(REST["b"], policy="Silver"))
    moved = {"a": members(REST["a"]), "b": members(REST["b"], MOVER, policy="Silver")}
    with emulator.faults({"operation": "protect_resource", "path": f"*/{MOVER}/*", "do": ["status:403"]}):
        assert "1 failed: " in sets.up(**moved).error
    assert ("", [SILVER]) == (sets.up(**moved).error, policies(emulator)[MOVER])
    assert SILVER == sets.kept["b"].outs["protected"][MOVER]


@pytest.mark.parametrize("order", ["ps", "sp"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_a_member_that_is_to_be_protected_alone_stays_protected(
    sets: Sets, emulator: Emulator, order: str, reference: str
) -> None:
    sets.up(s=members(REST["a"], MOVER))
    emulator.clear_requests()
    alone = program(order, {"s": members(REST["a"]), "p": protection(reference, "Gold")})
    turn = sets.up(**alone)
    assert ({"s": "update", "p": "create"}, "", []) == (turn.steps, turn.error, emulator.writes())
    assert (GOLD if order == "sp" else None) == sets.kept["p"].outs.get("own_policy_id")
    assert {REST["a"]: GOLD} == sets.kept["s"].outs["protected"]
    assert {"s": "same", "p": "same"} == sets.up(**alone).steps


@pytest.mark.parametrize("reference", REFERENCES)
def test_what_was_protected_alone_and_joins_a_set_stays_protected(
    sets: Sets, emulator: Emulator, engine: Engine, reference: str
) -> None:
    sets.up(s=members(REST["a"]), p=protection(MOVER, "Gold"))
    emulator.clear_requests()
    turn = sets.up(s=members(REST["a"], reference))
    assert ({"s": "update", "p": "delete"}, []) == (turn.steps, emulator.writes())
    assert f'p: {MOVER} in tenant tenant-contoso stays protected: the resource "s" declares it now.' in told(engine)
    # The engine asks about what goes only when all is done that stays.
    assert {MOVER: GOLD} == sets.kept["s"].outs["adopted"]


def test_a_set_that_is_renamed_in_the_program_keeps_its_members_protected(sets: Sets, emulator: Emulator) -> None:
    sets.up(old=members(REST["a"], MOVER))
    emulator.clear_requests()
    turn = sets.up(new=members(REST["a"], MOVER))
    assert ({"new": "create", "old": "delete"}, "", []) == (turn.steps, turn.error, emulator.writes())
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (REST["a"], MOVER)]


def test_a_set_that_goes_leaves_those_alone_that_another_one_takes_over(sets: Sets, emulator: Emulator) -> None:
    sets.up(old=members(REST["a"], MOVER), new=members(REST["b"]))
    sets.up(new=members(REST["b"], MOVER))
    assert (False, [GOLD]) == (REST["a"] in policies(emulator), policies(emulator)[MOVER])


def test_two_sets_that_swap_all_their_members_write_nothing(sets: Sets, emulator: Emulator) -> None:
    ours = {"a": [user(number) for number in range(9, 15)], "b": [user(number) for number in range(15, 21)]}
    sets.up(a=members(*ours["a"]), b=members(*ours["b"]))
    emulator.clear_requests()
    turn = sets.up(a=members(*ours["b"], max_removals=0), b=members(*ours["a"], max_removals=0))
    assert ("", []) == (turn.error, emulator.writes())


def test_a_name_of_another_resource_that_means_nothing_here_is_in_nobodys_way(sets: Sets, emulator: Emulator) -> None:
    sets.up(a=members(REST["a"], MOVER))
    elsewhere = {**assigned({name_of(emulator, 10): "Gold"}, on_missing="warn"), "tenant_id": "tenant-adatum"}
    assert "" == sets.up(a=members(REST["a"]), b=elsewhere).error
    assert MOVER not in policies(emulator)
