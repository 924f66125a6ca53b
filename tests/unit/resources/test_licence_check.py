"""Previews compare the items that get their first policy with the free licences of their tenant."""

from collections.abc import Callable, Sequence

import pytest

from support import Emulator
from support.resources.arguments import assigned, members, protection
from support.resources.contoso import GOLD, HANNAH, SILVER, TENANT, protect, unprotect, user
from support.resources.servicer import UNKNOWN, Servicer, assert_names
from support.resources.sets import Outcome, Sets

NEW = [user(number) for number in range(9, 13)]
Open = Callable[..., Sets]
PER_TENANT = ["get_tenant_quotas"]


@pytest.fixture
def open_sets(hurried: Servicer, emulator: Emulator) -> Open:
    """Opens an empty stack with settings of its own."""

    def open_one(**config: str) -> Sets:
        return Sets(hurried, emulator, **config)

    return open_one


def leave(emulator: Emulator, free: int, kind: str = "resource") -> None:
    """Let the tenant, which uses ten licences, have some that are free."""
    emulator.patch({"quotas": [{"tenant_id": TENANT, "kind": kind, "count": str(10 + free)}]})


def licence_calls(emulator: Emulator) -> list[str]:
    """Return the calls for licences; the counts of the tenant are read for other reasons, too."""
    return [name for name in emulator.operations() if name == "get_tenant_quotas"]


def licences(outcome: Outcome) -> list[str]:
    """Return the warnings about licences."""
    return [text for text in outcome.warnings if "licence" in text]


@pytest.mark.parametrize(("free", "short"), [(4, False), (3, True)])
def test_a_new_set_counts_all_members_that_get_their_first_policy(
    sets: Sets, emulator: Emulator, free: int, *, short: bool
) -> None:
    leave(emulator, free)
    # An adoption and a swap need no further licence.
    protect(emulator, SILVER, user(1))
    protect(emulator, GOLD, user(2))
    program = members(user(1), user(2), *NEW, policy="Silver", on_conflict="take_over")
    outcome = sets.preview(people=program)
    assert ("", short) == (outcome.error, bool(licences(outcome)))
    assert PER_TENANT == licence_calls(emulator)
    if short:
        (text,) = licences(outcome)
        assert_names(text, "people: ", TENANT, "4 to protect", "3 licences free", "10 of 13 used")


def test_an_up_compares_nothing_and_neither_does_a_run_with_nothing_new(sets: Sets, emulator: Emulator) -> None:
    leave(emulator, 0)
    made = sets.up(people=members(*NEW), one=protection(HANNAH, "Gold"))
    assert ("", [], []) == (made.error, licences(made), licence_calls(emulator))
    for outcome in (sets.preview(people=members(*NEW), one=protection(HANNAH, "Gold")), sets.refresh()):
        assert ([], []) == (licences(outcome), licence_calls(emulator))
    swap = sets.preview(people=members(*NEW, policy="Silver"), one=protection(HANNAH, "Silver"))
    assert (["update", "update"], []) == ([*swap.steps.values()], licence_calls(emulator))


def test_a_set_that_grows_and_members_that_lost_their_policy_need_licences(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*NEW))
    unprotect(emulator, *NEW[:2])
    leave(emulator, 6)
    assert [] == licences(sets.preview(people=members(*NEW, user(13), user(14))))
    leave(emulator, 3)
    (text,) = licences(sets.preview(people=members(*NEW, user(13), user(14))))
    assert_names(text, "4 to protect", "1 licence free", "12 of 13 used")


def test_a_protection_that_lost_its_policy_needs_a_licence_again(
    sets: Sets, open_sets: Open, emulator: Emulator
) -> None:
    sets.up(one=protection(HANNAH, "Gold"))
    unprotect(emulator, HANNAH)
    leave(emulator, 0)
    outcome = sets.preview(one=protection(HANNAH, "Gold"))
    assert ({"one": "update"}, 1) == (outcome.steps, len(licences(outcome)))
    failing = open_sets(licenceCheck="fail")
    failing.take_over(sets)
    assert_names(failing.preview(one=protection(HANNAH, "Gold")).error, "1 to protect", "0 licences free")


