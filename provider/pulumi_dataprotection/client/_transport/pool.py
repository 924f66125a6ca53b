"""Pools of one connection to the service: directly or through a proxy, with the authorities that are trusted."""

import os
import ssl
from pathlib import Path

import certifi
import httpcore

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._transport.proxy import Proxy
from pulumi_dataprotection.client.errors import ConfigurationError

__all__ = ["load_trust", "open_pool"]

_KEEP_ALIVE = 5.0
"""Seconds for which a connection is kept without a request."""


def open_pool(
    trust: ssl.SSLContext | None, proxy: Proxy | None, network: httpcore.NetworkBackend
) -> httpcore.ConnectionPool:
    """Return a pool of one connection, which is opened on demand.

    Args:
        trust: the trusted authorities; None for plain http.
        proxy: the proxy; None without a proxy.
        network: opens the connection.
    """
    if proxy is None:
        return httpcore.ConnectionPool(
            ssl_context=trust, max_connections=1, keepalive_expiry=_KEEP_ALIVE, network_backend=network
        )
    scheme = "https" if proxy.encrypted else "http"
    return httpcore.HTTPProxy(
        httpcore.URL(scheme=scheme, host=proxy.host, port=proxy.port, target="/"),
        proxy_auth=proxy.credentials,
        ssl_context=trust,
        proxy_ssl_context=trust if proxy.encrypted else None,
        max_connections=1,
        keepalive_expiry=_KEEP_ALIVE,
        network_backend=network,
    )


def load_trust() -> ssl.SSLContext:
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
