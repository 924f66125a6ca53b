"""Nothing that is written anywhere holds the key, an e-mail address or a name of a query."""

import logging
import re
import traceback
from collections.abc import Callable, Iterator
from itertools import repeat

import pytest

from pulumi_dataprotection.client import Client, calls, errors
from support.client.examples import GET, refused
from support.scripted import KEY, LOST, Reply, Scripted, html, told

NAME = "Fabrikam & Söhne"
EMAIL = "it.admin@fabrikam.example"
EXTERNAL_ID = "crm-number-4711"
INVITATION = "https://portal.example/invitations/s3cr3t"

# As they are, and as a query spells them.
PRIVATE = [KEY, NAME, "Fabrikam", EMAIL, "it.admin%40fabrikam.example", "it.admin", EXTERNAL_ID, INVITATION, "s3cr3t"]

CREATE = calls.create_org(name=NAME, admin_email=EMAIL, external_id=EXTERNAL_ID)
CREATED = told({"org": {"id": "o-1", "name": NAME}, "invitation_url": INVITATION})


class Log(logging.Handler):
    """Keeps all lines, however detailed."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line as a file would have it, errors with their tracebacks."""
        self.lines.append(f"{record.levelname} {record.name} {self.format(record)}")


@pytest.fixture
def log() -> Iterator[Log]:
    """All that is logged, by us and by the libraries, at the most detailed level."""
    loggers = [logging.getLogger(name) for name in (None, "httpx", "httpcore", "pulumi_dataprotection")]
    levels = [logger.level for logger in loggers]
    handler = Log()
    loggers[0].addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield handler
    loggers[0].removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def found_in(*texts: str) -> list[str]:
    return [private for private in PRIVATE if any(private in text for text in texts)]


def redirect(server: Scripted) -> Reply:
    return told({}, 302, Location=f"{server.url}{CREATE.target()}")


FAILURES: dict[str, Callable[[Scripted], Reply]] = {
    "bad request": lambda _: told({"message": f"{EMAIL} is no e-mail address"}, 400),
    "forbidden": lambda _: html("Forbidden", 403),
    "failed": lambda _: told({"error": "failed"}, 503),
    "lost": lambda _: LOST,
    "redirected": redirect,
    "no JSON": lambda _: html("Log in", 200),
    "other JSON": lambda _: told({"ok": True}),
}


def test_a_success_after_a_failure_is_logged_without_what_is_private(
    client: Client, server: Scripted, log: Log
) -> None:
    server.script(told({}, 429), CREATED)
    client.send(CREATE)
    assert found_in(*log.lines) == []


def test_the_log_is_detailed_all_the_same(client: Client, server: Scripted, log: Log) -> None:
    server.script(told({}, 429), CREATED)
    client.send(CREATE)
    own = [re.sub(r"in \d+\.\d", "in N", line) for line in log.lines if " pulumi_dataprotection." in line]
    expected = [
        "DEBUG pulumi_dataprotection.client._client POST /api/v1/orgs: 429",
        "INFO pulumi_dataprotection.client._client create_org: 429 at attempt 1, retry in N s",
        "DEBUG pulumi_dataprotection.client._client POST /api/v1/orgs: 200",
    ]
    assert expected == own
    assert {"httpx", "httpcore.http11"} <= {line.split()[1] for line in log.lines}


def test_below_debug_no_id_is_logged_that_may_be_a_name(client: Client, server: Scripted, log: Log) -> None:
    server.script(told({}, 503), told({"id": "r-1", "external_id": "jane.doe@contoso.example"}))
    client.send(calls.get_resource("tenant-1", "ext$jane.doe@contoso.example"))
    seen = [line for line in log.lines if not line.startswith("DEBUG")]
    assert any(line.startswith("INFO httpx") and "/resources/ext$..." in line for line in seen)
    assert [] == [line for line in seen if "jane" in line]


def test_a_record_of_the_log_names_its_operation(
    client: Client, server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    server.script(told({}, 503), told({"items": []}))
    with caplog.at_level(logging.DEBUG, "pulumi_dataprotection"):
        client.send(calls.list_installations())
    expected = {"list_installations"}
    assert expected == {getattr(line, "operation", "") for line in caplog.records if "_client" in line.name}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_and_logged_without_what_is_private(
    client: Client, server: Scripted, log: Log, failure: str
) -> None:
    server.script(then=repeat(FAILURES[failure](server)))
    error = refused(client, CREATE)
    logging.getLogger("test").error("failed", exc_info=error)
    told_to_the_user = (str(error), repr(error), "".join(traceback.format_exception(error)))
    assert found_in(*log.lines, *told_to_the_user) == []


def test_a_lost_answer_is_logged_as_such(client: Client, server: Scripted, log: Log) -> None:
    server.script(LOST)
    refused(client, CREATE)
    assert "DEBUG pulumi_dataprotection.client._client POST /api/v1/orgs: no answer" in log.lines


@pytest.mark.parametrize("show", [repr, str], ids=["repr", "str"])
def test_nothing_that_is_at_hand_shows_what_is_private(
    client: Client, server: Scripted, show: Callable[[object], str]
) -> None:
    server.script(CREATED)
    created = client.send(CREATE)
    shown = [show(thing) for thing in (client, client.settings, CREATE)]
    assert found_in(*shown) == []
    assert found_in(show(created)) == [NAME, "Fabrikam"]


def test_other_log_lines_of_the_http_library_stay_as_they_are(log: Log) -> None:
    logging.getLogger("httpx").debug("load_ssl_context verify=%(verify)r", {"verify": True})
    logging.getLogger("httpx").debug("%s of %d", "one", 2)
    expected = ["DEBUG httpx load_ssl_context verify=True", "DEBUG httpx one of 2"]
    assert expected == log.lines


def test_an_answer_that_is_not_http_is_told_without_the_key(client: Client, server: Scripted) -> None:
    server.script(then=repeat(Reply(200, (b"{}",), {"Bad\x00Name": KEY})))
    error = refused(client, GET)
    assert isinstance(error, errors.OutcomeUnclearError)
    assert found_in(str(error), "".join(traceback.format_exception(error))) == []
