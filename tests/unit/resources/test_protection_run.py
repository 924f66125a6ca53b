"""Protections in one run of the engine: moved, deleted, and changed by others.

The engine calls the provider for one resource after the other: check, diff and write of each, and the deletions last.
"""

from collections.abc import Iterator

import pytest

from support import Emulator
from support.resources.arguments import inputs_of, members, protection, state
from support.resources.contoso import (
    GOLD,
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
    HURRIED,
    UNKNOWN,
    Engine,
    Properties,
    Run,
    Servicer,
    assert_names,
    failure_of,
)
from support.resources.sets import Sets

JANE_NAME = "jane.doe@contoso.example"


@pytest.mark.parametrize("unknown", ["resource", "tenant_id"])
def test_a_move_to_an_unknown_resource_gives_the_old_resource_free(run: Run, unknown: str) -> None:
    moving = run.protection.named("moving")
    checked = moving.check(inputs_of(state()), {**protection(), unknown: UNKNOWN})
    moving.diff(JANE_ID, state(), checked.inputs)
    assert [] == run.protection.named("new").check({}, protection()).failures


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


# answers that lack a policy


@pytest.fixture(scope="module")
def lagging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """A provider process with the default of `readLag`: it reads the list again before an adoption."""
    variables = {**HURRIED, "DATAPROTECTION_READ_LAG": "5"}
    with Servicer(tmp_path_factory.mktemp("lagging") / "log", variables=variables) as servicer:
        yield servicer


@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("lie", ["short_list:0", "short_list:3", "no_items"])
@pytest.mark.parametrize("kind", ["a protection", "a set", "a large set"])
def test_a_policy_that_one_list_lacks_does_not_become_ours(
    lagging: Servicer, emulator: Emulator, *, kind: str, lie: str, nth: int
) -> None:
    sets = Sets(lagging, emulator)
    ids = [user(number) for number in range(1, 28 if kind == "a large set" else 2)]
    program = {"one": protection(JANE)} if kind == "a protection" else {"one": members(*ids, policy="Silver")}
    protect(emulator, SILVER, *ids)
    before = policies(emulator)
    with emulator.faults({"operation": "list_protections", "nth": nth, "do": [lie]}):
        assert "" == sets.up(**program).error
    assert [] == emulator.writes()
    sets.up()
    assert before == policies(emulator)


@pytest.mark.parametrize("kind", ["a protection", "a set"])
def test_a_refresh_forgets_nothing_that_only_its_second_list_lacks(
    lagging: Servicer, emulator: Emulator, kind: str
) -> None:
    sets = Sets(lagging, emulator)
    sets.up(one=protection(JANE) if kind == "a protection" else members(JANE, policy="Silver"))
    protect(emulator, GOLD, JANE)
    with emulator.faults({"operation": "list_protections", "nth": 2, "do": ["short_list:0"]}):
        assert {"one": "update"} == sets.refresh().steps
    outs = sets.kept["one"].outs
    assert GOLD == (outs["policy_id"] if kind == "a protection" else outs["adopted"][JANE])


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
