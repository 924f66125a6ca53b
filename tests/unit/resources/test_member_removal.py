"""Who leaves a protection set, and how many may leave it at once."""

import pytest

from support import Emulator
from support.resources.contoso import GOLD, SILVER, TENANT, change, name_of, policies, protect, unprotect, user
from support.resources.runs import told
from support.resources.servicer import Engine, Properties, Run, Servicer
from support.resources.sets import Sets, members

DOZEN = [user(number) for number in range(9, 21)]
ELSEWHERE = {**members("res-adatum-user-12"), "tenant_id": "tenant-adatum"}


def removed(count: int, **others: object) -> Properties:
    """A program from which so many of the dozen are gone."""
    return members(*DOZEN[count:], **others)


def test_a_member_that_leaves_is_unprotected_and_the_others_are_not(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(*DOZEN))
    emulator.clear_requests()
    assert {"people": "update"} == sets.up(people=removed(5)).steps
    assert {**before, **{id: [GOLD] for id in DOZEN[5:]}} == policies(emulator)
    assert sorted(DOZEN[:5]) == sorted(request["path"].split("/")[-2] for request in emulator.writes())
    assert dict.fromkeys(DOZEN[5:], GOLD) == sets.kept["people"].outs["protected"]


def test_what_others_protected_is_never_touched(sets: Sets, emulator: Emulator) -> None:
    others = [{"tenant_id": TENANT, "id": f"other-{number}", "external_id": f"other-{number}"} for number in range(50)]
    named = [{**one, "name": f"{one['id']}@contoso.example", "kind": "office_user"} for one in others]
    emulator.patch({"resources": named})
    protect(emulator, GOLD, *(one["id"] for one in others))
    before = policies(emulator)
    sets.up(people=members(*DOZEN[:10]))
    emulator.clear_requests()
    sets.up(people=members(*DOZEN[:5]))
    sets.refresh()
    sets.destroy()
    assert sorted(DOZEN[:10]) == sorted(request["path"].split("/")[-2] for request in emulator.writes())
    assert before == policies(emulator)


def test_adopted_members_stay_protected_when_they_leave_and_when_the_set_goes(
    sets: Sets, emulator: Emulator, engine: Engine
) -> None:
    before = policies(emulator)
    sets.up(people=members(user(1), user(4), user(9), policy="Silver"))
    sets.up(people=members(user(1), user(9), policy="Silver"))
    assert ({user(1): SILVER}, {user(9): SILVER}) == (
        sets.kept["people"].outs["adopted"],
        sets.kept["people"].outs["protected"],
    )
    sets.destroy()
    assert before == policies(emulator)
    expected = f"people: 1 stay protected, since the set adopted what was on them: {user(1)}"
    assert expected == told(engine)[-1]


def test_where_the_program_keeps_them_protected_nobody_is_unprotected(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN, on_destroy="keep"))
    on = policies(emulator)
    emulator.clear_requests()
    assert "" == sets.up(people=members(*DOZEN[:2], on_destroy="keep", max_removals=0)).error
    assert dict.fromkeys(DOZEN[:2], GOLD) == sets.kept["people"].outs["protected"]
    sets.destroy()
    assert ([], on) == (emulator.writes(), policies(emulator))


def test_another_policy_that_is_on_who_leaves_stays_and_that_is_told(
    sets: Sets, emulator: Emulator, engine: Engine
) -> None:
    sets.up(people=members(*DOZEN[:3]))
    protect(emulator, SILVER, DOZEN[0])
    assert {"people": "update"} == sets.up(people=members(*DOZEN[1:3])).steps
    assert [SILVER] == policies(emulator)[DOZEN[0]]
    expected = f'people: 1 stay protected: {DOZEN[0]}: another policy is on it now, "Silver" ({SILVER})'
    assert [True] == [text.startswith(expected[:60]) for text in told(engine) if "stay" in text]


def test_who_lost_the_policy_already_leaves_without_a_write(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:3]))
    unprotect(emulator, DOZEN[0])
    emulator.clear_requests()
    sets.up(people=members(*DOZEN[1:3]))
    assert [] == emulator.writes()


@pytest.mark.parametrize(
    ("count", "limit", "allowed"),
    [
        (5, None, True),
        (6, None, False),
        (6, 6, True),
        (6, 5, False),
        (6, "50%", True),
        (6, "49%", False),
        (1, 0, False),
        (1, "0%", False),
        (12, "100%", True),
        (0, 0, True),
    ],
)
def test_a_change_that_takes_more_off_than_is_allowed_fails_in_the_preview(
    sets: Sets, emulator: Emulator, *, count: int, limit: object, allowed: bool
) -> None:
    sets.up(people=members(*DOZEN))
    emulator.clear_requests()
    chosen = {} if limit is None else {"max_removals": limit}
    turn = sets.preview(people=removed(count, **chosen))
    assert (allowed, []) == (not turn.error, emulator.writes())
    if not allowed:
        assert f"this would unprotect {count} of 12 members in tenant {TENANT}, and max_removals allows " in turn.error
        assert all(f"({id})" in turn.error for id in DOZEN[:count])


