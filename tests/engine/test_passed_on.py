"""An address that passes on: the newcomer gets the policy, and the item that had the address keeps it."""

import pytest

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import change, name_of, policies, record, user

LUKASZ, CHIARA = "łukasz.nowak@contoso.example", "chiara.rossi@contoso.example"
GOLD = "policy-contoso-gold"
KEPT = "1 keep the policy, since other items have their names now: left-9@contoso.example (res-contoso-user-09)"

DECLARED = {
    "a protection": f'protect("a", "{LUKASZ}")',
    "a protection by an external id": 'protect("a", "ext$usr-1009")',
    "a set": f'protect_all("a", ["{LUKASZ}", 11])',
    "a set by an external id": 'protect_all("a", ["ext$usr-1009", 11])',
    "a set by a rule": (
        'rule = Rule("Gold", among=["LUKASZ", "priya.sharma@contoso.example"])\n'
        'found = assign(get_resources("tenant-contoso").items, [rule])\n'
        'ProtectionSet("a", tenant_id="tenant-contoso", assignments=found.assignments)'
    ).replace("LUKASZ", LUKASZ),
}


def pass_on(emulator: Emulator) -> str:
    """Rename a user, and let a new user have the address and the external id; return the new user's id."""
    old = record(emulator, user(9))
    change(emulator, user(9), name="left-9@contoso.example", external_id="usr-left")
    emulator.patch({"resources": [{**old, "id": "res-newcomer"}]})
    return "res-newcomer"


@pytest.mark.parametrize("case", DECLARED)
@pytest.mark.parametrize("refreshed", [False, True])
def test_a_newcomer_with_the_address_gets_the_policy_and_nobody_loses_one(
    stack: Stack, emulator: Emulator, case: str, *, refreshed: bool
) -> None:
    stack.write(program(DECLARED[case]))
    assert not stack.up().failed
    newcomer = pass_on(emulator)
    emulator.clear_requests()
    options = ["--refresh"] if refreshed else []
    preview = stack.preview(*options)
    assert ["a"] == [*preview.steps], preview.text
    assert stack.preview(*options, "--expect-no-changes").failed
    up = stack.up(*options)
    assert not up.failed, up.text
    assert {"newcomer": ["+gold"]} == writes_by_thing(emulator)
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (user(9), newcomer)]
    assert all(KEPT in outcome.messages["a"] for outcome in (preview, up)), up.text

    # The report stays until the program names the item, or somebody removes the policy.
    again = stack.up("--expect-no-changes")
    assert (False, True) == (again.failed, KEPT in again.messages.get("a", "")), again.text
    stack.write(program(DECLARED[case], 'protect("b", "left-9@contoso.example")'))
    named = stack.up()
    assert ({"b": "create"}, {}) == (named.steps, named.messages), named.text
    stack.destroy()
    assert [GOLD] == policies(emulator)[user(9)]
    assert newcomer not in policies(emulator)


def test_a_renaming_is_no_change(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect("a", "{LUKASZ}")', f'protect_all("b", ["{CHIARA}"])'))
    stack.up()
    for number in (9, 10):
        change(emulator, user(number), name=f"renamed-{number}@contoso.example")
    for options in ([], ["--refresh"]):
        assert not stack.preview(*options, "--expect-no-changes").failed


def test_an_address_that_two_items_have_fails_in_the_preview(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect_all("b", ["{CHIARA}", 11])'))
    stack.up()
    emulator.patch({"resources": [{**record(emulator, user(10)), "id": "res-twin", "external_id": "usr-twin"}]})
    preview = stack.preview()
    assert preview.failed
    assert all(id in preview.messages["b"] for id in (user(10), "res-twin"))


def test_two_items_that_swap_their_addresses_both_keep_a_policy(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f'protect_all("b", {{"{LUKASZ}": "Gold", "{CHIARA}": "Silver"}})'))
    stack.up()
    change(emulator, user(9), name=CHIARA)
    change(emulator, user(10), name=LUKASZ)
    emulator.clear_requests()
    assert not stack.up().failed
    assert {user(9): ["policy-contoso-silver"], user(10): [GOLD]} == {
        id: policies(emulator)[id] for id in (user(9), user(10))
    }
    assert not stack.preview("--refresh", "--expect-no-changes").failed


def test_a_single_protection_of_a_big_tenant_reads_no_list_unless_the_address_is_lost(
    stack: Stack, emulator: Emulator
) -> None:
    stack.set_environment(DATAPROTECTION_PAGE_SIZE="5")
    name = name_of(emulator, 9)
    stack.write(program(f'protect("a", "{name}")'))
    stack.up()
    pages = [request for request in stack.preview().requests if request["operation"] == "list_resources"]
    assert len(pages) <= 1, "the first page tells whether the list is short"
    pass_on(emulator)
    assert {"a": "replace"} == stack.preview().steps


def test_the_name_of_a_policy_passes_on(stack: Stack, emulator: Emulator) -> None:
    stack.write(program('protect("a", 9)', 'protect_all("b", [10, 11])'))
    stack.up()
    (gold,) = (one for one in emulator.state()["policies"] if one["id"] == GOLD)
    emulator.patch({"policies": [{**gold, "name": "Gold 2025"}, {**gold, "id": "policy-contoso-new"}]})
    assert {"a": "update", "b": "update"} == stack.preview().steps
    assert not stack.up().failed
    assert [["policy-contoso-new"]] * 3 == [policies(emulator)[user(number)] for number in (9, 10, 11)]
    emulator.patch({"policies": [{**gold, "name": "Gold"}]})
    preview = stack.preview()
    assert preview.failed
    assert all(id in "".join(preview.messages.values()) for id in (GOLD, "policy-contoso-new"))


def test_an_address_passes_on_while_the_policy_is_renamed(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(DECLARED["a protection"], f'protect_all("b", ["{CHIARA}", 11])'))
    assert not stack.up().failed
    newcomer = pass_on(emulator)
    (gold,) = (one for one in emulator.state()["policies"] if one["id"] == GOLD)
    emulator.patch({"policies": [{**gold, "name": "Platinum"}]})
    assert {"a": "replace"} == stack.up().steps
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (user(9), newcomer)]
