"""The decisions about the protection of one item, as tables of all cases."""

from collections.abc import Sequence
from itertools import product
from typing import get_args

import pytest

from pulumi_dataprotection.client.records import Resource
from pulumi_dataprotection.core.protection.plan import (
    Observed,
    OnConflict,
    OnDestroy,
    Step,
    plan_protection,
    plan_read,
    plan_removal,
)
from support.resources.servicer import assert_names

JANE = Resource(id="r-1", name="jane")
LEAVER = Resource(id="r-1", name="jane", archived=True)
NAME = "jane (r-1)"
ITEM_GONE = Observed(missing="resource", reason="no resource")
TENANT_GONE = Observed(missing="tenant_id", reason="404 not found")


def on(*policies: str, resource: Resource = JANE) -> Observed:
    """Return the item with policies, whose labels are in capitals."""
    return Observed(resource, policies, label=str.upper)


def brief(*steps: Step) -> str:
    """Return the action, and the policy or the property, of each step; a reason for the user adds "!"."""
    texts = [f"{step.action} {step.policy_id or step.property}".strip() for step in steps]
    return ", ".join(text + "!" * bool(step.reason) for text, step in zip(texts, steps, strict=True))


NEW, KEPT = "protect wanted", "adopt wanted"
CONFLICT, ARCHIVED, SWAPPED = "refuse policy!", "refuse resource!", f"{NEW}, unprotect own"
TAKEN, TIDIED = f"{NEW}, unprotect foreign!", f"{KEPT}, unprotect own"
NO_ITEM, NO_TENANT = "refuse resource!", "refuse tenant_id!"
BOTH_TAKEN = f"{SWAPPED}, unprotect foreign!"

# The state of the service; then the steps of an update with `fail`, `take_over` and `accept`.
Plans = tuple[Observed, str, str, str]
UPDATES: dict[str, Plans] = {
    "nothing": (on(), NEW, NEW, NEW),
    "the wanted policy": (on("wanted"), KEPT, KEPT, KEPT),
    "ours": (on("own"), SWAPPED, SWAPPED, "adopt own"),
    "another": (on("foreign"), CONFLICT, TAKEN, "adopt foreign"),
    "wanted and ours": (on("wanted", "own"), TIDIED, TIDIED, "adopt own"),
    "ours and wanted": (on("own", "wanted"), TIDIED, TIDIED, "adopt own"),
    "wanted and another": (on("wanted", "foreign"), KEPT, KEPT, KEPT),
    "another and wanted": (on("foreign", "wanted"), KEPT, KEPT, KEPT),
    "ours and another": (on("own", "foreign"), CONFLICT, BOTH_TAKEN, "adopt own"),
    "another and ours": (on("foreign", "own"), CONFLICT, BOTH_TAKEN, "adopt own"),
    "all three": (on("own", "wanted", "foreign"), TIDIED, TIDIED, "adopt own"),
    "archived": (on(resource=LEAVER), ARCHIVED, ARCHIVED, ARCHIVED),
    "archived with the wanted policy": (on("wanted", resource=LEAVER), KEPT, KEPT, KEPT),
    "archived with ours": (on("own", resource=LEAVER), ARCHIVED, ARCHIVED, "adopt own"),
    "archived with another": (on("foreign", resource=LEAVER), ARCHIVED, ARCHIVED, "adopt foreign"),
    "item gone": (ITEM_GONE, NO_ITEM, NO_ITEM, NO_ITEM),
    "tenant gone": (TENANT_GONE, NO_TENANT, NO_TENANT, NO_TENANT),
}
# A creation owns nothing: the own policy of an update is foreign to it, and conflicts.
CREATIONS: dict[str, Plans] = {name: plans for name, plans in UPDATES.items() if "own" not in plans[0].policies} | {
    "two others": (on("foreign", "other"), CONFLICT, f"{TAKEN}, unprotect other!", "adopt foreign"),
}
CASES = [
    pytest.param(observed, own, on_conflict, expected, id=f"{operation} {name} {on_conflict}")
    for operation, own, table in (("create", (), CREATIONS), ("update", ("own",), UPDATES))
    for name, (observed, *plans) in table.items()
    for on_conflict, expected in zip(get_args(OnConflict), plans, strict=True)
]


