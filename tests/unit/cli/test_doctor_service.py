"""The rows of `dataprotection doctor` about the connection, the answers of the service, and the permissions."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import repeat
from pathlib import Path

import pytest
import trustme

from pulumi_dataprotection.client import Client, Settings, calls, errors
from support import Emulator, run_process
from support.certificates import encrypted
from support.cli.commands import PYTHON
from support.cli.visit import KEY, Visit
from support.resources.servicer import HURRIED, assert_names
from support.scripted import LOST, Reply, Scripted, empty, html, page, told

READ, BILLING = "permission to read", "permission to read billing"
CHAIN = ("connection", "service", "authentication", READ, BILLING)
"""Each check needs the check before."""


@pytest.fixture
def at_the_emulator(visit: Visit, emulator: Emulator) -> Visit:
    """Return a machine with the emulator as its service, and its full key."""
    visit.set(DATAPROTECTION_BASE_URL=emulator.url, DATAPROTECTION_API_KEY=emulator.api_key)
    return visit


@pytest.fixture
def server(visit: Visit) -> Iterator[Scripted]:
    """Return a service without a script, to which the machine is connected."""
    with Scripted() as server:
        visit.set(DATAPROTECTION_BASE_URL=server.url)
        yield server


def test_each_row_is_ok_on_a_machine_without_a_fault(at_the_emulator: Visit) -> None:
    rows = at_the_emulator.rows()
    not_ok = {"project", "project's Python", "permission to write"}
    assert not_ok == {row.name for row in rows.values() if row.result != "ok"}
    assert rows["installations"].found == "1 organization as a whole (org-meridian)"


@pytest.mark.parametrize("key", ["api_key", "read_only_key"])
def test_three_reads_are_the_only_calls(at_the_emulator: Visit, emulator: Emulator, key: str) -> None:
    at_the_emulator.set(DATAPROTECTION_API_KEY=getattr(emulator, key))
    at_the_emulator.rows()
    expected = ["list_installations", "list_orgs", "list_subscriptions"]
    assert expected == [request["operation"] for request in emulator.requests()]
    assert emulator.writes() == []


def test_a_page_size_that_the_service_refuses_costs_one_call_more(at_the_emulator: Visit, emulator: Emulator) -> None:
    emulator.set_dialect(larger_limit="invalid_argument")
    at_the_emulator.set(DATAPROTECTION_PAGE_SIZE="100000")
    rows = at_the_emulator.rows()
    assert {"ok"} == {rows[name].result for name in CHAIN}
    assert len(emulator.requests()) == 4


LOGIN = html("Log in to the company's network", 200)
WORDS = {"message": f"your key {KEY} is odd"}

# The first answer of the service, the row that fails, and a part of what the row has found.
ANSWERS = {
    "login page": (LOGIN, "service", "(200, text/html): Log in to"),
    "redirect": (Reply(302, (b"",), {"Location": "https://login.example"}), "service", "302 unexpected status"),
    "list": (told([]), "service", "a JSON object"),
    "nothing": (empty(200), "service", "not JSON"),
    "400": (told(WORDS, 400), "service", "400 invalid argument"),
    "404": (told(WORDS, 404), "service", "404 not found"),
    "429": (told(WORDS, 429, Retry_After="1"), "service", "429 too many requests"),
    "500": (html("Oops", 500), "service", "500 the service failed"),
    "503": (told(WORDS, 503, Retry_After="600"), "service", "503 the service failed"),
    "401": (told(WORDS, 401), "authentication", "your key [the API key] is odd"),
    "403": (told(WORDS, 403), READ, "your key [the API key] is odd"),
    "lost": (LOST, "connection", "lost"),
}


@pytest.mark.parametrize(("reply", "name", "found"), ANSWERS.values(), ids=ANSWERS)
def test_a_wrong_answer_fails_the_right_row(
    visit: Visit, server: Scripted, reply: Reply, name: str, found: str
) -> None:
    server.script(then=repeat(reply))
    rows = visit.rows()
    assert found in rows[name].found
    place = CHAIN.index(name)
    expected = ["ok"] * place + ["failed"] + ["skipped"] * (len(CHAIN) - place - 1)
    assert [*expected, "skipped"] == [rows[other].result for other in (*CHAIN, "installations")]
    # A 400 may be about the size of the page.
    assert len(server.requests) == (2 if reply.status == 400 else 1)


def test_an_unreachable_service_fails_the_connection(visit: Visit) -> None:
    with Scripted() as gone:
        visit.set(DATAPROTECTION_BASE_URL=gone.url)
    rows = visit.rows()
    assert rows["connection"].result == "failed"
    assert f"{gone.url} cannot be reached" in rows["connection"].found
    assert "the host and the port from DATAPROTECTION_BASE_URL" in rows["connection"].advice
    assert rows["clock"].result == "skipped"


def test_an_unknown_host_fails_the_connection(visit: Visit) -> None:
    visit.set(DATAPROTECTION_BASE_URL="https://no-such-host.invalid")
    visit.assert_row("connection", "failed", "https://no-such-host.invalid")


def test_a_certificate_needs_a_trusted_authority(visit: Visit, tmp_path: Path) -> None:
    authority = trustme.CA()
    with encrypted(authority) as https:
        visit.set(DATAPROTECTION_BASE_URL=https.url)
        row = visit.rows()["connection"]
        assert ("failed", True, True) == (row.result, "CERTIFICATE_VERIFY" in row.found, "SSL_CERT" in row.advice)
        assert https.requests == []
        authority.cert_pem.write_to_path(tmp_path / "authority.pem")
        visit.set(SSL_CERT_FILE=str(tmp_path / "authority.pem"))
        https.script(page({"tenant_id": "t-1"}), told({"id": "t-1"}))
        rows = visit.rows()
        assert rows["certificates and proxy"].found == "authorities from SSL_CERT_FILE; no proxy"
        assert rows["connection"].found.startswith(f"{https.url} answers")


SURROUNDINGS = {
    "no file": ({"SSL_CERT_FILE": "/nowhere.pem"}, "failed", "No such file", "Correct SSL_CERT_FILE"),
    "no proxy's address": ({"HTTPS_PROXY": "what://[::1"}, "failed", "", "Correct HTTPS_PROXY"),
    "proxy": ({"HTTPS_PROXY": "http://127.0.0.1:9"}, "ok", "from the package certifi; a proxy, from HTTPS_PROXY", ""),
}


@pytest.mark.parametrize(("variables", "result", "found", "advice"), SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_certificates_and_proxies_are_checked(
    visit: Visit, variables: dict[str, str], result: str, found: str, advice: str
) -> None:
    visit.set(DATAPROTECTION_BASE_URL="https://127.0.0.1:9", **variables)
    row = visit.rows()["certificates and proxy"]
    assert (result, True, advice) == (row.result, found in row.found, row.advice), row


def test_bad_settings_make_no_call(at_the_emulator: Visit, emulator: Emulator) -> None:
    at_the_emulator.set(DATAPROTECTION_PAGE_SIZE="x")
    rows = at_the_emulator.rows()
    assert rows["certificates and proxy"].found == "depends on: other settings"
    assert emulator.requests() == []


Prepare = Callable[[Emulator], object]


def _install(*places: dict[str, str]) -> Prepare:
    """Install the full key elsewhere."""
    records = [
        {"id": f"installation-{number}", "key_name": "Full access", **place} for number, place in enumerate(places, 11)
    ]
    return lambda emulator: emulator.patch({"installations": [{"id": "installation-1", "deleted": True}, *records]})


def _permit(*permissions: str) -> Prepare:
    return lambda emulator: emulator.patch({"keys": [{"name": "Full access", "permissions": list(permissions)}]})


def _terminated(*tenant_ids: str) -> Prepare:
    """Install the full key for two tenants, and terminate some."""

    def prepare(emulator: Emulator) -> None:
        _install(*TENANTS)(emulator)
        emulator.patch({"tenants": [{"id": id, "terminated": True} for id in tenant_ids]})

    return prepare


ORGS = ({"org_id": "org-alpine"}, {"org_id": "org-harbor"})
TENANTS = ({"tenant_id": "tenant-contoso"}, {"tenant_id": "tenant-adatum"})

KEYS = {
    "organizations": (_install(*ORGS), "installations", "ok", "2 organizations as a whole (org-alpine, org-harbor)"),
    "tenants": (_install(*TENANTS), "installations", "ok", "2 tenants (tenant-contoso, tenant-adatum); Org and "),
    "both": (_install(*ORGS[:1], *TENANTS[1:]), "installations", "ok", "(org-alpine) and 1 tenant (tenant-adatum)"),
    "nowhere": (_install(), "installations", "failed", "nowhere"),
    "nothing to read": (_install(), READ, "skipped", "nothing to read"),
    "tenants read": (_install(*TENANTS), READ, "ok", "given"),
    "a deleted tenant": (_terminated("tenant-contoso"), READ, "ok", "given"),
    "deleted tenants": (_terminated("tenant-contoso", "tenant-adatum"), READ, "skipped", "deleted"),
    "tenants' billing": (_install(*TENANTS), BILLING, "skipped", "organization"),
    "reads": (_permit("read"), READ, "ok", "given"),
    "no reads": (_permit("write"), READ, "failed", "403 forbidden"),
    "billing": (_permit("read", "billing"), BILLING, "ok", "given"),
    "no billing": (_permit("read", "write"), BILLING, "warning", "403 forbidden"),
    "writes": (_permit("read"), "permission to write", "skipped", "only a write"),
}


@pytest.mark.parametrize(("prepare", "name", "result", "found"), KEYS.values(), ids=KEYS)
def test_the_permissions_of_a_key_are_reported(  # noqa: PLR0917 - two fixtures
    at_the_emulator: Visit, emulator: Emulator, prepare: Prepare, name: str, result: str, found: str
) -> None:
    prepare(emulator)
    at_the_emulator.assert_row(name, result, found)
    assert emulator.writes() == []


def test_many_organizations_are_counted_and_some_are_named(visit: Visit, server: Scripted) -> None:
    found = page(*({"org_id": f"o-{number}"} for number in range(4)), following="more")
    server.script(found, page(), page())
    assert visit.rows()["installations"].found == "4 organizations as a whole (o-0, o-1, o-2, …), and more"


def test_a_tenant_that_is_gone_is_passed_over(visit: Visit, server: Scripted) -> None:
    server.script(page({"tenant_id": "t-1"}, {"tenant_id": "t-2"}), told({}, 404), told({"id": "t-2"}))
    visit.assert_row(READ, "ok", "given")
    assert len(server.requests) == 3


LATER = {
    "read fails": ([told({}, 503)], READ, "503 the service failed"),
    "read is forbidden": ([told({}, 403)], READ, "403 forbidden"),
    "billing fails": ([page(), told({}, 503)], BILLING, "503 the service failed"),
    "billing is a page": ([page(), LOGIN], BILLING, "not JSON"),
}


@pytest.mark.parametrize(("replies", "name", "found"), LATER.values(), ids=LATER)
def test_a_later_wrong_answer_fails_its_own_row(
    visit: Visit, server: Scripted, replies: list[Reply], name: str, found: str
) -> None:
    server.script(page({"org_id": "o-1"}), *replies)
    visit.assert_row(name, "failed", found)
    assert len(server.requests) == 1 + len(replies)


CLOCKS = {
    "same": (0, "ok", "5 minutes"),
    "near": (-290, "ok", "5 minutes"),
    "ahead": (3600, "warning", "60 minutes behind"),
    "behind": (-3600, "warning", "60 minutes ahead"),
}


@pytest.mark.parametrize(("seconds", "result", "found"), CLOCKS.values(), ids=CLOCKS)
def test_a_wrong_clock_is_a_warning(visit: Visit, server: Scripted, seconds: int, result: str, found: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    server.script(told({"message": "no"}, 401, Date=date))
    visit.assert_row("clock", result, found)


def test_the_clock_is_not_checked_without_the_time_of_the_service(visit: Visit, server: Scripted) -> None:
    server.script(page())
    assert visit.rows()["clock"].result == "skipped"


def test_a_budget_in_an_open_folder_fails(at_the_emulator: Visit, cache: Path) -> None:
    (cache / "pulumi-dataprotection" / "budget").mkdir(parents=True, mode=0o755)
    at_the_emulator.assert_row("call budget", "failed", "mode 0700")


@pytest.mark.parametrize(("rate", "result"), [("5", "ok"), ("0.01", "failed")])
def test_a_slot_of_the_budget_is_awaited_if_it_comes_soon(
    at_the_emulator: Visit, emulator: Emulator, rate: str, result: str
) -> None:
    at_the_emulator.set(DATAPROTECTION_CALLS_PER_SECOND=rate)
    row = at_the_emulator.rows()["permission to read"]
    assert (result, result == "failed") == (row.result, "callsPerSecond" in row.found)
    assert len(emulator.requests()) == (1 if result == "failed" else 3)


def test_a_cool_down_is_not_awaited(visit: Visit, server: Scripted) -> None:
    server.script(told({}, 429, Retry_After="500"), page())
    other = Client(Settings(KEY, server.url), max_attempts=1)
    with pytest.raises(errors.TooManyRequestsError):
        other.send(calls.list_installations())
    other.close()
    visit.assert_row("connection", "failed", "(429)")
    assert len(server.requests) == 1


def test_a_cool_down_that_is_too_long_to_wait_for_is_reported_with_its_end(visit: Visit, server: Scripted) -> None:
    server.script(told({}, 429, Retry_After="86400"), page())
    assert_names(visit.rows()["service"].found, "429", "86,400 s")
    row = visit.rows()["connection"]
    assert "failed" == row.result
    assert_names(row.found, "nothing was sent", " UTC")
    assert len(server.requests) == 1


def test_a_wait_for_the_call_budget_is_shown_on_stderr(at_the_emulator: Visit, emulator: Emulator) -> None:
    at_the_emulator.set(DATAPROTECTION_CALLS_PER_SECOND="0.1", **HURRIED)
    done = run_process([*PYTHON, "doctor"])
    assert ["waiting 10 s: the call budget is used up (callsPerSecond)"] * 2 == done.stderr.splitlines()
    assert 3 == len(emulator.requests())
