"""One attempt: a request and its response, within one time limit and bounded memory, whatever the other end sends."""

import socket
import ssl
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from queue import LifoQueue
from threading import Thread
from typing import Any, cast
from urllib.parse import urlsplit

import httpcore

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._secrets import hide
from pulumi_dataprotection.client._transport.httpx_without_command import httpx
from pulumi_dataprotection.client._transport.log_filters import filter_logs
from pulumi_dataprotection.client._transport.pool import load_trust, open_pool
from pulumi_dataprotection.client._transport.proxy import Proxy, find_proxy
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client.errors import ConfigurationError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["MAX_BYTES", "DeadlineNetwork", "Http"]

MAX_BYTES = 64 * 1024 * 1024
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32

_LONGEST = 1e6
"""Seconds; the system does not take a longer time limit."""

_FAILURES = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.TimeoutException)


class Http:
    """A few connections to one service with one key; safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        filter_logs()
        self._base_url = settings.base_url
        try:
            httpx.URL(settings.base_url)
        except httpx.InvalidURL:
            host = printable(urlsplit(settings.base_url).hostname)
            raise ConfigurationError(f'the base URL has the host "{host}", which cannot exist') from None
        self._timeout = settings.request_timeout
        # The key must not go through a proxy in clear text: plain http is for this machine only.
        self._proxy = find_proxy(settings.base_url)
        # Loading the trusted certificates takes a while, and http does not need them.
        trust = load_trust() if settings.base_url.startswith("https:") else None
        self._connections = [_Connection(settings, trust, self._proxy) for _ in range(settings.concurrency)]
        # The connection that was used last comes first, so that few are opened.
        self._idle: LifoQueue[_Connection] = LifoQueue()
        for connection in self._connections:
            self._idle.put(connection)

    def send(self, method: str, target: str, body: bytes | None = None) -> Response | TransportError:
        """Send a request once.

        Args:
            method: the HTTP method.
            target: path and query, encoded.
            body: a JSON text, or None for a request without a body.
        """
        connection = self._idle.get()
        try:
            return connection.send(method, self._base_url + target, body)
        except _FAILURES as error:
            refused = isinstance(error, httpcore.ProxyError)
            lasting = _is_lasting(error) or (refused and str(error).startswith("4"))
            return TransportError(self._reason(error, sent=connection.sent), sent=connection.sent, lasting=lasting)
        except _BodyError as error:
            return TransportError(str(error), sent=True, lasting=error.lasting)
        except httpx.InvalidURL:
            return TransportError("an argument is too long for an address", sent=False, lasting=True)
        finally:
            self._idle.put(connection)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._connections:
            connection.close()

    def _reason(self, error: Exception, *, sent: bool) -> str:
        reason = printable(str(error) or type(error).__name__)
        if self._proxy and self._proxy.credentials:
            reason = hide(reason, {self._proxy.credentials[1]: "[the password]"})
        if isinstance(error, httpcore.TimeoutException):
            reason = f"the {'answer' if sent else 'connection'} was not complete after {self._timeout:g} s"
        if self._proxy is None:
            return reason
        if isinstance(error, httpcore.ProxyError):
            return f"the proxy {self._proxy} refuses the connection: {reason}"
        return f"{reason} (through the proxy {self._proxy})"


def _is_lasting(error: BaseException | None) -> bool:
    """Return whether nobody trusts a certificate, or a host does not exist."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return True
        error = error.__cause__ or error.__context__
    return False


