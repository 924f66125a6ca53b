"""The private parts of Pulumi's SDK that this package uses; no other module uses any.

The SDK offers its dynamic providers no errors without a traceback, no work that is kept half done, and no messages.
The stack frame of its gRPC servicer holds the request and the gRPC context, which offer all of them. If an upgrade of
the SDK changes a part, each function does the next best thing, and `tests/unit/resources/test_sdk_source.py` fails.
"""

import contextlib
import inspect
import os
import signal
import sys
import weakref
from asyncio import Task
from collections.abc import Callable, Collection, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, ContextVar
from dataclasses import dataclass
from pathlib import Path
from threading import Event, RLock
from types import FrameType, FunctionType
from typing import NamedTuple, NoReturn, Protocol, TypeVar, cast

import grpc
import pulumi
from google.protobuf.any_pb2 import Any  # type: ignore[import-untyped]  # generated code without types
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]  # generated code without types
from google.rpc.status_pb2 import Status
from pulumi.runtime import rpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable_lines
from pulumi_dataprotection.core.handover import HandoverFile

__all__ = [
    "PROVIDER",
    "SECRET_INPUTS",
    "ResourceError",
    "at_end_of_program",
    "engine_address",
    "fail",
    "fail_half_done",
    "has_main_ended",
    "has_program_failed",
    "info",
    "is_task_of_sdk",
    "known_inputs",
    "listen_to_the_engine",
    "of_program",
    "on_loss_of_engine",
    "operation",
    "program_handover",
    "request_urn",
    "root_resource",
    "secret_inputs",
    "show_progress",
    "shown",
    "urn",
    "warn",
]

T = TypeVar("T")

# https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/dynamic/dynamic.py#L38
PROVIDER = "__provider"
"""The property in which the SDK keeps the pickled provider."""

SECRET_INPUTS = "secret_inputs"  # noqa: S105 - the name of a property
"""The property in which a program names the inputs that are secret: the engine sends a provider only their values."""

_MIN_SECRET = 3
"""Characters; a shorter text would be replaced inside of words."""

# https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/dynamic/__main__.py#L91
_HOOKS = {"Check", "Diff", "Create", "Read", "Update", "Delete"}
_UNKNOWN = 2
_LOG_SECONDS = 5
_CONNECT_SECONDS = 5
_MAX_KEPT = 12_000_000  # bytes; an error travels in a header, of which the engine takes 16 MB in Base64


class _Operation(NamedTuple):
    """An operation on a resource.

    Attributes:
        urn: the resource.
        secrets: its secret texts, the longest first.
    """

    urn: str = ""
    secrets: Collection[str] = ()


_NO_OPERATION = _Operation()
_operation: ContextVar[_Operation] = ContextVar("operation", default=_NO_OPERATION)


class ResourceError(Exception):
    """An operation on a resource failed; the text is what the user reads."""


class _Context(Protocol):
    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None: ...


class _Request(Protocol):
    urn: str
    inputs: Struct  # of a read
    properties: Struct  # of a creation
    news: Struct  # of an update


class _Engine(Protocol):
    def Log(self, request: engine_pb2.LogRequest, *, timeout: float) -> object: ...  # noqa: N802 - the wire's name


@dataclass(frozen=True, slots=True)
class _EngineCall:
    request: _Request
    context: _Context


def fail(text: str) -> NoReturn:
    """End the operation with an error that the user sees as this text, without a traceback.

    Args:
        text: the failure and its remedy; may have several lines.

    Raises:
        ResourceError: Always.
    """
    call, text = _current_call(), shown(text)
    if call:
        _answer(call, Status(code=_UNKNOWN, message=text))
    else:
        sys.tracebacklimit = 0
    raise ResourceError(text) from None


def fail_half_done(text: str, id: str, outputs: Mapping[str, object]) -> NoReturn:
    """End a creation or an update with an error, and let the engine keep what was done.

    The next `up` calls update, even if the program did not change.

    Args:
        text: the failure and its remedy; may have several lines.
        id: the resource's id.
        outputs: the outputs by now.

    Raises:
        ResourceError: Always.
    """
    call, text = _current_call(), shown(text)
    if not call:
        fail(text)
    given = call.request.news if hasattr(call.request, "news") else call.request.properties
    kept = Struct()
    kept.update(cast("dict[str, str]", {**outputs, PROVIDER: given[PROVIDER]}))
    detail = Any()
    detail.Pack(provider_pb2.ErrorResourceInitFailed(id=id, properties=kept, reasons=[text]))
    if detail.ByteSize() > _MAX_KEPT:
        fail(f"{text}\nThat is more than the engine can keep of it: the next `pulumi up` finds it in the service")
    _answer(call, Status(code=_UNKNOWN, message=text, details=[detail]))
    raise ResourceError(text) from None


