"""What a protection set keeps of a run in which something failed, and what the next run does."""

import pytest

from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from support import Emulator
from support.resources.contoso import GOLD, SILVER, TENANT, name_of, policies, user
from support.resources.servicer import Properties, Servicer
from support.resources.sets import Sets, assigned, members

DOZEN = [user(number) for number in range(9, 21)]
NEXT = "What was done is kept, and the next `pulumi up` does the rest"


def refused(operation: str, *resource_ids: str, status: int = 403, times: int = 1) -> list[Properties]:
    """Faults for what is asked of some resources."""
    do = [f"status:{status}"] * times
    return [{"operation": operation, "path": f"*/resources/{id}/protect", "do": do} for id in resource_ids]


def written(emulator: Emulator) -> list[str]:
    return sorted(request["path"].split("/")[-2] for request in emulator.writes())


def test_a_creation_that_fails_for_some_keeps_the_others(sets: Sets, emulator: Emulator) -> None:
    with emulator.faults(*refused("protect_resource", user(9), user(12))):
        turn = sets.up(people=members(*DOZEN))
    first, *lines, last = turn.error.splitlines()
    assert ("2 failed:", 2, NEXT) == (first, len(lines), last)
    for number, line in zip((12, 9), lines, strict=True):
        name = name_of(emulator, number)
        assert line.startswith(f'  cannot protect {name} in tenant {TENANT} with policy "Gold": 403')
    expected = dict.fromkeys({*DOZEN} - {user(9), user(12)}, GOLD)
    assert (expected, True) == (sets.kept["people"].outs["protected"], sets.kept["people"].half_done)


@pytest.mark.parametrize("refreshes", [False, True])
def test_the_next_run_sends_what_is_missing_alone(sets: Sets, emulator: Emulator, *, refreshes: bool) -> None:
    with emulator.faults(*refused("protect_resource", user(9), user(12))):
        sets.up(people=members(*DOZEN))
    if refreshes:
        sets.refresh()
    emulator.clear_requests()
    assert {"people": "update"} == sets.preview(people=members(*DOZEN)).steps
    assert {"people": "update"} == sets.up(people=members(*DOZEN)).steps
    assert [user(9), user(12)] == written(emulator)
    assert {"people": "same"} == sets.up(people=members(*DOZEN)).steps
    assert dict.fromkeys(DOZEN, GOLD) == sets.kept["people"].outs["protected"]


def test_a_creation_that_fails_for_all_keeps_nothing(sets: Sets, emulator: Emulator) -> None:
    with emulator.faults(*refused("protect_resource", *DOZEN[:3])):
        turn = sets.up(people=members(*DOZEN[:3]))
    assert ("3 failed:", {}) == (turn.error.splitlines()[0], sets.kept)
    assert {"people": "create"} == sets.up(people=members(*DOZEN[:3])).steps


def test_the_first_20_failures_are_told_and_the_others_counted(sets: Sets, emulator: Emulator) -> None:
    emulator.reset("large:1x40")
    everyone = [f"res-{number:07}" for number in range(1, 41)]
    with emulator.faults(*refused("protect_resource", *everyone[:30], status=400)):
        turn = sets.up(people={**members(*everyone), "tenant_id": "tenant-0001"})
    first, *lines = turn.error.splitlines()
    assert ("30 failed:", ["  and 10 more", NEXT], 22) == (first, lines[-2:], len(lines))
    assert sorted(lines[:20]) == lines[:20]


@pytest.mark.parametrize("second_policy", ["invalid_argument", "replaces", "adds"])
@pytest.mark.parametrize("refreshes", [False, True])
def test_an_update_that_fails_for_some_keeps_the_others(
    sets: Sets, emulator: Emulator, *, second_policy: str, refreshes: bool
) -> None:
    emulator.set_dialect(second_policy=second_policy)
    sets.up(people=members(*DOZEN[:8]))
    program = assigned({**dict.fromkeys(DOZEN[1:4], "Silver"), **dict.fromkeys(DOZEN[4:10], "Gold")})
    with emulator.faults(*refused("protect_resource", user(10), user(18))):
        turn = sets.up(people=program)
    assert ("2 failed:", True) == (turn.error.splitlines()[0], sets.kept["people"].half_done)
    kept = {**dict.fromkeys(DOZEN[:2], GOLD), **dict.fromkeys(DOZEN[2:4], SILVER), **dict.fromkeys(DOZEN[4:9], GOLD)}
    assert kept == sets.kept["people"].outs["protected"]
    if refreshes:
        sets.refresh()
    emulator.clear_requests()
    assert {"people": "update"} == sets.preview(people=program).steps
    assert {"people": "update"} == sets.up(people=program).steps
    assert [user(9), user(10), user(18)] == sorted({*written(emulator)})
    assert {"people": "same"} == sets.up(people=program).steps
    wanted = {**dict.fromkeys(DOZEN[1:4], SILVER), **dict.fromkeys(DOZEN[4:10], GOLD)}
    assert wanted == sets.kept["people"].outs["protected"]


