"""Fixtures of all tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import coverage
import pytest
from hypothesis import HealthCheck, settings

from pulumi_dataprotection.testing import Stack as PublicStack
from pulumi_dataprotection.testing import StackFactory
from support import TESTS, Emulator
from support.engine.stack import Stack
from support.forking import NIGHTLY, with_forking
from support.notes import note_selection

pytest_plugins = ["support.account"]

_STANDINS = TESTS / "support/standins"
_MEASURED = {TESTS / "unit" / name for name in ("client", "core", "functions", "resources", "spec")}
_WITH_PULUMI = {TESTS / name for name in ("engine", "examples", "release")}

# The same examples in each run, and no judgement of how fast the machine is. Examples share their test's fixtures, and
# start afresh by themselves.
settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=300 if NIGHTLY else 60,
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


@pytest.fixture(scope="session", autouse=True)
def _quick_pip() -> Iterator[None]:
    """Let `python -m pip` be the stand-in, which saves each command of the engine a sixth of its time."""
    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setenv("PYTHONPATH", str(_STANDINS), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module", autouse=True)
def _coverage_if_measured(request: pytest.FixtureRequest) -> Iterator[None]:
    """Measure coverage by the tests of the measured parts only: it takes almost as much time as a test itself."""
    measuring = coverage.Coverage.current()
    if measuring is None or _MEASURED & {*request.path.parents}:
        yield
        return
    measuring.stop()
    with pytest.MonkeyPatch.context() as patch:
        # Processes that these tests start are not measured either.
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield
    measuring.start()


@pytest.fixture(autouse=True)
def _pulumi_if_marked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the pulumi command from tests without the mark, so that no mark is forgotten."""
    if not request.node.get_closest_marker("engine"):
        folders = os.environ["PATH"].split(os.pathsep)
        kept = [folder for folder in folders if not Path(folder, "pulumi").exists() or Path(folder, "sh").exists()]
        monkeypatch.setenv("PATH", os.pathsep.join(kept))


@pytest.fixture
def dataprotection_stack(request: pytest.FixtureRequest, dataprotection_stack: StackFactory) -> StackFactory:
    """Makes stacks as the plugin does, on forked Python processes except in the tests of the plugin itself."""
    if TESTS / "testing" in request.path.parents:
        return dataprotection_stack

    def make(program: Path | str, **options: Any) -> PublicStack:  # noqa: ANN401 - as those of the plugin
        stack = dataprotection_stack(program, **options)
        stack.environment["PATH"] = with_forking(stack.environment["PATH"])
        return stack

    return cast("StackFactory", make)


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that run the pulumi command; note whether the whole suite was selected."""
    for item in items:
        fixtures: list[str] = getattr(item, "fixturenames", [])
        if _WITH_PULUMI & {*item.path.parents} or {"stack", "dataprotection_stack"} & {*fixtures}:
            item.add_marker("engine")
    note_selection(config, items, TESTS)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Take two workers for each core: a command of the engine waits about as long as it computes."""
    affinity = getattr(os, "sched_getaffinity", None)
    return 2 * (len(affinity(0)) if affinity else os.cpu_count() or 1)
