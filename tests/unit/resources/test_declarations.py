"""The end of a program, and the handover of its declarations."""

import asyncio
import contextvars
import gc
from pathlib import Path
from typing import Any, cast

import grpc
import pulumi
import pytest
from pulumi.runtime import settings
from pulumi.runtime.proto import engine_pb2_grpc

from pulumi_dataprotection import client
from pulumi_dataprotection.core.handover import Handover, read_handover
from pulumi_dataprotection.resources._declarations import declare, wait_for_all_tasks
from pulumi_dataprotection.resources._sdk import program_handover
from support.resources.servicer import Engine


class Stack:
    """Stands at the root of a program."""

    def __init__(self) -> None:
        self._outputs_registered = False

    def begin(self, channel: grpc.Channel | None = None) -> None:
        """Be the root of the running program, with an engine if there is a channel to it."""
        settings.set_root_resource(cast("pulumi.Resource", self))
        if channel:
            cast("Any", settings.SETTINGS).engine = engine_pb2_grpc.EngineStub(channel)

    def end(self) -> None:
        """End the main function."""
        self._outputs_registered = True


def test_a_program_without_an_event_loop_declares_what_it_has() -> None:
    entry = declare(cast("pulumi.Resource", object()), "a", "t-1", ["jane@contoso.example"])
    assert ("", "t-1", ["jane@contoso.example"]) == (entry.urn, entry.tenant_id, entry.references)


def test_arguments_of_other_types_are_left_to_the_check() -> None:
    wrong: Any = b"t-1"
    entry = declare(cast("pulumi.Resource", object()), "a", wrong, [wrong, "jane@contoso.example"])
    assert (None, ["jane@contoso.example"]) == (entry.tenant_id, entry.references)


def test_the_end_of_an_asynchronous_program_is_waited_for() -> None:
    async def program() -> None:
        stack = Stack()
        stack.begin()
        waiting = asyncio.ensure_future(wait_for_all_tasks(()))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        stack.end()
        await waiting

    contextvars.copy_context().run(asyncio.run, program())


@pytest.mark.parametrize("failure", [None, Exception("a registration failed")])
def test_the_end_of_a_failed_program_declares_nothing(failure: Exception | None) -> None:
    declared: list[str] = []

    async def program() -> None:
        stack = Stack()
        stack.begin()
        stack.end()
        declare(cast("pulumi.Resource", object()), "a", "t-1", [], at_end=lambda: declared.append("a-removal"))
        rpc_manager = cast("Any", settings.SETTINGS).rpc_manager
        rpc_manager.unhandled_exception = failure
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        rpc_manager.clear()

    contextvars.copy_context().run(asyncio.run, program())
    assert declared == ([] if failure else ["a-removal"])


def test_a_file_that_cannot_be_written_is_a_warning(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    client.private_folder().chmod(0o755)

    async def program() -> None:
        stack = Stack()
        with grpc.insecure_channel(engine.address) as channel:
            stack.begin(channel)
            assert [None, None] == [program_handover(), program_handover()]
            await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    contextvars.copy_context().run(asyncio.run, program())
    (warning,) = [message.message for message in engine.messages]
    assert "Cannot write the file that informs the provider about this program" in warning
    assert "Do not use --target or --exclude in this run" in warning


class Declared:
    """Stands for a registered resource."""

    def __init__(self, urn: str) -> None:
        self.urn = pulumi.Output.from_input(urn)


def test_the_end_of_a_program_hands_over_all_its_declarations(engine: Engine) -> None:
    async def program() -> Handover | None:
        stack = Stack()
        with grpc.insecure_channel(engine.address) as channel:
            stack.begin(channel)
            stack.end()
            declare(cast("pulumi.Resource", Declared("urn:a")), "a", "t-1", ["jane@contoso.example"])
            # A resource that failed has no URN.
            declare(cast("pulumi.Resource", object()), "b", "t-1", ["john@contoso.example"])
            await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
            return read_handover(engine.address)

    found = contextvars.copy_context().run(asyncio.run, program())
    assert found
    assert found.complete
    assert ["urn:a", ""] == [declaration.urn for declaration in found.declarations]
    assert "a" == found.declared_by("t-1", ["jane@contoso.example"])


def test_the_file_exists_as_long_as_the_program(engine: Engine) -> None:
    def program() -> Path:
        stack = Stack()
        stack.begin(grpc.insecure_channel(engine.address))
        file = program_handover()
        assert file
        assert file.path.exists()
        return file.path

    path = contextvars.Context().run(program)
    gc.collect()
    assert not path.exists()
