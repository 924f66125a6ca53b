"""Proxies and authorities of the environment: they work, or an error names the variable and its entry."""

import base64
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import trustme

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client._transport.proxy import find_proxy
from support.certificates import certificate_of, encrypted
from support.client.examples import GET, ORG, error_of
from support.client.hostile import Answer, Connection, hostile, silent, tunnel
from support.scripted import Connect, Scripted, told

PROXY = "http://proxy.example:3128"
SERVICE = "https://backup.example"
LOCAL = "https://[::1]:8443"
SPOKEN = "pass:w/rd@9"
USER = "jane:pass%3Aw%2Frd%409@"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy") or name.startswith("SSL_CERT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def authority(monkeypatch: pytest.MonkeyPatch) -> Iterator[trustme.CA]:
    """An authority that the client trusts."""
    authority = trustme.CA()
    with authority.cert_pem.tempfile() as file:
        monkeypatch.setenv("SSL_CERT_FILE", file)
        yield authority


ADDRESS = "https://10.1.2.3"
EXEMPT = {
    SERVICE: [
        *("*", "backup.example", "BACKUP.example", ".example", "*.example", "example", "backup.example:443"),
        *("other.example, backup.example", "other.example backup.example", ",, backup.example,"),
        *("https://backup.example", "all://backup.example/"),
    ],
    LOCAL: ["[::1]", "::1", "[::1]:8443", "0:0:0:0:0:0:0:1", "::/64", "https://[::1]"],
    ADDRESS: ["10.1.2.3", "10.0.0.0/8", "10.1.2.3:443"],
    "https://localhost:8443": ["localhost"],
    # Plain http is for this machine only.
    "http://127.0.0.1:8080": [""],
}
NOT_EXEMPT = {
    SERVICE: ["", " ", "up.example", "backup.example:8443", "http://backup.example", "10.0.0.0/8", "::1"],
    LOCAL: ["::2", "[::1]:443"],
    ADDRESS: ["2.3", "::/0", "11.0.0.0/8"],
}


@pytest.mark.parametrize(
    ("base_url", "entries", "exempt"),
    [
        (base_url, entries, table is EXEMPT)
        for table in (EXEMPT, NOT_EXEMPT)
        for base_url, all_entries in table.items()
        for entries in all_entries
    ],
)
@pytest.mark.parametrize("variable", ["NO_PROXY", "no_proxy"])
def test_no_proxy_names_the_hosts_that_are_reached_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch, *, variable: str, base_url: str, entries: str, exempt: bool
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv(variable, entries)
    assert exempt == (find_proxy(base_url) is None)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "None"),
        ({"HTTP_PROXY": PROXY}, "None"),
        ({"HTTPS_PROXY": " "}, "None"),
        ({"HTTPS_PROXY": PROXY}, f"{PROXY} from HTTPS_PROXY"),
        ({"HTTPS_PROXY": "proxy.example:3128"}, f"{PROXY} from HTTPS_PROXY"),
        ({"HTTPS_PROXY": " HTTP://Proxy.Example:3128/ "}, f"{PROXY} from HTTPS_PROXY"),
        ({"https_proxy": "https://proxy.example"}, "https://proxy.example:443 from https_proxy"),
        ({"ALL_PROXY": "proxy"}, "http://proxy:80 from ALL_PROXY"),
        ({"all_proxy": "http://[::1]:3128"}, "http://[::1]:3128 from all_proxy"),
        ({"ALL_PROXY": "http://other.example", "HTTPS_PROXY": PROXY}, f"{PROXY} from HTTPS_PROXY"),
        ({"HTTPS_PROXY": "http://other.example", "https_proxy": PROXY}, f"{PROXY} from https_proxy"),
        ({"HTTPS_PROXY": PROXY, "https_proxy": PROXY}, f"{PROXY} from https_proxy"),
        ({"HTTPS_PROXY": f"http://{USER}proxy.example:3128"}, f"{PROXY} from HTTPS_PROXY"),
    ],
    ids=str,
)
def test_a_proxy_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    proxy = find_proxy(SERVICE)
    assert {expected} == {str(proxy), repr(proxy)}


