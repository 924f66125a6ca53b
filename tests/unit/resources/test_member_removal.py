"""The removal of members from a protection set, and its limit."""

import pytest

from support import Emulator
from support.resources.arguments import members, protection
from support.resources.contoso import BRONZE, GOLD, SILVER, TENANT, change, name_of, policies, protect, unprotect, user
from support.resources.servicer import UNKNOWN, Engine, Properties, Run, assert_names
from support.resources.sets import Sets

DOZEN = [user(number) for number in range(9, 21)]
ELSEWHERE = {**members("res-adatum-user-12"), "tenant_id": "tenant-adatum"}


def removed(count: int, **others: object) -> Properties:
    """Return a program without the first members of the dozen."""
    return members(*DOZEN[count:], **others)


def test_a_member_that_leaves_is_unprotected_and_the_others_are_not(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(*DOZEN))
    outcome = sets.up(people=removed(5))
    assert ({"people": "update"}, DOZEN[:5]) == (outcome.steps, outcome.written)
    assert {**before, **{id: [GOLD] for id in DOZEN[5:]}} == policies(emulator)
    assert dict.fromkeys(DOZEN[5:], GOLD) == sets.protected()


def test_an_adopted_member_stays_protected_after_its_set(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(user(1), user(4), user(9), policy="Silver"))
    left = sets.up(people=members(user(1), user(9), policy="Silver"))
    assert ({user(1): SILVER}, {user(9): SILVER}) == (sets.adopted(), sets.protected())
    deleted = sets.destroy()
    assert before == policies(emulator)
    for outcome, id in ((left, user(4)), (deleted, user(1))):
        assert_names(outcome.warnings[-1], "people: 1 ", "stay protected", "adopted", id)


@pytest.mark.parametrize("deletes", [False, True])
def test_a_policy_that_was_assigned_meanwhile_stays(sets: Sets, emulator: Emulator, *, deletes: bool) -> None:
    sets.up(people=members(*DOZEN[:3]))
    protect(emulator, BRONZE, DOZEN[0])
    outcome = sets.destroy() if deletes else sets.up(people=members(*DOZEN[1:3]))
    (warning,) = outcome.warnings
    assert_names(warning, "people: 1 stay protected", DOZEN[0], BRONZE)
    assert ({"people": "delete" if deletes else "update"}, [BRONZE]) == (outcome.steps, policies(emulator)[DOZEN[0]])
    assert deletes == (DOZEN[1] not in policies(emulator))


def test_a_member_without_its_policy_leaves_without_a_write(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:3]))
    unprotect(emulator, DOZEN[0])
    assert [] == sets.up(people=members(*DOZEN[1:3])).written


@pytest.mark.parametrize(
    ("count", "limit", "allowed"),
    [
        (5, None, True),
        (6, None, False),
        (6, 6, True),
        (6, "49%", False),
        (1, 0, False),
        (12, "100%", True),
        (0, 0, True),
    ],
)
def test_more_removals_than_the_limit_fail_in_the_preview_with_all_names(
    sets: Sets, emulator: Emulator, *, count: int, limit: object, allowed: bool
) -> None:
    sets.up(people=members(*DOZEN))
    error = sets.preview(people=removed(count, **({} if limit is None else {"max_removals": limit}))).error
    assert allowed == (not error)
    if not allowed:
        names = [f"{name_of(emulator, 9 + number)} ({id})" for number, id in enumerate(DOZEN[:count])]
        assert_names(error, f"unprotect {count} of 12 members", TENANT, "max_removals", *names)


def test_an_up_without_a_preview_never_exceeds_the_limit(sets: Sets) -> None:
    sets.up(people=members(*DOZEN))
    outcomes = [sets.up(people=members(*DOZEN[6:], user(21))) for _ in range(2)]
    for outcome, before in zip(outcomes, (12, 13), strict=True):
        assert_names(outcome.error, f"unprotect 6 of {before} members")
    assert [user(21)] == [id for outcome in outcomes for id in outcome.written]
    assert "" == sets.up(people=members(*DOZEN)).error
    assert dict.fromkeys(DOZEN, GOLD) == sets.protected(), "the set forgot that it made the protections"


