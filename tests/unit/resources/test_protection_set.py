"""A protection set over the wire: its members are protected, changed and taken off, with as few calls as it takes."""

from collections import Counter

import pytest

from pulumi_dataprotection.client.cache.listing import POINT_READS
from support import Emulator
from support.resources.contoso import GOLD, SILVER, TENANT, name_of, policies, user
from support.resources.runs import told
from support.resources.servicer import Engine, OperationError, Run
from support.resources.sets import Sets, assigned, members

MANY = [user(number) for number in range(9, 25)]


def called(emulator: Emulator) -> Counter[str]:
    """How often each operation was called since this was asked for last."""
    counted = Counter(request["operation"] for request in emulator.requests())
    emulator.clear_requests()
    return counted


def test_members_are_protected_and_the_state_knows_by_whom(sets: Sets, emulator: Emulator) -> None:
    program = assigned({user(9): "Gold", name_of(emulator, 10): "Silver", "ext$usr-1011": GOLD})
    assert "" == sets.up(people=program).error
    expected = {user(9): GOLD, user(10): SILVER, user(11): GOLD}
    assert (expected, {}) == (sets.kept["people"].outs["protected"], sets.kept["people"].outs["adopted"])
    assert {id: [policy] for id, policy in expected.items()} == {id: policies(emulator)[id] for id in expected}


def test_a_set_is_the_tenants(sets: Sets) -> None:
    sets.up(people=members(user(9)))
    assert TENANT == sets.kept["people"].id


def test_the_state_holds_what_the_names_mean_and_no_member_twice(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=assigned({user(9): "Gold", name_of(emulator, 10): SILVER}))
    inputs, outs = sets.kept["people"].inputs, sets.kept["people"].outs
    assert {name_of(emulator, 10): user(10)} == inputs["resource_ids"], "an id means itself"
    assert {"Gold": GOLD} == inputs["policy_ids"]
    assert {"protected", "adopted", "tenant_id", "on_conflict", "on_destroy", "schema_version"} == {*outs}


def test_a_member_that_has_the_policy_already_is_adopted_without_a_write(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(1), user(4), policy="Silver"))
    assert ({}, []) == (sets.kept["people"].outs["protected"], emulator.writes())
    assert {user(1): SILVER, user(4): SILVER} == sets.kept["people"].outs["adopted"]


def test_a_set_without_members_does_nothing(sets: Sets, emulator: Emulator) -> None:
    assert {"people": "create"} == sets.up(people=members()).steps
    assert {"people": "same"} == sets.up(people=members()).steps
    assert [] == emulator.writes()


@pytest.mark.parametrize("count", [POINT_READS, POINT_READS + 1, len(MANY)])
def test_a_creation_costs_the_listings_and_a_write_for_each_member(sets: Sets, emulator: Emulator, count: int) -> None:
    sets.up(people=members(*MANY[:count]))
    lists = {"list_policies": 1, "list_resources": 1, "list_protections": 1}
    assert {**lists, "protect_resource": count} == called(emulator)


def test_a_second_up_costs_the_listings_of_what_the_names_mean(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*MANY))
    emulator.clear_requests()
    assert {"people": "same"} == sets.up(people=members(*MANY)).steps
    assert {"list_policies": 1, "list_resources": 1, "list_protections": 1} == called(emulator)


def test_a_change_costs_a_write_for_each_member_that_it_is_about(sets: Sets, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="replaces")
    sets.up(people=members(*MANY[:10]))
    emulator.clear_requests()
    changed = {**dict.fromkeys(MANY[2:8], "Gold"), **dict.fromkeys(MANY[8:13], "Silver")}
    assert {"people": "update"} == sets.up(people=assigned(changed)).steps
    writes = {name: count for name, count in called(emulator).items() if not name.startswith("list_")}
    assert {"protect_resource": 5, "unprotect_resource": 2} == writes


def test_a_preview_writes_nothing_and_says_what_is_to_be_done(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    sets.up(people=members(*MANY[:4]))
    writes = len(emulator.writes())
    engine.messages.clear()
    program = assigned({MANY[0]: "Silver", MANY[1]: "Gold", MANY[5]: "Gold", user(3): "Gold"})
    assert {"people": "update"} == sets.preview(people=program).steps
    assert writes == len(emulator.writes())
    named = "\n  priya.sharma@contoso.example (res-contoso-user-11)\n  wei.zhang@contoso.example (res-contoso-user-12)"
    expected = ["1 to protect, 1 to change, 1 to adopt, of 4 members.", f"2 to unprotect, of 4 members:{named}"]
    assert [f"people: {text}" for text in expected] == told(engine)


def test_an_up_ends_with_what_was_done(sets: Sets, engine: Engine) -> None:
    sets.up(people=members(user(9), user(10), user(3)))
    sets.up(people=members(user(9), user(11), user(3)))
    summaries = [message for message in told(engine) if "to " not in message]
    assert ["people: 2 protected, 1 adopted.", "people: 1 protected.", "people: 1 unprotected."] == summaries


def test_a_destroyed_set_takes_off_what_it_put_on_and_nothing_else(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(user(9), user(10), user(3)))
    assert {"people": "delete"} == sets.destroy().steps
    assert before == policies(emulator)


def test_a_set_is_not_to_be_got(run: Run) -> None:
    with pytest.raises(OperationError, match="a ProtectionSet exists in a program alone"):
        run.protection_set.get(TENANT)