@pytest.mark.parametrize(("observed", "own", "on_conflict", "expected"), CASES)
def test_the_steps_to_a_policy_follow_from_the_state_of_the_service(
    observed: Observed, own: Sequence[str], on_conflict: OnConflict, expected: str
) -> None:
    steps = plan_protection("wanted", observed, own=own, on_conflict=on_conflict)
    assert expected == brief(*steps)
    for step in steps:
        if step.policy_id:
            # The policies of others are displaced with a message.
            assert_names(step.reason, *([step.policy_id.upper()] if step.reason else []))
        elif step.property == "policy":
            assert_names(step.reason, NAME, ", ".join(observed.policies).upper(), "WANTED")
            assert_names(step.advice, "on_conflict", '"take_over"', '"accept"', "alias")
        else:
            assert_names(step.reason, *([f"{NAME} is archived"] if observed.archived else [observed.reason]))


def test_a_policy_is_foreign_and_a_conflict_fails_by_default() -> None:
    assert brief(*plan_protection("wanted", on("foreign"))) == CONFLICT


def test_an_own_policy_that_is_wanted_is_not_removed() -> None:
    assert brief(*plan_protection("wanted", on("wanted"), own={"wanted", "own"})) == KEPT


# The state of the service; then the step of a refresh, and the step of a `get`.
READINGS: dict[str, tuple[Observed, str, str]] = {
    "nothing": (on(), "forget", "refuse!"),
    "ours": (on("own"), "adopt own", "adopt own"),
    "another": (on("foreign"), "adopt foreign", "adopt foreign"),
    "ours and another": (on("own", "foreign"), "adopt own", "adopt own"),
    "another and ours": (on("foreign", "own"), "adopt own", "adopt own"),
    "two that may be ours": (on("shown", "own"), "adopt own", "adopt own"),
    "two others": (on("foreign", "other"), "adopt foreign", "adopt foreign"),
    "archived": (on(resource=LEAVER), "forget", "refuse!"),
    "archived with ours": (on("own", resource=LEAVER), "adopt own", "adopt own"),
    "item gone": (ITEM_GONE, "forget", "refuse!"),
    "tenant gone": (TENANT_GONE, "refuse tenant_id!", "refuse tenant_id!"),
}


@pytest.mark.parametrize(("observed", "refresh", "get"), READINGS.values(), ids=READINGS)
def test_a_read_adopts_the_likeliest_policy(observed: Observed, refresh: str, get: str) -> None:
    steps = [plan_read(("own", "shown"), observed, managed=managed) for managed in (True, False)]
    assert [refresh, get] == [brief(step) for step in steps]
    if observed is TENANT_GONE:
        assert_names(steps[0].reason, observed.reason, "`pulumi up`")


# The state of the service; then the step for a policy that we assigned.
REMOVALS: dict[str, tuple[Observed, str]] = {
    "nothing": (on(), "forget"),
    "ours": (on("own"), "unprotect own"),
    "another": (on("foreign"), "leave!"),
    "two others": (on("foreign", "other"), "leave!"),
    "ours and another": (on("own", "foreign"), "unprotect own"),
    "another and ours": (on("foreign", "own"), "unprotect own"),
    "archived": (on(resource=LEAVER), "forget"),
    "archived with ours": (on("own", resource=LEAVER), "unprotect own"),
    "item gone": (ITEM_GONE, "forget"),
    "tenant gone": (TENANT_GONE, "forget"),
}


@pytest.mark.parametrize(
    ("name", "on_destroy", "own", "declared_by"),
    [*product(REMOVALS, get_args(OnDestroy), ("own", None), ("another one", ""))],
)
def test_a_removal_is_for_own_policies_that_no_other_resource_declares(
    name: str, on_destroy: OnDestroy, own: str | None, declared_by: str
) -> None:
    observed, expected = REMOVALS[name]
    if on_destroy == "keep":
        expected = "leave"
    elif declared_by or own is None:
        expected = "leave!"
    step = plan_removal(own, observed, on_destroy=on_destroy, declared_by=declared_by)
    assert expected == brief(step)
    if step.reason:
        cause = declared_by or ("adopted" if own is None else observed.labels(observed.policies))
        assert_names(step.reason, cause)


def test_a_removal_removes_the_own_policy_by_default() -> None:
    assert brief(plan_removal("own", on("own"))) == "unprotect own"


def test_an_item_that_was_not_looked_for_has_no_name() -> None:
    assert ("it", False) == (Observed().name, Observed().archived)
