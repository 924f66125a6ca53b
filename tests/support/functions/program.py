"""A Pulumi program around a function: an event loop for outputs, and the config of a stack."""

import asyncio
import contextvars
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

import pulumi
import pytest
from pulumi.runtime import rpc, set_all_config
from pulumi.runtime.stack import massage

from pulumi_dataprotection.functions._data_source import close_session
from support import Emulator

T = TypeVar("T")


class Program:
    """A program that runs as in the language host, and leaves nothing behind."""

    def run(self, body: Callable[[], T], config: Mapping[str, str] | None = None) -> T:
        """Run a part of a program, and return its result.

        Args:
            body: the part.
            config: the stack's config, without the namespace.
        """

        async def main() -> T:
            set_all_config({f"dataprotection:{key}": value for key, value in (config or {}).items()})
            return body()

        return contextvars.copy_context().run(asyncio.run, main())

    def wait(self, body: Callable[[], pulumi.Output[T]]) -> tuple[T | None, bool]:
        """Return the value of the output that a part of a program makes, and whether it is known."""

        async def main() -> tuple[T | None, bool]:
            output = body()
            return await output.future(), await output.is_known()

        return contextvars.copy_context().run(asyncio.run, main())

    def send(self, value: object) -> Any:  # noqa: ANN401 - JSON
        """Return the form in which the engine receives an argument of a resource."""

        async def main() -> object:
            return await rpc.serialize_property(value, [], None)

        return contextvars.copy_context().run(asyncio.run, main())

    def export(self, value: object) -> Any:  # noqa: ANN401 - JSON
        """Return the form in which the engine receives an export."""
        return self.send(cast("object", massage(value, [])))


def unknown() -> pulumi.Output[Any]:
    """Return an output of a resource that a preview would create."""
    return pulumi.Output.from_input(pulumi.UNKNOWN)


def known(value: T) -> pulumi.Output[T]:
    """Return an output of a resource that exists."""
    return pulumi.Output.from_input(value)


def use_service(patch: pytest.MonkeyPatch, url: str, api_key: str = "key") -> None:
    """Set the variables that lead to a service."""
    patch.setenv("DATAPROTECTION_API_KEY", api_key)
    patch.setenv("DATAPROTECTION_BASE_URL", url)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """Return a program without settings, in a process with empty caches."""
    for name in os.environ:
        if name.startswith("DATAPROTECTION_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATAPROTECTION_CALLS_PER_SECOND", "0")
    monkeypatch.setenv("DATAPROTECTION_READ_LAG", "0")
    yield Program()
    close_session()


@pytest.fixture
def shop(program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Return a program with the full key of a fresh emulator."""
    use_service(monkeypatch, emulator.url, emulator.api_key)
    return program
