"""What is not there, or not there yet: gone needs evidence, and a service that lags is asked again."""

import logging
from collections.abc import Callable, Iterator
from itertools import repeat

import pytest

from pulumi_dataprotection.client import Account, Client, Settings, calls, errors
from pulumi_dataprotection.client.records import Org, Protection
from support import Emulator
from support.client.examples import refused
from support.scripted import DrivenClock, Reply, Scripted, counted, html, page, told

LAG = 5
OURS = {"id": "p-1", "resource_id": "r-1", "policy_id": "gold", "job_id": "j-1"}
TENANT = told({"id": "t-1"})
NOT_FOUND = told({"message": "not found"}, 404)
HERE = page({"org_id": "o-0", "tenant_id": ""})


@pytest.fixture
def account(client: Client) -> Account:
    return Account(client)


def paths(server: Scripted) -> list[str]:
    return [request.target.partition("?")[0].rpartition("/")[2] for request in server.requests]


def test_a_protection_that_is_listed_is_asked_for_once(account: Account, server: Scripted, clock: DrivenClock) -> None:
    server.script(page(OURS))
    assert [Protection(**OURS)] == account.tenant("t-1").protections.proven("r-1")
    assert (["protections"], []) == (paths(server), clock.waits)


def test_a_protection_that_the_listing_lacks_is_looked_for_after_the_lag(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    server.script(page(), TENANT, page(OURS))
    view = account.tenant("t-1")
    assert [Protection(**OURS)] == view.protections.proven("r-1")
    assert (["protections", "t-1", "protections"], [LAG]) == (paths(server), clock.waits)
    assert [Protection(**OURS)] == view.protections.of("r-1")


def test_one_wait_and_a_look_at_each_prove_that_a_few_protections_are_gone(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    server.script(page(OURS), TENANT, then=repeat(page()))
    view = account.tenant("t-1")
    assert [[]] * 20 == [view.protections.proven(f"gone-{number}") for number in range(20)]
    assert [[]] * 20 == [view.protections.proven(f"gone-{number}") for number in range(20)]
    assert (22, [LAG]) == (len(server.requests), clock.waits)


def test_a_second_listing_and_the_counts_prove_that_many_are_gone(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    single = [page()] * 20
    server.script(page(OURS), TENANT, *single, page(OURS), counted(1))
    view = account.tenant("t-1")
    assert [[]] * 100 == [view.protections.proven(f"gone-{number}") for number in range(100)]
    assert (24, [LAG]) == (len(server.requests), clock.waits)


@pytest.mark.parametrize("reply", [html("404 page not found", 404), html("Log in", 200), told({})])
def test_nothing_is_gone_from_what_is_not_the_service(account: Account, server: Scripted, reply: Reply) -> None:
    server.script(page(), reply)
    with pytest.raises(errors.CallError):
        account.tenant("t-1").protections.proven("r-1")


def test_an_organization_that_does_not_show_yet_is_read_again(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    server.script(NOT_FOUND, HERE, NOT_FOUND, NOT_FOUND, told({"id": "o-1"}))
    assert Org(id="o-1") == account.org("o-1")
    assert [0.25, 0.5] == clock.waits


def test_an_organization_is_gone_where_it_does_not_show_after_the_lag(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    server.script(NOT_FOUND, HERE, then=[NOT_FOUND] * 10)
    assert account.org("o-1") is None
    assert ([0.25, 0.5, 1, 2, 1.25], LAG) == (clock.waits, sum(clock.waits))


@pytest.mark.parametrize("reply", [NOT_FOUND, html("404 page not found", 404), page(), told({})])
def test_no_organization_is_gone_from_what_is_not_the_service(account: Account, server: Scripted, reply: Reply) -> None:
    server.script(NOT_FOUND, then=[reply] * 3)
    with pytest.raises(errors.DataProtectionError):
        account.org("o-1")
    assert len(server.requests) == 2


def test_a_resource_that_the_service_does_not_know_has_no_protections(account: Account, server: Scripted) -> None:
    server.script(NOT_FOUND, TENANT, page())
    assert [] == account.tenant("t-1").protections.after_write("r-1")


def test_a_tenant_that_the_service_does_not_know_is_an_error(account: Account, server: Scripted) -> None:
    server.script(NOT_FOUND, NOT_FOUND)
    with pytest.raises(errors.NotFoundError):
        account.tenant("t-1").protections.after_write("r-1")


def test_what_was_written_is_known_before_it_shows(account: Account, server: Scripted) -> None:
    server.script(page())
    view = account.tenant("t-1")
    view.protections.add(Protection(**{**OURS, "id": ""}))
    assert ["gold"] == view.protections.policy_ids_on("r-1")


@pytest.fixture
def hasty(emulator: Emulator) -> Iterator[Client]:
    """A client of the emulator that waits two seconds for an answer."""
    client = Client(Settings(emulator.api_key, emulator.url, calls_per_second=0, request_timeout=2))
    yield client
    client.close()


def test_an_answer_that_drips_is_a_lost_answer(hasty: Client, emulator: Emulator) -> None:
    # Each drop comes in time, all of them together do not.
    with emulator.faults({"operation": "trigger_job", "do": ["slow:6"]}):
        error = refused(hasty, calls.trigger_job("tenant-contoso", "job-contoso-01"))
    assert isinstance(error, errors.OutcomeUnclearError)
    assert "the answer was not complete after 2 s" in str(error)


def test_a_listing_is_read_again_where_an_answer_dripped(hasty: Client, emulator: Emulator) -> None:
    with emulator.faults({"operation": "list_policies", "do": ["slow:6"]}):
        assert len(hasty.send(calls.list_policies("tenant-contoso"))) > 1


@pytest.mark.parametrize("headers", [{}, {"Retry_After": "900"}], ids=["tries", "too long"])
def test_others_wait_too_where_a_call_gives_up(
    connect: Callable[..., Client], server: Scripted, clock: DrivenClock, headers: dict[str, str]
) -> None:
    server.script(then=[told({}, 429, **headers)] * 8)
    with pytest.raises(errors.TooManyRequestsError):
        connect(server.url).send(calls.get_org("o-1"))
    given_up = clock.monotonic()
    server.script(told({"id": "o-1"}))
    connect(server.url).send(calls.get_org("o-1"))
    assert (600 if headers else 0) == clock.monotonic() - given_up


def test_waiting_is_told_without_names(client: Client, server: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    server.script(told({}, 503), told({"id": "r-1", "external_id": "jane@contoso.example"}))
    with caplog.at_level(logging.INFO, "pulumi_dataprotection"):
        client.send(calls.get_resource("t-1", "ext$jane@contoso.example"))
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("pulumi_dataprotection")]
    assert line.startswith("get_resource: 503 at attempt 1, retry in ")


def test_what_is_listed_is_looked_for_once_more_where_nothing_would_be_written(
    account: Account, server: Scripted, clock: DrivenClock
) -> None:
    server.script(page(OURS), page())
    view = account.tenant("t-1")
    assert ["gold"] == view.protections.policy_ids_on("r-1")
    assert [] == view.protections.after_lag("r-1") == view.protections.of("r-1")
    assert [LAG] == clock.waits


def test_what_this_process_wrote_needs_no_second_look(account: Account, server: Scripted, clock: DrivenClock) -> None:
    server.script(page())
    view = account.tenant("t-1")
    view.protections.add(Protection(**OURS))
    assert [Protection(**OURS)] == view.protections.after_lag("r-1")
    assert (1, []) == (len(server.requests), clock.waits)
