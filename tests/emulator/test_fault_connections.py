"""Faults of the connection: reset, cut, stall and slow."""

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest

from support import HANG, Emulator, until

ORG = "orgs/org-contoso"
NEVER = 3600


def client_of(emulator: Emulator, seconds: float) -> httpx.Client:
    """Make a client that waits so long for each piece of an answer."""
    headers, timeout = {"Authorization": emulator.api_key}, httpx.Timeout(HANG, read=seconds)
    return httpx.Client(base_url=f"{emulator.url}/api/v1/", headers=headers, timeout=timeout)


@pytest.fixture
def impatient(emulator: Emulator) -> Iterator[httpx.Client]:
    """A client that waits half a second for an answer."""
    with client_of(emulator, 0.5) as client:
        yield client


def ask(emulator: Emulator, path: str = "/api/v1/orgs/org-contoso") -> socket.socket:
    """Send a request by hand."""
    url = httpx.URL(emulator.url)
    connection = socket.create_connection((url.host, url.port or 0), timeout=HANG)
    head = (f"GET {path} HTTP/1.1", "Host: emulator", f"Authorization: {emulator.api_key}", "Connection: close")
    connection.sendall("\r\n".join([*head, "", ""]).encode())
    return connection


def read_all(connection: socket.socket) -> bytes:
    data = b""
    while received := connection.recv(65536):
        data += received
    return data


@pytest.mark.parametrize("fault", ["reset", "after:reset"])
def test_a_reset_ends_the_connection_without_a_byte(emulator: Emulator, fault: str) -> None:
    with emulator.faults({"do": [fault]}), ask(emulator) as connection, pytest.raises(ConnectionResetError):
        connection.recv(1)


@pytest.mark.parametrize(
    ("fault", "error", "done"),
    [
        ("reset", httpx.ReadError, False),
        ("after:reset", httpx.ReadError, True),
        ("cut", httpx.RemoteProtocolError, True),
        (f"stall:{NEVER}", httpx.ReadTimeout, True),
    ],
)
def test_the_work_is_done_unless_a_reset_comes_before_it(
    impatient: httpx.Client, emulator: Emulator, fault: str, error: type[httpx.HTTPError], *, done: bool
) -> None:
    with emulator.faults({"do": [fault]}):
        with pytest.raises(error):
            impatient.post("orgs", params={"name": "Fabrikam"})
        # Others are answered, even while an answer is held back.
        assert impatient.get(ORG).status_code == 200
    assert done == ("Fabrikam" in [org["name"] for org in emulator.state()["orgs"]])


def test_a_cut_answer_says_that_more_comes_than_does(service: httpx.Client, emulator: Emulator) -> None:
    whole = service.get(ORG).content
    with emulator.faults({"do": ["cut"]}), ask(emulator) as connection:
        head, _, body = read_all(connection).partition(b"\r\n\r\n")
    assert whole[: len(whole) // 2] == body
    assert f"content-length: {len(whole)}\r\n".encode() in head


def test_a_stalled_answer_comes_that_much_later(service: httpx.Client, emulator: Emulator) -> None:
    with emulator.faults({"do": ["stall:0.3"]}):
        begun = time.monotonic()
        status = service.get(ORG).status_code
        passed = time.monotonic() - begun
    assert (200, True) == (status, passed >= 0.3)


def test_a_slow_answer_comes_in_drops_after_its_head(service: httpx.Client, emulator: Emulator) -> None:
    whole = service.get(ORG).content
    with emulator.faults({"do": ["slow:2"]}), service.stream("GET", ORG) as response:
        begun = time.monotonic()
        drops = list(response.iter_raw())
        passed = time.monotonic() - begun
    assert (whole, True, True) == (b"".join(drops), len(drops) > 2, passed > 0.5)


def test_a_slow_answer_outlives_a_time_limit_for_each_piece(emulator: Emulator) -> None:
    with client_of(emulator, 3) as client, emulator.faults({"do": ["slow:4"]}):
        assert client.get(ORG).json()["id"] == "org-contoso"


@pytest.mark.parametrize("fault", ["stall", "slow"])
def test_an_emulator_that_ends_waits_for_no_answer_that_is_held_back(fault: str) -> None:
    with Emulator() as emulator:
        httpx.post(f"{emulator.url}/_emulator/faults", json={"do": [f"{fault}:{NEVER}"]}).raise_for_status()
        connection = ask(emulator)
        until(lambda: bool(emulator.requests()))
    with connection:
        assert b"org-contoso" not in read_all(connection)


@pytest.mark.parametrize("fault", ["stall", "slow"])
def test_answers_that_are_held_back_are_sent_whole_when_the_faults_are_cleared(emulator: Emulator, fault: str) -> None:
    with emulator.faults({"do": [f"{fault}:{NEVER}"]}):
        connection = ask(emulator)
        until(lambda: not emulator.remaining_faults())
    with connection:
        assert b'"id":"org-contoso"' in read_all(connection).replace(b" ", b"")


@pytest.mark.parametrize("fault", ["reset", "cut", "stall:0.1", "slow:0.1"])
def test_a_fault_is_no_error_in_the_servers_own_log(
    emulator: Emulator, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    with emulator.faults({"do": [fault]}), ask(emulator) as connection, suppress(ConnectionResetError):
        read_all(connection)
    emulator.state()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
