"""The services as fixtures."""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

import pytest

from pulumi_dataprotection.client import Clock, calls, load_settings
from pulumi_dataprotection.client.errors import NotFoundError
from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import TESTS, Emulator
from support.contract.matrix import DIALECTS
from support.contract.service import Content, EmulatedService, Pool, Service, Stage
from support.notes import note_selection

_URL, _KEY, _TENANT = (f"DATAPROTECTION_CONTRACT_{name}" for name in ("BASE_URL", "API_KEY", "TENANT"))

# These fixtures look into the emulator, or make it fail.
_OF_THE_EMULATOR = {"content", "emulated"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test in all dialects, unless it names some, and on the real service if possible."""
    named = any("dialect" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "dialect" in metafunc.fixturenames and not named:
        emulated = [name if name in PRESETS else pytest.param(name, marks=pytest.mark.thorough) for name in DIALECTS]
        real = [] if _OF_THE_EMULATOR & {*metafunc.fixturenames} else [_real_one()]
        metafunc.parametrize("dialect", [*emulated, *real], indirect=True, scope="module")


def _real_one() -> pytest.ParameterSet:
    """The real service as a parameter; it is skipped if the environment does not name it."""
    missing = [name for name in (_URL, _KEY) if not os.environ.get(name)]
    skip = pytest.mark.skip(f"no real service is named: {' and '.join(missing)} not set")
    return pytest.param("real", marks=[pytest.mark.verified, *([skip] if missing else [])])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note whether all tests of the contract were selected."""
    note_selection(config, items, TESTS / "contract")


@pytest.fixture(scope="session")
def _stage() -> Iterator[Stage]:
    with Emulator() as emulator:
        stage = Stage(emulator)
        yield stage
        stage.close()


@pytest.fixture(scope="session")
def _real() -> Iterator[Service]:
    names = {"DATAPROTECTION_BASE_URL": os.environ[_URL], "DATAPROTECTION_API_KEY": os.environ[_KEY]}
    # Other settings, such as the call rate, come from the environment as for any program.
    settings = load_settings(lambda _key: None, {**os.environ, **names})
    pool = Pool(Clock())
    yield Service("real", pool, settings, tenant_id=os.environ.get(_TENANT))
    pool.close()


@pytest.fixture(scope="module")
def dialect(request: pytest.FixtureRequest) -> str:
    """The name of a dialect, or "real"."""
    name: str = request.param
    return name


@pytest.fixture
def service(dialect: str, request: pytest.FixtureRequest) -> Service:
    """A service as it was before anybody changed anything, that is only read."""
    if dialect == "real":
        real: Service = request.getfixturevalue("_real")
        return real
    stage: Stage = request.getfixturevalue("_stage")
    return stage.show(dialect)


@pytest.fixture
def emulated(service: Service) -> EmulatedService:
    """The same, for a test that needs the emulator."""
    return cast("EmulatedService", service)


@pytest.fixture
def content(service: Service, _stage: Stage) -> Content:
    """The content of the emulator."""
    del service
    return _stage.content


@pytest.fixture
def changeable(service: Service, dialect: str, request: pytest.FixtureRequest) -> Iterator[Service]:
    """A service that the test may change; of a real one, only the policy on the scene's free resource."""
    service.scene  # noqa: B018 - is found out before anything changes
    if dialect == "real":
        if not os.environ.get(_TENANT):
            pytest.skip(f"this would write: {_TENANT} does not name a tenant of the real service for writes")
        yield service
        _unprotect(service)
    else:
        stage: Stage = request.getfixturevalue("_stage")
        stage.changed = True
        yield service


@pytest.fixture
def forgetful(changeable: Service, dialect: str) -> Service:
    """A service on which the test may do what cannot be undone."""
    if dialect == "real":
        pytest.skip("nothing could undo it: no operation deletes an organization, or keeps an archive after all")
    return changeable


def _unprotect(service: Service) -> None:
    """Take off what a test has put on the scene's free resource."""
    tenant_id, resource_id = service.scene.tenant_id, service.scene.free_id
    listing = calls.list_protections(tenant_id, resource_id=resource_id)
    for _ in range(3):
        for protection in service.send(listing):
            with suppress(NotFoundError):
                service.send(calls.unprotect_resource(tenant_id, resource_id, policy_id=protection.policy_id))
        if not service.eventually(listing, lambda found: not found):
            return
    pytest.fail(f"{resource_id} in {tenant_id} is still protected: take the policy off by hand")
