"""The outcome of a request: a response, or none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Response", "TransportError"]


@dataclass(frozen=True, slots=True)
class Response:
    """A response of the service.

    Attributes:
        status: the HTTP status.
        headers: the headers, whose names are written as in `Content-Type`.
        body: the body, decoded.
        complete: whether the body is whole. Of a body that is longer than 64 MiB only the start is kept.
    """

    status: int
    # Both may hold secrets, and tools that show a traceback with its variables show them.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class TransportError:
    """A request without a response.

    Attributes:
        reason: the cause, for the user.
        sent: whether the service may have received the request.
        lasting: whether another attempt would fail in the same way.
    """

    reason: str
    sent: bool
    lasting: bool = False
