"""No error and no log line holds the key, an e-mail address or a name of a query."""

import logging
import traceback
from collections.abc import Callable
from itertools import repeat

import pytest

from pulumi_dataprotection.client import calls, errors
from support.client.examples import Exchange
from support.scripted import KEY, LOST, Reply, html, told

NAME = "Fabrikam & Söhne"
EMAIL = "it.admin@fabrikam.example"
EXTERNAL_ID = "crm-number-4711"
INVITATION = "https://portal.example/invitations/s3cr3t"

Log = pytest.LogCaptureFixture

# Unchanged, and in the spelling of a query.
PRIVATE = [KEY, NAME, "Fabrikam", EMAIL, "it.admin%40fabrikam.example", "it.admin", EXTERNAL_ID, INVITATION, "s3cr3t"]

CREATE = calls.create_org(name=NAME, admin_email=EMAIL, external_id=EXTERNAL_ID)
CREATED = told({"org": {"id": "o-1", "name": NAME}, "invitation_url": INVITATION})


@pytest.fixture
def log(caplog: Log) -> Log:
    """The log of the client and of the libraries, down to the level DEBUG."""
    for name in (None, "httpx", "httpcore", "pulumi_dataprotection"):
        caplog.set_level(logging.DEBUG, name)
    return caplog


def own(log: Log) -> list[logging.LogRecord]:
    """Return the records of the client."""
    return [record for record in log.records if record.name.startswith("pulumi_dataprotection.")]


def found_in(*texts: str) -> list[str]:
    return [private for private in PRIVATE if any(private in text for text in texts)]


FAILURES = {
    "bad request": told({"message": f"{EMAIL} is invalid"}, 400),
    "forbidden": html("Forbidden", 403),
    "failed": told({"error": "failed"}, 503),
    "lost": LOST,
    "redirected": told({}, 302, Location=f"https://other.example{CREATE.target()}"),
    "no JSON": html("Log in", 200),
    "other JSON": told({"ok": True}),
}


def test_a_success_after_a_failure_is_logged_in_detail_and_without_private_text(exchange: Exchange, log: Log) -> None:
    exchange.send(CREATE, told({}, 429), CREATED)
    assert [] == found_in(log.text)
    assert ["DEBUG", "INFO", "DEBUG"] == [record.levelname for record in own(log)]
    assert {"create_org"} == {getattr(record, "operation", "") for record in own(log)}
    names = [(CREATE.request, "429"), (CREATE.operation.id, "429"), (CREATE.request, "200")]
    texts = [record.getMessage() for record in own(log)]
    assert [] == [part for parts, text in zip(names, texts, strict=True) for part in parts if part not in text]
    assert {"httpx", "httpcore.http11"} <= {record.name for record in log.records}


def test_an_external_id_is_logged_only_at_the_level_debug(exchange: Exchange, log: Log) -> None:
    exchange.send(
        calls.get_resource("tenant-1", "ext$jane.doe@contoso.example"),
        told({}, 503),
        told({"id": "r-1", "external_id": "jane.doe@contoso.example"}),
    )
    seen = [(record.name, record.getMessage()) for record in log.records if record.levelno > logging.DEBUG]
    assert any(name == "httpx" and "/resources/ext$..." in text for name, text in seen)
    assert [] == [text for _, text in seen if "jane" in text]


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_reported_and_logged_without_private_text(exchange: Exchange, log: Log, reply: Reply) -> None:
    error = exchange.error(CREATE, errors.CallError, then=repeat(reply))
    logging.getLogger("test").error("failed", exc_info=error)
    assert [] == found_in(log.text, str(error), repr(error), "".join(traceback.format_exception(error)))


@pytest.mark.parametrize("show", [repr, str], ids=["repr", "str"])
def test_clients_settings_and_calls_show_no_secret(exchange: Exchange, show: Callable[[object], str]) -> None:
    created = exchange.send(CREATE, CREATED)
    shown = [show(thing) for thing in (exchange.client, exchange.client.settings, CREATE)]
    assert found_in(*shown) == []
    assert found_in(show(created)) == [NAME, "Fabrikam"]


def test_a_lost_answer_is_logged(exchange: Exchange, log: Log) -> None:
    exchange.error(CREATE, errors.OutcomeUnclearError, LOST)
    (record,) = own(log)
    assert ("DEBUG", f"{CREATE.request}: no answer") == (record.levelname, record.getMessage())


def test_an_answer_that_is_not_http_never_shows_the_key(exchange: Exchange, log: Log) -> None:
    error = exchange.error(CREATE, errors.OutcomeUnclearError, Reply(200, (b"{}",), {"Bad\x00Name": KEY}))
    logged = [record.getMessage() for record in log.records]
    assert [] == found_in(str(error), "".join(traceback.format_exception(error)), *logged)


def test_other_log_lines_of_the_http_library_do_not_change(log: Log) -> None:
    logging.getLogger("httpx").debug("load_ssl_context verify=%(verify)r", {"verify": True})
    logging.getLogger("httpx").debug("%s of %d", "one", 2)
    assert ["load_ssl_context verify=True", "one of 2"] == [record.getMessage() for record in log.records]
