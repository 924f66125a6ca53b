"""The declarations of a program, their handover to the provider, and what the provider does with them."""

import asyncio
import contextvars
import gc
import weakref
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import grpc
import pulumi
import pytest
from pulumi.runtime import settings
from pulumi.runtime.proto import engine_pb2_grpc

from pulumi_dataprotection import client
from pulumi_dataprotection.core.handover import Handover, HandoverFile, read_handover
from pulumi_dataprotection.resources._declarations import after_earlier_ones, declare, wait_for_all_tasks
from pulumi_dataprotection.resources._sdk import program_handover
from support import Emulator, until
from support.resources.arguments import protection, state
from support.resources.contoso import GOLD, TENANT, user
from support.resources.servicer import Engine, Run, Servicer, assert_names, failure_of

T = TypeVar("T")
RESOURCE = cast("pulumi.Resource", object())
"""A resource that failed: it has no URN."""


class Stack:
    """The root of a program."""

    def __init__(self) -> None:
        self._outputs_registered = False

    def begin(self, channel: grpc.Channel | None = None) -> None:
        """Become the root of the running program, with an engine if there is a channel to it."""
        settings.set_root_resource(cast("pulumi.Resource", self))
        if channel:
            cast("Any", settings.SETTINGS).engine = engine_pb2_grpc.EngineStub(channel)

    def end(self) -> None:
        """End the main function."""
        self._outputs_registered = True


class DrivenLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test advances."""

    ahead = 0.0

    def time(self) -> float:
        """Return the seconds since some moment."""
        return super().time() + self.ahead


class Registered:
    """A registered resource."""

    def __init__(self, urn: pulumi.Input[str], parent: Stack | None = None) -> None:
        self.urn = pulumi.Output.from_input(urn)
        self.parent = parent


def run_program(program: Coroutine[Any, Any, T]) -> T:
    return contextvars.copy_context().run(asyncio.run, program)


async def all_tasks() -> None:
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))


def test_a_program_without_an_event_loop_declares_its_resources() -> None:
    entry = declare(RESOURCE, "a", "t-1", ["jane@contoso.example"])
    assert ("", "t-1", ["jane@contoso.example"]) == (entry.urn, entry.tenant_id, entry.references)


def test_arguments_of_other_types_are_left_to_the_check() -> None:
    wrong: Any = b"t-1"
    entry = declare(RESOURCE, "a", wrong, [wrong, "jane@contoso.example"])
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

    run_program(program())


@pytest.mark.parametrize("failure", [None, Exception("a registration failed")])
def test_the_end_of_a_failed_program_declares_nothing(failure: Exception | None) -> None:
    declared: list[str] = []

    async def program() -> None:
        stack = Stack()
        stack.begin()
        stack.end()
        declare(RESOURCE, "a", "t-1", [], at_end=lambda: declared.append("a-removal"))
        rpc_manager = cast("Any", settings.SETTINGS).rpc_manager
        rpc_manager.unhandled_exception = failure
        await all_tasks()
        rpc_manager.clear()

    run_program(program())
    assert declared == ([] if failure else ["a-removal"])


def test_nothing_waits_for_ever_for_the_urn_of_a_failed_program() -> None:
    async def program(loop: DrivenLoop) -> object:
        stack = Stack()
        stack.begin()
        stack.end()
        unanswered = loop.create_future()
        declare(cast("pulumi.Resource", Registered(unanswered)), "a", "t-1", [], at_end=lambda: None)
        later = after_earlier_ones(declare(RESOURCE, "b", "t-1", []), "t-1")
        waiting = asyncio.ensure_future(cast("pulumi.Output[str]", later).future())
        end = asyncio.ensure_future(wait_for_all_tasks([waiting]))
        for _ in range(5):
            await asyncio.sleep(0)
        assert (False, False) == (waiting.done(), end.done())
        rpc_manager = cast("Any", settings.SETTINGS).rpc_manager
        rpc_manager.unhandled_exception = Exception("the engine has gone")
        loop.ahead = 60
        found = await waiting
        await end
        rpc_manager.clear()
        return found

    with asyncio.Runner(loop_factory=DrivenLoop) as runner:
        driven = cast("DrivenLoop", runner.get_loop())
        assert "t-1" == contextvars.copy_context().run(runner.run, program(driven))


def test_an_unwritable_file_is_a_warning(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    client.private_folder().chmod(0o755)

    async def program() -> None:
        with grpc.insecure_channel(engine.address) as channel:
            Stack().begin(channel)
            assert [None, None] == [program_handover(), program_handover()]
            await all_tasks()

    run_program(program())
    (warning,) = engine.warnings
    assert_names(warning, "mode 0700", "--target", "--exclude")


def test_the_end_of_a_program_hands_over_all_its_declarations(engine: Engine) -> None:
    async def program() -> Handover | None:
        stack = Stack()
        with grpc.insecure_channel(engine.address) as channel:
            stack.begin(channel)
            stack.end()
            declare(cast("pulumi.Resource", Registered("urn:a")), "a", "t-1", ["jane@contoso.example"])
            declare(RESOURCE, "b", "t-1", ["john@contoso.example"])
            await all_tasks()
            return read_handover(engine.address)

    found = run_program(program())
    assert found
    assert (True, ["urn:a", ""]) == (found.complete, [declaration.urn for declaration in found.declarations])
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


def test_the_file_goes_with_the_engine_even_if_the_program_stays() -> None:
    engine, stack = Engine(), Stack()

    async def program() -> HandoverFile | None:
        stack.begin(grpc.insecure_channel(engine.address))
        return program_handover()

    file = run_program(program())
    assert file
    assert file.path.exists()
    engine.close()
    until(lambda: not file.path.exists())
    file.declare([], complete=True)
    assert not file.path.exists()


def test_a_program_that_has_ended_leaves_nothing_in_its_process(engine: Engine) -> None:
    async def program() -> weakref.ref[Stack]:
        stack = Stack()
        stack.begin(grpc.insecure_channel(engine.address))
        stack.end()
        declare(cast("pulumi.Resource", Registered("urn:a", parent=stack)), "a", "t-1", ["jane@contoso.example"])
        await all_tasks()
        return weakref.ref(stack)

    root = run_program(program())
    gc.collect()
    assert root() is None


def test_a_process_without_an_engine_hands_nothing_over() -> None:
    assert program_handover() is None


@pytest.fixture
def handover(servicer: Servicer) -> Iterator[HandoverFile]:
    """The file of a program that runs."""
    file = HandoverFile(servicer.address)
    yield file
    file.remove()


@pytest.mark.usefixtures("handover")
def test_a_resource_is_not_deleted_before_the_program_has_ended(run: Run, emulator: Emulator) -> None:
    wire = run.protection.named("early")
    wire.check({}, protection(user(10), "Gold"))
    failure = failure_of(wire.delete, f"{TENANT}/{user(9)}", state(user(9), GOLD, GOLD))
    assert_names(failure, '"early"', "delete_before_replace")
    assert [] == emulator.writes()


def test_a_provider_rejects_another_service_of_functions(handover: HandoverFile, run: Run, emulator: Emulator) -> None:
    handover.add_service(None, client.Settings(api_key="key-1", base_url="https://other.example.com"))
    assert_names(failure_of(run.protection.check, {}, protection(user(10), "Gold")), "functions", "DATAPROTECTION_*")
    assert [] == emulator.requests()
