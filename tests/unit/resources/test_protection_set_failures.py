"""A run of a protection set in which writes fail, and the next run."""

import pytest

from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import GOLD, SILVER, TENANT, name_of, user
from support.resources.servicer import Properties, Servicer, assert_names
from support.resources.sets import Outcome, Sets

DOZEN = [user(number) for number in range(9, 21)]
LARGE = "tenant-0001"
EVERYONE = [f"res-{number:07}" for number in range(1, 101)]


def refused(operation: str, *resource_ids: str, status: int = 403) -> list[Properties]:
    """Return faults that refuse an operation for some resources."""
    do = [f"status:{status}"]
    return [{"operation": operation, "path": f"*/resources/{id}/protect", "do": do} for id in resource_ids]


def everyone(*ids: str, **others: object) -> Properties:
    return {**members(*ids or EVERYONE, **others), "tenant_id": LARGE}


def headline(outcome: Outcome) -> str:
    return outcome.error.partition("\n")[0]


@pytest.fixture
def one_by_one(hurried: Servicer, emulator: Emulator) -> Sets:
    """A stack whose writes do not overlap, in a tenant of a hundred."""
    emulator.reset("large:1x100")
    return Sets(hurried, emulator, concurrency="1")


SILVERS = dict.fromkeys(DOZEN[1:4], "Silver")
PARTIAL: dict[str, tuple[list[str], dict[str, str], list[str], dict[str, str]]] = {
    "creation": ([], dict.fromkeys(DOZEN, "Gold"), [user(12), user(9)], {}),
    "update": (
        DOZEN[:8],
        {**SILVERS, **dict.fromkeys(DOZEN[4:10], "Gold")},
        [user(10), user(18)],
        {user(9): GOLD, user(10): GOLD},
    ),
}
"""The members before, the new assignments, the members whose write fails by name, and their policies of before."""


@pytest.mark.parametrize("case", PARTIAL)
@pytest.mark.parametrize("second_policy", ["invalid_argument", "replaces", "adds"])
@pytest.mark.parametrize("refreshes", [False, True])
def test_a_run_that_fails_for_some_keeps_the_others_and_the_next_run_sends_the_rest(
    sets: Sets, emulator: Emulator, *, case: str, second_policy: str, refreshes: bool
) -> None:
    emulator.set_dialect(second_policy=second_policy)
    before, assignments, failing, kept = PARTIAL[case]
    if before:
        sets.up(people=members(*before))
    with emulator.faults(*refused("protect_resource", *failing)):
        outcome = sets.up(people=assigned(assignments))
    first, *lines, _ = outcome.error.splitlines()
    assert_names(first, "2 failed", "403", TENANT)
    assert [f"  {name_of(emulator, int(id[-2:]))} ({id})" for id in failing] == lines
    wanted = {id: {"Gold": GOLD, "Silver": SILVER}[policy] for id, policy in assignments.items()}
    done = {id: policy for id, policy in wanted.items() if id not in failing}
    assert ({**done, **kept}, True) == (sets.protected(), sets.kept["people"].half_done)
    if refreshes:
        sets.refresh()
    assert {"people": "update"} == sets.preview(people=assigned(assignments)).steps
    outcome = sets.converge(people=assigned(assignments))
    assert ({"people": "update"}, {*failing, *kept}) == (outcome.steps, {*outcome.written})
    assert wanted == sets.protected()


def test_a_creation_that_fails_for_all_keeps_nothing(sets: Sets, emulator: Emulator) -> None:
    with emulator.faults(*refused("protect_resource", *DOZEN[:3])):
        outcome = sets.up(people=members(*DOZEN[:3]))
    assert ("3 failed: 403", {}) == (headline(outcome)[:13], sets.kept)
    assert {"people": "create"} == sets.up(people=members(*DOZEN[:3])).steps


def test_a_policy_that_does_not_exist_fails_for_its_members_only_in_an_up_without_checks(offline_sets: Sets) -> None:
    outcome = offline_sets.up(people=assigned({user(9): "Gold", user(10): "Glod"}))
    assert_names(outcome.error, '"Glod"')
    assert {user(9): GOLD} == offline_sets.protected()


def test_a_removal_that_fails_is_tried_again_by_the_next_up(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:8]))
    program = members(*DOZEN[2:8])
    with emulator.faults(*refused("unprotect_resource", user(9))):
        outcome = sets.up(people=program)
    assert_names(outcome.error, TENANT, "1 failed", user(9))
    assert ({"people": "update"}, dict.fromkeys(DOZEN[2:8], GOLD)) == (outcome.steps, sets.protected())
    assert [user(9)] == sets.converge(people=program).written


