"""Members that two resources of a program name, and members that move from one resource to another."""

import pytest

from support import Emulator
from support.resources.arguments import assigned, members, protection
from support.resources.contoso import GOLD, SILVER, name_of, policies, user
from support.resources.effects import moments_without_policy
from support.resources.servicer import Properties, Servicer, assert_names
from support.resources.sets import Sets

MOVER, NAME = user(10), "chiara.rossi@contoso.example"
REFERENCES = [MOVER, NAME, "ext$usr-1010"]
REST = {"a": user(9), "b": user(11)}


def in_order(order: str, **program: Properties) -> dict[str, Properties]:
    return {name: program[name] for name in order}


def moments(emulator: Emulator, second_policy: str = "invalid_argument") -> int:
    """Count the moments at which the mover, who had Gold, had no policy."""
    return moments_without_policy(emulator, MOVER, [GOLD], second_policy)


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_member_of_two_sets_fails_in_the_preview(sets: Sets, reference: str) -> None:
    error = sets.preview(a=members(MOVER, user(9)), b=members(reference, user(11))).error
    assert_names(error, f"1 declared twice: {NAME} ({MOVER})", 'resource "a"')


@pytest.mark.parametrize("order", ["ps", "sp"])
def test_a_member_that_has_a_protection_too_fails_in_the_preview(sets: Sets, order: str) -> None:
    program = in_order(order, s=members(MOVER, user(9)), p=protection(NAME, "Gold"))
    assert_names(sets.preview(**program).error, "declared twice", f'resource "{order[0]}"')


def test_a_member_of_two_sets_stays_in_the_first_without_checks(offline_sets: Sets, emulator: Emulator) -> None:
    error = offline_sets.up(a=members(MOVER, user(9)), b=members(NAME, user(11), policy="Silver")).error
    assert_names(error, f"1 failed: {NAME} ({MOVER})", "declared twice", 'resource "a"')
    assert [GOLD] == policies(emulator)[MOVER]
    assert [{user(9): GOLD, MOVER: GOLD}, {user(11): SILVER}] == [offline_sets.protected(name) for name in "ab"]


def test_sets_of_two_tenants_may_use_the_same_names(sets: Sets, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-adatum", "id": MOVER, "external_id": "e", "name": "n"}]})
    there = {**members(MOVER, policy="policy-adatum-gold"), "tenant_id": "tenant-adatum"}
    assert "" == sets.up(a=members(MOVER), b=there).error
    assert "" == sets.up(a=members(), b=there).error
    assert (False, True) == (MOVER in policies(emulator), MOVER in policies(emulator, "tenant-adatum"))


@pytest.mark.parametrize("checks", ["true", "false"])
@pytest.mark.parametrize("order", ["ab", "ba"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_a_member_that_moves_to_another_set_stays_protected_without_a_write(
    hurried: Servicer, emulator: Emulator, order: str, reference: str, checks: str
) -> None:
    sets = Sets(hurried, emulator, previewChecks=checks)
    sets.up(**in_order(order, a=members(REST["a"], MOVER), b=members(REST["b"])))
    outcome = sets.converge(**in_order(order, a=members(REST["a"]), b=members(REST["b"], reference)))
    assert (dict.fromkeys("ab", "update"), []) == (outcome.steps, outcome.written)
    assert [False, False] == [MOVER in sets.protected("a"), MOVER in sets.adopted("a")]
    # A set that is declared before the other set cannot know that the program made the protection.
    assert [order == "ab", order == "ba"] == [MOVER in sets.protected("b"), MOVER in sets.adopted("b")]


def test_a_set_that_takes_a_member_over_has_to_be_declared_second(sets: Sets, emulator: Emulator) -> None:
    sets.up(b=members(REST["b"], policy="Silver"), a=members(REST["a"], MOVER))
    moved = {"b": members(REST["b"], MOVER, policy="Silver"), "a": members(REST["a"])}
    assert_names(sets.preview(**moved).error, "1 cannot be protected", MOVER, "declare", "first")
    taking = {**moved, "b": {**moved["b"], "on_conflict": "take_over"}}
    assert ("", 1) == (sets.up(**taking).error, moments(emulator))
    assert SILVER == sets.protected("b")[MOVER]
    sets.converge(**taking)


@pytest.mark.parametrize(
    ("newcomers", "failing", "policy"),
    [([user(12)], user(12), "Gold"), ([user(12)], user(12), "Silver"), ([], MOVER, "Silver")],
    ids=["its old set fails", "its old set fails, swap", "its swap fails"],
)
def test_a_member_that_moves_while_a_write_fails_is_handed_over_by_the_next_run(
    sets: Sets, emulator: Emulator, newcomers: list[str], failing: str, policy: str
) -> None:
    sets.up(a=members(REST["a"], MOVER), b=members(REST["b"], policy=policy))
    moved = {"a": members(REST["a"], *newcomers), "b": members(REST["b"], MOVER, policy=policy)}
    with emulator.faults({"operation": "protect_resource", "path": f"*/{failing}/*", "do": ["status:403"]}):
        assert "1 failed: " in sets.up(**moved).error
    assert ("", policy == "Silver") == (sets.up(**moved).error, bool(moments(emulator)))
    wanted = {"Gold": GOLD, "Silver": SILVER}[policy]
    assert [wanted] == policies(emulator)[MOVER]
    assert {REST["b"]: wanted, MOVER: wanted} == sets.protected("b"), "the set forgot that it made the protection"


@pytest.mark.parametrize("tenant_id", ["tenant-contoso", "tenant-adatum"])
def test_a_wrong_name_in_another_set_keeps_no_member(sets: Sets, emulator: Emulator, tenant_id: str) -> None:
    unknown = "nobody" if tenant_id == "tenant-contoso" else name_of(emulator, 10)
    others = {**assigned({unknown: "Gold"}, on_missing="warn"), "tenant_id": tenant_id}
    sets.up(a=members(REST["a"], MOVER), others=others)
    assert "" == sets.up(a=members(REST["a"]), others=others).error
    assert MOVER not in policies(emulator)
