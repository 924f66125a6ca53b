"""What a request is on the wire."""

from collections.abc import Mapping
from urllib.parse import unquote

import pytest

from pulumi_dataprotection.client import Client, calls, errors
from support.client.examples import GET, ORG, PROTECT, Built, each_kind_of_call, success
from support.scripted import KEY, Connect, Scripted, told


def headers(client: Client, server: Scripted, call: Built) -> Mapping[str, str]:
    server.script(success(call))
    client.send(call)
    return server.requests[0].headers


@each_kind_of_call
def test_a_request_carries_the_key_as_it_is(client: Client, server: Scripted, call: Built) -> None:
    assert KEY == headers(client, server, call)["authorization"]


@each_kind_of_call
def test_a_request_asks_for_json(client: Client, server: Scripted, call: Built) -> None:
    assert headers(client, server, call)["accept"] == "application/json"


@each_kind_of_call
def test_only_protecting_sends_a_body(client: Client, server: Scripted, call: Built) -> None:
    found = headers(client, server, call)
    expected = (b"{}", "application/json") if call is PROTECT else (b"", None)
    assert expected == (server.requests[0].body, found.get("content-type"))


def test_a_cookie_is_not_sent_back(client: Client, server: Scripted) -> None:
    server.script(told(ORG, Set_Cookie="session=1; Path=/"), told(ORG))
    client.send(GET)
    client.send(GET)
    assert [request.headers.get("cookie") for request in server.requests] == [None, None]


@pytest.mark.parametrize("id", ["ACME/West", "a#b", "a?b", "..", "50%41", "🦄", "ext$ACME/West", "{x}", "a\\b|c"])
def test_an_id_is_on_the_wire_as_it_was_built(client: Client, server: Scripted, id: str) -> None:
    server.script(told({"id": id}))
    call = calls.get_resource("t-1", id)
    client.send(call)
    assert call.target() == server.requests[0].target
    assert id == unquote(server.requests[0].target.rpartition("/")[2])


@pytest.mark.parametrize("spelled", ["", "/", "/api/v1", "/api/v1/"])
def test_the_path_does_not_depend_on_how_the_base_url_is_spelled(
    server: Scripted, connect: Connect, spelled: str
) -> None:
    server.script(told(ORG))
    connect(server.url + spelled).send(GET)
    assert server.requests[0].target == "/api/v1/orgs/o-1"


def test_a_base_url_with_a_path_keeps_it(server: Scripted, connect: Connect) -> None:
    server.script(told(ORG))
    connect(f"{server.url}/Backup/api/v1/").send(GET)
    assert server.requests[0].target == "/Backup/api/v1/orgs/o-1"


def test_a_key_does_not_pass_a_proxy_unencrypted(
    server: Scripted, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(told(ORG))
    with Scripted() as proxy:
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        connect(server.url).send(GET)
        assert proxy.requests == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [("SSL_CERT_FILE", "/nowhere.pem"), ("HTTPS_PROXY", "foo://proxy"), ("HTTPS_PROXY", "what://[::1")],
)
def test_surroundings_that_cannot_be_used_are_an_error_that_names_them(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(errors.ConfigurationError, match=rf"{variable}.* cannot be used: "):
        connect("https://api.backup.example")
