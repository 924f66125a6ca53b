"""A server on a raw socket that answers each connection as a function does, however hostile the answer is."""

import socket
import ssl
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from support import HANG

__all__ = ["Answer", "Connection", "dripping", "endless", "hostile", "silent", "tunnel"]

Answer = Callable[["Connection"], object]
"""Answers one connection; the connection ends with it."""

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


class Connection:
    """The server's end of a connection.

    Attributes:
        socket: the socket.
        head: the request up to its first empty line; empty if nothing was read.
    """

    def __init__(self, connected: socket.socket, over: Event) -> None:
        self.socket = connected
        self.head = b""
        self._over = over

    def read_head(self) -> None:
        """Read the head of a request."""
        while b"\r\n\r\n" not in self.head and (piece := self.socket.recv(65536)):
            self.head += piece

    def send(self, pieces: Iterable[bytes], *, pause: float = 0) -> None:
        """Send pieces until the other end hangs up or the test is over.

        Args:
            pieces: the pieces.
            pause: the seconds before each.
        """
        for piece in pieces:
            if self._over.wait(pause):
                return
            self.socket.sendall(piece)

    def wait(self) -> None:
        """Wait until the test is over."""
        self._over.wait(HANG)


def dripping(text: bytes) -> Answer:
    """Send a text byte by byte, each of them in time."""

    def answer(connection: Connection) -> None:
        connection.read_head()
        connection.send((bytes([byte]) for byte in text), pause=0.02)

    return answer


def endless(start: bytes, piece: bytes, *, pause: float = 0) -> Answer:
    """Send a text, and then a piece again and again."""

    def answer(connection: Connection) -> None:
        connection.read_head()
        connection.send(_after(start, piece), pause=pause)

    return answer


def silent(connection: Connection) -> None:
    """Read the request, and answer nothing."""
    connection.read_head()
    connection.wait()


def tunnel(connection: Connection) -> None:
    """Answer `CONNECT` as a proxy: connect to the host, and pass everything on."""
    connection.read_head()
    host, _, port = connection.head.split()[1].decode().rpartition(":")
    with socket.create_connection((host, int(port)), timeout=HANG) as service:
        connection.send([b"HTTP/1.1 200 OK\r\n\r\n"])
        there = Thread(target=_pass_on, args=[service, connection.socket], daemon=True)
        there.start()
        _pass_on(connection.socket, service)
        there.join(HANG)


@contextmanager
def hostile(answer: Answer, certificate: ssl.SSLContext | None = None) -> Generator[tuple[str, list[Connection]]]:
    """Serve an answer; return the address without its scheme, and the connections so far."""
    over, connections = Event(), list[Connection]()

    def serve_one(connected: socket.socket) -> None:
        # The client hangs up as soon as it has seen enough.
        with (
            suppress(OSError),
            certificate.wrap_socket(connected, server_side=True) if certificate else connected as it,
        ):
            connections.append(Connection(it, over))
            answer(connections[-1])

    def serve() -> None:
        with suppress(OSError):
            while True:
                threads.append(Thread(target=serve_one, args=[listener.accept()[0]], daemon=True))
                threads[-1].start()

    threads = [Thread(target=serve, daemon=True)]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threads[0].start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}", connections
        finally:
            over.set()
            # This ends the wait for another connection, which a close does not.
            listener.shutdown(socket.SHUT_RDWR)
            for thread in [*threads]:
                thread.join(HANG)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


def _after(start: bytes, piece: bytes) -> Iterator[bytes]:
    yield start
    while True:
        yield piece