def request_urn() -> str:
    """Return the URN in the request of the operation; empty if the SDK has changed."""
    call = _current_call()
    return call.request.urn if call else ""


def known_inputs() -> dict[str, object]:
    """Return the inputs that the engine knows of the resource of a read; empty if the SDK has changed."""
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/rpc.py#L824
    call = _current_call()
    return cast("dict[str, object]", rpc.deserialize_properties(call.request.inputs)) if call else {}


def secret_inputs() -> dict[str, object]:
    """Return the secret inputs of a check by their names; empty if the SDK has changed."""
    call = _current_call()
    news = getattr(call.request, "news", None) if call else None
    if news is None or SECRET_INPUTS not in news:
        return {}
    names = cast("list[str]", rpc.deserialize_property(news.fields[SECRET_INPUTS].list_value))
    return {name: rpc.deserialize_property(news[name]) for name in names if name in news}


@contextlib.contextmanager
def operation(urn: str, secrets: Collection[str]) -> Generator[None]:
    """Show the messages of a block beside a resource, without its secrets.

    Args:
        urn: the resource.
        secrets: texts; the longest first.
    """
    token = _operation.set(_Operation(urn, secrets))
    try:
        yield
    finally:
        _operation.reset(token)


def urn() -> str:
    """Return the URN of the resource of the operation, also in threads whose work is `in_context`."""
    return _operation.get().urn


def shown(text: str) -> str:
    """Return a message without the secrets that are hidden now, and without characters that a terminal obeys."""
    for secret in _operation.get().secrets:
        if len(secret) >= _MIN_SECRET:
            text = text.replace(secret, "[secret]")
    return printable_lines(text)


def show_progress(text: str) -> None:
    """Show the progress of a long operation in the status column; lost if the engine cannot be reached."""
    _log(engine_pb2.INFO, text, ephemeral=True)


def info(text: str, about: str = "") -> None:
    """Show a message beside the resource, or beside another resource; lost if the engine cannot be reached."""
    _log(engine_pb2.INFO, text, about)


def warn(text: str, about: str = "") -> None:
    """Show a warning beside the resource, or beside another resource; lost if the engine cannot be reached."""
    _log(engine_pb2.WARNING, text, about)


def _answer(call: _EngineCall, status: Status) -> None:
    call.context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))


def _log(severity: engine_pb2.LogSeverity.ValueType, text: str, about: str = "", *, ephemeral: bool = False) -> None:
    about = about or urn()
    if not about:
        return
    message = engine_pb2.LogRequest(severity=severity, message=shown(text), urn=about, ephemeral=ephemeral)
    with contextlib.suppress(grpc.RpcError), grpc.insecure_channel(engine_address()) as channel:
        cast("_Engine", engine_pb2_grpc.EngineStub(channel)).Log(message, timeout=_LOG_SECONDS)


def _current_call() -> _EngineCall | None:
    frame: FrameType | None = inspect.currentframe()
    while frame:
        if frame.f_code.co_name in _HOOKS:
            local: dict[str, object] = dict(frame.f_locals)
            if {"request", "context"} <= local.keys():
                return _EngineCall(cast("_Request", local["request"]), cast("_Context", local["context"]))
        frame = frame.f_back
    return None


def engine_address() -> str:
    """Return the address of the engine that this provider's process serves: the last argument of the process."""
    # https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/go/common/resource/plugin/provider_plugin.go
    return sys.argv[-1]


def root_resource() -> object | None:
    """Return the root of the running program, its stack; None outside of a program."""
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/settings.py#L288
    return pulumi.runtime.get_root_resource()


def listen_to_the_engine() -> None:
    """Interrupt the client when the user presses Ctrl-C, and end the process when the engine was killed.

    At Ctrl-C the engine calls `Cancel` of the provider's process and waits for the operations that are under way, but
    the SDK's servicer does nothing. Its method is bound already when this runs, so its code is replaced. It gets a
    thread of its own, since all other threads may be busy. If the SDK has changed, all operations go on to their end.
    """
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/dynamic/__main__.py#L163
    servicer: object = getattr(sys.modules["__main__"], "DynamicResourceProviderServicer", None)
    method: object = getattr(servicer, "Cancel", None)
    if isinstance(method, FunctionType) and method.__code__ is not _cancel.__code__:
        method.__code__ = _cancel.__code__
        # The name is gRPC's, which looks for it at each call.
        vars(method)["experimental_thread_pool"] = ThreadPoolExecutor(1)
        on_loss_of_engine(engine_address(), _end_process)


def _end_process() -> None:
    client.interrupt()
    # This is how the SDK's process ends, once the calls that are under way have.
    os.kill(os.getpid(), signal.SIGINT)


