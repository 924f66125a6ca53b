"""A service that answers what a test wrote down."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Reply:
    """What the service answers; with status 0 it takes the request and answers nothing."""

    status: int = 200
    body: object = None

    def encoded(self) -> tuple[str, bytes]:
        """The media type and the bytes: text as HTML, anything else as JSON."""
        if isinstance(self.body, str):
            return "text/html", self.body.encode()
        return "application/json", json.dumps({} if self.body is None else self.body).encode()


LOST = Reply(0)
NOT_FOUND = Reply(404, "<h1>404 page not found</h1>")


def items(*records: Mapping[str, object]) -> Reply:
    """A page that is the whole list."""
    return Reply(200, {"items": list(records), "next_page_token": ""})


class ScriptedServer:
    """An HTTP server in a thread.

    Args:
        script: for "METHOD /path" the replies, in order; the last one is given again and again.
        otherwise: the reply to all other requests.
    """

    def __init__(self, script: Mapping[str, Sequence[Reply]] | None = None, otherwise: Reply = NOT_FOUND) -> None:
        self.requests: list[str] = []
        self._script = {key: list(replies) for key, replies in (script or {}).items()}
        self._otherwise = otherwise
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    @property
    def writes(self) -> list[str]:
        """The requests that were no reading."""
        return [request for request in self.requests if not request.startswith("GET ")]

    def _reply(self, method: str, target: str) -> Reply:
        with self._lock:
            self.requests.append(f"{method} {target}")
            replies = self._script.get(f"{method} {urlsplit(target).path}", [self._otherwise])
            return replies.pop(0) if len(replies) > 1 else replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._reply

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # An answer in one piece does not wait for the other side's acknowledgement.

            def _serve(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                reply = answer(self.command, self.path)
                if reply.status == 0:
                    self.close_connection = True
                    return
                kind, body = reply.encoded()
                self.send_response(reply.status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = do_PUT = _serve  # noqa: N815 - the library's names

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        return Handler