def test_protections_and_sets_of_a_run_add_up(sets: Sets, emulator: Emulator) -> None:
    leave(emulator, 5)
    program = {f"user-{number}": protection(user(number), "Gold") for number in (17, 18, 19)}
    outcome = sets.preview(people=members(*NEW), **program)
    assert ["user-18", "user-19"] == [text.partition(":")[0] for text in licences(outcome)]
    assert_names(licences(outcome)[-1], "7 to protect", "5 licences free", "10 of 15 used")
    assert PER_TENANT == licence_calls(emulator)


def test_an_item_whose_resource_is_checked_twice_counts_once(sets: Sets, emulator: Emulator) -> None:
    sets.up(one=protection(user(20), "Gold"))
    leave(emulator, -9)
    assert licences(sets.preview(one=protection(user(20), "Gold"))) == []
    leave(emulator, 2)
    # The engine checks a resource that is replaced a second time, without its old inputs.
    outcome = sets.preview(one=protection(user(21), "Gold"))
    assert ({"one": "replace"}, []) == (outcome.steps, licences(outcome))
    leave(emulator, 1)
    (text,) = licences(sets.preview(one=protection(user(21), "Gold"))) or [""]
    assert_names(text, "1 to protect", "0 licences free", "11 of 11 used")


def test_the_setting_fail_makes_an_error_of_the_warning(open_sets: Open, emulator: Emulator) -> None:
    leave(emulator, 3)
    sets = open_sets(licenceCheck="fail")
    assert "" == sets.preview(people=members(*NEW[:3])).error
    whole = sets.preview(people=members(*NEW))
    assert_names(whole.error, "4 to protect", "3 licences free", 'licenceCheck to "warn"')
    single = sets.preview(people=members(*NEW[:3]), one=protection(HANNAH, "Gold"))
    assert single.error.startswith("policy: ")
    assert ([], []) == (licences(whole), licences(single))
    # In the update of an `up`, the service decides.
    assert "" == sets.up(people=members(*NEW)).error
    assert_names(sets.preview(people=members(*NEW, user(13))).error, "1 to protect", "0 licences free")


def test_the_setting_off_compares_nothing(open_sets: Open, emulator: Emulator) -> None:
    leave(emulator, 0)
    outcome = open_sets(licenceCheck="off").preview(people=members(*NEW), one=protection(HANNAH, "Gold"))
    assert ("", [], []) == (outcome.error, licences(outcome), licence_calls(emulator))


@pytest.mark.parametrize("check", ["warn", "fail"])
@pytest.mark.parametrize("faults", [["status:403"], ["status:501"]], ids=["forbidden", "not implemented"])
def test_quotas_that_cannot_be_read_cost_only_the_warning(
    open_sets: Open, emulator: Emulator, faults: Sequence[str], check: str
) -> None:
    leave(emulator, 0)
    program = {"people": members(*NEW), "one": protection(HANNAH, "Gold")}
    with emulator.faults({"operation": "get_tenant_quotas", "do": [*faults]}):
        outcome = open_sets(licenceCheck=check).preview(**program)
    # After the failure, the other resources of the run do not ask again.
    assert ("", [], len(faults)) == (outcome.error, licences(outcome), len(licence_calls(emulator)))
    assert {"people": "create", "one": "create"} == outcome.steps


def test_unknown_items_and_policies_are_not_counted(sets: Sets, emulator: Emulator) -> None:
    leave(emulator, 0)
    program = {
        "item": protection(UNKNOWN, "Gold"),
        "policy": protection(HANNAH, UNKNOWN),
        "people": assigned({NEW[0]: UNKNOWN}),
    }
    outcome = sets.preview(**program)
    assert ("", [], []) == (outcome.error, licences(outcome), licence_calls(emulator))


def test_an_offline_preview_compares_nothing(offline_sets: Sets, emulator: Emulator) -> None:
    leave(emulator, 0)
    outcome = offline_sets.preview(people=members(*NEW), one=protection(HANNAH, "Gold"))
    assert ("", []) == (outcome.error, emulator.operations())
