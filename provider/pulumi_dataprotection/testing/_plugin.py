"""The marker and the fixtures. Heavy modules are loaded when a fixture is used."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import pytest

if TYPE_CHECKING:
    from pulumi_dataprotection.testing._emulator import Emulator
    from pulumi_dataprotection.testing._stack import Stack

__all__ = ["StackFactory", "dataprotection_emulator", "dataprotection_stack", "pytest_configure", "session_emulator"]

_MARKER = (
    'dataprotection(seed="demo", dialect="published"): what the test\'s emulator holds (demo, one-tenant, '
    "customer-left, empty, large:TENANTSxRESOURCES, estate:CUSTOMERSxTENANTSxSEATS, a file, or a state document), "
    "and how it reads what the interface leaves open (a preset, or a mapping of variants)"
)
_NO_PACKAGES = "the emulator needs more packages: pip install 'pulumi-dataprotection[testing]'"
_NO_PULUMI = (
    "`pulumi` is not on PATH, and the fixture dataprotection_stack runs it: install it "
    "(https://www.pulumi.com/docs/install/), or put the folder that it is in on PATH"
)


class StackFactory:
    """A factory of stacks, which the fixture `dataprotection_stack` returns.

    Args:
        emulator: the service of the stacks.
        tests: the folder of the test's file.
        home: the folder for projects, state and caches.
    """

    def __init__(self, emulator: "Emulator", tests: Path, home: Path) -> None:
        self._emulator = emulator
        self._tests = tests
        self._home = home
        self._stacks = 0

    def __call__(
        self,
        program: Path | str,
        *,
        config: Mapping[str, object] | None = None,
        name: str = "dev",
        key: Literal["full", "read_only"] = "full",
        real_time: bool = False,
    ) -> "Stack":
        """Make an empty stack of a program.

        Args:
            program: the folder of a project, as a Path relative to the test's file, or the text of a program. The
                project runs in its folder, and nothing is written there.
            config: values of the stack's config by key. Keys without a namespace belong to the project.
            name: the stack's name.
            key: "read_only" for the key that the preview of a pipeline uses.
            real_time: let the provider really wait, instead of advancing the emulator's clock.

        Raises:
            ValueError: The program is neither a project nor the text of a program.
            RuntimeError: Pulumi cannot make the stack, for example because it exists already.
        """
        # Imported here, because each start of pytest would take longer.
        from pulumi_dataprotection.testing._stack import Stack  # noqa: PLC0415 - see above

        folder = self._home / "projects" / str(self._stacks)
        folder.mkdir(parents=True)
        self._stacks += 1
        source = self._tests / program if isinstance(program, Path) else program
        return Stack(
            source, self._emulator, folder, config=config, name=name, key=key, home=self._home, real_time=real_time
        )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session", name="_dataprotection_session_emulator")
def session_emulator() -> "Iterator[Emulator]":
    """The emulator that all tests of this process use in turn."""
    try:
        # Imported here, because each start of pytest would take longer.
        module = import_module("pulumi_dataprotection.testing._emulator")
    except ModuleNotFoundError as error:
        raise _failure(f"{_NO_PACKAGES} ({error.name} is missing)") from None
    with cast("Callable[[], Emulator]", module.Emulator)() as emulator:
        yield emulator


@pytest.fixture
def dataprotection_emulator(request: pytest.FixtureRequest, _dataprotection_session_emulator: "Emulator") -> "Emulator":
    """A running emulator with content and dialect as the marker `dataprotection` says, and no requests yet."""
    emulator = _dataprotection_session_emulator
    options = _options(request.node)
    seed, dialect = options.get("seed", "demo"), options.get("dialect", "published")
    try:
        emulator.reset(_seed(seed, request.path.parent))
        emulator.set_dialect(**_variants(dialect))
    except ValueError as error:
        raise _failure(f"@pytest.mark.dataprotection: {error}") from None
    emulator.clear_requests()
    if functions := sys.modules.get("pulumi_dataprotection.functions._data_source"):
        # A test that calls functions in this process, such as a test with Pulumi's mocks, must not see earlier answers.
        cast("Callable[[], None]", functions.close_session)()
    return emulator


@pytest.fixture
def dataprotection_stack(
    request: pytest.FixtureRequest, dataprotection_emulator: "Emulator", tmp_path_factory: pytest.TempPathFactory
) -> StackFactory:
    """A factory of stacks on the real engine, against the test's emulator."""
    if not shutil.which("pulumi"):
        raise _failure(_NO_PULUMI)
    return StackFactory(dataprotection_emulator, request.path.parent, tmp_path_factory.mktemp("dataprotection"))


def _failure(text: str) -> BaseException:
    # The user needs the text, not the traceback of this module.
    return pytest.fail.Exception(text, pytrace=False)


def _options(item: pytest.Item) -> dict[str, object]:
    """Return the marker's arguments; the marker that is nearest to the test wins."""
    options: dict[str, object] = {}
    for mark in item.iter_markers("dataprotection"):
        unknown = [*map(repr, mark.args), *(name for name in mark.kwargs if name not in {"seed", "dialect"})]
        if unknown:
            pytest.fail(
                f"@pytest.mark.dataprotection takes seed= and dialect=, not {', '.join(unknown)}", pytrace=False
            )
        options = {**mark.kwargs, **options}
    return options


def _seed(seed: object, folder: Path) -> str | Path | Mapping[str, object]:
    if isinstance(seed, Mapping):
        return cast("Mapping[str, object]", seed)
    if isinstance(seed, str | Path):
        file = folder / seed
        return file if isinstance(seed, Path) or file.is_file() else seed
    raise ValueError(f"seed= takes a name, a file or a state document, not {seed!r}")


def _variants(dialect: object) -> dict[str, str]:
    if isinstance(dialect, str):
        return {"preset": dialect}
    if isinstance(dialect, Mapping):
        return dict(cast("Mapping[str, str]", dialect))
    raise ValueError(f"dialect= takes a preset's name or a mapping of variants, not {dialect!r}")
