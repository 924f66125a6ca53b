"""A network whose connections, reads and writes all end at one moment, whatever the other end sends meanwhile."""

import socket
import ssl
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from threading import Thread
from typing import Any

import httpcore

__all__ = ["DeadlineNetwork"]

_LONGEST = 1e6
"""Seconds; the system does not take a longer time limit."""

_Timeout = type[httpcore.TimeoutException]
_Resolve = Callable[..., list[Any]]


class DeadlineNetwork(httpcore.NetworkBackend):
    """The network of one connection at a time.

    The library's own limits are for each read, and a hostile server can send a piece of an answer before each limit.

    Args:
        resolve: looks a host up, as `socket.getaddrinfo`.

    Attributes:
        deadline: the moment, in seconds of `time.monotonic`.
    """

    def __init__(self, resolve: _Resolve = socket.getaddrinfo) -> None:
        self.deadline = 0.0
        self._resolve = resolve
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of a host that answers."""
        failure: httpcore.ConnectError | None = None
        for address in self._addresses(host, port):
            try:
                left = self.left(httpcore.ConnectTimeout)
                stream = self._network.connect_tcp(address, port, left, local_address, socket_options)
            except httpcore.ConnectError as error:
                failure = error
            else:
                return _Stream(stream, self)
        raise failure or httpcore.ConnectError(f"{host} has no address")

    def left(self, kind: _Timeout) -> float:
        """Return the seconds until the deadline.

        Args:
            kind: the error if they are over.
        """
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise kind
        return min(left, _LONGEST)

    def _addresses(self, host: str, port: int) -> list[str]:
        """Look a host up in a thread, since the system's resolver knows no limit."""
        found: Future[list[Any]] = Future()

        def look_up() -> None:
            try:
                found.set_result(self._resolve(host, port, type=socket.SOCK_STREAM))
            except (OSError, UnicodeError) as error:
                found.set_exception(error)

        Thread(target=look_up, name="resolver", daemon=True).start()
        try:
            return [info[4][0] for info in found.result(self.left(httpcore.ConnectTimeout))]
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error


class _Stream(httpcore.NetworkStream):
    """A connection whose reads and writes end at the deadline of its network."""

    def __init__(self, stream: httpcore.NetworkStream, network: DeadlineNetwork) -> None:
        self._stream = stream
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline counts
        return self._stream.read(max_bytes, self._network.left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the deadline counts
        self._stream.write(buffer, self._network.left(httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
    ) -> httpcore.NetworkStream:
        left = self._network.left(httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._network)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the base class
        return self._stream.get_extra_info(info)
