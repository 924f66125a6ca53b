"""What `dataprotection doctor` says about the way to the service, its answers, and what the key may do there."""

import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import repeat
from pathlib import Path

import pytest
import trustme

from pulumi_dataprotection.client import Client, Settings, calls, errors
from support import Emulator
from support.cli.visit import KEY, Visit
from support.scripted import LOST, Reply, Scripted, empty, html, page, told

CHAIN = ("connection", "service", "authentication", "permission to read", "permission to read billing")
"""Each of them needs the one before."""


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return Visit(tmp_path, monkeypatch)


@pytest.fixture
def at_the_emulator(visit: Visit, emulator: Emulator) -> Visit:
    """A visit where the emulator is the service, and its full key the key."""
    visit.set(DATAPROTECTION_BASE_URL=emulator.url, DATAPROTECTION_API_KEY=emulator.api_key)
    return visit


@pytest.fixture
def server(visit: Visit) -> Iterator[Scripted]:
    """A service without a script yet, where the visit looks for one."""
    with Scripted() as server:
        visit.set(DATAPROTECTION_BASE_URL=server.url)
        yield server


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def encrypted(visit: Visit, authority: trustme.CA) -> Iterator[Scripted]:
    """The same, over https, with a certificate of an authority that nobody knows."""
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        certificate.load_cert_chain(path)
    with Scripted(certificate) as server:
        visit.set(DATAPROTECTION_BASE_URL=server.url)
        yield server


def test_where_all_is_well_each_row_says_so(at_the_emulator: Visit) -> None:
    rows = at_the_emulator.rows()
    not_ok = {"project", "project's Python", "permission to write"}
    assert not_ok == {row.name for row in rows.values() if row.result != "ok"}
    assert rows["installations"].found == "1 organization as a whole (org-meridian)"


@pytest.mark.parametrize("key", ["api_key", "read_only_key"])
def test_a_handful_of_calls_is_all_and_none_of_them_writes(
    at_the_emulator: Visit, emulator: Emulator, key: str
) -> None:
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

# What the service answers to the first call, the row that is at fault, and what it says.
ANSWERS = {
    "login page": (LOGIN, "service", "it is not JSON (200, text/html): Log in to the company's network"),
    "redirect": (Reply(302, (b"",), {"Location": "https://login.example"}), "service", "302 unexpected status"),
    "list": (told([]), "service", "it is not a JSON object"),
    "nothing": (empty(200), "service", "it is not JSON"),
    "400": (told(WORDS, 400), "service", "400 invalid argument"),
    "404": (told(WORDS, 404), "service", "404 not found"),
    "429": (told(WORDS, 429, Retry_After="1"), "service", "429 too many requests"),
    "500": (html("Oops", 500), "service", "500 the service failed"),
    "503": (told(WORDS, 503, Retry_After="600"), "service", "503 the service failed"),
    "401": (told(WORDS, 401), "authentication", "your key [the API key] is odd"),
    "403": (told(WORDS, 403), "permission to read", "lacks the permission to read this"),
    "lost": (LOST, "connection", "the answer got lost"),
}


