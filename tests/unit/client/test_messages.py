"""What the client says when the service refuses: its own words, what to do, and never the key."""

import traceback
from itertools import repeat

import pytest

from pulumi_dataprotection.client import Client, errors
from support.client.examples import CREATE, GET, ORG, PROTECT, refused
from support.scripted import KEY, Connect, Reply, Scripted, html, told


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
def test_the_services_own_words_are_found(client: Client, server: Scripted, body: bytes, message: str) -> None:
    server.script(Reply(400, (body,)))
    error = refused(client, CREATE)
    assert isinstance(error, errors.InvalidArgumentError)
    assert message == error.message


@pytest.mark.parametrize(
    ("body", "said"), [(b'{"message": "no."}', "(GET /api/v1/orgs/o-1): no. "), (b"", "(GET /api/v1/orgs/o-1). ")]
)
def test_a_refusals_text_is_whole_sentences(client: Client, server: Scripted, body: bytes, said: str) -> None:
    server.script(Reply(404, (body,)))
    expected = f"cannot read an organization: 404 not found {said}Check the ids, and that the base URL is the service's"
    assert expected == str(refused(client, GET))


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        (400, errors.InvalidArgumentError, "400 invalid argument"),
        (401, errors.UnauthenticatedError, "Check that the API key from the program is whole and has not expired"),
        (403, errors.ForbiddenError, "the API key from the program lacks the permission to read this"),
        (404, errors.NotFoundError, "404 not found"),
        (409, errors.ConflictError, "409 conflict"),
        (409, errors.ConflictError, "Look at what is there already"),
        (418, errors.UnexpectedStatusError, "Check that the base URL is the service's"),
    ],
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(
    client: Client, server: Scripted, status: int, kind: type[errors.StatusError], advice: str
) -> None:
    server.script(html("no", status), told(ORG))
    error = refused(client, GET)
    assert (kind, status, 1) == (type(error), getattr(error, "status", 0), len(server.requests))
    assert advice in str(error)


def test_a_refused_write_names_the_permission_to_write(client: Client, server: Scripted) -> None:
    server.script(html("no", 403))
    assert "lacks the permission to write this" in str(refused(client, PROTECT))


@pytest.mark.parametrize(
    "body",
    [
        f'{{"message": "bad key {KEY}"}}',
        f'{{"detail": "bad key {KEY}"}}',
        f"bad key {KEY}",
        f"<p>bad key <b>{KEY}</b></p>",
    ],
)
@pytest.mark.parametrize("status", [200, 400, 401, 503])
def test_a_key_that_the_service_echoes_is_not_shown(client: Client, server: Scripted, status: int, body: str) -> None:
    server.script(then=repeat(Reply(status, (body.encode(),), {"Content-Type": f"text/plain; {KEY}"})))
    error = refused(client, GET)
    assert KEY not in "".join(traceback.format_exception(error)) + repr(error)
    assert "[the API key]" in str(error)


@pytest.mark.parametrize(
    "body", [rb'{"why": "bad key a\/b\u002Bc\u003d\u003D"}', b"<p>bad key a/b&#43;c&#x3d;=</p>", b'{"a/b+c==": 1}']
)
def test_a_key_that_the_service_echoes_escaped_is_not_shown(server: Scripted, connect: Connect, body: bytes) -> None:
    server.script(Reply(400, (body,)))
    error = refused(connect(server.url, api_key="a/b+c=="), GET)
    assert "[the API key]" in str(error)


def test_an_echoed_key_is_hidden_before_the_text_is_cut(client: Client, server: Scripted) -> None:
    server.script(Reply(400, (b"x" * 195 + KEY.encode(),)))
    assert KEY[:5] not in str(refused(client, GET))
