"""The guide to the portal's auto-protection, which works on the same people as a program."""

from support import Emulator
from support.engine.programs import writes_by_thing
from support.engine.stack import Stack
from support.pages import blocks
from support.resources.contoso import SILVER, add_policy, unprotect

(ACCEPT,) = blocks("guides/portal-auto-protection.md", "python")
PERSON = "res-contoso-user-12"


def assign_in_the_portal(emulator: Emulator, *policies: str) -> None:
    """Replace the policies of a person, as the rule of the portal does each day."""
    unprotect(emulator, PERSON)
    for policy in policies:
        add_policy(emulator, policy, PERSON)
    emulator.clear_requests()


def test_accept_lives_beside_the_portal_and_protects_who_has_no_policy(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(ACCEPT)
    assign_in_the_portal(emulator, SILVER)
    for command in (stack.preview, stack.up):
        assert ({}, {}) == ((seen := command("--refresh")).steps, seen.messages), seen.text
    assert [] == emulator.writes()
    assert {"members": 29, "protected": 20, "adopted": 9, "missing": 0} == stack.resources()["people"]["outputs"][
        "counts"
    ]

    assign_in_the_portal(emulator)
    assert "1 to protect again" in (bare := stack.preview()).notes["people"], bare.text
    stack.up()
    assert {PERSON.removeprefix("res-"): ["+gold"]} == writes_by_thing(emulator)

    stack.up("--refresh")
    assign_in_the_portal(emulator, SILVER)
    gone = stack.destroy()
    assert PERSON in gone.messages["people"]
    assert PERSON.removeprefix("res-") not in writes_by_thing(emulator)


def test_take_over_and_the_portal_swap_policies_in_turn(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(ACCEPT.replace('"accept"', '"take_over"'))
    for _night in range(2):
        assign_in_the_portal(emulator, SILVER)
        assert {} == stack.preview().steps
        nightly = stack.preview("--refresh", "--expect-no-changes")
        assert nightly.failed
        assert "1 to change" in nightly.notes["people"]
        stack.up("--refresh")
        assert 2 <= len(writes_by_thing(emulator)[PERSON.removeprefix("res-")]) <= 3


def test_a_newcomer_with_a_policy_of_the_portal_fails_a_set_of_everybody(stack: Stack, emulator: Emulator) -> None:
    assign_in_the_portal(emulator, SILVER)
    stack.write(ACCEPT.replace('"accept"', '"fail"'))
    assert PERSON in stack.preview().messages["people"]