PROXY_ENTRIES = [
    *("socks5://proxy.example:1080", "SOCKS5H://proxy.example", "socks4://proxy.example", "ftp://proxy.example"),
    *("http://", "http://:3128", "http://proxy.example:port", "http://proxy.example:99999"),
    *("http://[::1", "[", "what://[::1", "http://proxy example", "http://proxy\x1b[2J.example", "http://pröxy.example"),
    *("http://proxy.example/path", "http://proxy.example?a=b"),
]
NO_PROXY_ENTRIES = ["[::1", "10.0.0.0/99", "[::1]x", "host:port", "a/b", "<local>", "http://", "-\x1b[2J", "user@host"]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *((name, value) for value in PROXY_ENTRIES for name in ("HTTPS_PROXY", "all_proxy")),
        *((name, value) for value in NO_PROXY_ENTRIES for name in ("NO_PROXY", "no_proxy")),
        ("SSL_CERT_FILE", "/nowhere.pem"),
        ("SSL_CERT_FILE", "/"),
        ("SSL_CERT_FILE", os.devnull),
        ("SSL_CERT_DIR", "/nowhere"),
        ("SSL_CERT_DIR", os.devnull),
    ],
)
def test_a_value_that_cannot_be_used_is_an_error_with_the_variable_and_the_entry(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    if variable.lower() == "no_proxy":
        monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv(variable, value)
    with pytest.raises(errors.ConfigurationError) as caught:
        connect(SERVICE)
    shown = value.replace("\x1b", r"\u001b")
    assert f'{variable} has the entry "{shown}", which cannot be used: ' in str(caught.value)
    assert (None, True) == (caught.value.__cause__, str(caught.value).isprintable())


def test_an_error_about_a_proxy_does_not_show_its_password(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"socks5://{USER}proxy.example")
    with pytest.raises(errors.ConfigurationError) as caught:
        connect(SERVICE)
    assert '"socks5://proxy.example"' in str(caught.value)


def test_a_host_in_other_letters_is_looked_up_in_ascii(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile(refusing("502 Bad Gateway")) as (address, connections):
        monkeypatch.setenv("HTTPS_PROXY", address)
        error_of(connect("https://straße.example", max_attempts=1), GET, errors.NotSentError)
        assert b"CONNECT xn--strae-oqa.example:443 HTTP/1.1" == connections[0].head.splitlines()[0]


@pytest.mark.parametrize("encrypted_proxy", [False, True], ids=["http", "https"])
def test_a_proxy_passes_calls_through_a_tunnel_and_gets_its_own_password_only(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, authority: trustme.CA, *, encrypted_proxy: bool
) -> None:
    certificate = certificate_of(authority) if encrypted_proxy else None
    with encrypted(authority) as service, hostile(tunnel, certificate) as (address, seen):
        scheme = "https" if encrypted_proxy else "http"
        monkeypatch.setenv("HTTPS_PROXY", f"{scheme}://{USER}{address}")
        service.script(told(ORG), told(ORG))
        with ExitStack() as clients:
            client = connect(service.url)
            clients.callback(client.close)
            assert ["o-1", "o-1"] == [client.send(GET).id, client.send(GET).id]
        (connection,) = seen
    headers = dict(line.split(b": ", 1) for line in connection.head.splitlines()[1:] if line)
    expected = b"Basic " + base64.b64encode(f"jane:{SPOKEN}".encode())
    assert (expected, False) == (headers[b"Proxy-Authorization"], b"Authorization" in headers)
    assert [None, None] == [request.headers.get("proxy-authorization") for request in service.requests]


def refusing(status: str) -> Answer:
    """Answer as a proxy that opens no tunnel."""

    def answer(connection: Connection) -> None:
        connection.read_head()
        connection.send([f"HTTP/1.1 {status}\r\nContent-Length: 4\r\n\r\nnope".encode()])

    return answer


@pytest.mark.parametrize(
    ("status", "attempts"),
    [
        ("407 Proxy Authentication Required", 1),
        ("403 Forbidden", 1),
        ("502 Bad Gateway", 3),
        ("503 Service Unavailable", 3),
        (f"407 for jane with {SPOKEN}", 1),
    ],
)
def test_a_refusal_of_a_proxy_is_not_taken_for_an_answer_of_the_service(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, status: str, attempts: int
) -> None:
    with hostile(refusing(status)) as (address, connections):
        monkeypatch.setenv("HTTPS_PROXY", f"http://{USER}{address}")
        error = error_of(connect(SERVICE, max_attempts=3), GET, errors.NotSentError)
        assert (attempts, attempts) == (error.attempts, len(connections))
    assert f"the proxy http://{address} from HTTPS_PROXY refuses the connection: {status[:3]} " in str(error)
    assert SPOKEN not in str(error)


def test_an_unreachable_proxy_is_named(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    with Scripted() as gone:
        monkeypatch.setenv("ALL_PROXY", gone.url)
    error = error_of(connect(SERVICE, max_attempts=1), GET, errors.NotSentError)
    assert f"(through the proxy {gone.url} from ALL_PROXY)" in str(error)


def test_a_silent_proxy_is_a_call_that_was_not_sent(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile(silent) as (address, _):
        monkeypatch.setenv("HTTPS_PROXY", address)
        error = error_of(connect(SERVICE, max_attempts=1, request_timeout=0.3), GET, errors.NotSentError)
    assert f"was not complete after 0.3 s (through the proxy http://{address} from HTTPS_PROXY)" in str(error)


def test_a_folder_of_authorities_is_trusted(connect: Connect, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    with encrypted(authority) as service:
        # The folder has no index, so that nobody is trusted.
        assert "CERTIFICATE_VERIFY_FAILED" in str(error_of(connect(service.url), GET, errors.NotSentError))
