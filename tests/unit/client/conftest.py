"""Clients on a driven clock: of the emulator, and of services that give the answers of a script."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pulumi_dataprotection.client import Account, Client, Clock, Settings, TenantCache
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from support import Emulator
from support.client.examples import Exchange
from support.client.tenants import FOUND_TENANT, TENANT, Script, Serve
from support.resources.scripted import ScriptedServer
from support.scripted import KEY, Connect, DrivenClock, Scripted


@pytest.fixture
def clock() -> DrivenClock:
    """The clock of the test's clients."""
    return DrivenClock()


@pytest.fixture
def connect(clock: DrivenClock) -> Iterator[Connect]:
    """Opens clients."""
    with ExitStack() as clients:

        def open_one(
            base_url: str,
            *,
            api_key: str = KEY,
            clock: Clock = clock,
            max_attempts: int = MAX_ATTEMPTS,
            **settings: Any,  # noqa: ANN401 - as those of Settings
        ) -> Client:
            options: dict[str, Any] = {"calls_per_second": 0, **settings}
            client = Client(Settings(api_key, base_url, **options), clock=clock, max_attempts=max_attempts)
            clients.callback(client.close)
            return client

        yield open_one


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
def exchange(client: Client, server: Scripted) -> Exchange:
    """A client and its scripted service."""
    return Exchange(client, server)


@pytest.fixture
def account(client: Client) -> Account:
    """The account of a key of the scripted service."""
    return Account(client)


@pytest.fixture
def live(emulator: Emulator, connect: Connect) -> Client:
    """A client of the emulator, with the key that has all permissions."""
    return connect(emulator.url, api_key=emulator.api_key)


@pytest.fixture
def live_account(live: Client) -> Account:
    """The account of the emulator's key with all permissions."""
    return Account(live)


@pytest.fixture
def contoso(live_account: Account) -> TenantCache:
    """The tenant of the emulator with items, policies and protections."""
    return live_account.tenant("tenant-contoso")


@pytest.fixture
def serve(connect: Connect) -> Iterator[Serve]:
    """Opens the tenant of a service that answers each path as a script says."""
    with ExitStack() as servers:

        def start(script: Script) -> tuple[TenantCache, ScriptedServer]:
            server = servers.enter_context(ScriptedServer({TENANT: [FOUND_TENANT], **script}))
            return Account(connect(server.url)).tenant("t-1"), server

        yield start
