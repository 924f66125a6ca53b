"""The HTTP library behind one method: send a request, and return the response or the reason for none."""

import logging
import os
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from queue import LifoQueue
from typing import cast
from urllib.parse import urlsplit

import certifi
import httpcore

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._secrets import hide
from pulumi_dataprotection.client._transport.body import MAX_BYTES, BodyError, read_body
from pulumi_dataprotection.client._transport.deadline import DeadlineNetwork
from pulumi_dataprotection.client._transport.httpx_without_command import httpx
from pulumi_dataprotection.client._transport.proxy import Proxy, find_proxy
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client.errors import ConfigurationError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Http"]

_KEEP_ALIVE = 5.0
"""Seconds for which a connection is kept without a request."""

_FAILURES = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.TimeoutException)


class Http:
    """A few connections to one service with one key; safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        # A filter that a logger has already is not added again.
        logging.getLogger("httpx").addFilter(_WITHOUT_NAMES)
        logging.getLogger("httpcore.http11").addFilter(_WITHOUT_HEADERS)
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
        trust = _trust() if settings.base_url.startswith("https:") else None
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
        except BodyError as error:
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
        if proxy:
            self._pool: httpcore.ConnectionPool = httpcore.HTTPProxy(
                httpcore.URL(
                    scheme="https" if proxy.encrypted else "http", host=proxy.host, port=proxy.port, target="/"
                ),
                proxy_auth=proxy.credentials,
                ssl_context=trust,
                proxy_ssl_context=trust if proxy.encrypted else None,
                max_connections=1,
                keepalive_expiry=_KEEP_ALIVE,
                network_backend=self._network,
            )
        else:
            self._pool = httpcore.ConnectionPool(
                ssl_context=trust, max_connections=1, keepalive_expiry=_KEEP_ALIVE, network_backend=self._network
            )

    def send(self, method: str, url: str, body: bytes | None) -> Response:
        """Send a request, and read the response until the time of an attempt is over."""
        self.sent = False
        self._network.deadline = time.monotonic() + self._timeout
        headers = None if body is None else {"Content-Type": "application/json"}
        with self._client.stream(method, url, content=body, headers=headers) as response:
            # The library would decode each encoding of several, without a limit.
            content = read_body(response.iter_raw(), response.headers.get("Content-Encoding", ""))
            return Response(response.status_code, response.headers, content, complete=len(content) <= MAX_BYTES)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request of the library over this connection."""
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        response = self._pool.handle_request(
            httpcore.Request(
                request.method,
                url,
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


def _trust() -> ssl.SSLContext:
    """Return the trusted authorities: those that a variable names, else those of the package certifi.

    Raises:
        ConfigurationError: A variable cannot be used.
    """
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    try:
        if file:
            return ssl.create_default_context(cafile=file)
        if folder:
            # The library takes a folder that does not exist, and then trusts nobody.
            next(Path(folder).iterdir(), None)
            return ssl.create_default_context(capath=folder)
    except OSError as error:
        source = "SSL_CERT_FILE" if file else "SSL_CERT_DIR"
        text = f'{source} has the entry "{printable(file or folder)}", which cannot be used: {error.strerror}'
        raise ConfigurationError(text) from None
    return ssl.create_default_context(cafile=certifi.where())


def _is_lasting(error: BaseException | None) -> bool:
    """Return whether nobody trusts a certificate, or a host does not exist."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return True
        error = error.__cause__ or error.__context__
    return False


class _WithoutNames(logging.Filter):
    """A filter that keeps queries and external ids, which hold names and addresses, out of the library's log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                _without_names(argument) if isinstance(argument, httpx.URL) else argument for argument in record.args
            )
        return True


def _without_names(url: httpx.URL) -> httpx.URL:
    path = url.raw_path.partition(b"?")[0]
    return url.copy_with(raw_path=re.sub(rb"/ext(\$|%24)[^/]*", b"/ext$...", path))


class _WithoutHeaders(logging.Filter):
    """A filter that keeps headers of responses out of the log: they may repeat the query, or the key."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = re.split(" (?:return_value|exception)=", str(record.msg))[0]
        return True


_WITHOUT_NAMES = _WithoutNames()
_WITHOUT_HEADERS = _WithoutHeaders()
