"""Names that pass on to another item, the ownership of adopted policies, and forced replacements."""

import pytest

from support import Emulator
from support.resources.arguments import SHOP, assigned, members, protection
from support.resources.contoso import GOLD, SILVER, change, name_of, policies, record, unprotect, user
from support.resources.servicer import Engine, Properties, Run, Servicer, Wire, assert_names, failure_of
from support.resources.sets import Outcome, Sets

NEWCOMER = "res-newcomer"


@pytest.fixture(params=["protection", "set"])
def kind(request: pytest.FixtureRequest) -> str:
    """The class of the declared resource."""
    kind: str = request.param
    return kind


@pytest.fixture
def program(emulator: Emulator, kind: str) -> Properties:
    """The arguments of a resource that names a user."""
    name = name_of(emulator, 9)
    return protection(name, "Gold") if kind == "protection" else members(name, user(11))


def pass_on(emulator: Emulator) -> None:
    """Rename a user, and give the address to a new user."""
    old = record(emulator, user(9))
    change(emulator, user(9), name="left-9@contoso.example", external_id="usr-left")
    emulator.patch({"resources": [{**old, "id": NEWCOMER}]})


@pytest.fixture
def passed_on(sets: Sets, emulator: Emulator, program: Properties) -> tuple[Outcome, Outcome]:
    """The outcomes of two commands after the name of the declared user passed on."""
    sets.up(a=program)
    pass_on(emulator)
    return sets.up(a=program), sets.up(a=program)


def reports_the_kept_policy(outcome: Outcome) -> bool:
    return any("1 keep the policy" in text and user(9) in text for text in outcome.warnings)


def test_the_newcomer_gets_the_policy_and_the_old_item_keeps_it(
    sets: Sets, emulator: Emulator, program: Properties, passed_on: tuple[Outcome, Outcome]
) -> None:
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in (user(9), NEWCOMER)]
    assert {"a": "same"} == passed_on[1].steps
    # The deletion reports it too, after an update.
    sets.up(a={**program, "on_conflict": "take_over"})
    assert [True] * 3 == [reports_the_kept_policy(outcome) for outcome in (*passed_on, sets.destroy())]
    assert ([GOLD], False) == (policies(emulator)[user(9)], NEWCOMER in policies(emulator))


def test_an_offline_preview_resolves_names_for_a_change_only(
    offline_sets: Sets, emulator: Emulator, kind: str, program: Properties
) -> None:
    offline_sets.up(a=program)
    pass_on(emulator)
    outcome = offline_sets.up(a=program)
    assert ("", [], [GOLD]) == (outcome.error, outcome.written, policies(emulator)[user(9)])
    if kind == "protection":
        assert_names(offline_sets.up(a={**program, "on_destroy": "keep"}).error, "previewChecks", NEWCOMER, user(9))


@pytest.mark.usefixtures("passed_on")
def test_an_archived_old_item_is_reported_by_sets_only(
    sets: Sets, emulator: Emulator, kind: str, program: Properties
) -> None:
    change(emulator, user(9), archived=True)
    taking = {**program, "on_conflict": "take_over"}
    sets.up(a=taking)
    assert {} == sets.kept["a"].outs.get("passed_on", {}) or kind == "set"
    assert (kind == "set") == reports_the_kept_policy(sets.up(a=taking))


@pytest.mark.usefixtures("passed_on")
def test_the_old_item_is_not_reported_without_its_policy(sets: Sets, emulator: Emulator, program: Properties) -> None:
    unprotect(emulator, user(9))
    outcomes = [sets.up(a=program), sets.destroy()]
    assert [("", False)] * 2 == [(outcome.error, reports_the_kept_policy(outcome)) for outcome in outcomes]


def test_an_adopted_policy_is_owned_if_the_program_says_so(sets: Sets, emulator: Emulator, kind: str) -> None:
    single = kind == "protection"
    program = protection(user(1)) if single else assigned({user(1): "Silver", user(9): "Gold"})
    sets.up(a=program)
    owning = {**program, "adopt": "own"}
    outcome = sets.converge(a=owning)
    assert ({"a": "update"}, []) == (outcome.steps, outcome.written)
    assert 1 == len([note for note in outcome.notes if "1 to own" in note])
    # A policy that is adopted later belongs to it too.
    kept = sets.kept["a"]
    others = {"own_policy_id": None} if single else {"protected": {}, "adopted": sets.protected("a")}
    sets.kept["a"] = type(kept)(kept.id, kept.inputs, {**kept.outs, **others})
    assert {"a": "update"} == sets.preview(a=owning).steps
    assert ["", ""] == [sets.up(a={**program, "adopt": adopt}).error for adopt in ("own", "keep")]
    sets.destroy()
    assert user(1) not in policies(emulator)


def test_a_new_resource_owns_what_it_adopts_if_the_program_says_so(sets: Sets, emulator: Emulator, kind: str) -> None:
    program = protection(user(1), adopt="own") if kind == "protection" else assigned({user(1): "Silver"}, adopt="own")
    assert any("1 to own" in note for note in sets.preview(a=program).notes)
    sets.up(a=program)
    sets.destroy()
    assert user(1) not in policies(emulator)


def test_a_warning_counts_adopted_members_that_leave_but_not_kept_members(sets: Sets, emulator: Emulator) -> None:
    adopting = assigned({user(1): "Silver", user(2): "Silver", user(9): "Gold"}, on_conflict="accept")
    keeping = assigned({user(3): "Gold", user(10): "Gold"}, on_conflict="accept", on_destroy="keep")
    assert "" == sets.up(a=adopting, b=keeping).error
    fewer = {"assignments": {user(9): "Gold"}, "max_removals": "100%"}
    outcome = sets.up(a=adopting | fewer, b=keeping | {"assignments": {user(10): "Gold"}})
    (warning,) = outcome.warnings
    assert_names(warning, "2 leave", "adopted", user(1), user(2))
    assert ("", [SILVER]) == (outcome.error, policies(emulator)[user(1)])


def replaced(run: Run) -> list[tuple[Wire, Properties]]:
    """Return the resources whose replacement users force, and their arguments."""
    wires = [(run.protection, protection(user(9), "Gold")), (run.protection_set, members(user(10))), (run.org, SHOP)]
    return [(wire.named("forced"), inputs) for wire, inputs in wires]


def test_a_replacement_without_a_comparison_is_rejected(run: Run, emulator: Emulator) -> None:
    for wire, inputs in replaced(run):
        assert [] == wire.check(wire.check({}, inputs).inputs, inputs).failures
        assert_names(failure_of(wire.check, {}, inputs), '"forced"', "replacement_trigger", "replace_with")
    assert [] == emulator.writes()


def test_a_forced_replacement_removes_nothing(run: Run, later_run: Run, emulator: Emulator, engine: Engine) -> None:
    old = [wire.create(wire.check({}, inputs).inputs) for wire, inputs in replaced(run)]
    emulator.clear_requests()
    for made, (wire, inputs) in zip(old, replaced(later_run), strict=True):
        wire.create(wire.check({}, inputs).inputs)
        wire.delete(made.id, made.outs)
    assert [] == emulator.writes()
    assert 3 == len([text for text in engine.warnings if "forced replacement" in text.lower()])


def test_an_organization_is_deleted_without_a_key(servicer: Servicer, engine: Engine) -> None:
    servicer.run().org.named("keyless").delete("org-1", SHOP)
    assert 1 == len(engine.warnings)
