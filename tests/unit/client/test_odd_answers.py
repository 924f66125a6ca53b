"""What the client makes of answers that are not as the interface describes them."""

from itertools import repeat

import pytest

from pulumi_dataprotection.client import Call, Client, calls, errors
from support.client.examples import (
    CREATE,
    DELETE,
    GET,
    LIST,
    ORG,
    PROTECT,
    UNPROTECT,
    Built,
    each_kind_of_call,
    name,
    refused,
    success,
)
from support.scripted import LOST, Reply, Scripted, empty, html, told


@pytest.mark.parametrize("reply", [empty(204), empty(200), told({})], ids=["204", "200", "{}"])
@pytest.mark.parametrize("call", [UNPROTECT, DELETE], ids=name)
def test_a_deletion_succeeds_with_and_without_a_body(
    client: Client, server: Scripted, call: Call[None], reply: Reply
) -> None:
    server.script(reply)
    nothing: object = client.send(call)
    assert nothing is None


@pytest.mark.parametrize("call", [GET, LIST, calls.get_tenant_quotas("t-1")], ids=name)
def test_nothing_is_never_taken_for_what_was_to_be_read(client: Client, server: Scripted, call: Built) -> None:
    server.script(empty(200))
    error = refused(client, call)
    assert isinstance(error, errors.AnswerError)
    assert "it is not JSON (200, application/json): empty" in str(error)


@pytest.mark.parametrize("call", [GET, LIST, PROTECT, DELETE], ids=name)
def test_a_login_page_is_an_error_with_an_excerpt(client: Client, server: Scripted, call: Built) -> None:
    server.script(html("<h1>Log&nbsp;in</h1><SCRIPT>steal()</SCRIPT><p>A &amp; B</p>", 200))
    error = refused(client, call)
    expected = (
        f"cannot {call.operation.does}: the answer ({call.request}) is not what the interface describes: "
        "it is not JSON (200, text/html): Log in A & B. Check that the base URL is the service's"
    )
    assert expected == str(error)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (told([]), "it is not a JSON object (200, application/json): []"),
        (told(None), "it is not a JSON object (200, application/json): null"),
        (told("ok"), 'it is not a JSON object (200, application/json): "ok"'),
        (Reply(200, (b'{"id": ',)), "it is not JSON (200, no content type): an object, not shown here"),
        (Reply(200, (b"\xff\xfe",), {"Content-Type": "\x1b[31mred"}), "it is not JSON (200, [31mred): ��"),
        (Reply(200, (b'{"id": NaN}',)), "it is not JSON (200, no content type): an object, not shown here"),
        (Reply(200, (b"\x1b[2J",)), "it is not JSON (200, no content type): [2J"),
        (told({}), "id: Field required (200, application/json): an object, not shown here"),
        (told({"id": None}), "id: Input should be a valid string (200, application/json): an object, not shown here"),
    ],
)
def test_a_success_that_is_not_understood_says_what_is_wrong(
    client: Client, server: Scripted, reply: Reply, problem: str
) -> None:
    server.script(reply)
    error = refused(client, GET)
    assert isinstance(error, errors.AnswerError)
    assert problem in str(error)


def test_a_record_that_is_not_understood_is_not_shown(client: Client, server: Scripted) -> None:
    server.script(told({"org": {}, "invitation_url": "https://invite.example/SECRET"}))
    with pytest.raises(errors.AnswerError) as caught:
        client.send(calls.create_org(name="Shop"))
    assert "SECRET" not in str(caught.value)


def test_an_excerpt_is_short(client: Client, server: Scripted) -> None:
    server.script(Reply(200, (b"<p>" + b"x" * 201,)))
    assert f": {'x' * 200}…. Check" in str(refused(client, GET))


@pytest.mark.parametrize("body", [b"<" * 300_000, b"x" * 300_000, b" " * 300_000], ids=["tags", "text", "blanks"])
def test_a_long_page_is_searched_for_an_excerpt_only_so_far(client: Client, server: Scripted, body: bytes) -> None:
    server.script(Reply(200, (body,)))
    assert len(str(refused(client, GET))) < 500


@pytest.mark.parametrize(
    "reply", [html("Log in", 200), told({}), html("Bad", 403), LOST], ids=["html", "{}", "403", "lost"]
)
def test_an_errors_chain_holds_no_error_of_a_library(client: Client, server: Scripted, reply: Reply) -> None:
    server.script(then=repeat(reply))
    error = refused(client, GET)
    assert (error.__cause__, error.__context__) == (None, None)


def test_a_body_over_64_mib_is_not_read_to_its_end(client: Client, server: Scripted) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": str(2**40), "Connection": "close"}
    server.script(Reply(200, (b" " * 1_048_576,) * 65, headers))
    error = refused(client, GET)
    assert isinstance(error, errors.AnswerError)
    assert "it is longer than 64 MiB (200, application/json)" in str(error)


def test_a_client_goes_on_after_a_body_that_was_too_long(client: Client, server: Scripted) -> None:
    server.script(Reply(500, (b" " * 1_048_576,) * 65), told(ORG))
    assert client.send(GET).id == "o-1"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@each_kind_of_call
def test_a_redirect_is_not_followed(client: Client, server: Scripted, call: Built, status: int) -> None:
    server.script(told({}, status, Location=f"{server.url}/elsewhere"), success(call))
    error = refused(client, call)
    assert isinstance(error, errors.UnexpectedStatusError)
    assert (error.status, len(server.requests)) == (status, 1)


def test_an_answer_that_cannot_be_unpacked_is_a_lost_answer(client: Client, server: Scripted) -> None:
    server.script(Reply(200, (b"{}",), {"Content-Encoding": "gzip"}))
    assert isinstance(refused(client, CREATE), errors.OutcomeUnclearError)
