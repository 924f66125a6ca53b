"""The bytes that a member of a large set takes in the state."""

import json
from uuid import NAMESPACE_URL, uuid5

import pytest

from support import Emulator
from support.resources.arguments import assigned
from support.resources.contoso import protect
from support.resources.servicer import Properties
from support.resources.sets import Sets

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
