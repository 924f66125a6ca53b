"""An address that passes on: the newcomer gets the policy, and the item that had the address keeps it."""

import pytest

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack
from support.resources.contoso import GOLD, change, name_of, policies, record, user

DECLARED = {
    "a": (9, 'protect("a", "NAME")'),
    "b": (10, 'protect("b", "ext$usr-1010")'),
    "c": (12, 'protect_all("c", ["NAME", 11])'),
    "d": (13, 'protect_all("d", ["ext$usr-1013", 14])'),
    "e": (
        15,
        (
            'rule = Rule("Gold", among=["NAME", "grace.okafor@contoso.example"])\n'
            'found = assign(get_resources("tenant-contoso").items, [rule])\n'
            'ProtectionSet("e", tenant_id="tenant-contoso", assignments=found.assignments)'
        ),
    ),
}
"""By name: the user whose address passes on, and the resource that declares it by name, external id or rule."""
OLD = [user(number) for number, _ in DECLARED.values()]


def declared(emulator: Emulator, *names: str) -> list[str]:
    return [DECLARED[name][1].replace("NAME", name_of(emulator, DECLARED[name][0])) for name in names]


def pass_on(emulator: Emulator, number: int) -> str:
    """Rename a user, and give the address and the external id to a new user; return the new user's id."""
    old = record(emulator, user(number))
    change(emulator, user(number), name=f"left-{number}@contoso.example", external_id=f"usr-left-{number}")
    newcomer = f"res-newcomer-{number:02}"
    emulator.patch({"resources": [{**old, "id": newcomer}]})
    return newcomer


@pytest.mark.parametrize("options", [[], ["--refresh"]], ids=["", "refreshed"])
def test_a_newcomer_with_the_address_gets_the_policy_and_no_item_loses_its_policy(
    stack: Stack, emulator: Emulator, options: list[str]
) -> None:
    lines = declared(emulator, *DECLARED)
    stack.deploy(program(*lines))
    newcomers = [pass_on(emulator, number) for number, _ in DECLARED.values()]
    emulator.clear_requests()
    preview = stack.preview(*options, "--expect-no-changes")
    assert (True, {*DECLARED}) == (preview.failed, {*preview.steps}), preview.text
    up = stack.up(*options)
    assert not up.failed, up.text
    assert {id.removeprefix("res-"): ["+gold"] for id in newcomers} == writes_by_thing(emulator)
    assert {(GOLD,)} == {tuple(policies(emulator)[id]) for id in (*OLD, *newcomers)}

    # The report stays until the program names the items, or somebody removes their policies.
    again = stack.up("--expect-no-changes")
    assert not again.failed, again.text
    for name, (number, _) in DECLARED.items():
        kept = f"left-{number}@contoso.example ({user(number)})"
        assert all(kept in outcome.messages[name] for outcome in (preview, up, again)), name
    stack.write(program(*lines, *(f'protect("old-{number}", {number})' for number, _ in DECLARED.values())))
    named = stack.up()
    assert ({"create"}, {}) == ({*named.steps.values()}, named.messages), named.text
    stack.destroy()
    assert {(GOLD,)} == {tuple(policies(emulator)[id]) for id in OLD}
    assert not {*newcomers} & {*policies(emulator)}


def test_two_items_that_swap_their_addresses_both_keep_a_policy(stack: Stack, emulator: Emulator) -> None:
    first, second = name_of(emulator, 9), name_of(emulator, 10)
    stack.deploy(program(f'protect_all("b", {{"{first}": "Gold", "{second}": "Silver"}})'))
    change(emulator, user(9), name=second)
    change(emulator, user(10), name=first)
    assert not stack.up().failed
    expected = {user(9): ["policy-contoso-silver"], user(10): [GOLD]}
    assert expected == {id: policies(emulator)[id] for id in expected}
    assert not stack.preview("--refresh", "--expect-no-changes").failed


def test_a_protection_in_a_big_tenant_reads_one_page_unless_the_address_passes_on(
    stack: Stack, emulator: Emulator
) -> None:
    stack.set_environment(DATAPROTECTION_PAGE_SIZE="5")
    stack.deploy(program(*declared(emulator, "a")))
    pages = [request for request in stack.preview().requests if request["operation"] == "list_resources"]
    assert len(pages) <= 1, "the first page shows whether the list is short"
    pass_on(emulator, 9)
    assert {"a": "replace"} == stack.preview().steps


def test_the_name_of_a_policy_passes_on(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program('protect("a", 9)', 'protect_all("b", [10, 11])'))
    (gold,) = (one for one in emulator.state()["policies"] if one["id"] == GOLD)
    emulator.patch({"policies": [{**gold, "name": "Gold 2025"}, {**gold, "id": "policy-contoso-new"}]})
    assert {"a": "update", "b": "update"} == stack.up().steps
    assert [["policy-contoso-new"]] * 3 == [policies(emulator)[user(number)] for number in (9, 10, 11)]
    emulator.patch({"policies": [{**gold, "name": "Gold"}]})
    preview = stack.preview()
    assert preview.failed
    assert all(id in "".join(preview.messages.values()) for id in (GOLD, "policy-contoso-new"))


def test_an_address_passes_on_while_the_policy_is_renamed(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(program(*declared(emulator, "a", "c")))
    newcomer = pass_on(emulator, 9)
    (gold,) = (one for one in emulator.state()["policies"] if one["id"] == GOLD)
    emulator.patch({"policies": [{**gold, "name": "Platinum"}]})
    assert {"a": "replace"} == stack.up().steps
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (user(9), newcomer)]
