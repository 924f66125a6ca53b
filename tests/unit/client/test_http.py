"""Requests on the wire, and answers that the HTTP library cannot read to their end."""

import pytest

from pulumi_dataprotection.client import Client, Settings, errors
from support.client.examples import GET, ORG, PROTECT, Built, Exchange, each_kind_of_call, success
from support.scripted import KEY, Connect, Reply, Scripted, told


@each_kind_of_call
def test_a_request_has_the_key_accepts_json_and_has_a_body_only_to_protect(exchange: Exchange, call: Built) -> None:
    exchange.send(call, success(call))
    (request,) = exchange.requests
    assert (KEY, "application/json") == (request.headers["authorization"], request.headers["accept"])
    expected = (b"{}", "application/json") if call is PROTECT else (b"", None)
    assert expected == (request.body, request.headers.get("content-type"))


def test_a_cookie_is_not_returned(exchange: Exchange) -> None:
    exchange.send(GET, told(ORG, Set_Cookie="session=1; Path=/"), told(ORG))
    exchange.send(GET)
    assert [None, None] == [request.headers.get("cookie") for request in exchange.requests]


@pytest.mark.parametrize("prefix", ["", "/Backup"])
def test_a_request_begins_with_the_path_of_the_base_url(server: Scripted, connect: Connect, prefix: str) -> None:
    server.script(told(ORG))
    connect(f"{server.url}{prefix}/api/v1/").send(GET)
    assert prefix + GET.target() == server.requests[0].target


def test_an_unencrypted_key_does_not_pass_a_proxy(
    server: Scripted, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(told(ORG))
    with Scripted() as proxy:
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        connect(server.url).send(GET)
        assert [] == proxy.requests


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@each_kind_of_call
def test_a_redirect_is_not_followed(exchange: Exchange, call: Built, status: int) -> None:
    error = exchange.error(
        call, errors.UnexpectedStatusError, told({}, status, Location=f"{exchange.server.url}/elsewhere"), success(call)
    )
    assert (status, 1) == (error.status, len(exchange.requests))


def test_a_body_over_64_mib_is_not_read_to_its_end_and_the_client_continues(exchange: Exchange) -> None:
    body = (b" " * 1_048_576,) * 65
    headers = {"Content-Type": "application/json", "Content-Length": str(2**40), "Connection": "close"}
    assert "64 MiB" in str(exchange.error(GET, errors.AnswerError, Reply(200, body, headers)))
    assert "o-1" == exchange.send(GET, Reply(500, body), told(ORG)).id


@pytest.mark.parametrize("host", ["aß_.example", "ß-.example"])
def test_a_host_that_cannot_exist_is_an_error_of_the_settings(host: str) -> None:
    with pytest.raises(errors.ConfigurationError, match="which cannot exist"):
        Client(Settings(KEY, f"https://{host}"))
