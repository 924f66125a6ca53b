"""The errors of calls: the service's own words, names, and never the key."""

from itertools import repeat
from math import inf

import pytest

from pulumi_dataprotection.client import calls, errors
from support.client.examples import CREATE, GET, LIST, PROTECT, Built, Exchange, error_of, success
from support.resources.servicer import assert_names
from support.scripted import KEY, LOST, Connect, Reply, Scripted, html, told


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"message": "the name is taken"}', "the name is taken"),
        (b'{"error": {"message": "the name is taken", "code": 5}}', "the name is taken"),
        (b'{"error": "the name is taken"}', "the name is taken"),
        (b'{"error": "Bad Request", "message": "the name is taken", "status": 400}', "the name is taken"),
        (b'{"error": null, "message": "the name is taken"}', "the name is taken"),
        (b'{"message": "", "error": "the name is taken"}', "the name is taken"),
        (b'"the name is taken"', "the name is taken"),
        (b"the name is taken", "the name is taken"),
        (b"<html><head><style>b {}</style></head><body><b>the name</b> is taken</body></html>", "the name is taken"),
        (b'{"message": "the name\\n\\u001b[1m  is\\ttaken"}', "the name [1m is taken"),
        (b'{"message": "1 < 2 and 3 > 2"}', "1 < 2 and 3 > 2"),
        (b'{"detail": ["the name is taken"]}', '{"detail": ["the name is taken"]}'),
        (b'{"error": {"code": 5}}', '{"code": 5}'),
        (b'{"message": {"name": "taken"}}', '{"name": "taken"}'),
        (b"[1]", "[1]"),
        (b"\xff", "�"),
        (b"[" * 100_000, "[" * 200 + "…"),
        (b"", ""),
    ],
)
def test_the_message_of_an_error_is_in_the_services_own_words(exchange: Exchange, body: bytes, message: str) -> None:
    assert message == exchange.error(CREATE, errors.InvalidArgumentError, Reply(400, (body,))).message


@pytest.mark.parametrize(
    ("body", "code", "quoted"),
    [
        ({"status": 400, "code": "a_conflict", "message": "taken."}, "a_conflict", ": taken (code a_conflict)."),
        ({"error": {"code": "taken", "message": "no"}}, "taken", ": no (code taken)."),
        ({"error": "Bad Request", "code": 17, "message": "no"}, "17", ": no (code 17)."),
        ({"code": "taken", "error": {"message": "no"}}, "taken", ": no (code taken)."),
        ({"code": "400", "message": "no"}, "400", ": no."),
        ({"code": 400, "message": "no"}, "400", ": no."),
        ({"code": 0, "message": "no"}, "", ": no."),
        ({"code": {"number": 5}, "message": "no"}, "", ": no."),
        ({"code": "\x1b[2J\nred", "message": "no"}, "[2J red", ": no (code [2J red)."),
        ({"code": f"of {KEY}", "message": "no"}, "of [the API key]", ": no (code of [the API key])."),
        ({"code": "x" * 300, "message": "no"}, "x" * 200 + "…", ": no (code " + "x" * 200 + "…)."),
        # The whole body is quoted.
        ({"code": "taken"}, "", ': {"code": "taken"}.'),
        ({"error": {"code": 5}}, "", ': {"code": 5}.'),
    ],
)
def test_the_code_is_quoted_after_the_message(exchange: Exchange, body: object, code: str, quoted: str) -> None:
    error = exchange.error(CREATE, errors.InvalidArgumentError, told(body, 400))
    assert (code, True) == (error.code, f"({CREATE.request}){quoted} " in str(error))


@pytest.mark.parametrize(("body", "sentence"), [(b'{"message": "no."}', ": no. "), (b"", ". ")])
def test_the_services_own_words_end_a_sentence(exchange: Exchange, body: bytes, sentence: str) -> None:
    assert f"({GET.request}){sentence}" in str(exchange.error(GET, errors.NotFoundError, Reply(404, (body,))))


@pytest.mark.parametrize(
    ("status", "kind", "names"),
    [
        (400, errors.InvalidArgumentError, ["400"]),
        (401, errors.UnauthenticatedError, ["401", "key from the tests"]),
        (403, errors.ForbiddenError, ["403", "key from the tests"]),
        (404, errors.NotFoundError, ["404"]),
        (409, errors.ConflictError, ["409"]),
        (418, errors.UnexpectedStatusError, ["418"]),
    ],
)
def test_a_refused_call_is_not_retried(
    connect: Connect, server: Scripted, status: int, kind: type[errors.StatusError], names: list[str]
) -> None:
    server.script(html("no", status), success(PROTECT))
    error = error_of(connect(server.url, key_source="the tests"), PROTECT, kind)
    assert (kind, status, 1, None) == (type(error), error.status, len(server.requests), error.retry_after)
    assert_names(error, PROTECT.operation.does, PROTECT.request, *names)


BARE = calls.list_installations()
"""A call without any value."""
WITHOUT_IDS = calls.create_org(name="Fabrikam", admin_email="it@fabrikam.example")
WITH_A_PARENT = calls.create_org(name="Fabrikam", parent_org_id="o-1")


