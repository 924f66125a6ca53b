"""The HTTP library behind one method: send a request, and return the response or the reason for none."""

import logging
import os
import re
import socket
import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from queue import LifoQueue
from urllib.parse import quote, urlsplit

import certifi
import httpcore
import idna

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._secrets import hide
from pulumi_dataprotection.client._transport.body import MAX_BYTES, BodyError, read_body
from pulumi_dataprotection.client._transport.deadline import DeadlineNetwork
from pulumi_dataprotection.client._transport.proxy import Proxy, find_proxy
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client.errors import ConfigurationError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Http"]

_MAX_TARGET = 65_535
"""Characters of the target of a request."""

_KEEP_ALIVE = 5.0
"""Seconds for which a connection is kept without a request."""

_FAILURES = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.TimeoutException)


class Http:
    """A few connections to one service with one key; safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        # A filter that a logger has already is not added again.
        logging.getLogger("httpcore.http11").addFilter(_WITHOUT_HEADERS)
        self._timeout = settings.request_timeout
        # The key must not go through a proxy in clear text: plain http is for this machine only.
        self._proxy = find_proxy(settings.base_url)
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
        if len(target) > _MAX_TARGET:
            return TransportError("an argument is too long for an address", sent=False, lasting=True)
        connection = self._idle.get()
        try:
            return connection.send(method, target, body)
        except _FAILURES as error:
            refused = isinstance(error, httpcore.ProxyError)
            lasting = _is_lasting(error) or (refused and str(error).startswith("4"))
            return TransportError(self._reason(error, sent=connection.sent), sent=connection.sent, lasting=lasting)
        except BodyError as error:
            return TransportError(str(error), sent=True, lasting=error.lasting)
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


class _Connection:
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
        base = urlsplit(settings.base_url)
        host = base.hostname or ""
        self._scheme, self._host, self._port = base.scheme, _ascii_host(host), base.port
        self._prefix = quote(base.path, safe="/%:@!$&'()*+,;=~")
        self._headers: dict[str | bytes, str | bytes] = {
            "Host": base.netloc.replace(host, self._host),
            "Authorization": settings.api_key,
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": "pulumi-dataprotection",
        }
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

    def send(self, method: str, target: str, body: bytes | None) -> Response:
        """Send a request, and read the response until the time of an attempt is over."""
        self.sent = False
        self._network.deadline = time.monotonic() + self._timeout
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        url = httpcore.URL(scheme=self._scheme, host=self._host, port=self._port, target=self._prefix + target)
        # A write without a body has a length, too.
        content = b"" if body is None and method in {"POST", "PUT"} else body
        with self._pool.stream(
            method, url, headers=headers, content=content, extensions={"trace": self._note_sent}
        ) as response:
            return _read(response)

    def close(self) -> None:
        """Close it."""
        self._pool.close()

    def _note_sent(self, event: str, details: Mapping[str, object]) -> None:
        if event == "http11.send_request_headers.started":
            request = details["request"]
            self.sent = isinstance(request, httpcore.Request) and request.method != b"CONNECT"


def _read(response: httpcore.Response) -> Response:
    headers: dict[str, str] = {}
    for name, value in response.headers:
        title, text = name.decode("ascii").title(), value.decode("latin-1")
        headers[title] = f"{headers[title]}, {text}" if title in headers else text
    body = read_body(response.iter_stream(), headers.get("Content-Encoding", ""))
    return Response(response.status, headers, body, complete=len(body) <= MAX_BYTES)


def _ascii_host(host: str) -> str:
    try:
        return host if host.isascii() else idna.encode(host).decode()
    except idna.IDNAError:
        raise ConfigurationError(f'the base URL has the host "{printable(host)}", which cannot exist') from None


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


class _WithoutHeaders(logging.Filter):
    """A filter that keeps headers of responses out of the log: they may repeat the query, or the key."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = re.split(" (?:return_value|exception)=", str(record.msg))[0]
        return True


_WITHOUT_HEADERS = _WithoutHeaders()
