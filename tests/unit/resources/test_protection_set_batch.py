"""A thousand members at once, of which some cannot be protected; and how much of the state each of them takes."""

import json
from collections import Counter
from uuid import NAMESPACE_URL, uuid5

import pytest

from support import Emulator
from support.resources.contoso import change, policies, protect
from support.resources.runs import told
from support.resources.servicer import Engine, Properties, Servicer
from support.resources.sets import Sets, assigned, members

TENANT = "tenant-0001"
EVERYONE = [f"res-{number:07}" for number in range(1, 1001)]
ABSENT, ARCHIVED, TWICE, SLOW = EVERYONE[16], EVERYONE[499], EVERYONE[500], EVERYONE[899]
ADOPTED, OTHERS, REFUSED = EVERYONE[1], EVERYONE[2], EVERYONE[299]


def thousand(**others: object) -> Properties:
    return {**members(*EVERYONE, **others), "tenant_id": TENANT}


@pytest.fixture
def large(emulator: Emulator) -> Emulator:
    """A tenant of a thousand, where some are not as the program says."""
    emulator.reset("large:1x1000")
    change(emulator, ABSENT, deleted=True)
    change(emulator, ARCHIVED, archived=True)
    protect(emulator, "policy-gold", ADOPTED, tenant_id=TENANT)
    protect(emulator, "policy-silver", OTHERS, tenant_id=TENANT)
    return emulator


def test_of_a_thousand_members_each_succeeds_or_fails_alone(hurried: Servicer, large: Emulator, engine: Engine) -> None:
    sets = Sets(hurried, large, previewChecks="false")
    program = thousand(on_missing="warn")
    program["assignments"][f"ext${TWICE.replace('res', 'ext')}"] = "Gold"
    faults = [
        {"operation": "protect_resource", "path": f"*/{SLOW}/*", "do": ["status:503"] * 3},
        {"operation": "protect_resource", "path": f"*/{REFUSED}/*", "do": ["status:403"]},
    ]
    with large.faults(*faults):
        turn = sets.up(people=program)
    first, *lines, last = turn.error.splitlines()
    assert ("3 failed:", True) == (first, last.startswith("What was done is kept"))
    expected = ["means the same as", "cannot protect Drive 300 in", f"({OTHERS}) is protected with"]
    assert [True] * 3 == [any(part in line for line in lines) for part in expected], lines
    assert sorted(lines) == lines

    skipped = {ABSENT, ARCHIVED, OTHERS, REFUSED}
    done = {id: "policy-gold" for id in EVERYONE if id not in skipped}
    kept = sets.kept["people"]
    assert (done, [ADOPTED]) == ({**kept.outs["protected"], **kept.outs["adopted"]}, [*kept.outs["adopted"]])
    assert {**{id: ["policy-gold"] for id in done}, OTHERS: ["policy-silver"]} == policies(large, TENANT)
    written = Counter(request["path"].split("/")[-2] for request in large.writes())
    assert {REFUSED: 1, SLOW: 4, **{id: 1 for id in done if id not in {SLOW, ADOPTED}}} == written

    large.clear_requests()
    turn = sets.up(people={**thousand(on_missing="warn", on_conflict="take_over")})
    assert ({"people": "update"}, "") == (turn.steps, turn.error)
    assert {OTHERS, REFUSED} == {request["path"].split("/")[-2] for request in large.writes()}
    assert 998 == len({**sets.kept["people"].outs["protected"], **sets.kept["people"].outs["adopted"]})
    assert "people: 2 protected." == told(engine)[-1]
    assert {"people": "same"} == sets.up(people=thousand(on_missing="warn", on_conflict="take_over")).steps


def test_of_a_thousand_members_the_preview_says_who_cannot_be_one(hurried: Servicer, large: Emulator) -> None:
    error = Sets(hurried, large).preview(people=thousand()).error
    assert "2 cannot be members:" in error
    for part in (f"  {ABSENT}: there is no", f"  {ARCHIVED}: is archived", f"({OTHERS}) is protected"):
        assert part in error
    assert [] == large.writes()


LONG_TENANT, LONG_POLICY = (str(uuid5(NAMESPACE_URL, name)) for name in ("tenant", "policy"))


def person(number: int) -> Properties:
    return {
        "tenant_id": LONG_TENANT,
        "id": str(uuid5(NAMESPACE_URL, f"resource {number}")),
        "external_id": str(uuid5(NAMESPACE_URL, f"external {number}")),
        "name": f"firstname.lastname.{number:05}@contoso.example",
        "kind": "office_user",
    }


PEOPLE = [person(number) for number in range(1000)]


@pytest.fixture
def long_ids(emulator: Emulator) -> Emulator:
    """A tenant of a thousand whose ids and names are as long as they get."""
    tenant = {"id": LONG_TENANT, "org_id": "org-contoso", "name": "Long", "created_at": "2026-01-01T00:00:00Z"}
    policy = {"tenant_id": LONG_TENANT, "id": LONG_POLICY, "name": "Gold"}
    emulator.patch({"tenants": [tenant], "policies": [policy], "resources": PEOPLE})
    return emulator


@pytest.mark.parametrize(
    ("reference", "policy", "adopts"),
    [("name", "Gold", False), ("name", LONG_POLICY, False), ("name", LONG_POLICY, True), ("id", LONG_POLICY, False)],
)
def test_a_member_takes_at_most_250_bytes_of_the_state(
    sets: Sets, long_ids: Emulator, *, reference: str, policy: str, adopts: bool
) -> None:
    if adopts:
        protect(long_ids, LONG_POLICY, *(one["id"] for one in PEOPLE), tenant_id=LONG_TENANT)
    program = {**assigned({one[reference]: policy for one in PEOPLE}), "tenant_id": LONG_TENANT}
    assert "" == sets.up(people=program).error
    kept = sets.kept["people"]
    assert ({36}, {40}) == ({len(one["id"]) for one in PEOPLE}, {len(one["name"]) for one in PEOPLE})
    size = len(json.dumps([kept.inputs, kept.outs], separators=(",", ":")).encode())
    assert size / len(PEOPLE) <= 250
