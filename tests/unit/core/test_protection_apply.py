"""Carrying plans out: against the emulator, and against services that do what it does not."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import cast

import pytest

from pulumi_dataprotection.client import Account, Client, Clock, Settings, errors, records
from pulumi_dataprotection.core.orgs import ORG_ATTEMPTS, create_org
from pulumi_dataprotection.core.outcomes import error_context
from pulumi_dataprotection.core.protection.apply import protect, unprotect
from pulumi_dataprotection.core.protection.plan import Step
from support import Emulator
from support.history import policies_on
from support.resources.scripted import LOST, Reply, ScriptedServer, items, reply
from support.scripted import DrivenClock, Request

TENANT, FREE, PROTECTED = "tenant-contoso", "res-contoso-user-20", "res-contoso-user-01"
GOLD, SILVER = "policy-contoso-gold", "policy-contoso-silver"

LIST = "GET /api/v1/tenants/t-1/protections"
PROTECT = "POST /api/v1/tenants/t-1/resources/r-1/protect"
UNPROTECT = "DELETE /api/v1/tenants/t-1/resources/r-1/protect"
CHILDREN = "GET /api/v1/orgs/org-1/orgs"
CREATE = "POST /api/v1/orgs"

OLD = {"id": "prot-1", "resource_id": "r-1", "policy_id": "old", "job_id": "job-1"}
NEW = {"id": "prot-2", "resource_id": "r-1", "policy_id": "new", "job_id": "job-2"}
PROTECT_NEW = (Step("protect", "new"),)
SWAP = (Step("protect", "new"), Step("unprotect", "old"))
TIDY = (Step("adopt", "new"), Step("unprotect", "old"))
SHOP = {"id": "org-7", "external_id": "crm-7", "kind": "basic", "name": "Shop"}

ELSEWHERE = (
    "the service answers with the organization org-9, and does not list it below org-1: the external_id belongs to an "
    "organization elsewhere, or a new one shows later than readLag says"
)

REFUSED = (400, 409)
READ_LAG = 5
JOB = {"job_id": "job-3"}


@contextmanager
def estate_at(url: str, api_key: str = "key") -> Generator[Account]:
    settings = Settings(api_key=api_key, base_url=url, calls_per_second=0)
    with closing(Client(settings, clock=DrivenClock())) as client:
        yield Account(client)


@pytest.fixture
def account(emulator: Emulator) -> Iterator[Account]:
    with estate_at(emulator.url, emulator.api_key) as account:
        yield account


def test_protecting_returns_the_protection_that_the_service_lists(account: Account, emulator: Emulator) -> None:
    protection = protect(account.tenant(TENANT), FREE, [Step("protect", GOLD)])
    (listed,) = (one for one in emulator.state()["protections"] if one["resource_id"] == FREE)
    expected = records.Protection(id=listed["id"], resource_id=FREE, policy_id=GOLD, job_id=listed["job_id"])
    assert expected == protection


def test_protecting_is_one_write(account: Account, emulator: Emulator) -> None:
    protect(account.tenant(TENANT), FREE, [Step("protect", GOLD)])
    assert ["protect_resource"] == [request["operation"] for request in emulator.writes()]


def test_what_was_protected_is_known_afterwards_without_asking(account: Account, emulator: Emulator) -> None:
    protection = protect(account.tenant(TENANT), FREE, [Step("protect", GOLD)])
    emulator.clear_requests()
    assert ([protection], []) == (account.tenant(TENANT).protections.of(FREE), emulator.requests())


def test_adopting_writes_nothing(account: Account, emulator: Emulator) -> None:
    protection = protect(account.tenant(TENANT), PROTECTED, [Step("adopt", SILVER)])
    assert ("prot-contoso-01", []) == (protection.id, emulator.writes())


def test_replacing_leaves_exactly_the_new_policy(account: Account, emulator: Emulator) -> None:
    protect(account.tenant(TENANT), PROTECTED, [Step("protect", GOLD), Step("unprotect", SILVER)])
    assert [GOLD] == policies_on(emulator, PROTECTED)


def test_replacing_tries_the_new_policy_before_it_removes_the_old_one(account: Account, emulator: Emulator) -> None:
    protect(account.tenant(TENANT), PROTECTED, [Step("protect", GOLD), Step("unprotect", SILVER)])
    expected = [("protect_resource", 400), ("unprotect_resource", 200), ("protect_resource", 200)]
    assert expected == [(request["operation"], request["status"]) for request in emulator.writes()]


REFUSED_AND_DONE = {"operation": "protect_resource", "do": [{"status": 409, "after": True}]}
KEPT = {"operation": "unprotect_resource", "do": ["status:403"]}


def test_a_swap_that_was_refused_and_done_all_the_same_is_found_where_the_old_policy_cannot_be_removed(
    account: Account, emulator: Emulator
) -> None:
    emulator.set_dialect(second_policy="replaces")
    with emulator.faults(REFUSED_AND_DONE, KEPT):
        assert (
            GOLD
            == protect(account.tenant(TENANT), PROTECTED, [Step("protect", GOLD), Step("unprotect", SILVER)]).policy_id
        )
    assert [GOLD] == policies_on(emulator, PROTECTED)


@pytest.mark.parametrize("reading", ["status:403", "stall:0"])
def test_a_swap_that_was_refused_fails_where_the_old_policy_cannot_be_removed(
    account: Account, emulator: Emulator, reading: str
) -> None:
    with (
        emulator.faults(KEPT, {"operation": "list_protections", "do": [reading]}),
        pytest.raises(errors.ForbiddenError, match="unprotect a resource"),
    ):
        protect(account.tenant(TENANT), PROTECTED, [Step("protect", GOLD), Step("unprotect", SILVER)])
    assert [SILVER] == policies_on(emulator, PROTECTED)


def test_unprotecting_takes_the_policy_off(account: Account, emulator: Emulator) -> None:
    unprotect(account.tenant(TENANT), PROTECTED, SILVER)
    assert [] == policies_on(emulator, PROTECTED)


def test_what_was_unprotected_is_forgotten(account: Account) -> None:
    before = account.tenant(TENANT).protections.of(PROTECTED)
    unprotect(account.tenant(TENANT), PROTECTED, SILVER)
    assert (1, []) == (len(before), account.tenant(TENANT).protections.of(PROTECTED))


def test_unprotecting_what_was_unprotected_elsewhere_is_a_success(account: Account, emulator: Emulator) -> None:
    before = account.tenant(TENANT).protections.of(PROTECTED)
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "prot-contoso-01", "deleted": True}]})
    unprotect(account.tenant(TENANT), PROTECTED, SILVER)
    assert (1, []) == (len(before), account.tenant(TENANT).protections.of(PROTECTED))


def new_org(account: Account, external_id: str, name: str) -> tuple[records.Org, str | None]:
    return create_org(
        account, parent_org_id="org-alpine", external_id=external_id, name=name, admin_email="it@shop.example"
    )


def test_a_new_organization_comes_with_its_invitation(account: Account) -> None:
    org, invitation_url = new_org(account, "crm-7", "Shop")
    assert ("crm-7", "Shop", "https://portal.example/invitations/") == (
        org.external_id,
        org.name,
        (invitation_url or "")[:35],
    )


def test_an_organization_that_exists_is_taken_over_without_a_write(account: Account, emulator: Emulator) -> None:
    org, invitation_url = new_org(account, "crm-1001", "Northwind Traders")
    assert ("org-northwind", None, []) == (org.id, invitation_url, emulator.writes())


def test_an_organization_with_another_name_is_not_taken_over(account: Account) -> None:
    with pytest.raises(errors.DataProtectionError) as raised:
        new_org(account, "crm-1001", "Shop")
    expected = (
        'the external_id "crm-1001" belongs to the organization "Northwind Traders" (org-northwind), '
        'and this asks for "Shop"'
    )
    assert expected == str(raised.value)


def test_an_external_id_that_another_branch_has_is_found_in_the_services_answer(
    account: Account, emulator: Emulator
) -> None:
    with pytest.raises(errors.DataProtectionError) as raised:
        new_org(account, "crm-1003", "Shop")
    expected = 'the external_id "crm-1003" belongs to the organization "Adatum" (org-adatum), and this asks for "Shop"'
    assert (expected, 6) == (str(raised.value), len(emulator.state()["orgs"]))


@pytest.mark.parametrize("status", REFUSED)
def test_protecting_that_was_refused_because_it_was_done_is_a_success(status: int) -> None:
    script = {PROTECT: [LOST, Reply(status)], LIST: [items(NEW)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        protection = protect(account.tenant("t-1"), "r-1", PROTECT_NEW)
    assert records.Protection(**NEW) == protection


UNCLEAR = {"lost": LOST, "503": reply(503), "page": reply(200, "<h1>Welcome</h1>")}


@pytest.mark.parametrize("reply", UNCLEAR.values(), ids=UNCLEAR)
def test_protecting_whose_outcome_is_unclear_is_settled_by_reading(reply: Reply) -> None:
    with ScriptedServer({PROTECT: [reply], LIST: [items(NEW)]}) as server, estate_at(server.url) as account:
        assert records.Protection(**NEW) == protect(account.tenant("t-1"), "r-1", PROTECT_NEW)


@pytest.mark.parametrize("reply", UNCLEAR.values(), ids=UNCLEAR)
def test_the_old_policy_stays_where_the_outcome_of_the_new_one_is_unclear(reply: Reply) -> None:
    with ScriptedServer({PROTECT: [reply], LIST: [items(OLD)]}) as server, estate_at(server.url) as account:
        with pytest.raises(errors.CallError):
            protect(account.tenant("t-1"), "r-1", SWAP)
        assert {f"{PROTECT}?policy_id=new"} == {*server.writes}


def test_a_policy_that_is_wanted_is_found_beside_others() -> None:
    with ScriptedServer({LIST: [items(OLD, NEW)]}) as server, estate_at(server.url) as account:
        assert records.Protection(**NEW) == protect(account.tenant("t-1"), "r-1", [Step("adopt", "new")])


@pytest.mark.parametrize("status", REFUSED)
def test_protecting_that_is_refused_is_an_error(status: int) -> None:
    with ScriptedServer({PROTECT: [Reply(status)], LIST: [items()]}) as server, estate_at(server.url) as account:
        with pytest.raises(errors.StatusError) as raised:
            protect(account.tenant("t-1"), "r-1", PROTECT_NEW)
        assert status == raised.value.status


@pytest.mark.parametrize("status", REFUSED)
def test_a_policy_that_the_service_refuses_beside_the_old_one_takes_its_place(status: int) -> None:
    script = {
        PROTECT: [Reply(status), reply()],
        UNPROTECT: [reply()],
        LIST: [items(OLD), items(OLD), items(NEW)],
    }
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        protection = protect(account.tenant("t-1"), "r-1", SWAP)
        expected = [f"{PROTECT}?policy_id=new", f"{UNPROTECT}?policy_id=old", f"{PROTECT}?policy_id=new"]
        assert ("prot-2", expected) == (protection.id, server.writes)


def test_a_policy_that_the_service_adds_has_the_old_one_removed_after_it() -> None:
    script = {PROTECT: [reply()], UNPROTECT: [reply()], LIST: [items(OLD, NEW)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        protection = protect(account.tenant("t-1"), "r-1", SWAP)
        expected = [f"{PROTECT}?policy_id=new", f"{UNPROTECT}?policy_id=old"]
        assert ("prot-2", expected) == (protection.id, server.writes)


def test_a_policy_that_the_service_replaces_by_itself_needs_no_removal() -> None:
    with ScriptedServer({PROTECT: [reply()], LIST: [items(NEW)]}) as server, estate_at(server.url) as account:
        protect(account.tenant("t-1"), "r-1", SWAP)
        assert [f"{PROTECT}?policy_id=new"] == server.writes


def test_adopting_removes_what_is_left_of_ours() -> None:
    with ScriptedServer({UNPROTECT: [reply()], LIST: [items(OLD, NEW)]}) as server, estate_at(server.url) as account:
        protect(account.tenant("t-1"), "r-1", TIDY)
        assert [f"{UNPROTECT}?policy_id=old"] == server.writes


HALF_WAY = {UNPROTECT: [reply()], LIST: [items(OLD), items(OLD), items()]}


def swap_error(script: Mapping[str, Sequence[Reply]]) -> tuple[str, list[str]]:
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        with pytest.raises(errors.DataProtectionError) as raised:
            protect(account.tenant("t-1"), "r-1", SWAP)
        return str(raised.value), server.writes


def test_a_swap_that_fails_half_way_puts_the_old_policy_back() -> None:
    _, writes = swap_error({**HALF_WAY, PROTECT: [reply(400), reply(403), reply()]})
    assert f"{PROTECT}?policy_id=old" == writes[-1]


def test_a_swap_that_was_undone_says_so() -> None:
    text, _ = swap_error({**HALF_WAY, PROTECT: [reply(400), reply(403, {"message": "no"}), reply(200, JOB)]})
    expected = (
        "403 forbidden (POST /api/v1/tenants/t-1/resources/r-1/protect): no. The application of the API key from "
        "the program lacks the permission to write this: use a key that has it, and that is installed where this "
        "belongs. The policy old is on it again"
    )
    assert expected == text


def test_a_swap_whose_last_answer_got_lost_is_settled_by_reading() -> None:
    script = {
        PROTECT: [reply(400), LOST],
        UNPROTECT: [reply()],
        LIST: [items(OLD), items(OLD), items(NEW)],
    }
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        protection = protect(account.tenant("t-1"), "r-1", SWAP)
    assert records.Protection(**NEW) == protection


def test_an_old_policy_that_cannot_be_put_back_is_said_to_be_missing() -> None:
    text, _ = swap_error({**HALF_WAY, PROTECT: [reply(400), reply(403)]})
    start = text.index(" The policy old")
    end = "The policy old was removed to make room and could not be put back (403 forbidden"
    assert (end, "r-1 IS NOT PROTECTED. Run `pulumi up` again") == (
        text[start + 1 :].split(" (POST")[0],
        text.split("): ")[-1],
    )


def test_a_swap_that_cannot_be_read_after_it_failed_says_what_may_be_missing() -> None:
    script = {**HALF_WAY, PROTECT: [reply(400), reply(403)], LIST: [items(OLD), items(OLD), reply(403)]}
    text, writes = swap_error(script)
    assert ("r-1 IS NOT PROTECTED. Run `pulumi up` again", 4) == (text.split("): ")[-1], len(writes))


def test_an_old_policy_that_cannot_be_removed_stays() -> None:
    script = {PROTECT: [reply(400)], UNPROTECT: [reply(403)], LIST: [items(OLD)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account, pytest.raises(errors.ForbiddenError):
        protect(account.tenant("t-1"), "r-1", SWAP)
    assert [f"{PROTECT}?policy_id=new", f"{UNPROTECT}?policy_id=old"] == server.writes


def test_a_protection_that_the_service_does_not_list_yet_is_what_the_service_said() -> None:
    script = {PROTECT: [reply(200, {"job_id": "job-2"})], LIST: [items()]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        expected = records.Protection(id="", resource_id="r-1", policy_id="new", job_id="job-2")
        assert expected == protect(account.tenant("t-1"), "r-1", PROTECT_NEW)
        assert [expected] == account.tenant("t-1").protections.of("r-1")


def test_an_adopted_protection_that_vanishes_meanwhile_is_an_error() -> None:
    script = {LIST: [items(OLD, NEW), items()], UNPROTECT: [reply(400)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        with pytest.raises(errors.DataProtectionError) as raised:
            protect(account.tenant("t-1"), "r-1", TIDY)
        assert str(raised.value) == "the policy was taken off again while this ran"


@pytest.mark.parametrize("answer", [LOST, reply(503)], ids=["lost", "503"])
def test_a_protection_whose_answer_got_lost_is_found_by_reads_that_lag(answer: Reply) -> None:
    script = {PROTECT: [answer], LIST: [items(), items(), items(), items(), items(NEW)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        expected = records.Protection(**NEW)
        assert expected == protect(account.tenant("t-1"), "r-1", PROTECT_NEW)


def test_a_swap_on_a_service_that_lags_removes_the_old_policy_once() -> None:
    script = {PROTECT: [reply(400), reply(200, {"job_id": "job-2"})], UNPROTECT: [reply()], LIST: [items(OLD)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        protect(account.tenant("t-1"), "r-1", SWAP)
        expected = ["POST", "DELETE", "POST"]
        assert expected == [request.method for request in server.requests if request.method != "GET"]


def test_a_removal_is_settled_by_reads_that_lag() -> None:
    script = {UNPROTECT: [reply(404)], LIST: [items(OLD), items(OLD), items(OLD), items()]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        unprotect(account.tenant("t-1"), "r-1", "old")
        assert account.tenant("t-1").protections.of("r-1") == []


@pytest.mark.parametrize("status", [404, 400, 409])
def test_unprotecting_that_is_refused_because_it_is_off_is_a_success(status: int) -> None:
    script = {UNPROTECT: [Reply(status)], LIST: [items(NEW)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        unprotect(account.tenant("t-1"), "r-1", "old")
        assert [records.Protection(**NEW)] == account.tenant("t-1").protections.of("r-1")


@pytest.mark.parametrize("status", [404, 400, 409])
def test_unprotecting_that_is_refused_while_it_is_on_is_an_error(status: int) -> None:
    script = {UNPROTECT: [Reply(status)], LIST: [items(OLD)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        with pytest.raises(errors.StatusError) as raised:
            unprotect(account.tenant("t-1"), "r-1", "old")
        assert status == raised.value.status


def create_shop(account: Account) -> tuple[records.Org, str | None]:
    return create_org(account, parent_org_id="org-1", external_id="crm-7", name="Shop", admin_email=None)


@pytest.mark.parametrize("reply", [*UNCLEAR.values(), reply(400), reply(409)], ids=[*UNCLEAR, "400", "409"])
def test_an_organization_that_exists_after_an_error_is_found_by_looking_it_up(reply: Reply) -> None:
    with (
        ScriptedServer({CREATE: [reply], CHILDREN: [items(), items(SHOP)]}) as server,
        estate_at(server.url) as account,
    ):
        found = create_shop(account)
        assert ((records.Org(**SHOP), None), 1) == (found, len(server.writes))


@pytest.mark.parametrize("status", REFUSED)
def test_a_refusal_to_create_an_organization_is_raised_after_one_try(status: int) -> None:
    with ScriptedServer({CREATE: [Reply(status)], CHILDREN: [items()]}) as server, estate_at(server.url) as account:
        with pytest.raises(errors.StatusError) as raised:
            create_shop(account)
        assert (status, 1) == (raised.value.status, len(server.writes))


def test_an_answer_about_a_new_organization_that_cannot_be_read_is_raised_after_one_try() -> None:
    script = {CREATE: [reply(200, "<h1>Welcome</h1>")], CHILDREN: [items()]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        with pytest.raises(errors.AnswerError):
            create_shop(account)
        assert len(server.writes) == 1


def test_a_missing_permission_to_create_an_organization_is_raised_at_once() -> None:
    with ScriptedServer({CREATE: [reply(403)], CHILDREN: [items()]}) as server, estate_at(server.url) as account:
        with pytest.raises(errors.ForbiddenError):
            create_shop(account)
        assert ["GET", "POST"] == [request.method for request in server.requests]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [(LOST, errors.OutcomeUnclearError), (reply(503), errors.ServiceError)],
    ids=["lost", "503"],
)
def test_an_organization_is_never_asked_for_without_looking_first(
    reply: Reply, expected: type[errors.CallError]
) -> None:
    with ScriptedServer({CREATE: [reply], CHILDREN: [items()]}) as server, estate_at(server.url) as account:
        with pytest.raises(expected):
            create_shop(account)
        tried = [request.method for request in server.requests]
        assert ["GET", "POST", "GET"] == tried[:3]
        assert tried.count("POST") == ORG_ATTEMPTS
        # Between two tries it is looked for until no read can hide it any more.
        assert "POST, POST" not in ", ".join(tried)
        clock = cast("DrivenClock", account.client.clock)
        assert sum(clock.waits) >= (ORG_ATTEMPTS - 1) * READ_LAG


@pytest.mark.parametrize(
    ("org", "expected"),
    [
        ({"id": "org-9", "external_id": "crm-9", "name": "Deli"}, ELSEWHERE),
        ({"id": "org-9"}, ELSEWHERE),
        (
            {**SHOP, "name": "Deli"},
            'the external_id "crm-7" belongs to the organization "Deli" (org-7), and this asks for "Shop"',
        ),
        (
            {**SHOP, "external_id": "crm-9"},
            (
                'an organization named "Shop" exists already, with the external_id "crm-9" (org-7), '
                'and this asks for the external_id "crm-7"'
            ),
        ),
    ],
    ids=["another one", "no names", "another name", "another external id"],
)
def test_an_answer_that_names_another_organization_is_refused(org: Mapping[str, str], expected: str) -> None:
    script = {CREATE: [reply(200, {"org": org, "invitation_url": "https://x"})], CHILDREN: [items()]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        with pytest.raises(errors.DataProtectionError) as raised:
            create_shop(account)
        assert expected == str(raised.value)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [({"invitation_url": "https://x"}, "https://x"), ({"invitation_url": ""}, None), ({}, None)],
)
def test_an_invitation_is_what_the_service_gave(sent: Mapping[str, str], expected: str | None) -> None:
    script = {CREATE: [reply(200, {"org": SHOP, **sent})], CHILDREN: [items(), items(SHOP)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        assert (records.Org(**SHOP), expected) == create_shop(account)


def test_a_failed_call_says_what_it_was_for() -> None:
    with (
        ScriptedServer() as server,
        estate_at(server.url) as account,
        pytest.raises(errors.DataProtectionError) as raised,
        error_context("cannot feed the cat"),
    ):
        unprotect(account.tenant("t-1"), "r-1", "old")
    expected = (
        "cannot feed the cat: 404 not found (GET /api/v1/tenants/t-1): 404 page not found. "
        "Check the ids, and that the base URL is the service's"
    )
    assert expected == str(raised.value)


def test_another_failure_says_what_it_was_for() -> None:
    with pytest.raises(errors.DataProtectionError) as raised, error_context("cannot feed the cat"):
        raise errors.ReferenceNotFoundError("no cat")
    assert str(raised.value) == "cannot feed the cat: no cat"


def test_an_organization_that_exists_elsewhere_is_not_taken_over() -> None:
    created = reply(200, {"org": {**SHOP, "id": "org-9"}, "invitation_url": "https://x"})
    with ScriptedServer({CREATE: [created], CHILDREN: [items()]}) as server, estate_at(server.url) as account:
        with pytest.raises(errors.DataProtectionError) as raised:
            create_shop(account)
        assert (ELSEWHERE, 1) == (str(raised.value), len(server.writes))


def test_a_policy_that_was_put_on_counts_where_reading_it_fails() -> None:
    script = {PROTECT: [reply(200, {"job_id": "job-2"})], LIST: [items(), reply(403)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        account.tenant("t-1").protections.of("r-1")
        expected = records.Protection(id="", resource_id="r-1", policy_id="new", job_id="job-2")
        assert expected == protect(account.tenant("t-1"), "r-1", PROTECT_NEW)


def test_a_swap_whose_outcome_cannot_be_read_is_a_failure() -> None:
    script = {PROTECT: [reply(200, {"job_id": "job-2"})], LIST: [items(OLD), reply(403)]}
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        account.tenant("t-1").protections.of("r-1")
        with pytest.raises(errors.DataProtectionError, match="removes the policy old") as raised:
            protect(account.tenant("t-1"), "r-1", SWAP)
        assert isinstance(raised.value.__cause__, errors.ForbiddenError)
        assert [f"{PROTECT}?policy_id=new"] == server.writes


def test_a_finished_swap_that_cannot_be_read_names_no_policy_to_remove() -> None:
    script = {
        PROTECT: [reply(400), reply(200, JOB)],
        UNPROTECT: [reply()],
        LIST: [items(OLD), reply(403)],
    }
    with ScriptedServer(script) as server, estate_at(server.url) as account:
        account.tenant("t-1").protections.of("r-1")
        with pytest.raises(errors.ForbiddenError):
            protect(account.tenant("t-1"), "r-1", SWAP)
        assert f"{PROTECT}?policy_id=new" == server.writes[-1]


class Interrupting(ScriptedServer):
    """Interrupts a clock as soon as something is taken off."""

    clock: Clock

    def take(self, request: Request) -> Reply:
        """Interrupt it, and answer."""
        if request.method == "DELETE":
            self.clock.interrupt()
        return super().take(request)


def test_a_swap_that_has_begun_is_brought_to_its_end() -> None:
    script = {
        PROTECT: [reply(400), reply(200, {"job_id": "job-2"})],
        UNPROTECT: [reply()],
        LIST: [items(OLD), items(OLD), items(NEW)],
    }
    with Interrupting(script) as server, estate_at(server.url) as account:
        server.clock = account.client.clock
        assert records.Protection(**NEW) == protect(account.tenant("t-1"), "r-1", SWAP)
        with pytest.raises(errors.CanceledError):
            unprotect(account.tenant("t-1"), "r-1", "new")
