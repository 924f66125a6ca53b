"""What has to be done to a protection or an organization, as tables of all cases."""

from collections.abc import Sequence
from typing import get_args

import pytest

from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.resources._planner import (
    OnConflict,
    OnDestroy,
    OrgPlan,
    ProtectionPlan,
    plan_org,
    plan_protection,
    plan_removal,
)

PROTECT = ProtectionPlan("protect", "wanted")
ADOPT = ProtectionPlan("adopt", "wanted")
REFUSE = ProtectionPlan("refuse", "wanted", reason="another policy is on it: foreign")


def swap(*displaced: str) -> ProtectionPlan:
    return ProtectionPlan("replace", "wanted", displaced=displaced)


def leave(policy: str) -> ProtectionPlan:
    return ProtectionPlan("adopt", policy)


ADOPT_WITHOUT_OURS = ProtectionPlan("adopt", "wanted", displaced=("own",))

# What is on the resource; then the plans for `fail`, `take_over` and `accept`.
PROTECTIONS: list[tuple[tuple[str, ...], ProtectionPlan, ProtectionPlan, ProtectionPlan]] = [
    ((), PROTECT, PROTECT, PROTECT),
    (("wanted",), ADOPT, ADOPT, ADOPT),
    (("own",), swap("own"), swap("own"), leave("own")),
    (("foreign",), REFUSE, swap("foreign"), leave("foreign")),
    (("wanted", "own"), ADOPT_WITHOUT_OURS, ADOPT_WITHOUT_OURS, ADOPT),
    (("own", "wanted"), ADOPT_WITHOUT_OURS, ADOPT_WITHOUT_OURS, ADOPT),
    (("wanted", "foreign"), ADOPT, ADOPT, ADOPT),
    (("foreign", "wanted"), ADOPT, ADOPT, ADOPT),
    (("own", "foreign"), REFUSE, swap("own", "foreign"), leave("own")),
    (("foreign", "own"), REFUSE, swap("own", "foreign"), leave("foreign")),
    (("own", "wanted", "foreign"), ADOPT_WITHOUT_OURS, ADOPT_WITHOUT_OURS, ADOPT),
]


@pytest.mark.parametrize(
    ("observed", "on_conflict", "expected"),
    [
        (observed, on_conflict, plan)
        for observed, *plans in PROTECTIONS
        for on_conflict, plan in zip(get_args(OnConflict), plans, strict=True)
    ],
)
def test_the_plan_of_a_protection_follows_from_what_is_on_the_resource(
    observed: tuple[str, ...], on_conflict: OnConflict, expected: ProtectionPlan
) -> None:
    assert expected == plan_protection("wanted", observed, own={"own"}, on_conflict=on_conflict)


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ((), PROTECT),
        (("wanted",), ADOPT),
        (("foreign",), REFUSE),
        (
            ("foreign", "other"),
            ProtectionPlan("refuse", "wanted", reason="another policy is on it: foreign, other"),
        ),
    ],
)
def test_nothing_is_ours_and_a_conflict_is_refused_unless_said_otherwise(
    observed: tuple[str, ...], expected: ProtectionPlan
) -> None:
    assert expected == plan_protection("wanted", observed)


def test_what_is_wanted_is_never_removed_though_it_is_ours() -> None:
    assert plan_protection("wanted", ["wanted"], own={"wanted", "own"}) == ADOPT


# What is on the resource; then the plans for `unprotect` and `keep`.
KEEP = ProtectionPlan("leave", "own")
REMOVALS: list[tuple[tuple[str, ...], ProtectionPlan]] = [
    ((), ProtectionPlan("leave", "own", reason="it was not protected any more")),
    (("own",), ProtectionPlan("unprotect", "own")),
    (("foreign",), ProtectionPlan("leave", "own", reason="another policy is on it now: foreign")),
    (("foreign", "other"), ProtectionPlan("leave", "own", reason="another policy is on it now: foreign, other")),
    (("own", "foreign"), ProtectionPlan("unprotect", "own")),
    (("foreign", "own"), ProtectionPlan("unprotect", "own")),
]


@pytest.mark.parametrize(
    ("observed", "on_destroy", "expected"),
    [
        (observed, on_destroy, plan)
        for observed, unprotect in REMOVALS
        for on_destroy, plan in zip(get_args(OnDestroy), (unprotect, KEEP), strict=True)
    ],
)
def test_only_our_own_policy_is_removed(
    observed: tuple[str, ...], on_destroy: OnDestroy, expected: ProtectionPlan
) -> None:
    assert expected == plan_removal("own", observed, on_destroy=on_destroy)


def test_a_removal_takes_our_policy_off_unless_said_otherwise() -> None:
    assert plan_removal("own", ["own"]) == ProtectionPlan("unprotect", "own")


SAME = Org(id="org-1", external_id="crm-1", name="Café")
DECOMPOSED = Org(id="org-2", external_id="crm-1", name="Cafe\u0301")
OTHER_NAME = Org(id="org-3", external_id="crm-1", name="Bistro")
NAMELESS = Org(id="org-4", external_id="crm-1")
OTHER_IDENTITY = Org(id="org-5", external_id="crm-9", name="Café")
NO_IDENTITY = Org(id="org-6", name="Café")
EMPTY_IDENTITY = Org(id="org-7", external_id="", name="Café")
STRANGER = Org(id="org-8", external_id="crm-8", name="Deli")
OTHER_CASE = Org(id="org-9", external_id="CRM-1", name="café")


def name_differs(org: Org) -> OrgPlan:
    reason = f'the external_id "crm-1" belongs to the organization "{org.name}" ({org.id}), and this asks for "Café"'
    return OrgPlan("refuse", org, reason)


def identity_differs(org: Org, its: str) -> OrgPlan:
    reason = f'an organization named "Café" exists already, {its} ({org.id}), and this asks for the external_id "crm-1"'
    return OrgPlan("refuse", org, reason)


@pytest.mark.parametrize(
    ("siblings", "expected"),
    [
        ([], OrgPlan("create")),
        ([STRANGER], OrgPlan("create")),
        ([OTHER_CASE], OrgPlan("create")),
        ([SAME], OrgPlan("adopt", SAME)),
        ([DECOMPOSED], OrgPlan("adopt", DECOMPOSED)),
        ([STRANGER, SAME], OrgPlan("adopt", SAME)),
        ([OTHER_IDENTITY, SAME], OrgPlan("adopt", SAME)),
        ([OTHER_NAME], name_differs(OTHER_NAME)),
        ([NAMELESS], name_differs(NAMELESS)),
        ([OTHER_IDENTITY, OTHER_NAME], name_differs(OTHER_NAME)),
        ([OTHER_IDENTITY], identity_differs(OTHER_IDENTITY, 'with the external_id "crm-9"')),
        ([STRANGER, OTHER_IDENTITY], identity_differs(OTHER_IDENTITY, 'with the external_id "crm-9"')),
        ([NO_IDENTITY], identity_differs(NO_IDENTITY, "without an external_id")),
        ([EMPTY_IDENTITY], identity_differs(EMPTY_IDENTITY, "without an external_id")),
    ],
)
def test_the_plan_of_an_organization_follows_from_its_siblings(siblings: Sequence[Org], expected: OrgPlan) -> None:
    assert expected == plan_org("crm-1", "Café", siblings)
