"""Accounts of the emulator and of scripted services, on clocks that a test drives."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from pulumi_dataprotection.client import Account, Client, Settings
from support import Emulator
from support.resources.scripted import Script, ScriptedServer, Serve
from support.scripted import KEY, DrivenClock


@pytest.fixture
def open_account(emulator: Emulator) -> Iterator[Callable[..., Account]]:
    """Opens an account of the emulator, or of another service, without anything that was read before."""
    with ExitStack() as opened:

        def open_one(
            clock: DrivenClock | None = None,
            *,
            url: str = emulator.url,
            key: str = emulator.api_key,
            read_lag: float = 5,
            concurrency: int = 4,
        ) -> Account:
            settings = Settings(key, url, calls_per_second=0, read_lag=read_lag, concurrency=concurrency)
            return Account(opened.enter_context(closing(Client(settings, clock=clock or DrivenClock()))))

        yield open_one


@pytest.fixture
def serve(open_account: Callable[..., Account]) -> Iterator[Serve]:
    """Starts a service that answers by a script, and opens its account."""
    with ExitStack() as started:

        def start(script: Script) -> tuple[ScriptedServer, Account]:
            server = started.enter_context(ScriptedServer(script))
            return server, open_account(url=server.url, key=KEY)

        yield start
