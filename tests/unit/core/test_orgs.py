"""Organizations: the decision to create, adopt or refuse, and a creation that a service gives any answer to."""

from collections.abc import Sequence
from typing import cast

import pytest

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.core.orgs import ORG_ATTEMPTS, create_org, plan_org
from support.resources.scripted import LOST, Reply, Serve, reply
from support.resources.servicer import assert_names
from support.scripted import DrivenClock, page, told

READ_LAG = 5
CREATE = "POST /api/v1/orgs"
CHILDREN = "GET /api/v1/orgs/org-1/orgs"
INSTALLATIONS = "GET /api/v1/applications/me/installations"

SAME = Org(id="org-1", external_id="crm-1", name="Café")
DECOMPOSED = Org(id="org-2", external_id="crm-1", name="Cafe\u0301")
OTHER_NAME = Org(id="org-3", external_id="crm-1", name="Bistro")
NAMELESS = Org(id="org-4", external_id="crm-1")
OTHER_IDENTITY = Org(id="org-5", external_id="crm-9", name="Café")
NO_IDENTITY = Org(id="org-6", name="Café")
EMPTY_IDENTITY = Org(id="org-7", external_id="", name="Café")
STRANGER = Org(id="org-8", external_id="crm-8", name="Deli")
OTHER_CASE = Org(id="org-9", external_id="CRM-1", name="café")


@pytest.mark.parametrize(
    ("siblings", "action", "org", "names"),
    [
        ([], "create", None, []),
        ([STRANGER], "create", None, []),
        ([OTHER_CASE], "create", None, []),
        ([SAME], "adopt", SAME, []),
        ([DECOMPOSED], "adopt", DECOMPOSED, []),
        ([STRANGER, SAME], "adopt", SAME, []),
        ([OTHER_IDENTITY, SAME], "adopt", SAME, []),
        ([OTHER_NAME], "refuse", OTHER_NAME, ['"crm-1"', '"Bistro" (org-3)', '"Café"']),
        ([NAMELESS], "refuse", NAMELESS, ['"crm-1"', "(org-4)", '"Café"']),
        ([OTHER_IDENTITY, OTHER_NAME], "refuse", OTHER_NAME, ['"crm-1"', '"Bistro" (org-3)', '"Café"']),
        ([OTHER_IDENTITY], "refuse", OTHER_IDENTITY, ['"Café"', '"crm-9" (org-5)', '"crm-1"']),
        ([STRANGER, OTHER_IDENTITY], "refuse", OTHER_IDENTITY, ['"Café"', '"crm-9" (org-5)', '"crm-1"']),
        ([NO_IDENTITY], "refuse", NO_IDENTITY, ['"Café"', "without", "(org-6)", '"crm-1"']),
        ([EMPTY_IDENTITY], "refuse", EMPTY_IDENTITY, ['"Café"', "without", "(org-7)", '"crm-1"']),
    ],
)
def test_the_plan_of_an_organization_follows_from_its_siblings(
    siblings: Sequence[Org], action: str, org: Org | None, names: Sequence[str]
) -> None:
    plan = plan_org("crm-1", "Café", siblings)
    assert (action, org, action == "refuse") == (plan.action, plan.org, bool(plan.reason))
    assert_names(plan.reason, *names)


SHOP = {"id": "org-7", "external_id": "crm-7", "kind": "basic", "name": "Shop"}
NONE, LISTED = page(), page(SHOP)
PAGE = reply(200, "<h1>Welcome</h1>")


def created(**fields: str) -> Reply:
    """Answer that an organization was created, with other fields."""
    return reply(200, {"org": {**SHOP, **fields}, "invitation_url": "https://x"})


FOUND: dict[str, tuple[Reply, str | None]] = {
    "invited": (created(), "https://x"),
    "an empty invitation": (reply(200, {"org": SHOP, "invitation_url": ""}), None),
    "no invitation": (reply(200, {"org": SHOP}), None),
    "lost": (LOST, None),
    "503": (reply(503), None),
    "page": (PAGE, None),
    "400": (reply(400), None),
    "409": (reply(409), None),
    "408": (reply(408), None),
    "409 with a time": (told({}, 409, Retry_After="60"), None),
}
"""The answer to a creation, and the invitation."""


@pytest.mark.parametrize(("answer", "invitation"), FOUND.values(), ids=FOUND)
def test_an_organization_that_is_listed_was_created(serve: Serve, answer: Reply, invitation: str | None) -> None:
    server, account = serve({CREATE: [answer], CHILDREN: [NONE, LISTED]})
    found = create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert ((Org(**SHOP), invitation), 1) == (found, len(server.writes))