def test_a_deletion_that_fails_for_a_member_is_tried_again_by_the_next_run(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*DOZEN[:8]))
    with emulator.faults(*refused("unprotect_resource", user(9))):
        error = sets.destroy().error
    assert_names(error, TENANT, "1 failed", user(9))
    assert ["people"] == [*sets.kept]
    outcome = sets.destroy()
    assert ({"people": "delete"}, [user(9)]) == (outcome.steps, outcome.written)


@pytest.mark.parametrize(("status", "attempts"), [(403, 1), (500, MAX_ATTEMPTS), (429, MAX_ATTEMPTS)])
def test_20_failures_in_a_row_that_lie_with_no_member_end_the_run(
    one_by_one: Sets, emulator: Emulator, status: int, attempts: int
) -> None:
    # The 21st had begun when the 20th failed.
    with emulator.faults({"operation": "protect_resource", "nth": 31, "do": [f"status:{status}"] * (21 * attempts)}):
        outcome = one_by_one.up(people=everyone())
    assert_names(outcome.error, "broken off", "20 failures", "49 were")
    assert (f"21 failed: {status}", 30) == (headline(outcome)[:14], len(one_by_one.protected()))
    outcome = one_by_one.up(people=everyone())
    assert ({"people": "update"}, 70) == (outcome.steps, len(outcome.written))


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (404, 1), (409, 3)])
def test_failures_that_lie_with_members_do_not_end_the_run(
    sets: Sets, emulator: Emulator, status: int, attempts: int
) -> None:
    emulator.reset("large:1x100")
    with emulator.faults(*refused("protect_resource", *EVERYONE[:50], status=status) * attempts):
        outcome = sets.up(people=everyone())
    first, *lines = outcome.error.splitlines()
    assert (f"50 failed: {status}", "  and 30 more", 22) == (first[:14], lines[-2], len(lines))
    assert sorted(lines[:20]) == lines[:20]
    assert 50 == len(sets.protected())


def test_a_success_between_failures_resets_their_count(one_by_one: Sets, emulator: Emulator) -> None:
    faults = [{"operation": "protect_resource", "nth": nth, "do": ["status:403"] * 19} for nth in (1, 21)]
    with emulator.faults(*faults):
        outcome = one_by_one.up(people=everyone())
    assert ("38 failed: 403", False) == (headline(outcome)[:14], "broken off" in outcome.error)


def test_a_read_only_key_is_not_tried_for_each_member(hurried: Servicer, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, apiKey=emulator.read_only_key)
    outcome = sets.up(people=everyone())
    assert_names(outcome.error, "broken off", "20 failures")
    assert sets.kept == {}
    assert 20 <= len(outcome.written) < 20 + 2 * 4, "as many as were under way"


def test_removals_do_not_begin_after_failures_that_end_the_run(one_by_one: Sets, emulator: Emulator) -> None:
    one_by_one.up(people=everyone(*EVERYONE[:5]))
    with emulator.faults({"operation": "protect_resource", "do": ["status:403"] * 21}):
        outcome = one_by_one.up(people=everyone(*EVERYONE[5:35], max_removals=5))
    assert_names(outcome.error, "broken off", "20 failures", "9 were")
    assert ["protect_resource"] * 21 == [one for one in outcome.operations if "protect_resource" in one]
    assert dict.fromkeys(EVERYONE[:5], "policy-gold") == one_by_one.protected()


@pytest.mark.parametrize("refusal", ["forbidden", "invalid_argument"])
def test_a_licence_that_is_used_up_in_the_middle_is_one_reason_with_the_names_of_the_others(
    hurried: Servicer, emulator: Emulator, refusal: str
) -> None:
    emulator.set_dialect(used_up_quota=refusal, quotas_container="published")
    used = len({one["resource_id"] for one in emulator.state()["protections"] if one["tenant_id"] == TENANT})
    quota = {"tenant_id": TENANT, "kind": "resource", "count": str(used + 3)}
    emulator.patch({"quotas": [quota]})
    sets = Sets(hurried, emulator, concurrency="1")
    outcome = sets.up(people=members(*DOZEN))
    first, *names = outcome.error.splitlines()[:-1]
    assert_names(first, "9 failed", "is used up")
    assert (9, 1, 3) == (len(names), outcome.error.count("is used up"), len(sets.protected()))