class _Connection(httpx.BaseTransport):
    """One connection to the service, which is opened on demand.

    A pool that threads share sometimes closes a connection that another thread has just taken, and the request of that
    thread then waits in vain.

    Attributes:
        sent: whether the service may have received the last request.
    """

    def __init__(self, settings: Settings, trust: ssl.SSLContext | None, proxy: Proxy | None) -> None:
        self.sent = False
        self._timeout = settings.request_timeout
        self._network = DeadlineNetwork()
        self._pool = open_pool(trust, proxy, self._network)
        self._client = httpx.Client(
            headers={
                "Authorization": settings.api_key,
                "Accept": "application/json",
                "Accept-Encoding": "gzip",
                "User-Agent": "pulumi-dataprotection",
            },
            # Only the key identifies the caller: a cookie of a load balancer or a login page is not sent back.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
            follow_redirects=False,
            transport=self,
        )

    def send(self, method: str, url: str, body: bytes | None) -> Response:
        """Send a request, and read the response until the time of an attempt is over."""
        self.sent = False
        self._network.deadline = time.monotonic() + self._timeout
        headers = None if body is None else {"Content-Type": "application/json"}
        with self._client.stream(method, url, content=body, headers=headers) as response:
            # The library would decode each encoding of several, without a limit.
            content = _read_body(response.iter_raw(), response.headers.get("Content-Encoding", ""))
            return Response(response.status_code, response.headers, content, complete=len(content) <= MAX_BYTES)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request of the library over this connection."""
        url = request.url
        response = self._pool.handle_request(
            httpcore.Request(
                request.method,
                httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=cast("httpx.SyncByteStream", request.stream),
                extensions={"trace": self._note_sent},
            )
        )
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        """Close it."""
        self._pool.close()

    def _note_sent(self, event: str, details: Mapping[str, object]) -> None:
        if event == "http11.send_request_headers.started":
            request = details["request"]
            self.sent = isinstance(request, httpcore.Request) and request.method != b"CONNECT"


class _Body(httpx.SyncByteStream):
    """The body of a response as it arrives."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class _BodyError(Exception):
    """A body that cannot be decoded.

    Attributes:
        lasting: whether another attempt would fail in the same way.
    """

    def __init__(self, text: str, *, lasting: bool = False) -> None:
        super().__init__(text)
        self.lasting = lasting


def _read_body(chunks: Iterable[bytes], content_encoding: str) -> bytes:
    """Read a body until its end, or until it is longer than 64 MiB.

    A body has one encoding at most: each further encoding multiplies its length by up to a thousand.

    Raises:
        _BodyError: It cannot be decoded.
    """
    encodings = [name for part in content_encoding.lower().split(",") if (name := part.strip()) not in {"", "identity"}]
    if encodings and encodings not in (["gzip"], ["x-gzip"], ["deflate"]):
        text = f'the answer has the content encoding "{printable(content_encoding)}", and only gzip was asked for'
        raise _BodyError(text, lasting=True)
    body = bytearray()
    for chunk in _decompressed(chunks) if encodings else chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            break
    return bytes(body)


def _decompressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    stream, begun = zlib.decompressobj(_GZIP_OR_ZLIB), False
    for chunk in chunks:
        begun = True
        try:
            yield stream.decompress(chunk, MAX_BYTES + 1)
        except zlib.error as error:
            raise _BodyError(f"the answer cannot be decompressed: {error}") from None
        if stream.unused_data:
            raise _BodyError("the answer cannot be decompressed: data follows its end")
    if begun and not stream.eof:
        raise _BodyError("the answer cannot be decompressed: its end is missing")


class DeadlineNetwork(httpcore.NetworkBackend):
    """A network whose connections, reads and writes all end at one moment; for one connection at a time.

    The library's own limits are for each read, and a hostile server can send a piece of an answer before each limit.

    Attributes:
        deadline: the moment, in seconds of `time.monotonic`.
    """

    def __init__(self, network: httpcore.NetworkBackend | None = None) -> None:
        """Open a network.

        Args:
            network: the network below; by default the system's.
        """
        self.deadline = 0.0
        self._network = network or httpcore.SyncBackend()

    def connect_tcp(self, host: str, port: int, *_limits: object, **_options: object) -> httpcore.NetworkStream:
        """Connect to a host, in a thread: the system's resolver knows no limit."""
        connected: Future[httpcore.NetworkStream] = Future()
        left = self.left(httpcore.ConnectTimeout)

        def connect() -> None:
            try:
                connected.set_result(self._network.connect_tcp(host, port, left))
            except Exception as error:  # noqa: BLE001 - the waiting thread raises it
                connected.set_exception(error)

        Thread(target=connect, name="connect", daemon=True).start()
        try:
            return _Stream(connected.result(left), self)
        except TimeoutError as error:
            connected.add_done_callback(_close_late)
            raise httpcore.ConnectTimeout from error
        # A host with a label of more than 63 characters.
        except UnicodeError as error:
            raise httpcore.ConnectError(str(error)) from error

    def left(self, error: type[httpcore.TimeoutException]) -> float:
        """Return the seconds until the deadline; raise an error if they are over."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise error
        return min(left, _LONGEST)


def _close_late(connected: Future[httpcore.NetworkStream]) -> None:
    """Close a connection for which nobody waits any more."""
    with suppress(Exception):
        connected.result().close()


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
