"""A service that gives the answers of a script, on a real socket, and a clock that a test drives."""

import json
import ssl
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from socket import SO_LINGER, SOL_SOCKET
from threading import Lock, Thread
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from pulumi_dataprotection.client import Client, Clock
from support import HANG

KEY = "key-of-the-tests-7c1e"

Connect = Callable[..., Client]
"""Opens a client with settings of its own; the client is closed at the end of the test."""


@dataclass(frozen=True)
class Reply:
    """One answer: its status, its body in pieces, its headers; `lost` ends the connection instead."""

    status: int = 200
    body: Sequence[bytes] = (b"{}",)
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    lost: bool = False


def told(value: object, status: int = 200, **headers: str) -> Reply:
    """Answer with a JSON value; headers are written with underscores."""
    return _reply(status, json.dumps(value).encode(), "application/json", headers)


def page(*items: object, following: str = "") -> Reply:
    """Answer with one page of a listing."""
    return told({"items": items, "next_page_token": following})


def counted(protected: int, *, items: int = 1000, tenant_id: str = "t-1") -> Reply:
    """Answer with the counts of a tenant."""
    total = {"count": items, "protected_count": protected}
    return told({"tenants": [{"tenant_id": tenant_id, "resources_total": total}]})


def html(text: str, status: int) -> Reply:
    """Answer with a page of HTML, as a proxy in between does."""
    return _reply(status, f"<html><head><title>x</title></head><body>{text}</body></html>".encode(), "text/html", {})


def empty(status: int) -> Reply:
    """Answer without a body."""
    return Reply(status, (), {"Content-Type": "application/json"})


LOST = Reply(lost=True)


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def query(self) -> dict[str, str]:
        """The query, decoded."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))


class Scripted:
    """An HTTP server that gives prepared answers in order, and remembers the requests."""

    def __init__(self, certificate: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        self._replies: Iterator[Reply] = iter(())
        self._lock = Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        scheme = "http"
        if certificate:
            scheme = "https"
            self._server.socket = certificate.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{scheme}://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), name="scripted", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=HANG)

    def script(self, *replies: Reply, then: Iterable[Reply] = ()) -> None:
        """Forget the requests so far, and set the next replies; a request after the last reply gets the status 499."""
        self.requests.clear()
        self._replies = chain(replies, then)

    def take(self, request: Request) -> Reply:
        """Note a request, and choose its answer."""
        with self._lock:
            self.requests.append(request)
            return next(self._replies, Reply(499, (b"the script is over",)))


class DrivenClock(Clock):
    """A clock that advances only if somebody waits, and then immediately.

    Attributes:
        waits: the seconds of each wait, in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []
        self._now = 1000.0
        self._lock = Lock()

    def monotonic(self) -> float:
        """Return the seconds so far."""
        with self._lock:
            return self._now

    def time(self) -> float:
        """Return the same seconds: the epoch of this clock is its zero."""
        return self.monotonic()

    def sleep(self, seconds: float, /) -> None:
        """Advance."""
        self.check()
        with self._lock:
            self.waits.append(seconds)
            self._now += seconds


class StandingClock(DrivenClock):
    """A clock that notes each wait and never advances: all calls happen at the same moment."""

    def sleep(self, seconds: float, /) -> None:
        """Note the wait."""
        self.waits.append(round(seconds, 3))


class InterruptedClock(DrivenClock):
    """A clock that runs a function during the first wait.

    Attributes:
        meanwhile: the function.
    """

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] | None = None

    def sleep(self, seconds: float, /) -> None:
        """Run the function, then advance."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            meanwhile()
        super().sleep(seconds)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: some tests are about clients that hang up."""


def _handler(scripted: Scripted) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: object) -> None:
            pass

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = scripted.take(Request(self.command, self.path, headers, body))
            if reply.lost:
                self.connection.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status not in {204, 304} and "Content-Length" not in reply.headers:
                self.send_header("Content-Length", str(sum(len(piece) for piece in reply.body)))
            self.end_headers()
            for piece in reply.body:
                self.wfile.write(piece)

    for method in ("GET", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answer)
    return Handler


def _reply(status: int, body: bytes, content_type: str, headers: Mapping[str, str]) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, (body,), {"Content-Type": content_type, **named})