def test_an_up_without_a_preview_takes_no_more_off_than_is_allowed_however_often(
    sets: Sets, emulator: Emulator
) -> None:
    sets.up(people=members(*DOZEN))
    emulator.clear_requests()
    for members_before in (12, 13):
        turn = sets.up(people=members(*DOZEN[6:], user(21)))
        assert f"this would unprotect 6 of {members_before} members" in turn.error
    assert [f"protect_resource {user(21)}"] == [
        f"{request['operation']} {request['path'].split('/')[-2]}" for request in emulator.writes()
    ]
    assert "" == sets.up(people=members(*DOZEN)).error
    assert dict.fromkeys(DOZEN, GOLD) == sets.kept["people"].outs["protected"], "who made it is forgotten"


def test_a_tenth_of_a_large_set_may_leave(sets: Sets, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    everyone = [f"res-{number:07}" for number in range(1, 101)]

    def program(count: int) -> Properties:
        return {**members(*everyone[count:]), "tenant_id": "tenant-0001"}

    sets.up(people=program(0))
    assert ["", "this would unprotect 11 of 100 members in tenant tenant-0001, and max_removals allows 10"] == [
        sets.preview(people=program(count)).error.partition(":")[0] for count in (10, 11)
    ]


def test_a_set_that_moves_to_another_tenant_unprotects_all_it_leaves(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    turn = sets.preview(people=ELSEWHERE)
    expected = f"this would move the set to tenant tenant-adatum, and unprotect 12 of 12 members in tenant {TENANT}"
    assert f"{expected}, and max_removals allows 5:" in turn.error
    assert {"people": "replace"} == sets.up(people={**ELSEWHERE, "max_removals": 12}).steps
    assert set() == {*DOZEN} & policies(emulator).keys()
    assert [GOLD.replace("contoso", "adatum")] == policies(emulator, "tenant-adatum")["res-adatum-user-12"]


def test_a_set_of_one_member_may_move_to_another_tenant(sets: Sets) -> None:
    sets.up(people=members(DOZEN[0]))
    assert {"people": "replace"} == sets.up(people=ELSEWHERE).steps


@pytest.mark.parametrize("count", range(2, 6))
def test_a_small_set_moves_to_another_tenant_only_if_the_program_allows_it(
    sets: Sets, emulator: Emulator, count: int
) -> None:
    sets.up(people=members(*DOZEN[:count]))
    emulator.clear_requests()
    assert "max_removals allows" in sets.up(people=ELSEWHERE).error
    assert [] == emulator.writes()
    assert {"people": "replace"} == sets.up(people={**ELSEWHERE, "max_removals": "100%"}).steps


def test_a_set_does_not_move_to_another_tenant_unlimited_if_the_preview_is_offline(
    servicer: Servicer, emulator: Emulator
) -> None:
    sets = Sets(servicer, emulator, previewChecks="false")
    sets.up(people=members(*DOZEN))
    emulator.clear_requests()
    turn = sets.up(people=ELSEWHERE)
    assert "and unprotect 12 of 12 members" in turn.error
    assert [] == emulator.requests()


@pytest.mark.parametrize("count", range(2, 6))
@pytest.mark.parametrize("left", ["nobody", "newcomers"])
def test_a_small_set_never_loses_more_than_half_of_its_members_by_itself(
    sets: Sets, emulator: Emulator, count: int, left: str
) -> None:
    sets.up(people=members(*DOZEN[:count]))
    emulator.clear_requests()
    newcomers = DOZEN[6:] if left == "newcomers" else []
    turn = sets.preview(people=members(*newcomers))
    assert f"unprotect {count} of {count} members" in turn.error
    assert [] == emulator.writes()
    assert "" == sets.preview(people=members(*DOZEN[count // 2 : count])).error
    assert "" == sets.preview(people=members(*newcomers, max_removals=count)).error


def test_half_of_a_set_is_too_many_if_nobody_stays(sets: Sets) -> None:
    sets.up(people=members(user(1), user(4), user(9), user(12), policy="Silver"))
    assert 2 == len(sets.kept["people"].outs["adopted"])
    assert "no member would stay in the set" in sets.preview(people=members(policy="Silver")).error
    assert "" == sets.preview(people=members(policy="Silver", max_removals=2)).error


def test_members_that_the_list_lacks_are_counted(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    with emulator.faults({"operation": "list_resources", "do": ["short_list:0"]}):
        turn = sets.preview(people=members())
    assert "unprotect 12 of 12 members" in turn.error


def test_a_kept_set_may_move_to_another_tenant_whatever_its_size(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN, on_destroy="keep"))
    on = policies(emulator)
    assert "" == sets.up(people={**ELSEWHERE, "max_removals": 0}).error
    assert on == policies(emulator)


def test_what_moves_to_another_set_is_not_counted(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    emulator.clear_requests()
    turn = sets.up(people=removed(7, max_removals=0), others=members(*DOZEN[:7]))
    assert ("", []) == (turn.error, emulator.writes())


def test_what_vanished_is_not_counted(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    for id in DOZEN[:6]:
        unprotect(emulator, id)
        change(emulator, id, deleted=True)
    assert "" == sets.preview(people=removed(6)).error
    assert "unprotect 6 of 12" in sets.preview(people=removed(12)).error


def test_what_was_adopted_is_not_counted(sets: Sets) -> None:
    sets.up(people=members(user(1), user(4), user(7), policy="Silver"))
    assert "" == sets.up(people=members(user(1), policy="Silver", max_removals=0)).error


def test_a_changed_policy_is_not_counted(sets: Sets) -> None:
    sets.up(people=members(*DOZEN))
    assert "" == sets.up(people=members(*DOZEN, policy="Silver", max_removals=0)).error


def test_the_removal_of_the_whole_set_is_not_limited(sets: Sets, emulator: Emulator) -> None:
    before = policies(emulator)
    sets.up(people=members(*DOZEN, max_removals=0))
    assert {"people": "delete"} == sets.up().steps
    assert before == policies(emulator)


def test_the_limit_names_who_would_be_unprotected(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN))
    assert f"{name_of(emulator, 9)} ({user(9)})" in sets.preview(people=removed(1, max_removals=0)).error


def test_a_member_that_is_gone_leaves_beside_other_resources_of_the_program(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN), others=members(user(22)))
    unprotect(emulator, DOZEN[0])
    change(emulator, DOZEN[0], deleted=True)
    turn = sets.up(people=removed(1), others=members(user(22)))
    assert {"people": "update", "others": "same"} == turn.steps
    assert {*DOZEN[1:]} == {*sets.kept["people"].outs["protected"]}


def test_a_member_whom_another_set_names_stays_though_the_list_lacks_it(sets: Sets, emulator: Emulator) -> None:
    everybody = [name_of(emulator, number) for number in range(9, 21)]
    sets.up(people=members(*everybody), others=members())
    emulator.clear_requests()
    # The first list is the one by which the first set looks for what the other names.
    with emulator.faults({"operation": "list_resources", "do": ["short_list:0"]}):
        sets.up(people=members(*everybody[1:]), others=members(everybody[0]))
    assert [] == [write for write in emulator.writes() if write["operation"] == "unprotect_resource"]


def test_bare_members_and_protections_are_protected_again(sets: Sets, emulator: Emulator, engine: Engine) -> None:
    one = {
        "tenant_id": TENANT,
        "resource": user(21),
        "policy": "Gold",
        "on_conflict": "fail",
        "on_destroy": "unprotect",
    }
    program = {"people": members(*DOZEN), "one": one}
    sets.up(**program)
    unprotect(emulator, *DOZEN[:3], user(21))
    assert {"people": "update", "one": "update"} == sets.preview(**program).steps
    assert "3 to protect again, without any policy now:" in "".join(told(engine))
    assert {"people": "update", "one": "update"} == sets.up(**program).steps
    assert {user(21), *DOZEN} <= {*policies(emulator)}
    assert {"people": "same", "one": "same"} == sets.up(**program).steps
    unprotect(emulator, user(21))
    change(emulator, user(21), archived=True)
    assert {"people": "same", "one": "same"} == sets.up(**program).steps


def test_a_refresh_keeps_what_removes_members(run: Run) -> None:
    outs = {"set_urn": run.protection_set.urn, "generation": 3, "schema_version": 1}
    found = run.member_removal.read("removal", outs)
    assert ("removal", outs, {"set_urn": outs["set_urn"], "generation": 3}) == found


def test_an_item_that_left_is_reported_if_a_deletion_cannot_know_whether_it_was_removed(
    run: Run, emulator: Emulator, engine: Engine
) -> None:
    protect(emulator, GOLD, user(9))
    left = {"leavers": {"5": {user(9): GOLD, user(10): GOLD}}, "generation": 6}
    outs = {**members(), "protected": {}, "adopted": {}, "schema_version": 1, **left}
    run.protection_set.delete(TENANT, outs)
    assert [
        "people: 1 left the set earlier and have its policy: łukasz.nowak@contoso.example (res-contoso-user-09)"
    ] == (told(engine))
    assert [] == emulator.writes()


def test_a_set_that_the_engine_replaces_because_of_its_members_goes_on_with_those_that_left(run: Run) -> None:
    wire, inputs = run.protection_set, run.protection_set.check({}, members(*DOZEN[:3])).inputs
    made = wire.create(inputs)
    fewer = wire.check(inputs, members(*DOZEN[:2])).inputs
    wire.diff(made.id, made.outs, fewer)
    # As `replace_on_changes` has it.
    outs = wire.create(wire.check({}, fewer).inputs).outs
    assert [{DOZEN[2]: GOLD}] == [*outs["leavers"].values()]
    removal = run.member_removal.check({}, {"set_urn": wire.urn})
    assert outs["generation"] == removal.inputs["generation"]
