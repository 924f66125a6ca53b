"""References that pass on to another item, policies that were there before, and replacements by force: on the wire."""

import pytest

from support import Emulator
from support.resources.contoso import GOLD, SILVER, change, name_of, policies, record, user
from support.resources.runs import called, protection, told
from support.resources.servicer import Engine, OperationError, Properties, Run, Servicer
from support.resources.sets import Sets, assigned, members

NEWCOMER = "res-newcomer"
KEPT = f"1 keep the policy, since other items have their names now: left-9@contoso.example ({user(9)})"


def pass_on(emulator: Emulator) -> None:
    """Rename a user, and give the address to a new user."""
    old = record(emulator, user(9))
    change(emulator, user(9), name="left-9@contoso.example", external_id="usr-left")
    emulator.patch({"resources": [{**old, "id": NEWCOMER}]})


def declared(emulator: Emulator, *, one: bool) -> Properties:
    name = name_of(emulator, 9)
    return protection(name, "Gold") if one else members(name, user(11))


@pytest.mark.parametrize("checks", ["true", "false"])
@pytest.mark.parametrize("one", [True, False])
def test_the_newcomer_gets_the_policy_and_the_old_item_keeps_it(
    hurried: Servicer, emulator: Emulator, engine: Engine, checks: str, *, one: bool
) -> None:
    sets = Sets(hurried, emulator, previewChecks=checks)
    program = {"a": declared(emulator, one=one)}
    sets.up(**program)
    pass_on(emulator)
    engine.messages.clear()
    emulator.clear_requests()
    turn = sets.up(**program)
    assert [GOLD] == policies(emulator)[user(9)]
    if checks == "false":
        # Offline a name is looked up again only for a change.
        assert ("", []) == (turn.error, emulator.writes())
        if one:
            assert "set previewChecks to true" in sets.up(a={**program["a"], "on_destroy": "keep"}).error
        return
    assert [GOLD] == policies(emulator)[NEWCOMER]
    assert any(KEPT in text for text in told(engine))
    engine.messages.clear()
    assert {"a": "same"} == sets.up(**program).steps
    assert any(KEPT in text for text in told(engine))

    # It is reported when the resource is updated and when it goes, and it stays.
    sets.up(a={**program["a"], "on_conflict": "take_over"})
    engine.messages.clear()
    sets.destroy()
    assert any(KEPT in text for text in told(engine))
    assert ([GOLD], False) == (policies(emulator)[user(9)], NEWCOMER in policies(emulator))


@pytest.mark.parametrize("one", [True, False])
def test_who_had_the_address_is_forgotten_once_somebody_removes_the_policy(
    sets: Sets, emulator: Emulator, engine: Engine, *, one: bool
) -> None:
    program = {"a": declared(emulator, one=one)}
    sets.up(**program)
    pass_on(emulator)
    sets.up(**program)
    emulator.patch({"protections": [], "resources": [{**record(emulator, user(9)), "archived": True}]})
    change(emulator, user(9), archived=True)
    sets.up(a={**program["a"], "on_conflict": "take_over"})
    assert {} == sets.kept["a"].outs.get("passed_on", {}) or not one
    engine.messages.clear()
    sets.up(a={**program["a"], "on_conflict": "take_over"})
    assert one == (not any(KEPT in text for text in told(engine)))


