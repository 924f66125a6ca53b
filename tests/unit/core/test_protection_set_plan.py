"""The plan of a protection set, as tables."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import pytest

from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState, max_removals, plan_set


class Plan(NamedTuple):
    """The new, changed, removed and left members."""

    new: Collection[str] = ()
    changed: Collection[str] = ()
    removed: Collection[tuple[str, str]] = ()
    left: Collection[str] = ()


def planned(
    wanted: Mapping[str, str],
    protected: Mapping[str, str] | None = None,
    adopted: Mapping[str, str] | None = None,
    *,
    skipped: Collection[str] = (),
    any_policy: bool = False,
) -> Plan:
    inputs = SetInputs.of({"missing": {id: id for id in skipped}, "on_conflict": "accept" if any_policy else "fail"})
    plan = plan_set(wanted, SetState(protected or {}, adopted or {}), inputs)
    return Plan((*plan.new,), (*plan.changed,), (*plan.removed.items(),), (*plan.left,))


PLANS: dict[str, tuple[dict[str, str], dict[str, str], dict[str, str], Plan]] = {
    "nothing": ({}, {}, {}, Plan()),
    "new": ({"a": "gold"}, {}, {}, Plan(new=("a",))),
    "own, as wanted": ({"a": "gold"}, {"a": "gold"}, {}, Plan()),
    "adopted, as wanted": ({"a": "gold"}, {}, {"a": "gold"}, Plan()),
    "own, another": ({"a": "silver"}, {"a": "gold"}, {}, Plan(changed=("a",))),
    "adopted, another": ({"a": "silver"}, {}, {"a": "gold"}, Plan(changed=("a",))),
    "unknown": ({"a": ""}, {"a": "gold"}, {}, Plan(changed=("a",))),
    "own, left": ({}, {"a": "gold"}, {}, Plan(removed=(("a", "gold"),))),
    "adopted, left": ({}, {}, {"a": "gold"}, Plan(left=("a",))),
    "all at once": (
        {"a": "gold", "c": "gold"},
        {"a": "gold", "b": "gold"},
        {"d": "gold"},
        Plan(("c",), (), (("b", "gold"),), ("d",)),
    ),
}


@pytest.mark.parametrize(("wanted", "protected", "adopted", "expected"), PLANS.values(), ids=PLANS)
def test_a_plan_has_new_changed_removed_and_left_members(
    wanted: dict[str, str], protected: dict[str, str], adopted: dict[str, str], expected: Plan
) -> None:
    assert expected == planned(wanted, protected, adopted)


@pytest.mark.parametrize(
    ("wanted", "protected", "expected"),
    [
        ({"a": "silver"}, {"a": "gold"}, Plan()),
        ({"a": "silver"}, {"a": "bronze"}, Plan()),
        ({"b": "silver"}, {"a": "gold"}, Plan(new=("b",), removed=(("a", "gold"),))),
    ],
)
def test_accepted_policies_do_not_change(wanted: dict[str, str], protected: dict[str, str], expected: Plan) -> None:
    assert expected == planned(wanted, protected, any_policy=True)


@pytest.mark.parametrize(("protected", "adopted"), [({"a": "gold"}, {}), ({}, {"a": "gold"})])
def test_a_skipped_member_is_not_in_the_plan(protected: dict[str, str], adopted: dict[str, str]) -> None:
    assert Plan() == planned({}, protected, adopted, skipped=["a"])


def test_a_plan_without_work_is_nothing() -> None:
    state = SetState({"a": "gold"}, {"b": "gold"})
    plans = [
        plan_set(wanted, state, SetInputs.of({}))
        for wanted in ({"a": "gold", "b": "gold"}, {"a": "gold"}, {"b": "gold"}, {"a": "gold", "b": "silver"})
    ]
    assert [True, False, False, False] == [plan.nothing for plan in plans]


def test_a_plan_lists_the_members_that_get_a_policy_and_the_members_that_leave() -> None:
    state = SetState({"a": "gold", "b": "gold"}, {"c": "gold"})
    plan = plan_set({"a": "silver", "d": "gold"}, state, SetInputs.of({}))
    assert (["d", "a"], ["b", "c"]) == (plan.assigning, plan.leaving)


def test_a_state_without_outputs_is_empty() -> None:
    outputs = {"protected": {"a": "gold"}, "adopted": {"b": "silver"}, "tenant_id": "t-1"}
    found = [SetState.of(outputs).policies, SetState.of({}).policies, SetState.of({"protected": None}).policies]
    assert [{"a": "gold", "b": "silver"}, {}, {}] == found


LIMITS: list[tuple[object, dict[int, int]]] = [
    (None, {0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 9: 4, 10: 5, 59: 5, 60: 6, 1000: 100}),
    (0, {1000: 0}),
    (7, {3: 7}),
    (1_000_000, {10: 1_000_000}),
    ("0%", {1000: 0}),
    ("10%", {5: 0, 1000: 100}),
    ("33%", {100: 33}),
    ("99%", {100: 99}),
    ("100%", {7: 7}),
]


@pytest.mark.parametrize(("limit", "expected"), LIMITS)
def test_the_limit_of_removals_is_a_number_or_a_share_of_the_members(limit: object, expected: dict[int, int]) -> None:
    assert expected == {members: max_removals(limit, members) for members in expected}
