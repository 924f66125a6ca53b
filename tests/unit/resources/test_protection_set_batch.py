"""A thousand members: each succeeds or fails without the others, and each takes few bytes of the state."""

import json
from collections import Counter
from uuid import NAMESPACE_URL, uuid5

import pytest

from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import change, policies, protect, written
from support.resources.servicer import Properties, assert_names
from support.resources.sets import Sets

TENANT = "tenant-0001"
EVERYONE = [f"res-{number:07}" for number in range(1, 1001)]
ABSENT, ARCHIVED, TWICE, SLOW = EVERYONE[16], EVERYONE[499], EVERYONE[500], EVERYONE[899]
ADOPTED, OTHERS, REFUSED = EVERYONE[1], EVERYONE[2], EVERYONE[299]


def thousand(**others: object) -> Properties:
    return {**members(*EVERYONE, **others), "tenant_id": TENANT}


@pytest.fixture
def large(emulator: Emulator) -> Emulator:
    """A tenant of a thousand, some of whom are not as the program says."""
    emulator.reset("large:1x1000")
    change(emulator, ABSENT, deleted=True)
    change(emulator, ARCHIVED, archived=True)
    protect(emulator, "policy-gold", ADOPTED, tenant_id=TENANT)
    protect(emulator, "policy-silver", OTHERS, tenant_id=TENANT)
    return emulator


def test_each_of_a_thousand_members_succeeds_or_fails_without_the_others(large: Emulator, offline_sets: Sets) -> None:
    sets, program = offline_sets, thousand(on_missing="warn")
    program["assignments"][f"ext${TWICE.replace('res', 'ext')}"] = "Gold"
    faults = [
        {"operation": "protect_resource", "path": f"*/{SLOW}/*", "do": ["status:503"] * 3},
        {"operation": "protect_resource", "path": f"*/{REFUSED}/*", "do": ["status:403"]},
    ]
    with large.faults(*faults):
        outcome = sets.up(people=program)
    first, *lines, _ = outcome.error.splitlines()
    assert ("3 failed:", 3) == (first, len(lines))
    assert_names("\n".join(lines), TWICE, "Drive 300", f"({OTHERS})")

    skipped = {ABSENT, ARCHIVED, OTHERS, REFUSED}
    done = {id: "policy-gold" for id in EVERYONE if id not in skipped}
    assert (done, [ADOPTED]) == ({**sets.protected(), **sets.adopted()}, [*sets.adopted()])
    assert {**{id: ["policy-gold"] for id in done}, OTHERS: ["policy-silver"]} == policies(large, TENANT)
    assert {REFUSED: 1, SLOW: 4, **{id: 1 for id in done if id not in {SLOW, ADOPTED}}} == Counter(outcome.written)

    outcome = sets.converge(people=thousand(on_missing="warn", on_conflict="take_over"))
    assert ({"people": "update"}, {OTHERS, REFUSED}) == (outcome.steps, {*outcome.written})
    assert (998, "people: 2 protected.") == (len({**sets.protected(), **sets.adopted()}), outcome.notes[-1])


def test_the_preview_of_a_thousand_members_names_those_that_would_fail(sets: Sets, large: Emulator) -> None:
    assert_names(sets.preview(people=thousand()).error, "2 ", f"  {ABSENT}: ", f"  {ARCHIVED}: ", f"({OTHERS})")
    assert [] == written(large)


LONG_TENANT, LONG_POLICY = (str(uuid5(NAMESPACE_URL, name)) for name in ("tenant", "policy"))


def person(number: int) -> Properties:
    return {
        "tenant_id": LONG_TENANT,
        "id": str(uuid5(NAMESPACE_URL, f"resource {number}")),
        "external_id": str(uuid5(NAMESPACE_URL, f"external {number}")),
        "name": f"firstname.lastname.{number:05}@contoso.example",
        "kind": "office_user",
    }


@pytest.mark.parametrize(
    ("reference", "policy", "adopts"),
    [("name", "Gold", False), ("name", LONG_POLICY, False), ("name", LONG_POLICY, True), ("id", LONG_POLICY, False)],
)
def test_a_member_takes_at_most_250_bytes_of_the_state(
    sets: Sets, emulator: Emulator, *, reference: str, policy: str, adopts: bool
) -> None:
    tenant = {"id": LONG_TENANT, "org_id": "org-contoso", "name": "Long", "created_at": "2026-01-01T00:00:00Z"}
    people = [person(number) for number in range(1000)]
    gold = {"tenant_id": LONG_TENANT, "id": LONG_POLICY, "name": "Gold"}
    emulator.patch({"tenants": [tenant], "policies": [gold], "resources": people})
    if adopts:
        protect(emulator, LONG_POLICY, *(one["id"] for one in people), tenant_id=LONG_TENANT)
    program = {**assigned({one[reference]: policy for one in people}), "tenant_id": LONG_TENANT}
    assert "" == sets.up(people=program).error
    kept = sets.kept["people"]
    assert ({36}, {40}) == ({len(one["id"]) for one in people}, {len(one["name"]) for one in people})
    size = len(json.dumps([kept.inputs, kept.outs], separators=(",", ":")).encode())
    assert size / len(people) <= 250
