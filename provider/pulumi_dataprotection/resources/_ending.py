"""How a provider's process learns that it is to end: the user presses Ctrl-C, or the engine is gone."""

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType

import grpc

from pulumi_dataprotection import client

__all__ = ["listen_to_the_engine", "loss_of_the_engine"]


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
