"""What the SDK does not offer its dynamic providers: clean errors, work that is kept half done, and messages.

The SDK calls a provider from its gRPC servicer. The servicer's stack frame holds the request and the gRPC context,
and with these an error can carry its own text instead of a traceback. That frame is private to the SDK: where it is
not found, each function here does the next best thing.
"""

import contextlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn, Protocol, cast

import grpc
from google.protobuf.any_pb2 import Any  # type: ignore[import-untyped]  # generated code without types
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]  # generated code without types
from google.rpc.status_pb2 import Status
from pulumi.runtime import rpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2

__all__ = [
    "PROVIDER",
    "ResourceError",
    "fail",
    "fail_half_done",
    "known_inputs",
    "show_progress",
    "tell",
    "urn",
    "warn",
]

PROVIDER = "__provider"
"""The property in which the SDK keeps the pickled provider."""

_HOOKS = {"Check", "Diff", "Create", "Read", "Update", "Delete"}
_UNKNOWN = 2
_LOG_SECONDS = 5
_MOST_KEPT = 12_000_000  # bytes; an error travels in a header, of which the engine takes 16 MB in Base64


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
        text: what happened and what to do; may have several lines.

    Raises:
        ResourceError: always.
    """
    call = _current_call()
    if call:
        _answer(call, Status(code=_UNKNOWN, message=text))
    else:
        sys.tracebacklimit = 0
    raise ResourceError(text) from None


def fail_half_done(text: str, id: str, outputs: Mapping[str, object]) -> NoReturn:
    """End a creation or an update with an error, and let the engine keep what was done.

    The next `up` calls update, also where the program did not change.

    Args:
        text: what happened and what to do; may have several lines.
        id: the resource's id.
        outputs: what there is by now.

    Raises:
        ResourceError: always.
    """
    call = _current_call()
    if not call:
        fail(text)
    given = call.request.news if hasattr(call.request, "news") else call.request.properties
    kept = Struct()
    kept.update(cast("dict[str, str]", {**outputs, PROVIDER: given[PROVIDER]}))
    detail = Any()
    detail.Pack(provider_pb2.ErrorResourceInitFailed(id=id, properties=kept, reasons=[text]))
    if detail.ByteSize() > _MOST_KEPT:
        fail(f"{text}\nThat is more than the engine can keep of it: the next `pulumi up` finds it in the service")
    _answer(call, Status(code=_UNKNOWN, message=text, details=[detail]))
    raise ResourceError(text) from None


def urn() -> str:
    """The URN of the resource of the operation; empty where the SDK does not let it be known."""
    call = _current_call()
    return call.request.urn if call else ""


def known_inputs() -> dict[str, object]:
    """The inputs that the engine knows of the resource of a read; empty where the SDK does not let them be known."""
    call = _current_call()
    return cast("dict[str, object]", rpc.deserialize_properties(call.request.inputs)) if call else {}


def show_progress(text: str) -> None:
    """Show in the status column how far a long operation is; lost where the engine cannot be reached."""
    _log(engine_pb2.INFO, text, ephemeral=True)


def tell(text: str, urn: str = "") -> None:
    """Show a message beside the resource, or beside another one; lost where the engine cannot be reached."""
    _log(engine_pb2.INFO, text, urn)


def warn(text: str, urn: str = "") -> None:
    """Show a warning beside the resource, or beside another one; lost where the engine cannot be reached."""
    _log(engine_pb2.WARNING, text, urn)


def _answer(call: _EngineCall, status: Status) -> None:
    call.context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))


def _log(severity: engine_pb2.LogSeverity.ValueType, text: str, urn: str = "", *, ephemeral: bool = False) -> None:
    call = _current_call()
    if not call:
        return
    about = urn or call.request.urn
    message = engine_pb2.LogRequest(severity=severity, message=text, urn=about, ephemeral=ephemeral)
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
