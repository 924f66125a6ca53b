"""The client of the emulator's control plane."""

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

__all__ = ["HANG", "send"]

HANG = 900.0
"""Seconds after which a command, a call or a wait has hung: many times as long as it takes on a slow machine."""


def send(url: str, method: str, name: str, body: object = None, *, timeout: float = HANG) -> Any:  # noqa: ANN401 - JSON
    """Send a request below `/_emulator/` without a proxy, and return the answer.

    Args:
        url: the emulator's address.
        method: the HTTP method.
        name: the path after `/_emulator/`.
        body: the JSON body, if any.
        timeout: the seconds until the request fails.

    Raises:
        ValueError: The emulator rejects the request; the text says why.
    """
    connection = HTTPConnection(urlsplit(url).netloc, timeout=timeout)
    try:
        content = None if body is None else json.dumps(body)
        connection.request(method, f"/_emulator/{name}", content, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
    finally:
        connection.close()
    if response.status >= 400:  # noqa: PLR2004 - HTTP
        raise ValueError(f"{method} {name}: {answer['message']}")
    return answer
