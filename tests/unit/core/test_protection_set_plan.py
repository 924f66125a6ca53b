"""What a protection set decides to do, as tables."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import pytest

from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState, max_removals, plan_set


class Plan(NamedTuple):
    """Who is new, changed, removed and left."""

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


@pytest.mark.parametrize(
    ("wanted", "protected", "adopted", "expected"),
    [
        ({}, {}, {}, Plan()),
        ({"a": "gold"}, {}, {}, Plan(new=("a",))),
        ({"a": "gold"}, {"a": "gold"}, {}, Plan()),
        ({"a": "gold"}, {}, {"a": "gold"}, Plan()),
        ({"a": "silver"}, {"a": "gold"}, {}, Plan(changed=("a",))),
        ({"a": "silver"}, {}, {"a": "gold"}, Plan(changed=("a",))),
        ({"a": ""}, {"a": "gold"}, {}, Plan(changed=("a",))),
        ({}, {"a": "gold"}, {}, Plan(removed=(("a", "gold"),))),
        ({}, {}, {"a": "gold"}, Plan(left=("a",))),
        (
            {"a": "gold", "c": "gold"},
            {"a": "gold", "b": "gold"},
            {"d": "gold"},
            Plan(("c",), (), (("b", "gold"),), ("d",)),
        ),
    ],
    ids=[
        "nothing",
        "new",
        "ours, as wanted",
        "adopted, as wanted",
        "ours, another",
        "adopted, another",
        "not known yet",
        "ours, left",
        "adopted, left",
        "all at once",
    ],
)
def test_a_plan_says_who_is_new_changed_removed_and_left(
    wanted: dict[str, str], protected: dict[str, str], adopted: dict[str, str], expected: Plan
) -> None:
    assert expected == planned(wanted, protected, adopted)


@pytest.mark.parametrize("protected", [{"a": "gold"}, {"a": "bronze"}])
def test_where_any_policy_will_do_none_is_changed(protected: dict[str, str]) -> None:
    assert Plan() == planned({"a": "silver"}, protected, any_policy=True)


def test_where_any_policy_will_do_who_has_none_gets_one_and_who_leaves_loses_ours() -> None:
    assert Plan(new=("b",), removed=(("a", "gold"),)) == planned({"b": "silver"}, {"a": "gold"}, any_policy=True)


@pytest.mark.parametrize(("protected", "adopted"), [({"a": "gold"}, {}), ({}, {"a": "gold"})])
def test_who_is_skipped_stays_as_it_is(protected: dict[str, str], adopted: dict[str, str]) -> None:
    assert Plan() == planned({}, protected, adopted, skipped=["a"])


def test_a_plan_that_has_nothing_to_do_says_so() -> None:
    state = SetState({"a": "gold"}, {"b": "gold"})
    plans = [
        plan_set(wanted, state, SetInputs.of({}))
        for wanted in ({"a": "gold", "b": "gold"}, {"a": "gold"}, {"b": "gold"}, {"a": "gold", "b": "silver"})
    ]
    assert [True, False, False, False] == [plan.nothing for plan in plans]


def test_a_plan_names_all_who_get_a_policy_and_all_who_leave() -> None:
    state = SetState({"a": "gold", "b": "gold"}, {"c": "gold"})
    plan = plan_set({"a": "silver", "d": "gold"}, state, SetInputs.of({}))
    assert (["d", "a"], ["b", "c"]) == (plan.assigning, plan.leaving)


def test_a_state_is_read_from_outputs_and_is_empty_without() -> None:
    outputs = {"protected": {"a": "gold"}, "adopted": {"b": "silver"}, "tenant_id": "t-1"}
    found = [SetState.of(outputs).policies, SetState.of({}).policies, SetState.of({"protected": None}).policies]
    assert [{"a": "gold", "b": "silver"}, {}, {}] == found


@pytest.mark.parametrize(
    ("limit", "members", "expected"),
    [
        (None, 0, 1),
        (None, 1, 1),
        (None, 2, 1),
        (None, 3, 1),
        (None, 4, 2),
        (None, 9, 4),
        (None, 10, 5),
        (None, 59, 5),
        (None, 60, 6),
        (None, 1000, 100),
        (0, 1000, 0),
        (7, 3, 7),
        (1_000_000, 10, 1_000_000),
        ("0%", 1000, 0),
        ("10%", 5, 0),
        ("10%", 1000, 100),
        ("33%", 100, 33),
        ("99%", 100, 99),
        ("100%", 7, 7),
    ],
)
def test_so_many_may_be_taken_off(limit: object, members: int, expected: int) -> None:
    assert expected == max_removals(limit, members)
