"""The HTTP library behind one method: send a request, and return the response or the reason for none."""

import logging
import re
import socket
import ssl
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from queue import LifoQueue
from urllib.parse import urlsplit

from pulumi_dataprotection.client._transport.httpx_without_command import httpx
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client.errors import ConfigurationError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Http"]

MAX_BYTES = 64 * 1024 * 1024


class Http:
    """A few connections to one service with one key; safe to use from several threads.

    Each connection has a pool of its own. A pool that threads share sometimes closes a connection that another thread
    has just taken, and the request of that thread then waits in vain.
    """

    def __init__(self, settings: Settings) -> None:
        # A filter that a logger has already is not added again.
        logging.getLogger("httpx").addFilter(_WITHOUT_NAMES)
        logging.getLogger("httpcore.http11").addFilter(_WITHOUT_HEADERS)
        # The key must not go through a proxy in clear text: plain http is for this machine only.
        encrypted = urlsplit(settings.base_url).scheme == "https"
        self._base_url = settings.base_url
        self._timeout = settings.request_timeout
        try:
            self._clients = _open(settings, encrypted=encrypted)
        except (OSError, ValueError, httpx.InvalidURL) as error:
            raise ConfigurationError(
                "SSL_CERT_FILE, SSL_CERT_DIR or one of the variables that name a proxy, such as HTTPS_PROXY, cannot be "
                f"used: {_reason(error)}"
            ) from error
        # The connection that was used last comes first, so that few are opened.
        self._idle: LifoQueue[httpx.Client] = LifoQueue()
        for client in self._clients:
            self._idle.put(client)

    def send(self, method: str, target: str, body: bytes | None = None) -> Response | TransportError:
        """Send a request once.

        Args:
            method: the HTTP method.
            target: path and query, encoded.
            body: a JSON text, or None for a request without a body.
        """
        headers = None if body is None else {"Content-Type": "application/json"}
        client = self._idle.get()
        try:
            with client.stream(method, self._base_url + target, content=body, headers=headers) as response:
                return self._read(response, time.monotonic() + self._timeout)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol) as error:
            return TransportError(_reason(error), sent=False, lasting=_is_lasting(error))
        except httpx.InvalidURL:
            return TransportError("an argument is too long for an address", sent=False, lasting=True)
        except httpx.HTTPError as error:
            return TransportError(_reason(error), sent=True)
        finally:
            self._idle.put(client)

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    def _read(self, response: httpx.Response, deadline: float) -> Response | TransportError:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_BYTES:
                break
            # The library's own limit is for each piece, and a body may drip for ever.
            if time.monotonic() > deadline:
                return TransportError(f"the answer was not complete after {self._timeout:g} s", sent=True)
        return Response(response.status_code, response.headers, bytes(body), complete=len(body) <= MAX_BYTES)


def _open(settings: Settings, *, encrypted: bool) -> list[httpx.Client]:
    # Loading the trusted certificates takes a while, and http does not need them.
    verify = httpx.create_ssl_context() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return [
        httpx.Client(
            headers={
                "Authorization": settings.api_key,
                "Accept": "application/json",
                "User-Agent": "pulumi-dataprotection",
            },
            # Only the key identifies the caller: a cookie of a load balancer or a login page is not sent back.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            timeout=settings.request_timeout,
            limits=httpx.Limits(max_connections=1),
            trust_env=encrypted,
            verify=verify,
            follow_redirects=False,
        )
        for _ in range(settings.concurrency)
    ]


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _is_lasting(error: BaseException | None) -> bool:
    """Whether it is a certificate that nobody trusts, or a host that does not exist."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return True
        error = error.__cause__ or error.__context__
    return False


class _WithoutNames(logging.Filter):
    """Keeps queries and external ids, which hold names and e-mail addresses, out of the library's own log."""

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
