"""Protections in one run of the engine: declared twice, renamed, replaced, refreshed first, and changed by others.

The engine calls the provider for one resource after the other: check, diff and write of each, and the deletions last.
"""

import pytest

from support import Emulator
from support.resources.arguments import inputs_of, protection, state
from support.resources.contoso import (
    GOLD,
    HANNAH,
    JANE,
    JANE_ID,
    SILVER,
    TENANT,
    add_policy,
    policies,
    protect,
    unprotect,
    user,
)
from support.resources.servicer import (
    UNKNOWN,
    Engine,
    Properties,
    Run,
    assert_names,
    failure_of,
)

JANE_NAME = "jane.doe@contoso.example"
TO_GOLD = {**protection(policy="Gold"), "policy_id": GOLD, "resource_id": JANE}


def refresh(run: Run, name: str = "jane") -> Properties:
    """Refresh as the engine does: a diff after the read compares the old inputs."""
    wire = run.protection.named(name)
    found = wire.read(JANE_ID, state())
    wire.diff(JANE_ID, found.outs, inputs_of(state()))
    return found.outs


# declared twice


@pytest.mark.parametrize("reference", [JANE, JANE_NAME])
def test_a_protection_that_is_declared_twice_fails_in_the_check(run: Run, reference: str) -> None:
    first = run.protection.named("first")
    assert [[], []] == [first.check({}, protection()).names for _ in range(2)]
    checked = run.protection.named("second").check({}, protection(reference))
    assert_names(checked.reason, f"{JANE_NAME} ({JANE})", "declared twice", '"first"')
    assert ["resource"] == checked.names


def test_a_protection_that_is_declared_twice_is_not_created_offline(offline: Run, emulator: Emulator) -> None:
    offline.protection.named("first").create(protection(HANNAH))
    twice = protection(HANNAH, "Gold", on_conflict="take_over")
    assert_names(failure_of(offline.protection.named("second").create, twice), "declared twice", '"first"')
    assert [SILVER] == policies(emulator)[HANNAH]


def test_protections_that_swap_their_resources_are_not_declared_twice(run: Run, emulator: Emulator) -> None:
    add_policy(emulator, SILVER, HANNAH)
    swapped = [("a", JANE, HANNAH), ("b", HANNAH, JANE)]
    for name, olds, news in swapped:
        wire = run.protection.named(name)
        checked = wire.check(inputs_of(state(olds)), protection(news))
        assert [] == checked.failures
        assert ["resource"] == wire.diff(f"{TENANT}/{olds}", state(olds), checked.inputs).replaces
    made = [run.protection.named(name).create(protection(news)) for name, _, news in swapped]
    for name, olds, _ in swapped:
        run.protection.named(name).delete(f"{TENANT}/{olds}", state(olds))
    assert ([[SILVER], [SILVER]], []) == ([policies(emulator)[id] for id in (JANE, HANNAH)], emulator.writes())
    assert [SILVER, SILVER] == [outs["own_policy_id"] for _, outs in made], "the program forgot that it made them"


@pytest.mark.parametrize("unknown", ["resource", "tenant_id"])
def test_a_move_to_an_unknown_resource_gives_the_old_resource_free(run: Run, unknown: str) -> None:
    moving = run.protection.named("moving")
    checked = moving.check(inputs_of(state()), {**protection(), unknown: UNKNOWN})
    moving.diff(JANE_ID, state(), checked.inputs)
    assert [] == run.protection.named("new").check({}, protection()).failures


# renamed, replaced, deleted


@pytest.mark.parametrize("refreshes", [False, True])
def test_a_protection_that_is_renamed_in_the_program_stays_with_a_warning(
    run: Run, emulator: Emulator, engine: Engine, *, refreshes: bool
) -> None:
    if refreshes:
        refresh(run, "old")
    new = run.protection.named("new")
    assert [] == new.check({}, protection()).failures
    new.create(protection())
    run.protection.named("old").delete(JANE_ID, state())
    assert ([SILVER], []) == (policies(emulator)[JANE], emulator.writes())
    (warning,) = engine.warnings
    assert_names(warning, "old: ", JANE, TENANT, "stays protected", '"new"')


@pytest.mark.parametrize("how", ["adopted", "created", "updated"])
def test_a_deletion_leaves_what_another_resource_declares(
    run: Run, later_run: Run, emulator: Emulator, how: str
) -> None:
    if how == "updated":
        run.protection.update(JANE_ID, state(), {**inputs_of(state()), "on_destroy": "keep"})
    else:
        if how == "created":
            unprotect(emulator, JANE)
        run.protection.create(inputs_of(state()))
    emulator.clear_requests()
    run.protection.delete(JANE_ID, state())
    assert ([SILVER], []) == (policies(emulator)[JANE], emulator.requests())
    # The declaration ends with the run.
    later_run.protection.delete(JANE_ID, state())
    assert JANE not in policies(emulator)