def on_loss_of_engine(address: str, work: Callable[[], object]) -> None:
    """Connect to an engine, and do some work, once, when the connection is lost.

    Args:
        address: the address of the engine.
        work: the work, in a thread of its own; it is never done for an engine that cannot be reached now.
    """
    # Idling would look like a loss.
    channel = grpc.insecure_channel(address, [("grpc.client_idle_timeout_ms", 2**31 - 1)])
    tried, was_there = Event(), False

    def note(state: grpc.ChannelConnectivity) -> None:
        nonlocal was_there
        lost = was_there and state is not grpc.ChannelConnectivity.READY
        was_there = state is grpc.ChannelConnectivity.READY
        if lost:
            work()
            channel.close()
        if state in {grpc.ChannelConnectivity.READY, grpc.ChannelConnectivity.TRANSIENT_FAILURE}:
            tried.set()

    channel.subscribe(note, try_to_connect=True)
    tried.wait(_CONNECT_SECONDS)


def _cancel(_self: object, request: object, _context: object) -> object:
    # It runs with the names of the servicer's module, not with those of this one.
    from pulumi_dataprotection.client import interrupt  # noqa: PLC0415

    interrupt()
    return request  # which is as empty as the answer


class _NoProgram:
    """The owner of objects that are used outside of a program."""


_NO_PROGRAM = _NoProgram()
_OBJECTS = "_pulumi_dataprotection"
"""The attribute of a program's root in which this package keeps its objects."""
_objects_lock = RLock()


def of_program(make: Callable[[], T]) -> T:
    """Return an object of the running program, which is made on first use and lives as long as the program.

    A process may run several programs, in sequence or in parallel. A thread that the program starts is outside of the
    program, unless it runs in a copy of its context.
    """
    with _objects_lock:
        # The objects refer to the root, so that a weak dictionary would never lose them.
        objects: dict[object, object] = vars(root_resource() or _NO_PROGRAM).setdefault(_OBJECTS, {})
        if make not in objects:
            objects[make] = make()
        return cast("T", objects[make])


def at_end_of_program(work: Callable[[], object]) -> None:
    """Do some work, once, when the engine of the running program is gone, or the program, or the process ends.

    A process that runs many programs may keep one of them for long after its end.
    """
    of_program(_ends_with_engine).append(weakref.finalize(root_resource() or _NO_PROGRAM, work))


def _ends_with_engine() -> list[Callable[[], object]]:
    """Return a list whose functions are called when the engine of the running program is gone."""
    ends: list[Callable[[], object]] = []

    def end() -> None:
        for work in ends:
            work()

    if root_resource() and (address := _engine_of_program()):
        # The thread of the connection keeps its context, which must not be that of the program.
        Context().run(on_loss_of_engine, address, end)
    return ends


def program_handover() -> HandoverFile | None:
    """Return the file of the running program; None without an engine, or if the file cannot be written."""
    return of_program(_create_handover) if root_resource() and _engine_of_program() else None


def _create_handover() -> HandoverFile | None:
    try:
        file = HandoverFile(_engine_of_program(), preview=pulumi.runtime.is_dry_run())
    except OSError as error:
        pulumi.log.warn(
            f"Cannot write the file that informs the provider about this program: {error}. "
            "Do not use --target or --exclude in this run."
        )
        return None
    # The process outlives all deletions: it waits for the engine.
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/stack.py#L104
    at_end_of_program(file.remove)
    return file


def _engine_of_program() -> str:
    """Return the address of the engine that runs this program; empty under mocks, or if the SDK has changed."""
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/settings.py#L104
    channel: object = getattr(getattr(pulumi.runtime.settings.get_engine(), "Log", None), "_channel", None)
    target = getattr(channel, "target", None)
    return cast("bytes", target()).decode().rpartition("/")[2] if callable(target) else ""


_SDK_FOLDER = Path(pulumi.__file__).parent
_NO_END = {_SDK_FOLDER / "runtime" / "stack.py"}
"""Code of tasks that end only with the program."""


def is_task_of_sdk(task: Task[object]) -> bool:
    """Return whether a task belongs to the SDK and ends before the program."""
    code: object = getattr(task.get_coro(), "cr_code", None)
    file = Path(getattr(code, "co_filename", ""))
    return file.is_relative_to(_SDK_FOLDER) and file not in _NO_END


def has_main_ended() -> bool:
    """Return whether the main function of the program has ended; true if the SDK has changed."""
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/stack.py#L279
    return bool(getattr(root_resource(), "_outputs_registered", True))


def has_program_failed() -> bool:
    """Return whether a registration failed: the engine has ended, and what is declared now only adds noise."""
    # https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/rpc_manager.py#L44
    manager = getattr(pulumi.runtime.settings.SETTINGS, "rpc_manager", None)
    return getattr(manager, "unhandled_exception", None) is not None
