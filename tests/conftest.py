"""Fixtures of all tests, and the account of what the whole suite called."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.stack import Stack
from support import Emulator

_WHOLE_SUITE = pytest.StashKey[bool]()
_RUNS_LAST = "test_each_operation_was_called_by_the_suite"

# The same examples in each run, and no judgement of how fast the machine is. Examples share their test's fixtures, and
# start afresh by themselves.
settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def users_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Keep what lives longer than a test out of the cache of whoever runs them; the variable that names it, or ""."""
    own = os.environ.get("XDG_CACHE_HOME", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield own


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for caches of this test alone: calls of other tests take nothing from its clients' budget."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def session_emulator() -> Iterator[Emulator]:
    """The emulator that all tests share; use `emulator`, which starts each test afresh."""
    with Emulator() as emulator:
        yield emulator


@pytest.fixture
def emulator(session_emulator: Emulator) -> Emulator:
    """A running emulator with the seed `demo` and no requests yet."""
    session_emulator.reset()
    session_emulator.clear_requests()
    return session_emulator


@pytest.fixture
def stack(tmp_path: Path, emulator: Emulator) -> Stack:
    """An empty stack of the real engine against an emulator with the demo estate."""
    advice = "run `make test`, or put first on PATH the folder that tools/pulumi-cli/install.py prints"
    assert shutil.which("pulumi"), f"no pulumi on PATH: {advice}"
    return Stack(tmp_path, emulator)


@pytest.fixture
def whole_suite(pytestconfig: pytest.Config) -> bool:
    """Whether all tests of all files were selected."""
    return pytestconfig.stash[_WHOLE_SUITE]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Move the account to the end, and find out whether the whole suite was selected."""
    items.sort(key=lambda item: item.name == _RUNS_LAST)
    chosen = any(config.getoption(name, default=None) for name in ("keyword", "markexpr", "lf", "deselect"))
    single = any("::" in argument for argument in config.args)
    files = set(Path(__file__).parent.rglob("test_*.py"))
    config.stash[_WHOLE_SUITE] = not chosen and not single and files <= {item.path for item in items}
