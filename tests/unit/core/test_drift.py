"""The comparison of a state with what a read of the service showed."""

from collections.abc import Mapping

import pytest

from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.core.drift import (
    MemberDrift,
    Status,
    compare_members,
    compare_org,
    compare_policy,
    known_policies,
)
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState


def test_the_policy_that_a_resource_assigned_is_the_likeliest() -> None:
    assert ["silver", "gold"] == known_policies({"policy_id": "gold", "own_policy_id": "silver"})
    assert ["gold"] == known_policies({"policy_id": "gold", "own_policy_id": None})
    assert [] == known_policies({"policy_id": "", "own_policy_id": 1})


@pytest.mark.parametrize(
    ("found", "any_policy", "status"),
    [
        ("gold", False, Status.IN_STEP),
        ("silver", False, Status.DRIFTED),
        ("silver", True, Status.IN_STEP),
        (None, False, Status.BARE),
        (None, True, Status.BARE),
    ],
)
def test_the_policy_is_compared_with_the_state(found: str | None, *, any_policy: bool, status: Status) -> None:
    assert status == compare_policy(found, ["gold"], any_policy=any_policy)


PROGRAM = {
    "assignments": {"jane@": "Gold", "item-2": "gold", "item-3": "silver", "left@": "Gold", "gone@": "Gold"},
    "resource_ids": {"jane@": "item-1", "left@": "item-4"},
    "policy_ids": {"Gold": "gold"},
    "missing": {"gone@": "item-5"},
}


def compared(
    before: Mapping[str, str], after: Mapping[str, str], *missing: str, **options: object
) -> list[MemberDrift]:
    """Compare a set, after a read in which members were missing."""
    program, read = SetInputs.of({**PROGRAM, **options}), SetInputs.of({**PROGRAM, **options})
    for name in missing:
        read.missing[name] = read.resource_ids.pop(name)
    return [*compare_members(SetState(protected=before), program, SetState(protected=after), read)]


def test_each_member_that_the_program_names_is_compared_with_its_policy() -> None:
    found = compared({}, {"item-1": "gold", "item-2": "silver"}, "left@")
    assert found == [
        MemberDrift("item-1", "jane@", Status.IN_STEP, "gold", "gold"),
        MemberDrift("item-2", "item-2", Status.DRIFTED, "gold", "silver"),
        MemberDrift("item-3", "item-3", Status.BARE, "silver", None),
        MemberDrift("item-4", "left@", Status.GONE, "gold", None),
        MemberDrift("item-5", "gone@", Status.GONE, "gold", None),
    ]


def test_an_item_that_only_the_state_has_is_compared_with_its_state() -> None:
    found = compared({"item-1": "gold", "item-8": "gold", "item-9": "gold"}, {"item-8": "gold", "item-9": "silver"})
    assert found[5:] == [
        MemberDrift("item-8", "", Status.IN_STEP, "gold", "gold"),
        MemberDrift("item-9", "", Status.DRIFTED, "gold", "silver"),
    ]


def test_a_set_that_accepts_any_policy_has_no_drifted_member() -> None:
    after = {"item-1": "other", "item-2": "other", "item-3": "other", "item-4": "other", "item-9": "other"}
    found = compared({"item-9": "gold"}, after, on_conflict="accept")
    assert [Status.IN_STEP] * 4 + [Status.GONE, Status.IN_STEP] == [member.status for member in found]


@pytest.mark.parametrize(
    ("outputs", "changed"),
    [
        ({"name": "Café", "external_id": "crm-1"}, []),
        ({"name": "Cafe\u0301", "external_id": "crm-1"}, []),
        ({"name": "Bar", "external_id": "crm-1"}, ["name"]),
        ({"external_id": "crm-2"}, ["name", "external_id"]),
    ],
)
def test_an_organization_is_compared_by_name_and_external_id(outputs: Mapping[str, object], changed: list[str]) -> None:
    assert changed == compare_org(Org(id="org-1", external_id="crm-1", name="Café"), outputs)