@pytest.mark.parametrize("deletes_first", [False, True])
def test_a_policy_that_replaces_its_own_protection_is_swapped_in_place(
    run: Run, emulator: Emulator, engine: Engine, *, deletes_first: bool
) -> None:
    checked = run.protection.check(inputs_of(state()), protection(policy="Gold"))
    run.protection.diff(JANE_ID, state(), checked.inputs)
    # The program has `replace_on_changes`, so that the engine checks a second time.
    again = run.protection.check({}, protection(policy="Gold"))
    if deletes_first:
        run.protection.delete(JANE_ID, state())
        assert ([SILVER], []) == (policies(emulator)[JANE], emulator.writes())
    _, outs = run.protection.create(again.inputs)
    if not deletes_first:
        run.protection.delete(JANE_ID, state())
    assert ([], [GOLD], GOLD, []) == (
        again.failures,
        policies(emulator)[JANE],
        outs["own_policy_id"],
        engine.messages,
    )


# messages of a preview


def test_a_preview_names_the_policy_that_would_be_taken_over(run: Run, engine: Engine) -> None:
    assert [] == run.protection.check({}, protection(policy="Gold", on_conflict="take_over")).failures
    (note,) = engine.notes
    assert_names(note, "jane: 1 to change", f"{JANE_NAME} ({JANE})", f'"Silver" ({SILVER})')


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ({}, ["1 to adopt", "this policy", f'"Silver" ({SILVER})']),
        ({"adopt": "own"}, ["1 to own", "this policy"]),
        ({"policy": "Gold", "on_conflict": "accept"}, ["1 to adopt", "another policy", f'"Silver" ({SILVER})']),
    ],
)
def test_a_check_names_the_policy_that_is_adopted(
    run: Run, later_run: Run, engine: Engine, change: Properties, texts: list[str]
) -> None:
    inputs = run.protection.check({}, {**protection(), **change}).inputs
    (note,) = engine.notes
    assert_names(note, *texts)
    later_run.protection.check(inputs, inputs)
    assert [note] == engine.notes


def test_a_policy_with_a_new_name_is_reported_once_in_a_run(run: Run, emulator: Emulator, engine: Engine) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": SILVER, "name": "Platinum"}]})
    for olds in (state(), state(user(4))):
        run.protection.check(inputs_of(olds), {**protection(str(olds["resource_id"]))})
    (note,) = engine.notes
    assert_names(note, '"Silver"', '"Platinum"', SILVER)


def test_an_unknown_choice_takes_nothing_over(run: Run, engine: Engine) -> None:
    run.protection.check({}, protection(policy="Gold", on_conflict=UNKNOWN))
    assert [] == engine.messages


def test_a_take_over_in_an_update_of_another_argument_is_reported(run: Run, emulator: Emulator, engine: Engine) -> None:
    protect(emulator, GOLD, JANE)
    olds = {**state(), "on_conflict": "take_over"}
    checked = run.protection.check(inputs_of(olds), protection(on_conflict="take_over", on_destroy="keep"))
    run.protection.diff(JANE_ID, olds, checked.inputs)
    run.protection.update(JANE_ID, olds, checked.inputs)
    assert ([SILVER], True) == (policies(emulator)[JANE], any("taken over" in note for note in engine.notes))


def test_an_archived_resource_gets_a_warning(run: Run, emulator: Emulator, engine: Engine) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})
    assert [] == run.protection.check(inputs_of(state()), protection()).failures
    (warning,) = engine.warnings
    assert_names(warning, f"jane: {JANE_NAME} ({JANE})", "archived")


# what others did, and answers that come late


def test_a_resource_that_is_gone_fails_if_previews_are_offline(offline: Run, emulator: Emulator) -> None:
    wire = offline.protection
    for failure in (
        failure_of(wire.create, protection("nobody")),
        failure_of(wire.update, JANE_ID, state(), protection("nobody", "Gold")),
    ):
        assert_names(failure, '"nobody"')
    assert [] == emulator.writes()


def test_a_tenant_whose_policies_are_not_found_fails_in_the_check(run: Run) -> None:
    assert ["tenant_id"] == run.protection.check({}, {**protection(UNKNOWN), "tenant_id": "tenant-nowhere"}).names


@pytest.mark.parametrize(("own", "other"), [(SILVER, GOLD), (GOLD, SILVER)])
def test_a_resource_that_accepts_any_policy_owns_its_policy(run: Run, emulator: Emulator, own: str, other: str) -> None:
    add_policy(emulator, GOLD, JANE)
    choice = {"on_conflict": "accept", "resource_id": JANE}
    outs = run.protection.update(JANE_ID, {**state(JANE, own, own), **choice}, {**protection(policy=other), **choice})
    assert own == outs.get("own_policy_id")
