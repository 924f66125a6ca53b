"""Provider processes, and the engine that they talk to."""

from collections.abc import Iterator

import pytest

from support import Emulator
from support.functions.program import program, shop
from support.resources.servicer import HURRIED, Engine, Run, Servicer
from support.resources.sets import Sets

__all__ = ["program", "shop"]


@pytest.fixture(scope="session")
def _engine() -> Iterator[Engine]:
    engine = Engine()
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def servicer(_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """The provider process that most tests share."""
    with Servicer(tmp_path_factory.mktemp("servicer") / "log", _engine) as servicer:
        yield servicer


@pytest.fixture
def engine(_engine: Engine) -> Engine:
    """The engine of `servicer`, without messages yet."""
    _engine.messages.clear()
    return _engine


@pytest.fixture
def run(servicer: Servicer, emulator: Emulator) -> Run:
    """A command of the engine with the full key of a fresh emulator."""
    return servicer.run(emulator)


@pytest.fixture
def later_run(servicer: Servicer, emulator: Emulator) -> Run:
    """The next command of the engine on the same stack, which reads everything again."""
    return servicer.run(emulator)


@pytest.fixture
def offline(servicer: Servicer, emulator: Emulator) -> Run:
    """A command whose preview may not read from the service."""
    return servicer.run(emulator, previewChecks="false")


@pytest.fixture(scope="session")
def hurried(_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """A provider process whose clock advances as soon as a thread waits: temporary faults cost no time."""
    with Servicer(tmp_path_factory.mktemp("hurried") / "log", _engine, HURRIED) as servicer:
        yield servicer


@pytest.fixture
def sets(hurried: Servicer, emulator: Emulator) -> Sets:
    """An empty stack of protection sets, in the tenant of `support.resources.contoso`."""
    return Sets(hurried, emulator)


@pytest.fixture
def offline_sets(hurried: Servicer, emulator: Emulator) -> Sets:
    """An empty stack of protection sets, whose previews may not read from the service."""
    return Sets(hurried, emulator, previewChecks="false")
