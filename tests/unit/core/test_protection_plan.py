"""What has to be done to a protection or an organization, as tables of all cases."""

from collections.abc import Sequence
from itertools import product
from typing import get_args

import pytest

from pulumi_dataprotection.client.records import Org, Resource
from pulumi_dataprotection.core.orgs import OrgPlan, plan_org
from pulumi_dataprotection.core.protection.plan import (
    Observed,
    OnConflict,
    OnDestroy,
    Step,
    plan_protection,
    plan_read,
    plan_removal,
)

JANE = Resource(id="r-1", name="jane")
LEAVER = Resource(id="r-1", name="jane", archived=True)
ITEM_GONE = Observed(missing="resource", reason="no resource")
TENANT_GONE = Observed(missing="tenant_id", reason="404 not found")


def on(*policies: str, resource: Resource = JANE) -> Observed:
    """The resource with these policies, which messages write in capitals."""
    return Observed(resource, policies, label=str.upper)


def protect(*displaced: Step) -> tuple[Step, ...]:
    return (Step("protect", "wanted"), *displaced)


def adopt(policy: str, *displaced: Step) -> tuple[Step, ...]:
    return (Step("adopt", policy), *displaced)


def conflict(there: str) -> tuple[Step, ...]:
    reason = f"jane (r-1) is protected with policy {there} already, and this asks for WANTED"
    advice = (
        'set on_conflict to "take_over" to swap it, or to "accept" to leave it. '
        "If a resource of this program put it there under another name, give this one an alias; "
        "if one gives it up, declare that one first"
    )
    return (Step("refuse", reason=reason, advice=advice, property="policy"),)


OURS_GOES = Step("unprotect", "own")
THEIRS_GOES = Step("unprotect", "foreign", "takes jane (r-1) over from policy FOREIGN")
ARCHIVED = (
    Step(
        "refuse",
        reason="jane (r-1) is archived and cannot be backed up any more",
        advice="take it out of the program",
        property="resource",
    ),
)
NO_ITEM = (Step("refuse", reason="no resource", property="resource"),)
NO_TENANT = (Step("refuse", reason="404 not found", property="tenant_id"),)

# What the service shows; then what an update does with `fail`, `take_over` and `accept`.
Plans = tuple[Observed, tuple[Step, ...], tuple[Step, ...], tuple[Step, ...]]
UPDATES: dict[str, Plans] = {
    "nothing": (on(), protect(), protect(), protect()),
    "the wanted one": (on("wanted"), adopt("wanted"), adopt("wanted"), adopt("wanted")),
    "ours": (on("own"), protect(OURS_GOES), protect(OURS_GOES), adopt("own")),
    "another": (on("foreign"), conflict("FOREIGN"), protect(THEIRS_GOES), adopt("foreign")),
    "wanted and ours": (on("wanted", "own"), adopt("wanted", OURS_GOES), adopt("wanted", OURS_GOES), adopt("own")),
    "ours and wanted": (on("own", "wanted"), adopt("wanted", OURS_GOES), adopt("wanted", OURS_GOES), adopt("own")),
    "wanted and another": (on("wanted", "foreign"), adopt("wanted"), adopt("wanted"), adopt("wanted")),
    "another and wanted": (on("foreign", "wanted"), adopt("wanted"), adopt("wanted"), adopt("wanted")),
    "ours and another": (
        on("own", "foreign"),
        conflict("OWN, FOREIGN"),
        protect(OURS_GOES, THEIRS_GOES),
        adopt("own"),
    ),
    "another and ours": (
        on("foreign", "own"),
        conflict("FOREIGN, OWN"),
        protect(OURS_GOES, THEIRS_GOES),
        adopt("own"),
    ),
    "all three": (
        on("own", "wanted", "foreign"),
        adopt("wanted", OURS_GOES),
        adopt("wanted", OURS_GOES),
        adopt("own"),
    ),
    "archived": (on(resource=LEAVER), ARCHIVED, ARCHIVED, ARCHIVED),
    "archived with the wanted one": (
        on("wanted", resource=LEAVER),
        adopt("wanted"),
        adopt("wanted"),
        adopt("wanted"),
    ),
    "archived with ours": (on("own", resource=LEAVER), ARCHIVED, ARCHIVED, adopt("own")),
    "archived with another": (on("foreign", resource=LEAVER), ARCHIVED, ARCHIVED, adopt("foreign")),
    "item gone": (ITEM_GONE, NO_ITEM, NO_ITEM, NO_ITEM),
    "tenant gone": (TENANT_GONE, NO_TENANT, NO_TENANT, NO_TENANT),
}
# When it is created nothing is ours: what an update takes for ours is another's, and conflicts.
CREATIONS: dict[str, Plans] = {name: plans for name, plans in UPDATES.items() if "own" not in plans[0].policies} | {
    "two others": (
        on("foreign", "other"),
        conflict("FOREIGN, OTHER"),
        protect(THEIRS_GOES, Step("unprotect", "other", "takes jane (r-1) over from policy OTHER")),
        adopt("foreign"),
    ),
}
CASES = [
    pytest.param(observed, own, on_conflict, expected, id=f"{operation} {name} {on_conflict}")
    for operation, own, table in (("create", (), CREATIONS), ("update", ("own",), UPDATES))
    for name, (observed, *plans) in table.items()
    for on_conflict, expected in zip(get_args(OnConflict), plans, strict=True)
]


