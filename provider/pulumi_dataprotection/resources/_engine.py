"""What the SDK does not offer its dynamic providers: clean errors, messages on the resource, and Ctrl-C.

The SDK calls a provider from its gRPC servicer. The servicer's stack frame holds the request and the gRPC context,
and with these an error can carry its own text instead of a traceback. That frame is private to the SDK: where it is
not found, each function here does the next best thing.
"""

import contextlib
import inspect
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import NoReturn, Protocol, cast

import grpc
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]  # generated code without types
from google.rpc.status_pb2 import Status
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc

from pulumi_dataprotection import client

__all__ = ["ResourceError", "fail", "known_inputs", "listen_to_the_engine", "loss_of_the_engine", "tell", "urn", "warn"]

_HOOKS = {"Check", "Diff", "Create", "Read", "Update", "Delete"}
_UNKNOWN = 2
_LOG_SECONDS = 5


class ResourceError(Exception):
    """An operation on a resource failed; the text is what the user reads."""


class _Context(Protocol):
    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None: ...


class _Request(Protocol):
    urn: str
    inputs: Struct  # of a read


class _Engine(Protocol):
    def Log(self, request: engine_pb2.LogRequest, *, timeout: float) -> object: ...  # noqa: N802 - the wire's name


@dataclass(frozen=True, slots=True)
class _EngineCall:
    request: _Request
    context: _Context


def fail(text: str) -> NoReturn:
    """End the operation with an error that the user sees as this text, without a traceback.

    Args:
        text: what happened and what to do; may have several lines.

    Raises:
        ResourceError: always.
    """
    call = _current_call()
    if call:
        status = Status(code=_UNKNOWN, message=text)
        call.context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    else:
        sys.tracebacklimit = 0
    raise ResourceError(text) from None


def urn() -> str:
    """The URN of the resource of the operation; empty where the SDK does not let it be known."""
    call = _current_call()
    return call.request.urn if call else ""


def known_inputs() -> dict[str, object]:
    """The inputs that the engine knows of the resource of a read; empty where the SDK does not let them be known."""
    call = _current_call()
    return dict(call.request.inputs.items()) if call else {}


def tell(text: str) -> None:
    """Show a message beside the resource; lost where the engine cannot be reached."""
    _log(engine_pb2.INFO, text)


def warn(text: str) -> None:
    """Show a warning beside the resource; lost where the engine cannot be reached."""
    _log(engine_pb2.WARNING, text)


def listen_to_the_engine() -> None:
    """Interrupt the client when the user presses Ctrl-C, and end the process when the engine was killed.

    At Ctrl-C the engine tells the provider's process and waits for the operations that are under way, but the SDK's
    servicer takes no notice. Its method is bound already when this runs, so that its code is replaced and not the
    method; and it gets a thread of its own, as all others may be busy. Where the SDK has changed, all goes on to its
    end.
    """
    servicer: object = getattr(sys.modules["__main__"], "DynamicResourceProviderServicer", None)
    method: object = getattr(servicer, "Cancel", None)
    if isinstance(method, FunctionType) and method.__code__ is not _cancel.__code__:
        method.__code__ = _cancel.__code__
        # The name is gRPC's, which looks for it at each call.
        vars(method)["experimental_thread_pool"] = ThreadPoolExecutor(1)
        _end_with_the_engine()


_watched: list[grpc.Channel] = []


def _end_with_the_engine() -> None:
    # Idling would look like a loss.
    channel = grpc.insecure_channel(sys.argv[-1], [("grpc.client_idle_timeout_ms", 2**31 - 1)])
    channel.subscribe(loss_of_the_engine(), try_to_connect=True)
    _watched.append(channel)


def loss_of_the_engine() -> Callable[[grpc.ChannelConnectivity], None]:
    """Make a listener to the states of the connection to the engine, which ends the process when that is lost."""
    was_there = False

    def note(state: grpc.ChannelConnectivity) -> None:
        nonlocal was_there
        if was_there and state is not grpc.ChannelConnectivity.READY:
            client.interrupt()
            # This is how the SDK's process ends, once the calls that are under way have.
            os.kill(os.getpid(), signal.SIGINT)
        was_there = was_there or state is grpc.ChannelConnectivity.READY

    return note


def _cancel(_self: object, request: object, _context: object) -> object:
    # It runs with the names of the servicer's module, not with those of this one.
    from pulumi_dataprotection.client import interrupt  # noqa: PLC0415

    interrupt()
    return request  # which is as empty as the answer


def _log(severity: engine_pb2.LogSeverity.ValueType, text: str) -> None:
    call = _current_call()
    if not call:
        return
    message = engine_pb2.LogRequest(severity=severity, message=text, urn=call.request.urn)
    # The engine's address is the last argument of the provider's process.
    with contextlib.suppress(grpc.RpcError), grpc.insecure_channel(sys.argv[-1]) as channel:
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