@pytest.mark.parametrize(("reply", "name", "found"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_leads_to_the_row_that_is_at_fault(
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


def test_a_service_that_is_not_there_is_told_from_the_way_to_it(visit: Visit) -> None:
    with Scripted() as gone:
        visit.set(DATAPROTECTION_BASE_URL=gone.url)
    rows = visit.rows()
    assert rows["connection"].result == "failed"
    assert f"{gone.url} cannot be reached" in rows["connection"].found
    assert "the host and the port from DATAPROTECTION_BASE_URL" in rows["connection"].advice
    assert rows["clock"].result == "skipped"


def test_a_host_that_nobody_knows_is_told(visit: Visit) -> None:
    visit.set(DATAPROTECTION_BASE_URL="https://no-such-host.invalid")
    row = visit.rows()["connection"]
    assert ("failed", True) == (row.result, row.found.startswith("https://no-such-host.invalid cannot be reached"))


def test_a_certificate_that_is_not_trusted_is_told(visit: Visit, encrypted: Scripted) -> None:
    row = visit.rows()["connection"]
    assert ("failed", True, True) == (row.result, "CERTIFICATE_VERIFY_FAILED" in row.found, "SSL_CERT" in row.advice)
    assert encrypted.requests == []


def test_a_certificate_of_an_authority_that_is_named_is_trusted(
    visit: Visit, encrypted: Scripted, authority: trustme.CA, tmp_path: Path
) -> None:
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    visit.set(SSL_CERT_FILE=str(tmp_path / "authority.pem"))
    encrypted.script(page({"tenant_id": "t-1"}), told({"id": "t-1"}))
    rows = visit.rows()
    assert rows["certificates and proxy"].found == "authorities from SSL_CERT_FILE; no proxy"
    assert rows["connection"].found == f"{encrypted.url} answers, with a certificate that is trusted"


SURROUNDINGS = {
    "no file": ({"SSL_CERT_FILE": "/nowhere.pem"}, "failed", "No such file", "Correct SSL_CERT_FILE"),
    "no proxy's address": ({"HTTPS_PROXY": "what://[::1"}, "failed", "", "Correct HTTPS_PROXY"),
    "proxy": ({"HTTPS_PROXY": "http://127.0.0.1:9"}, "ok", "from the package certifi; a proxy, from HTTPS_PROXY", ""),
}


@pytest.mark.parametrize(("variables", "result", "found", "advice"), SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_certificates_and_proxies_are_looked_at(
    visit: Visit, variables: dict[str, str], result: str, found: str, advice: str
) -> None:
    visit.set(DATAPROTECTION_BASE_URL="https://127.0.0.1:9", **variables)
    row = visit.rows()["certificates and proxy"]
    assert (result, True, advice) == (row.result, found in row.found, row.advice), row


def test_settings_that_cannot_be_used_send_no_call(at_the_emulator: Visit, emulator: Emulator) -> None:
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


ORGS = ({"org_id": "org-alpine"}, {"org_id": "org-harbor"})
TENANTS = ({"tenant_id": "tenant-contoso"}, {"tenant_id": "tenant-adatum"})

KEYS = {
    "organizations": (_install(*ORGS), "installations", "ok: 2 organizations as a whole (org-alpine, org-harbor)"),
    "tenants": (_install(*TENANTS), "installations", "ok: 2 tenants"),
    "both": (
        _install(*ORGS[:1], *TENANTS[1:]),
        "installations",
        "ok: 1 organization as a whole (org-alpine) and 1 tenant",
    ),
    "nowhere": (_install(), "installations", "failed: the key is installed nowhere"),
    "nothing to read": (_install(), "permission to read", "skipped: there is nothing to read"),
    "tenants read": (_install(*TENANTS), "permission to read", "ok: given"),
    "tenants' billing": (
        _install(*TENANTS),
        "permission to read billing",
        "skipped: subscriptions are an organization's",
    ),
    "reads": (_permit("read"), "permission to read", "ok: given"),
    "no reads": (_permit("write"), "permission to read", "failed: 403 forbidden"),
    "billing": (_permit("read", "billing"), "permission to read billing", "ok: given"),
    "no billing": (_permit("read", "write"), "permission to read billing", "warning: 403 forbidden"),
    "writes": (_permit("read"), "permission to write", "skipped: only a write tells"),
}


@pytest.mark.parametrize(("prepare", "name", "said"), KEYS.values(), ids=KEYS)
def test_what_a_key_may_do_is_told(
    at_the_emulator: Visit, emulator: Emulator, prepare: Prepare, name: str, said: str
) -> None:
    prepare(emulator)
    row = at_the_emulator.rows()[name]
    assert f"{row.result}: {row.found}".startswith(said)
    assert emulator.writes() == []


def test_many_organizations_are_counted_and_not_all_named(visit: Visit, server: Scripted) -> None:
    found = page(*({"org_id": f"o-{number}"} for number in range(4)), following="more")
    server.script(found, page(), page())
    assert visit.rows()["installations"].found == "4 organizations as a whole (o-0, o-1, o-2, …), and more"


LATER = {
    "read fails": ([told({}, 503)], "permission to read", "503 the service failed"),
    "read is forbidden": ([told({}, 403)], "permission to read", "403 forbidden"),
    "billing fails": ([page(), told({}, 503)], "permission to read billing", "503 the service failed"),
    "billing is no answer": ([page(), LOGIN], "permission to read billing", "it is not JSON"),
}


@pytest.mark.parametrize(("replies", "name", "found"), LATER.values(), ids=LATER)
def test_what_goes_wrong_later_is_told_where_it_does(
    visit: Visit, server: Scripted, replies: list[Reply], name: str, found: str
) -> None:
    server.script(page({"org_id": "o-1"}), *replies)
    row = visit.rows()[name]
    assert ("failed", True) == (row.result, found in row.found), row
    assert len(server.requests) == 1 + len(replies)


CLOCKS = {
    "same": (0, "ok", "within 5 minutes of the service's"),
    "near": (-290, "ok", "within 5 minutes of the service's"),
    "ahead": (3600, "warning", "60 minutes behind the service's"),
    "behind": (-3600, "warning", "60 minutes ahead of the service's"),
}


@pytest.mark.parametrize(("seconds", "result", "found"), CLOCKS.values(), ids=CLOCKS)
def test_a_clock_that_is_wrong_is_told(visit: Visit, server: Scripted, seconds: int, result: str, found: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    server.script(told({"message": "no"}, 401, Date=date))
    row = visit.rows()["clock"]
    assert (result, found) == (row.result, row.found)


def test_a_service_that_does_not_tell_its_time_is_not_judged(visit: Visit, server: Scripted) -> None:
    server.script(page())
    assert visit.rows()["clock"].result == "skipped"


def test_a_budget_whose_folder_others_may_use_is_told(at_the_emulator: Visit, cache: Path) -> None:
    (cache / "pulumi-dataprotection" / "budget").mkdir(parents=True, mode=0o755)
    row = at_the_emulator.rows()["call budget"]
    assert ("failed", True) == (row.result, "is not a folder of mode 0700" in row.found), row


@pytest.mark.parametrize(("rate", "result"), [("5", "ok"), ("0.01", "failed")])
def test_a_turn_of_the_budget_is_waited_for_where_it_comes_soon(
    at_the_emulator: Visit, emulator: Emulator, rate: str, result: str
) -> None:
    at_the_emulator.set(DATAPROTECTION_CALLS_PER_SECOND=rate)
    row = at_the_emulator.rows()["permission to read"]
    assert (result, result == "failed") == (row.result, "callsPerSecond is that low" in row.found)
    assert len(emulator.requests()) == (1 if result == "failed" else 3)


def test_a_cool_down_is_not_waited_for(visit: Visit, server: Scripted) -> None:
    server.script(told({}, 429, Retry_After="500"), page())
    other = Client(Settings(KEY, server.url), max_attempts=1)
    with pytest.raises(errors.TooManyRequestsError):
        other.send(calls.list_installations())
    other.close()
    row = visit.rows()["connection"]
    assert ("failed", True) == (row.result, "the service has asked for that (429)" in row.found), row
    assert len(server.requests) == 1