@pytest.mark.parametrize(("observed", "own", "on_conflict", "expected"), CASES)
def test_how_a_resource_gets_its_policy_follows_from_what_the_service_shows(
    observed: Observed, own: Sequence[str], on_conflict: OnConflict, expected: tuple[Step, ...]
) -> None:
    assert expected == plan_protection("wanted", observed, own=own, on_conflict=on_conflict)


def test_nothing_is_ours_and_a_conflict_is_refused_unless_said_otherwise() -> None:
    assert conflict("FOREIGN") == plan_protection("wanted", on("foreign"))


def test_what_is_wanted_is_never_removed_though_it_is_ours() -> None:
    assert adopt("wanted") == plan_protection("wanted", on("wanted"), own={"wanted", "own"})


FORGET = Step("forget")
LOST = Step(
    "refuse",
    reason="404 not found. The tenant is not there: if it was deleted, take what is in it out of the program and run "
    "`pulumi up`, which then forgets it",
    property="tenant_id",
)
NOTHING = Step("refuse", reason="nothing protects it")

# What the service shows; then what a refresh finds, and what a `get` does.
READINGS: dict[str, tuple[Observed, Step, Step]] = {
    "nothing": (on(), FORGET, NOTHING),
    "ours": (on("own"), Step("adopt", "own"), Step("adopt", "own")),
    "another": (on("foreign"), Step("adopt", "foreign"), Step("adopt", "foreign")),
    "ours and another": (on("own", "foreign"), Step("adopt", "own"), Step("adopt", "own")),
    "another and ours": (on("foreign", "own"), Step("adopt", "own"), Step("adopt", "own")),
    "two that may be ours": (on("shown", "own"), Step("adopt", "own"), Step("adopt", "own")),
    "two others": (on("foreign", "other"), Step("adopt", "foreign"), Step("adopt", "foreign")),
    "archived": (on(resource=LEAVER), FORGET, NOTHING),
    "archived with ours": (on("own", resource=LEAVER), Step("adopt", "own"), Step("adopt", "own")),
    "item gone": (ITEM_GONE, FORGET, NOTHING),
    "tenant gone": (TENANT_GONE, LOST, LOST),
}


@pytest.mark.parametrize("name", READINGS)
def test_what_is_read_follows_from_what_the_service_shows(name: str) -> None:
    observed, refresh, get = READINGS[name]
    known = ("own", "shown")
    expected = (refresh, get)
    assert expected == tuple(plan_read(known, observed, managed=managed) for managed in (True, False))


ADOPTED = Step("leave", reason="this resource did not make the protection, it adopted it")
DECLARED = Step("leave", reason="another one declares it now")


def stays(there: str) -> Step:
    return Step("leave", reason=f"another policy is on it now, {there}")


# What the service shows; then what becomes of a policy that we put there.
REMOVALS: dict[str, tuple[Observed, Step]] = {
    "nothing": (on(), FORGET),
    "ours": (on("own"), Step("unprotect", "own")),
    "another": (on("foreign"), stays("FOREIGN")),
    "two others": (on("foreign", "other"), stays("FOREIGN, OTHER")),
    "ours and another": (on("own", "foreign"), Step("unprotect", "own")),
    "another and ours": (on("foreign", "own"), Step("unprotect", "own")),
    "archived": (on(resource=LEAVER), FORGET),
    "archived with ours": (on("own", resource=LEAVER), Step("unprotect", "own")),
    "item gone": (ITEM_GONE, FORGET),
    "tenant gone": (TENANT_GONE, FORGET),
}


@pytest.mark.parametrize(
    ("name", "on_destroy", "own", "declared_by"),
    [*product(REMOVALS, get_args(OnDestroy), ("own", None), ("another one", ""))],
)
def test_what_becomes_of_a_protection_that_goes_out_of_the_program(
    name: str, on_destroy: OnDestroy, own: str | None, declared_by: str
) -> None:
    observed, expected = REMOVALS[name]
    if own is None:
        expected = ADOPTED
    if declared_by:
        expected = DECLARED
    if on_destroy == "keep":
        expected = Step("leave")
    assert expected == plan_removal(own, observed, on_destroy=on_destroy, declared_by=declared_by)


def test_a_removal_takes_our_policy_off_unless_said_otherwise() -> None:
    assert Step("unprotect", "own") == plan_removal("own", on("own"))


def test_a_resource_that_nobody_looked_for_has_no_name() -> None:
    assert ("it", False) == (Observed().name, Observed().archived)


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