@pytest.mark.parametrize("one", [True, False])
def test_what_was_adopted_is_owned_if_the_program_says_so(
    sets: Sets, emulator: Emulator, engine: Engine, *, one: bool
) -> None:
    program = protection(user(1), "Silver") if one else assigned({user(1): "Silver", user(9): "Gold"})
    sets.up(a=program)
    engine.messages.clear()
    emulator.clear_requests()
    owning = {**program, "adopt": "own"}
    assert {"a": "update"} == sets.up(a=owning).steps
    assert (1, []) == (len([text for text in told(engine) if "1 to own" in text]), emulator.writes())
    assert {"a": "same"} == sets.up(a=owning).steps
    # What is adopted later belongs to it too.
    kept = sets.kept["a"]
    outs: Properties = {**kept.outs}
    if one:
        outs["own_policy_id"] = None
    else:
        outs["protected"], outs["adopted"] = {}, outs["protected"]
    sets.kept["a"] = type(kept)(kept.id, kept.inputs, outs)
    assert {"a": "update"} == sets.preview(a=owning).steps
    assert "" == sets.up(a=owning).error
    assert "" == sets.up(a={**program, "adopt": "keep"}).error
    sets.destroy()
    assert user(1) not in policies(emulator)


@pytest.mark.parametrize("one", [True, False])
def test_a_new_resource_owns_what_it_adopts_if_the_program_says_so(
    sets: Sets, emulator: Emulator, engine: Engine, *, one: bool
) -> None:
    program = {**(protection(user(1), "Silver") if one else assigned({user(1): "Silver"})), "adopt": "own"}
    sets.preview(a=program)
    assert any("1 to own" in text for text in told(engine))
    sets.up(a=program)
    sets.destroy()
    assert user(1) not in policies(emulator)


def test_another_word_for_adopt_is_refused(sets: Sets) -> None:
    assert "must be one of: keep, own" in sets.preview(a={**members(user(9)), "adopt": "take"}).error


def test_an_adopted_member_that_leaves_is_reported_and_one_that_is_kept_is_not(
    sets: Sets, emulator: Emulator, engine: Engine
) -> None:
    both = assigned({user(1): "Silver", user(2): "Silver", user(9): "Gold"}, on_conflict="accept")
    keeping = both | {"assignments": {user(3): "Gold", user(10): "Gold"}, "on_destroy": "keep"}
    assert "" == sets.up(a=both, b=keeping).error
    engine.messages.clear()
    fewer = {"assignments": {user(9): "Gold"}, "max_removals": "100%"}
    turn = sets.up(a=both | fewer, b=keeping | {"assignments": {user(10): "Gold"}})
    assert "" == turn.error
    texts = [text for text in told(engine) if "stay protected" in text]
    assert (1, True) == (len(texts), "2 leave and stay protected, since the set adopted" in texts[0])
    assert [SILVER] == policies(emulator)[user(1)]


def test_a_replacement_without_a_comparison_is_refused(run: Run, emulator: Emulator) -> None:
    for wire, inputs in (
        (run.protection, protection(user(9), "Gold")),
        (run.protection_set, members(user(10))),
        (run.org, {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine"}),
    ):
        forced = called(wire, "forced")
        assert [] == forced.check(forced.check({}, inputs).inputs, inputs).failures
        with pytest.raises(OperationError, match='Cannot replace "forced": a replacement was forced'):
            forced.check({}, inputs)
    assert [] == emulator.writes()


def test_the_deletion_of_a_replacement_by_force_removes_nothing(
    run: Run, later_run: Run, emulator: Emulator, engine: Engine
) -> None:
    shop = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine"}
    made = [
        (wire, inputs, called(wire, "forced").create(called(wire, "forced").check({}, inputs).inputs))
        for wire, inputs in (
            (run.protection, protection(user(9), "Gold")),
            (run.protection_set, members(user(10))),
            (run.org, shop),
        )
    ]
    emulator.clear_requests()
    for (_, inputs, old), wire in zip(
        made, (later_run.protection, later_run.protection_set, later_run.org), strict=True
    ):
        forced = called(wire, "forced")
        forced.create(forced.check({}, inputs).inputs)
        forced.delete(old.id, old.outs)
    assert ([], 3) == (emulator.writes(), len([text for text in told(engine) if "forced replacement" in text.lower()]))


def test_an_organization_is_deleted_without_a_key(servicer: Servicer) -> None:
    wire = called(servicer.run({}).org, "keyless")
    wire.delete("org-1", {"external_id": "crm-7", "name": "Shop"})
