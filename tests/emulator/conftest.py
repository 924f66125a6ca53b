"""Plain HTTP clients of the emulated service."""

from collections.abc import Iterator

import httpx
import pytest

from support import HANG, Emulator


@pytest.fixture(scope="session")
def _clients(session_emulator: Emulator) -> Iterator[dict[str, httpx.Client]]:
    clients = {
        name: httpx.Client(base_url=f"{session_emulator.url}/api/v1/", headers=headers, timeout=HANG)
        for name, headers in {
            "full": {"Authorization": session_emulator.api_key},
            "read-only": {"Authorization": session_emulator.read_only_key},
            "none": {},
        }.items()
    }
    yield clients
    for client in clients.values():
        client.close()


@pytest.fixture
def service(emulator: Emulator, _clients: dict[str, httpx.Client]) -> httpx.Client:
    """A client of a fresh emulator, with the key that may do everything."""
    del emulator
    return _clients["full"]


@pytest.fixture
def reader(emulator: Emulator, _clients: dict[str, httpx.Client]) -> httpx.Client:
    """A client of a fresh emulator, with the read-only key."""
    del emulator
    return _clients["read-only"]


@pytest.fixture
def stranger(emulator: Emulator, _clients: dict[str, httpx.Client]) -> httpx.Client:
    """A client of a fresh emulator, without any key."""
    del emulator
    return _clients["none"]


@pytest.fixture
def control(emulator: Emulator) -> Iterator[httpx.Client]:
    """A client of the control plane of a fresh emulator."""
    with httpx.Client(base_url=f"{emulator.url}/_emulator/", timeout=HANG) as client:
        yield client


@pytest.fixture
def variant(emulator: Emulator, request: pytest.FixtureRequest) -> str | float:
    """The variant of a switch, which the emulator has."""
    switch, variant = request.param
    emulator.set_dialect(**{switch: variant})
    chosen: str | float = variant
    return chosen