@pytest.mark.parametrize(
    ("status", "call", "ids", "values", "another_request"),
    [
        (400, GET, False, True, False),
        (400, CREATE, False, True, False),
        (400, BARE, False, False, False),
        (404, GET, True, False, False),
        (404, PROTECT, True, False, False),
        (404, WITH_A_PARENT, True, False, False),
        (404, WITHOUT_IDS, False, False, False),
        (404, BARE, False, False, False),
        (409, GET, False, False, False),
        (409, PROTECT, False, False, True),
        (409, CREATE, False, False, True),
        (409, calls.trigger_job("t-1", "j-1"), False, False, True),
    ],
)
def test_the_advice_of_an_error_fits_the_operation(
    exchange: Exchange, *, status: int, call: Built, ids: bool, values: bool, another_request: bool
) -> None:
    text = str(exchange.error(call, errors.StatusError, then=repeat(told({}, status))))
    parts = ("the ids", "the values", "Another request")
    assert (ids, values, another_request) == tuple(part in text for part in parts)


@pytest.mark.parametrize(
    ("reply", "call", "seconds", "shown"),
    [
        (told({}, 429, Retry_After="86400"), GET, 86400, ["86,400 s", "1970-01-02 00:16:40 UTC"]),
        (told({}, 503, Retry_After="3600"), PROTECT, 3600, ["3,600 s"]),
        (told({}, 409, Retry_After="60"), CREATE, 60, ["60 s"]),
        (told({}, 429, Retry_After="9" * 400), GET, inf, ["31,622,400 s", "1971-01-02"]),
    ],
)
def test_an_error_states_the_wait_that_the_service_asks_for(
    exchange: Exchange, reply: Reply, call: Built, seconds: float, shown: list[str]
) -> None:
    error = exchange.error(call, errors.StatusError, then=repeat(reply))
    assert (1, seconds) == (len(exchange.requests), error.retry_after)
    assert_names(error, *shown)
    # Other calls do not depend on it, and errors that differ only in a moment would not be listed together.
    assert (error.status == 429) == ("UTC" in str(error))


@pytest.mark.parametrize(
    ("call", "permission"),
    [(LIST, ["read"]), (PROTECT, ["write"]), (calls.list_subscriptions("o-1"), ["read", "billing"])],
)
def test_a_forbidden_call_names_the_missing_permission(exchange: Exchange, call: Built, permission: list[str]) -> None:
    text = str(exchange.error(call, errors.ForbiddenError, html("no", 403)))
    assert permission == [word for word in ("read", "write", "billing") if word in text]


def test_an_echoed_key_is_hidden_before_the_text_is_cut(exchange: Exchange) -> None:
    reply = Reply(400, (b"x" * 195 + KEY.encode(),))
    assert KEY[:5] not in str(exchange.error(GET, errors.InvalidArgumentError, reply))


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (told([]), "JSON object (200, application/json): []."),
        (told(None), "JSON object (200, application/json): null."),
        (told("ok"), 'JSON object (200, application/json): "ok".'),
        (Reply(200, ()), "JSON (200, no content type): empty."),
        (Reply(200, (b'{"id": ',)), "JSON (200, no content type): an object, not shown here."),
        (Reply(200, (b"\xff\xfe",), {"Content-Type": "\x1b[31mred"}), "JSON (200, [31mred): ��."),
        (Reply(200, (b'{"id": NaN}',)), "JSON (200, no content type): an object, not shown here."),
        (Reply(200, (b"\x1b[2J",)), "JSON (200, no content type): [2J."),
        (Reply(200, (b"<p>" + b"x" * 201,)), f"JSON (200, no content type): {'x' * 200}…."),
        (
            html("<h1>Log&nbsp;in</h1><SCRIPT>steal()</SCRIPT><p>A &amp; B</p>", 200),
            "JSON (200, text/html): Log in A & B.",
        ),
        (told({}), "id: Field required (200, application/json): an object, not shown here."),
        (told({"id": None}), "valid string (200, application/json): an object, not shown here."),
    ],
)
def test_an_unexpected_answer_is_described_and_quoted(exchange: Exchange, reply: Reply, found: str) -> None:
    error = exchange.error(GET, errors.AnswerError, reply)
    assert_names(error, GET.operation.does, f"({GET.request})", found)


@pytest.mark.parametrize("body", [b"<" * 300_000, b"x" * 300_000, b" " * 300_000], ids=["tags", "text", "blanks"])
def test_the_search_for_an_excerpt_of_a_long_page_is_limited(exchange: Exchange, body: bytes) -> None:
    assert len(str(exchange.error(GET, errors.AnswerError, Reply(200, (body,))))) < 500


def test_an_error_in_a_success_is_quoted_without_the_key(exchange: Exchange) -> None:
    body = {"message": f"no \x1b[2J key {KEY}", "status": 503}
    text = str(exchange.error(LIST, errors.AnswerError, told(body)))
    assert "(200, application/json): no [2J key [the API key]. " in text
    text = str(exchange.error(LIST, errors.AnswerError, told({**body, "code": "unavailable"})))
    assert "(200, application/json): no [2J key [the API key] (code unavailable). " in text


@pytest.mark.parametrize(
    "reply", [html("Log in", 200), told({}), html("Bad", 403), LOST], ids=["html", "{}", "403", "lost"]
)
def test_the_chain_of_an_error_holds_no_error_of_a_library(exchange: Exchange, reply: Reply) -> None:
    error = exchange.error(GET, errors.CallError, then=repeat(reply))
    assert (None, None) == (error.__cause__, error.__context__)
