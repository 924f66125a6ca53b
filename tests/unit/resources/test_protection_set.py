"""A protection set: its creation, change, preview and deletion, and the calls that they cost."""

from collections import Counter

import pytest

from pulumi_dataprotection.client.cache.listing import POINT_READS
from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import GOLD, SILVER, TENANT, name_of, policies, protect, unprotect, user
from support.resources.servicer import Run, assert_names, failure_of
from support.resources.sets import Sets

MANY = [user(number) for number in range(9, 25)]
CROWD = [user(number) for number in range(3, 28)]
LISTS = {"list_policies": 1, "list_resources": 1, "list_protections": 1}


def test_a_new_set_protects_its_members_and_keeps_what_their_names_mean(sets: Sets, emulator: Emulator) -> None:
    name = name_of(emulator, 10)
    assert "" == sets.up(people=assigned({user(9): "Gold", name: SILVER, "ext$usr-1011": "Gold"})).error
    on, kept = {user(9): GOLD, user(10): SILVER, user(11): GOLD}, sets.kept["people"]
    assert (TENANT, on, {}) == (kept.id, sets.protected(), sets.adopted())
    assert {id: [policy] for id, policy in on.items()} == {id: policies(emulator)[id] for id in on}
    # An id means itself.
    resolved = (kept.inputs["resource_ids"], kept.inputs["policy_ids"])
    assert ({name: user(10), "ext$usr-1011": user(11)}, {"Gold": GOLD}) == resolved
    assert {"protected", "adopted", "counts", "tenant_id", "on_conflict", "on_destroy", "schema_version"} == {
        *kept.outs
    }


def test_a_set_without_members_does_nothing(sets: Sets) -> None:
    outcome = sets.converge(people=members())
    assert ({"people": "create"}, []) == (outcome.steps, outcome.written)


@pytest.mark.parametrize("count", [POINT_READS, POINT_READS + 1, len(MANY)])
def test_a_creation_costs_the_listings_and_a_write_for_each_member(sets: Sets, count: int) -> None:
    program = members(*MANY[:count])
    # The counts of the tenant are the witness that a new member has no policy.
    expected = {**LISTS, "get_resource_stats": 1, "protect_resource": count}
    assert expected == Counter(sets.up(people=program).operations)
    # A second up costs the listings only.
    again = sets.up(people=program)
    assert ({"people": "same"}, LISTS) == (again.steps, Counter(again.operations))


def test_a_change_costs_a_write_for_each_member_that_it_is_about(sets: Sets, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="replaces")
    sets.up(people=members(*MANY[:10]))
    changed = {**dict.fromkeys(MANY[2:8], "Gold"), **dict.fromkeys(MANY[8:13], "Silver")}
    outcome = sets.up(people=assigned(changed))
    writes = {name: count for name, count in Counter(outcome.operations).items() if name not in LISTS}
    assert {"get_resource_stats": 1, "protect_resource": 5, "unprotect_resource": 2} == writes
    assert {"people": "update"} == outcome.steps


def test_a_preview_counts_and_names_the_steps(sets: Sets) -> None:
    sets.up(people=members(*MANY[:4]))
    outcome = sets.preview(people=assigned({MANY[0]: "Silver", MANY[1]: "Gold", MANY[5]: "Gold", user(3): "Gold"}))
    plan, removals = outcome.notes
    assert {"people": "update"} == outcome.steps
    assert_names(plan, "people: 1 to protect", "1 to change", "1 to adopt", "4 members")
    assert_names(removals, "people: 2 to unprotect", "4 members", "priya.sharma", MANY[2], "wei.zhang", MANY[3])


def test_the_counts_of_a_set_follow_each_up_and_each_refresh(sets: Sets, emulator: Emulator) -> None:
    def counts() -> list[int]:
        found: dict[str, int] = sets.kept["people"].outs["counts"]
        return [int(found[name]) for name in ("members", "protected", "adopted", "missing")]

    program = assigned({user(1): "Silver", user(9): "Gold", "nobody": "Gold"}, on_missing="warn")
    sets.up(people=program)
    assert [3, 1, 1, 1] == counts()
    unprotect(emulator, user(9))
    for _ in range(2):
        sets.refresh()
        assert [3, 0, 1, 2] == counts()
    sets.up(people=program)
    assert [3, 1, 1, 1] == counts()


def test_a_destroy_names_the_first_members_that_stay_protected(sets: Sets, emulator: Emulator) -> None:
    for id in CROWD:
        unprotect(emulator, id)
        protect(emulator, GOLD, id)
    sets.up(people=members(*CROWD))
    (warning,) = sets.destroy().warnings
    named = [f"  {name_of(emulator, int(id[-2:]))} ({id})" for id in sorted(CROWD)[:20]]
    assert [*named, "  and 5 more"] == warning.splitlines()[1:]


def test_an_up_ends_with_a_summary(sets: Sets) -> None:
    first = sets.up(people=members(user(9), user(10), user(3)))
    second = sets.up(people=members(user(9), user(11), user(3)))
    summaries = [note for outcome in (first, second) for note in outcome.notes if "to " not in note]
    assert ["people: 2 protected, 1 adopted.", "people: 1 protected.", "people: 1 unprotected."] == summaries


def test_a_set_cannot_be_read_by_its_id(run: Run) -> None:
    assert_names(failure_of(run.protection_set.get, TENANT), "ProtectionSet")
