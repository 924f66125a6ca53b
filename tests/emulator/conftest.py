"""Plain HTTP clients of the emulated service."""

from collections.abc import Iterator

import httpx
import pytest

from support import HANG, TESTS, Emulator
from support.notes import ANSWERED, note, note_selection
from support.wire import ADDED

_SUCCESS = range(200, 300)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note whether all tests of the emulator were selected."""
    note_selection(config, items, TESTS / "emulator")


@pytest.fixture
def emulator(emulator: Emulator, request: pytest.FixtureRequest) -> Iterator[Emulator]:
    """The emulator with an object for each path; notes the operations that a test calls unless it is run for each."""
    emulator.patch(ADDED)
    yield emulator
    of_each = {"operation", "operation_id"} & {*request.fixturenames}
    note(ANSWERED, [] if of_each else [sent["operation"] for sent in emulator.requests() if sent["status"] in _SUCCESS])


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
    headers = {"Content-Type": "application/json"}
    with httpx.Client(base_url=f"{emulator.url}/_emulator/", headers=headers, timeout=HANG) as client:
        yield client


@pytest.fixture
def variant(emulator: Emulator, request: pytest.FixtureRequest) -> str | float:
    """The variant of a switch, which the emulator has."""
    switch, variant = request.param
    emulator.set_dialect(**{switch: variant})
    chosen: str | float = variant
    return chosen