def test_a_set_that_moves_to_another_tenant_unprotects_all_members(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    error = sets.preview(people=ELSEWHERE).error
    assert_names(error, "tenant-adatum", "unprotect 12 of 12 members", TENANT, "max_removals allows 5:")
    assert {"people": "replace"} == sets.up(people={**ELSEWHERE, "max_removals": 12}).steps
    assert set() == {*DOZEN} & policies(emulator).keys()
    assert [GOLD.replace("contoso", "adatum")] == policies(emulator, "tenant-adatum")["res-adatum-user-12"]


@pytest.mark.parametrize(
    ("count", "limit", "moves"), [(1, None, True), (2, None, False), (5, None, False), (5, "100%", True)]
)
def test_a_small_set_of_several_members_moves_to_another_tenant_only_if_the_program_allows_it(
    sets: Sets, *, count: int, limit: object, moves: bool
) -> None:
    sets.up(people=members(*DOZEN[:count]))
    outcome = sets.up(people={**ELSEWHERE, **({} if limit is None else {"max_removals": limit})})
    if moves:
        assert {"people": "replace"} == outcome.steps
    else:
        assert ("max_removals" in outcome.error, []) == (True, outcome.written)


def test_an_offline_preview_does_not_lift_the_limit_of_a_move_to_another_tenant(offline_sets: Sets) -> None:
    offline_sets.up(people=members(*DOZEN))
    outcome = offline_sets.up(people=ELSEWHERE)
    assert ("unprotect 12 of 12 members" in outcome.error, []) == (True, outcome.operations)


@pytest.mark.parametrize("count", range(2, 6))
@pytest.mark.parametrize("newcomers", [[], DOZEN[6:]], ids=["nobody", "newcomers"])
def test_a_small_set_keeps_half_of_its_members_by_default(sets: Sets, count: int, newcomers: list[str]) -> None:
    sets.up(people=members(*DOZEN[:count]))
    assert_names(sets.preview(people=members(*newcomers)).error, f"unprotect {count} of {count} members")
    assert "" == sets.preview(people=members(*DOZEN[count // 2 : count])).error
    assert "" == sets.preview(people=members(*newcomers, max_removals=count)).error


def test_half_of_a_set_may_not_leave_if_no_member_stays(sets: Sets) -> None:
    sets.up(people=members(user(1), user(4), user(9), user(12), policy="Silver"))
    assert 2 == len(sets.adopted())
    assert_names(sets.preview(people=members(policy="Silver")).error, "unprotect 2 of 4 members", "no member")
    assert "" == sets.preview(people=members(policy="Silver", max_removals=2)).error


def test_members_that_a_short_list_lacks_count_as_removed(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    with emulator.faults({"operation": "list_resources", "do": ["short_list:0"]}):
        error = sets.preview(people=members()).error
    assert_names(error, "unprotect 12 of 12 members")


@pytest.mark.parametrize("lie", ["short_list:0", "no_items"])
def test_an_item_that_left_and_that_a_short_list_lacks_is_still_unprotected(
    sets: Sets, emulator: Emulator, lie: str
) -> None:
    sets.up(people=members(*DOZEN))
    with emulator.faults({"operation": "unprotect_resource", "do": ["status:403"]}):
        assert_names(sets.up(people=removed(1)).error, DOZEN[0])
    with emulator.faults({"operation": "list_protections", "do": [lie]}):
        assert "" == sets.up(people=members(*DOZEN[1:], user(3))).error
    assert DOZEN[0] not in policies(emulator)


def test_vanished_members_that_leave_do_not_count(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    unprotect(emulator, *DOZEN[:6])
    for id in DOZEN[:6]:
        change(emulator, id, deleted=True)
    assert "" == sets.preview(people=removed(6)).error
    assert_names(sets.preview(people=removed(12)).error, "unprotect 6 of 12")


UNLIMITED: dict[str, tuple[Properties, dict[str, Properties]]] = {
    "move to another set": (members(*DOZEN), {"people": removed(7, max_removals=0), "others": members(*DOZEN[:7])}),
    "adopted": (
        members(user(1), user(4), user(7), policy="Silver"),
        {"people": members(user(1), policy="Silver", max_removals=0)},
    ),
    "kept": (members(*DOZEN, on_destroy="keep"), {"people": removed(10, on_destroy="keep", max_removals=0)}),
    "kept in the old tenant": (members(*DOZEN, on_destroy="keep"), {"people": {**ELSEWHERE, "max_removals": 0}}),
}


@pytest.mark.parametrize(("before", "after"), UNLIMITED.values(), ids=UNLIMITED)
def test_members_that_keep_their_policy_do_not_count(
    sets: Sets, emulator: Emulator, before: Properties, after: dict[str, Properties]
) -> None:
    sets.up(people=before)
    on = policies(emulator)
    outcome = sets.up(**after)
    assert ("", on) == (outcome.error, policies(emulator))
    assert {*outcome.written} <= {"res-adatum-user-12"}
    assert {*sets.protected()} <= {*after["people"]["assignments"]}
    # What is kept stays after the deletion too.
    if before["on_destroy"] == "keep":
        assert {*sets.destroy().written} <= {"res-adatum-user-12"}


def test_changed_policies_do_not_count(sets: Sets) -> None:
    sets.up(people=members(*DOZEN))
    assert "" == sets.up(people=members(*DOZEN, policy="Silver", max_removals=0)).error


def test_the_deletion_of_a_set_has_no_limit(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(*DOZEN, max_removals=0))
    assert {"people": "delete"} == sets.up().steps
    assert before == policies(emulator)


def test_an_unknown_argument_may_name_an_item_that_leaves(sets: Sets, emulator: Emulator) -> None:
    sets.up(a=members(user(9), user(10)))
    outcome = sets.preview(a=members(user(9)), b={**members(), "assignments": UNKNOWN})
    assert ("", []) == (outcome.error, [note for note in outcome.notes if "to unprotect" in note])
    assert [GOLD] == policies(emulator)[user(10)]


def test_bare_members_and_protections_are_protected_again(sets: Sets, emulator: Emulator) -> None:
    program = {"people": members(*DOZEN), "one": protection(user(21), "Gold")}
    sets.up(**program)
    unprotect(emulator, *DOZEN[:3], user(21))
    preview = sets.preview(**program)
    assert {"people": "update", "one": "update"} == preview.steps
    assert_names(preview.notes, "people: 3 to protect again", *DOZEN[:3], "one: 1 to protect again", user(21))
    assert {"people": "update", "one": "update"} == sets.converge(**program).steps
    assert {user(21), *DOZEN} <= {*policies(emulator)}
    unprotect(emulator, user(21))
    change(emulator, user(21), archived=True)
    sets.converge(**program)


def test_a_refresh_of_a_removal_changes_nothing(run: Run) -> None:
    outs = {"set_urn": run.protection_set.urn, "generation": 3, "schema_version": 2}
    found = run.member_removal.read("removal", outs)
    assert ("removal", outs, {"set_urn": outs["set_urn"], "generation": 3}) == found


def test_a_deletion_reports_an_item_that_left_protected(run: Run, emulator: Emulator, engine: Engine) -> None:
    protect(emulator, GOLD, user(9))
    left = {"leavers": {"5": {user(9): GOLD, user(10): GOLD}}, "generation": 6}
    run.protection_set.delete(TENANT, {**members(), "protected": {}, "adopted": {}, "schema_version": 2, **left})
    (warning,) = engine.warnings
    assert_names(warning, "people: 1 left", f"{name_of(emulator, 9)} ({user(9)})")
    assert [] == emulator.writes()


def test_a_set_that_is_replaced_because_of_its_members_keeps_the_items_that_left(run: Run) -> None:
    wire, inputs = run.protection_set, run.protection_set.check({}, members(*DOZEN[:3])).inputs
    made = wire.create(inputs)
    fewer = wire.check(inputs, members(*DOZEN[:2])).inputs
    wire.diff(made.id, made.outs, fewer)
    # The program has `replace_on_changes`.
    outs = wire.create(wire.check({}, fewer).inputs).outs
    assert [{DOZEN[2]: GOLD}] == [*outs["leavers"].values()]
    assert outs["generation"] == run.member_removal.check({}, {"set_urn": wire.urn}).inputs["generation"]
