"""The writes on one item: a plan that is carried out by a service with any answers, and the removal of a policy."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from pulumi_dataprotection.client.records import Policy, Protection, Resource
from pulumi_dataprotection.core.outcomes import PurposeError, UnfinishedSwapError, UnprotectedError
from pulumi_dataprotection.core.protection.apply import assign_policy, protect, remove_policy, unprotect
from pulumi_dataprotection.core.protection.observe import preview, read_protection
from pulumi_dataprotection.core.protection.plan import Observed, Step
from pulumi_dataprotection.spec import BY_ID
from support.resources.scripted import LOST, Reply, ScriptedServer, Serve, reply
from support.resources.servicer import assert_names
from support.scripted import Request, page, told

TENANT, ITEM = "t-1", "r-1"
BARE = f"{ITEM} IS NOT PROTECTED"
LIST = "GET /api/v1/tenants/t-1/protections"
ASSIGN = "POST /api/v1/tenants/t-1/resources/r-1/protect"
REMOVE = "DELETE /api/v1/tenants/t-1/resources/r-1/protect"
POLICIES = "GET /api/v1/tenants/t-1/policies"

OLD = {"id": "prot-1", "resource_id": ITEM, "policy_id": "old", "job_id": "job-1"}
NEW = {"id": "prot-2", "resource_id": ITEM, "policy_id": "new", "job_id": "job-2"}
LISTED = Protection(**NEW)
UNLISTED = Protection(id="", resource_id=ITEM, policy_id="new", job_id="job-2")
"""The new policy, as the answer to its assignment describes it."""
ONLY_OLD, ONLY_NEW, BOTH, NONE = page(OLD), page(NEW), page(OLD, NEW), page()
DONE, REFUSED, FORBIDDEN, FAILED = reply(200, {"job_id": "job-2"}), reply(400), reply(403), reply(503)
CONFLICT, BUSY = reply(409), reply(423)
PAGE = reply(200, "<h1>Welcome</h1>")

NEW_ONLY = (Step("protect", "new"),)
SWAP = (Step("protect", "new"), Step("unprotect", "old"))
ADOPT = (Step("adopt", "new"),)
TIDY = (Step("adopt", "new"), Step("unprotect", "old"))

Failure = type[errors.DataProtectionError]


class Case(NamedTuple):
    """The answers of a service while a plan is carried out, and its outcome.

    Attributes:
        steps: the plan.
        assigns: the answers to assignments.
        lists: the answers to listings.
        outcome: the protection, or the class of the error.
        writes: the policies that are assigned and removed, in order.
        names: the names in the error.
        removes: the answers to removals.
        known: whether the protections were listed before.
    """

    steps: Sequence[Step]
    assigns: Sequence[Reply]
    lists: Sequence[Reply]
    outcome: Protection | Failure
    writes: str
    names: Sequence[str] = ()
    removes: Sequence[Reply] = (reply(),)
    known: bool = False


UNCLEAR, REMOVALS, RETURNS = (" ".join([write] * MAX_ATTEMPTS) for write in ("+new", "-old", "+old"))
REMOVED_FIRST = (ONLY_OLD, ONLY_OLD)
"""The listings up to the removal of the old policy, after the service refused a second policy."""
HALF_WAY = (*REMOVED_FIRST, NONE)

CASES = {
    "assigned, not listed yet": Case(NEW_ONLY, [DONE], [NONE], UNLISTED, "+new"),
    "assigned, not readable": Case(NEW_ONLY, [DONE], [NONE, FORBIDDEN], UNLISTED, "+new", known=True),
    "an answer is lost": Case(NEW_ONLY, [LOST], [ONLY_NEW], LISTED, UNCLEAR),
    "an answer is lost, and reads lag": Case(NEW_ONLY, [LOST], [NONE, NONE, NONE, NONE, ONLY_NEW], LISTED, UNCLEAR),
    "503 after the write": Case(NEW_ONLY, [FAILED], [ONLY_NEW], LISTED, UNCLEAR),
    "503 after the write, and reads lag": Case(NEW_ONLY, [FAILED], [NONE, NONE, NONE, NONE, ONLY_NEW], LISTED, UNCLEAR),
    "a page after the write": Case(NEW_ONLY, [PAGE], [ONLY_NEW], LISTED, "+new"),
    "done before, 400": Case(NEW_ONLY, [LOST, REFUSED], [ONLY_NEW], LISTED, "+new +new"),
    "done before, 409": Case(NEW_ONLY, [LOST, reply(409)], [ONLY_NEW], LISTED, "+new +new"),
    "400": Case(NEW_ONLY, [REFUSED], [NONE], errors.InvalidArgumentError, "+new"),
    "409": Case(NEW_ONLY, [CONFLICT], [NONE], errors.ConflictError, "+new +new +new"),
    "409, then assigned": Case(NEW_ONLY, [CONFLICT, DONE], [NONE], UNLISTED, "+new +new"),
    "409 twice, then assigned": Case(NEW_ONLY, [CONFLICT, CONFLICT, DONE], [NONE], UNLISTED, "+new +new +new"),
    "409, done by another request": Case(NEW_ONLY, [CONFLICT], [NONE, ONLY_NEW], LISTED, "+new +new"),
    "409 because of another policy": Case(NEW_ONLY, [CONFLICT], [ONLY_OLD], errors.ConflictError, "+new"),
    "409 because of a later policy": Case(NEW_ONLY, [CONFLICT], [NONE, ONLY_OLD], errors.ConflictError, "+new +new"),
    "409, not readable": Case(NEW_ONLY, [CONFLICT], [FORBIDDEN], errors.ForbiddenError, "+new"),
    "busy": Case(NEW_ONLY, [BUSY], [NONE], errors.BusyError, UNCLEAR),
    "busy, done by another request": Case(NEW_ONLY, [BUSY], [ONLY_NEW], LISTED, UNCLEAR),
    "swap, busy": Case(SWAP, [BUSY], [ONLY_OLD], errors.BusyError, UNCLEAR),
    "swap, 409 twice after the removal": Case(
        SWAP, [REFUSED, CONFLICT, CONFLICT, DONE], [ONLY_OLD, NONE], UNLISTED, "+new -old +new +new +new"
    ),
    "swap, 409 after the removal, put back": Case(
        SWAP,
        [REFUSED, *[CONFLICT] * 4, DONE],
        [ONLY_OLD, NONE],
        errors.DataProtectionError,
        "+new -old +new +new +new +old +old",
        ["409", "old"],
    ),
    "swap, 409 at the removal": Case(
        SWAP, [REFUSED, DONE], HALF_WAY, UNLISTED, "+new -old -old +new", removes=[CONFLICT, reply()]
    ),
    "swap, 409 at each removal": Case(
        SWAP, [REFUSED], [ONLY_OLD], errors.ConflictError, "+new -old -old -old", removes=[CONFLICT]
    ),
    "swap, lost": Case(SWAP, [LOST], [ONLY_OLD], errors.OutcomeUnclearError, UNCLEAR),
    "swap, 503": Case(SWAP, [FAILED], [ONLY_OLD], errors.ServiceError, UNCLEAR),
    "swap, page": Case(SWAP, [PAGE], [ONLY_OLD], errors.AnswerError, "+new"),
    "swap, added": Case(SWAP, [DONE], [BOTH], LISTED, "+new -old"),
    "swap, replaced": Case(SWAP, [DONE], [ONLY_NEW], LISTED, "+new"),
    "swap, 400": Case(SWAP, [REFUSED, DONE], [ONLY_OLD], UNLISTED, "+new -old +new"),
    "swap, 409": Case(SWAP, [reply(409), DONE], [ONLY_OLD], UNLISTED, "+new -old +new"),
    "swap, last answer lost": Case(SWAP, [REFUSED, LOST], [*REMOVED_FIRST, ONLY_NEW], LISTED, f"+new -old {UNCLEAR}"),
    "swap, refused but done": Case(SWAP, [REFUSED], [ONLY_NEW], LISTED, "+new -old", removes=[FORBIDDEN]),
    "swap, old policy stays": Case(
        SWAP, [REFUSED], [ONLY_OLD], errors.ForbiddenError, "+new -old", removes=[FORBIDDEN]
    ),
    "swap, old policy stays and is not readable": Case(
        SWAP, [REFUSED], [FORBIDDEN], errors.ForbiddenError, "+new -old", ["unprotect"], removes=[FORBIDDEN]
    ),
    "swap, not readable": Case(
        SWAP, [DONE], [ONLY_OLD, FORBIDDEN], UnfinishedSwapError, "+new", ["403", "old"], known=True
    ),
    "swap, not readable in the end": Case(
        SWAP, [REFUSED, DONE], [ONLY_OLD, FORBIDDEN], UNLISTED, "+new -old +new", known=True
    ),
    "swap, put back": Case(
        SWAP,
        [REFUSED, reply(403, {"message": "no licence"}), DONE],
        HALF_WAY,
        errors.DataProtectionError,
        "+new -old +new +old",
        ["403", ASSIGN, "no licence", "old"],
    ),
    "swap, not put back": Case(
        SWAP, [REFUSED, FORBIDDEN], HALF_WAY, UnprotectedError, "+new -old +new +old", ["403", "old", BARE]
    ),
    "swap, not put back and not readable": Case(
        SWAP, [REFUSED, FORBIDDEN], [*REMOVED_FIRST, FORBIDDEN], UnprotectedError, "+new -old +new +old", ["403", BARE]
    ),
    "swap, removal unclear, then no key": Case(
        SWAP, [REFUSED], [ONLY_OLD], UnprotectedError, "+new -old -old", ["401", BARE], removes=[FAILED, reply(401)]
    ),
    "swap, added, 503 at the removal": Case(
        SWAP, [DONE], [BOTH], UnfinishedSwapError, f"+new {REMOVALS}", ["503", "old"], removes=[FAILED]
    ),
    "swap, added, not listed": Case(SWAP, [DONE], [ONLY_OLD], UnfinishedSwapError, "+new", ["new", "old"]),
    "swap, 503 at the removal": Case(
        SWAP, [REFUSED], [ONLY_OLD], errors.ServiceError, f"+new {REMOVALS}", removes=[FAILED]
    ),
    "swap, removal lost and done": Case(
        SWAP, [REFUSED, DONE], [NONE], UNLISTED, f"+new {REMOVALS} +new", removes=[LOST]
    ),
    "swap, 503, put back": Case(
        SWAP,
        [REFUSED, *[FAILED] * MAX_ATTEMPTS, DONE],
        HALF_WAY,
        errors.DataProtectionError,
        f"+new -old {UNCLEAR} +old",
        ["503", "old"],
    ),
    "swap, 503, not put back": Case(
        SWAP, [REFUSED, FAILED], HALF_WAY, UnprotectedError, f"+new -old {UNCLEAR} {RETURNS}", ["503", BARE]
    ),
    "swap, put back and lost": Case(
        SWAP,
        [REFUSED, FORBIDDEN, LOST],
        [*HALF_WAY, ONLY_OLD],
        errors.DataProtectionError,
        f"+new -old +new {RETURNS}",
        ["403", "old"],
    ),
    "swap, put back and refused because it is back": Case(
        SWAP,
        [REFUSED, FORBIDDEN, LOST, reply(409)],
        [*HALF_WAY, ONLY_OLD],
        errors.DataProtectionError,
        "+new -old +new +old +old",
        ["403", "old"],
    ),
    "adopted": Case(ADOPT, [], [BOTH], LISTED, ""),
    "adopted, old policy removed": Case(TIDY, [], [BOTH], LISTED, "-old"),
    "adopted, and gone meanwhile": Case(TIDY, [], [BOTH, NONE], errors.DataProtectionError, "-old", removes=[REFUSED]),
}


def writes(server: ScriptedServer) -> str:
    """Return the assignments and removals that a service got."""
    signs = {"POST": "+", "DELETE": "-"}
    sent = [request for request in server.requests if request.method != "GET"]
    return " ".join(signs[request.method] + request.query["policy_id"] for request in sent)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_plan_ends_with_the_policy_or_an_error_for_any_answers(serve: Serve, case: Case) -> None:
    server, account = serve({ASSIGN: case.assigns, REMOVE: case.removes, LIST: case.lists})
    tenant = account.tenant(TENANT)
    if case.known:
        tenant.protections.of(ITEM)
    if isinstance(case.outcome, Protection):
        assert case.outcome == protect(tenant, ITEM, case.steps)
        assert case.outcome in tenant.protections.of(ITEM)
    else:
        with pytest.raises(errors.DataProtectionError) as raised:
            protect(tenant, ITEM, case.steps)
        assert case.outcome is type(raised.value)
        assert_names(raised.value, *case.names)
    assert case.writes == writes(server)


LAGGING = [ONLY_OLD, ONLY_OLD, ONLY_OLD, NONE]
REJECTED = {
    "404": [reply(404)],
    "400": [REFUSED],
    "409": [reply(409)],
    "lost, then 403": [LOST, FORBIDDEN],
}
"""The answers to a removal."""


@pytest.mark.parametrize("removes", REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize(("lists", "left"), [([ONLY_NEW], [LISTED]), (LAGGING, [])], ids=["gone", "gone, reads lag"])
def test_a_rejected_removal_of_a_policy_that_is_gone_succeeds(
    serve: Serve, removes: Sequence[Reply], lists: Sequence[Reply], left: list[Protection]
) -> None:
    _, account = serve({REMOVE: removes, LIST: lists})
    unprotect(account.tenant(TENANT), ITEM, "old")
    assert left == account.tenant(TENANT).protections.of(ITEM)


@pytest.mark.parametrize(("status", "attempts"), [(404, 1), (400, 1), (409, 3), (423, MAX_ATTEMPTS)])
def test_a_rejected_removal_of_a_policy_that_stays_fails(serve: Serve, status: int, attempts: int) -> None:
    server, account = serve({REMOVE: [reply(status)], LIST: [ONLY_OLD]})
    with pytest.raises(errors.StatusError) as raised:
        unprotect(account.tenant(TENANT), ITEM, "old")
    assert (status, attempts) == (raised.value.status, len(server.writes))


def test_a_removal_that_is_in_conflict_with_another_request_is_sent_again(serve: Serve) -> None:
    server, account = serve({REMOVE: [CONFLICT, CONFLICT, reply()], LIST: [ONLY_OLD]})
    unprotect(account.tenant(TENANT), ITEM, "old")
    assert ("-old -old -old", []) == (writes(server), account.tenant(TENANT).protections.of(ITEM))


def test_a_removal_during_a_long_cool_down_fails_without_a_read(serve: Serve) -> None:
    server, account = serve({REMOVE: [told({}, 429, Retry_After="86400")], LIST: [ONLY_OLD]})
    for attempts in (1, 0):
        with pytest.raises(errors.TooManyRequestsError) as raised:
            unprotect(account.tenant(TENANT), ITEM, "old")
        assert (attempts, "unprotect_resource") == (raised.value.attempts, raised.value.operation.id)
    assert 1 == len(server.requests)


def test_a_policy_that_others_assign_between_two_attempts_stays_and_both_policies_are_named(serve: Serve) -> None:
    server, account = serve(
        {ASSIGN: [LOST, REFUSED], LIST: [NONE, NONE, ONLY_OLD], POLICIES: [page({"id": "old", "name": "Old"})]}
    )
    item, policy = Resource(id=ITEM, name="jane"), Policy(id="new", name="Silver")
    with pytest.raises(errors.DataProtectionError) as raised:
        assign_policy(account.tenant(TENANT), item, policy, own=(), on_conflict="fail")
    assert_names(raised.value, "jane", TENANT, '"Silver"', "old", "on_conflict")
    assert writes(server) == "+new +new"


def test_a_policy_that_an_earlier_process_removed_is_not_a_conflict(serve: Serve) -> None:
    _, account = serve({LIST: [ONLY_OLD, NONE]})
    item = Observed(Resource(id=ITEM, name="jane"))
    steps = preview(account.tenant(TENANT), item, "new", own=(), on_conflict="fail", changes=True)
    assert steps == NEW_ONLY


def test_a_policy_that_an_earlier_process_assigned_is_read_and_removed(serve: Serve) -> None:
    server, account = serve({LIST: [ONLY_OLD, ONLY_NEW], REMOVE: [reply()]})
    assert read_protection(account.tenant(TENANT), ITEM, known=["new"], managed=True) == LISTED
    later, account = serve({LIST: [ONLY_OLD, ONLY_NEW], REMOVE: [reply()]})
    remove_policy(account.tenant(TENANT), ITEM, own="new", on_destroy="unprotect")
    assert ("", "-new") == (writes(server), writes(later))


def test_a_swap_that_has_begun_is_finished_after_an_interruption(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server, account = serve({ASSIGN: [REFUSED, DONE], REMOVE: [reply()], LIST: [ONLY_OLD]})
    take = server.take

    def interrupt_a_removal(request: Request) -> Reply:
        if request.method == "DELETE":
            account.client.clock.interrupt()
        return take(request)

    monkeypatch.setattr(server, "take", interrupt_a_removal)
    assert UNLISTED == protect(account.tenant(TENANT), ITEM, SWAP)
    with pytest.raises(errors.CanceledError):
        unprotect(account.tenant(TENANT), ITEM, "new")


@pytest.mark.parametrize(
    "error",
    [
        errors.ReferenceNotFoundError("no cat"),
        errors.CallError("no cat", operation=BY_ID["get_tenant"], request="GET /", attempts=1),
    ],
    ids=["a reference", "a call"],
)
def test_an_error_begins_with_the_purpose_of_the_work(error: errors.DataProtectionError) -> None:
    assert "cannot feed it: no cat" == str(PurposeError("cannot feed it", error))
