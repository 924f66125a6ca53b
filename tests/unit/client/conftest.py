"""Clients on a driven clock, of the emulator and of a service that answers as it is told to."""

from collections.abc import Iterator

import pytest

from pulumi_dataprotection.client import Client, Settings
from support import Emulator
from support.scripted import KEY, Connect, DrivenClock, Scripted


@pytest.fixture
def clock() -> DrivenClock:
    """The clock of the test's clients."""
    return DrivenClock()


@pytest.fixture
def connect(clock: DrivenClock) -> Iterator[Connect]:
    """Opens clients."""
    clients: list[Client] = []

    def open_one(base_url: str, *, api_key: str = KEY, page_size: int = 500) -> Client:
        settings = Settings(api_key, base_url, calls_per_second=0, page_size=page_size)
        clients.append(Client(settings, clock=clock))
        return clients[-1]

    yield open_one
    for client in clients:
        client.close()


@pytest.fixture(scope="session")
def _scripted() -> Iterator[Scripted]:
    with Scripted() as server:
        yield server


@pytest.fixture
def server(_scripted: Scripted) -> Scripted:
    """A service without a script yet."""
    _scripted.script()
    return _scripted


@pytest.fixture
def client(server: Scripted, connect: Connect) -> Client:
    """A client of the scripted service."""
    return connect(server.url)


@pytest.fixture
def live(emulator: Emulator, connect: Connect) -> Client:
    """A client of the emulator, with the key that may do everything."""
    return connect(emulator.url, api_key=emulator.api_key)