ELSEWHERE = ["org-9", "org-1"]
FAILED: dict[str, tuple[Reply, type[errors.DataProtectionError], int, list[str]]] = {
    "400": (reply(400), errors.InvalidArgumentError, 1, []),
    "409": (reply(409), errors.ConflictError, ORG_ATTEMPTS, []),
    "423": (reply(423), errors.BusyError, ORG_ATTEMPTS, []),
    "409 with a time": (told({}, 409, Retry_After="60"), errors.BusyError, ORG_ATTEMPTS, []),
    "409 with a long time": (told({}, 409, Retry_After="601"), errors.BusyError, 1, []),
    "429 with a long time": (told({}, 429, Retry_After="601"), errors.TooManyRequestsError, 1, []),
    "403": (reply(403), errors.ForbiddenError, 1, []),
    "page": (PAGE, errors.AnswerError, 1, []),
    "lost": (LOST, errors.OutcomeUnclearError, ORG_ATTEMPTS, []),
    "503": (reply(503), errors.ServiceError, ORG_ATTEMPTS, []),
    "elsewhere": (created(id="org-9"), errors.DataProtectionError, 1, ELSEWHERE),
    "a stranger": (created(id="org-9", external_id="crm-9", name="Deli"), errors.DataProtectionError, 1, ELSEWHERE),
    "no names": (reply(200, {"org": {"id": "org-9"}}), errors.DataProtectionError, 1, ELSEWHERE),
    "another name": (created(name="Deli"), errors.DataProtectionError, 1, ['"crm-7"', '"Deli" (org-7)', '"Shop"']),
    "another external id": (
        created(external_id="crm-9"),
        errors.DataProtectionError,
        1,
        ['"Shop"', '"crm-9" (org-7)', '"crm-7"'],
    ),
}
"""The answer to a creation, the class of the error, the number of attempts, and the names in the error."""


@pytest.mark.parametrize(("answer", "failure", "attempts", "names"), FAILED.values(), ids=FAILED)
def test_an_organization_that_is_not_listed_is_created_again_only_after_unclear_answers_and_conflicts(
    serve: Serve, *, answer: Reply, failure: type[errors.DataProtectionError], attempts: int, names: list[str]
) -> None:
    server, account = serve({CREATE: [answer], CHILDREN: [NONE]})
    with pytest.raises(errors.DataProtectionError) as raised:
        create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert (failure, attempts) == (type(raised.value), len(server.writes))
    assert_names(raised.value, *names)
    methods = [request.method for request in server.requests]
    assert ["GET", "POST"] == methods[:2]
    # Reads that may lag stand between two attempts.
    assert "POST POST" not in " ".join(methods)
    clock = cast("DrivenClock", account.client.clock)
    assert sum(clock.waits) >= (attempts - 1) * READ_LAG


def test_an_organization_is_created_again_after_the_time_that_a_busy_service_states(serve: Serve) -> None:
    server, account = serve({CREATE: [told({}, 425, Retry_After="60"), created()], CHILDREN: [*[NONE] * 7, LISTED]})
    found = create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert ((Org(**SHOP), "https://x"), 2) == (found, len(server.writes))
    assert 60 in cast("DrivenClock", account.client.clock).waits


def test_an_external_id_that_is_listed_with_another_name_is_not_created(serve: Serve) -> None:
    server, account = serve({CHILDREN: [page({**SHOP, "name": "Deli"})]})
    with pytest.raises(errors.DataProtectionError) as raised:
        create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert_names(raised.value, '"crm-7"', '"Deli" (org-7)', '"Shop"')
    assert [] == server.writes


def test_a_forbidden_creation_is_not_repeated(serve: Serve) -> None:
    script = {CREATE: [reply(403)], CHILDREN: [NONE], INSTALLATIONS: [page({"org_id": "org-1"})]}
    server, account = serve(script)
    with pytest.raises(errors.ForbiddenError):
        create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert ["GET", "POST", "GET"] == [request.method for request in server.requests]


def test_a_creation_by_a_key_of_a_tenant_is_not_repeated(serve: Serve) -> None:
    installed = page({"tenant_id": "tenant-1"})
    server, account = serve({CREATE: [reply(403)], CHILDREN: [NONE], INSTALLATIONS: [installed]})
    with pytest.raises(errors.UnresolvedReferenceError):
        create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert 1 == len(server.writes)


def test_an_invitation_is_kept_if_the_key_loses_its_organization_meanwhile(serve: Serve) -> None:
    created = reply(200, {"org": SHOP, "invitation_url": "https://portal.example/1"})
    installed = page({"tenant_id": "tenant-1"})
    _, account = serve({CREATE: [created], CHILDREN: [NONE, reply(403)], INSTALLATIONS: [installed]})
    _, invitation_url = create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)
    assert "https://portal.example/1" == invitation_url
