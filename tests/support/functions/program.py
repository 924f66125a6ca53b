"""A Pulumi program around a look-up: a loop that outputs live in, and a stack's config."""

import asyncio
import contextvars
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

import pulumi
import pytest
from pulumi.runtime import rpc, set_all_config
from pulumi.runtime.stack import massage

from pulumi_dataprotection.client import close_accounts
from support import Emulator

T = TypeVar("T")


class Program:
    """Runs a piece of a program as the engine's language host does, and leaves nothing behind."""

    def run(self, body: Callable[[], T], config: Mapping[str, str] | None = None) -> T:
        """Return what a piece of a program returns.

        Args:
            body: the piece.
            config: the stack's config, without the namespace.
        """

        async def main() -> T:
            set_all_config({f"dataprotection:{key}": value for key, value in (config or {}).items()})
            return body()

        return contextvars.copy_context().run(asyncio.run, main())

    def wait(self, body: Callable[[], pulumi.Output[T]]) -> tuple[T | None, bool]:
        """Return the value of the output that a piece of a program makes, and whether it is known."""

        async def main() -> tuple[T | None, bool]:
            output = body()
            return await output.future(), await output.is_known()

        return contextvars.copy_context().run(asyncio.run, main())

    def send(self, value: object) -> Any:  # noqa: ANN401 - JSON
        """Return what the engine gets of a value that a resource has as an argument."""

        async def main() -> object:
            return await rpc.serialize_property(value, [], None)

        return contextvars.copy_context().run(asyncio.run, main())

    def export(self, value: object) -> Any:  # noqa: ANN401 - JSON
        """Return what the engine gets of a value that a program exports."""
        return self.send(cast("object", massage(value, [])))


def unknown() -> pulumi.Output[Any]:
    """An output of something that a preview would create."""
    return pulumi.Output.from_input(pulumi.UNKNOWN)


def known(value: T) -> pulumi.Output[T]:
    """An output of something that exists."""
    return pulumi.Output.from_input(value)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program without any settings, in a process that has read nothing yet."""
    for name in os.environ:
        if name.startswith("DATAPROTECTION_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATAPROTECTION_CALLS_PER_SECOND", "0")
    monkeypatch.setenv("DATAPROTECTION_READ_LAG", "0")
    yield Program()
    close_accounts()


@pytest.fixture
def shop(program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program with the full key of a fresh emulator."""
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.api_key)
    monkeypatch.setenv("DATAPROTECTION_BASE_URL", emulator.url)
    return program
