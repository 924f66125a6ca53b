"""What the SDK does not offer its dynamic providers: clean errors, and messages on the resource.

The SDK calls a provider from its gRPC servicer. The servicer's stack frame holds the request and the gRPC context,
and with these an error can carry its own text instead of a traceback. That frame is private to the SDK: where it is
not found, each function here does the next best thing.
"""

import contextlib
import inspect
import sys
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn, Protocol, cast

import grpc
from google.rpc.status_pb2 import Status
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc

__all__ = ["ResourceError", "fail", "warn"]

_HOOKS = {"Check", "Diff", "Create", "Read", "Update", "Delete"}
_UNKNOWN = 2
_LOG_SECONDS = 5


class ResourceError(Exception):
    """An operation on a resource failed; the text is what the user reads."""


class _Context(Protocol):
    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None: ...


class _Request(Protocol):
    urn: str


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


def warn(text: str) -> None:
    """Show a warning beside the resource; lost where the engine cannot be reached."""
    call = _current_call()
    if not call:
        return
    message = engine_pb2.LogRequest(severity=engine_pb2.WARNING, message=text, urn=call.request.urn)
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