def test_a_removal_that_fails_of_an_item_that_left_is_tried_again(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:8]))
    program = members(*DOZEN[2:8])
    with emulator.faults(*refused("unprotect_resource", user(9))):
        turn = sets.up(people=program)
    assert (
        f"cannot unprotect all items that left in tenant {TENANT}: 1 failed: cannot unprotect {user(9)}" in turn.error
    )
    assert ({"people": "update"}, dict.fromkeys(DOZEN[2:8], GOLD)) == (
        turn.steps,
        sets.kept["people"].outs["protected"],
    )
    emulator.clear_requests()
    assert "" == sets.up(people=program).error
    assert [user(9)] == written(emulator)
    assert "" == sets.up(people=program).error
    assert [user(9)] == written(emulator)


@pytest.mark.parametrize("last", ["status:403", "status:401"])
def test_a_removal_whose_answer_was_lost_before_it_was_refused_leaves_nobody_bare_without_a_word(
    sets: Sets, emulator: Emulator, last: str
) -> None:
    sets.up(people=members(user(9)))
    with emulator.faults({"operation": "unprotect_resource", "do": ["after:status:503", last]}):
        turn = sets.up(people=members(user(9), policy="Silver"))
    assert user(9) in policies(emulator) or f"{user(9)} IS NOT PROTECTED" in turn.error
    assert "" == sets.up(people=members(user(9), policy="Silver")).error
    assert [SILVER] == policies(emulator)[user(9)]


def test_an_update_that_fails_before_anything_is_done_changes_nothing(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:8]))
    kept = sets.kept["people"]
    with emulator.faults({"operation": "list_protections", "do": ["status:403"]}):
        turn = sets.up(people=members(*DOZEN[:9]))
    assert ("cannot list protections: 403" in turn.error, kept) == (True, sets.kept["people"])


def test_a_removal_that_fails_of_a_set_that_goes_is_tried_again(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:8]))
    with emulator.faults(*refused("unprotect_resource", user(9))):
        turn = sets.destroy()
    expected = f"cannot unprotect all members in tenant {TENANT}: 1 failed: cannot unprotect {user(9)} in tenant"
    assert (True, ["people"]) == (turn.error.startswith(expected), [*sets.kept])
    emulator.clear_requests()
    assert {"people": "delete"} == sets.destroy().steps
    assert [user(9)] == written(emulator)


LARGE = "tenant-0001"
EVERYONE = [f"res-{number:07}" for number in range(1, 101)]


@pytest.mark.parametrize(("status", "attempts"), [(403, 1), (500, MAX_ATTEMPTS), (429, MAX_ATTEMPTS)])
def test_after_20_failures_in_a_row_that_lie_with_no_member_nothing_more_is_tried(
    hurried: Servicer, emulator: Emulator, status: int, attempts: int
) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, concurrency="1")
    program = {**members(*EVERYONE), "tenant_id": LARGE}
    # One more was begun when the last of them ended.
    with emulator.faults({"operation": "protect_resource", "nth": 31, "do": [f"status:{status}"] * (21 * attempts)}):
        turn = sets.up(people=program)
    assert "broken off after 20 failures in a row: 49 were not tried\n" in turn.error
    assert ("21 failed:", 30) == (turn.error.splitlines()[0], len(sets.kept["people"].outs["protected"]))
    emulator.clear_requests()
    assert {"people": "update"} == sets.up(people=program).steps
    assert 70 == len(emulator.writes())


@pytest.mark.parametrize("status", [400, 404, 409])
def test_failures_that_lie_with_the_members_break_nothing_off(sets: Sets, emulator: Emulator, status: int) -> None:
    emulator.reset("large:1x100")
    with emulator.faults(*refused("protect_resource", *EVERYONE[:50], status=status)):
        turn = sets.up(people={**members(*EVERYONE), "tenant_id": LARGE})
    assert ("50 failed:", 50) == (turn.error.splitlines()[0], len(sets.kept["people"].outs["protected"]))


def test_a_success_in_between_starts_the_count_anew(hurried: Servicer, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, concurrency="1")
    faults = [{"operation": "protect_resource", "nth": nth, "do": ["status:403"] * 19} for nth in (1, 21)]
    with emulator.faults(*faults):
        turn = sets.up(people={**members(*EVERYONE), "tenant_id": LARGE})
    assert ("38 failed:", False) == (turn.error.splitlines()[0], "broken off" in turn.error)


def test_a_key_that_may_not_write_is_not_tried_for_everybody(hurried: Servicer, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, apiKey=emulator.read_only_key)
    turn = sets.up(people={**members(*EVERYONE), "tenant_id": LARGE})
    assert ("broken off after 20 failures in a row" in turn.error, {}) == (True, sets.kept)
    assert 20 <= len(emulator.writes()) < 20 + 2 * 4, "as many as were under way"


def test_removals_are_not_tried_after_the_writes_before_them_were_broken_off(
    hurried: Servicer, emulator: Emulator
) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, concurrency="1")
    sets.up(people={**members(*EVERYONE[:5]), "tenant_id": LARGE})
    emulator.clear_requests()
    with emulator.faults({"operation": "protect_resource", "do": ["status:403"] * 21}):
        turn = sets.up(people={**members(*EVERYONE[5:35], max_removals=5), "tenant_id": LARGE})
    assert "broken off after 20 failures in a row: 9 were not tried" in turn.error
    assert ["protect_resource"] * 21 == [request["operation"] for request in emulator.writes()]
    assert dict.fromkeys(EVERYONE[:5], "policy-gold") == sets.kept["people"].outs["protected"]
