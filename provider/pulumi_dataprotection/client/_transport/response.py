"""The outcome of a request: a response, or none."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Response", "TransportError"]


@dataclass(frozen=True, slots=True)
class Response:
    """A response of the service; `complete` is false if the body is the start of a body longer than 64 MiB."""

    status: int
    headers: Mapping[str, str]
    body: bytes
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
