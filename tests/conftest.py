"""Fixtures of all tests, and the account of what the whole suite called."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pulumi import automation

from engine.stack import Stack
from support import Emulator

_WHOLE_SUITE = pytest.StashKey[bool]()
_RUNS_LAST = "test_each_operation_was_called_by_the_suite"


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


@pytest.fixture(scope="session")
def pulumi_command() -> automation.PulumiCommand:
    """The `pulumi` on PATH, where `make test` puts it."""
    found = shutil.which("pulumi")
    assert found, "no pulumi on PATH: run `make test`, or put the folder that tools/pulumi-cli/install.py prints there"
    return automation.PulumiCommand(root=str(Path(found).parent.parent), skip_version_check=True)


@pytest.fixture
def stack(tmp_path: Path, emulator: Emulator, pulumi_command: automation.PulumiCommand) -> Stack:
    """An empty stack against an emulator with the demo estate."""
    return Stack(tmp_path, emulator, pulumi_command)


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
