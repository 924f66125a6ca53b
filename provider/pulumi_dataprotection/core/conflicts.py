"""Writes that the service answers with a conflict: a read decides whether to send them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors

__all__ = ["pause_after", "send_despite_conflicts"]

T = TypeVar("T")

_PAUSES = (2.0, 10.0)
"""Seconds before each further attempt after a conflict."""

_MAX_PAUSE = 600.0
"""Seconds of the longest `Retry-After` that a write waits for."""


def send_despite_conflicts(sender: client.Client, call: client.Call[T], is_explained: Callable[[], bool]) -> T:
    """Send a write, and at most twice again after a conflict that a read does not explain.

    A 409 without `Retry-After` can say that the write is done already, that something stands in its way, or that
    another request is under way. Only the last cause goes away.

    Args:
        sender: sends the call.
        call: the write.
        is_explained: reads whether the content of the service explains the conflict.

    Raises:
        CallError: The call failed, or the read.
    """
    for pause in _PAUSES:
        try:
            return sender.send(call)
        except errors.ConflictError as error:
            pause_after(error, sender, pause)
            if is_explained():
                raise
    return sender.send(call)


def pause_after(error: errors.CallError, sender: client.Client, seconds: float = _PAUSES[0]) -> None:
    """Wait after a failure until reads show its cause, and as long as the service asks for.

    Args:
        error: the failure.
        sender: the client.
        seconds: the shortest wait.

    Raises:
        CallError: The failure, if the service asks for more than 10 minutes.
    """
    asked = error.retry_after or 0 if isinstance(error, errors.StatusError) else 0
    if asked > _MAX_PAUSE:
        raise error
    wait = max(seconds, sender.settings.read_lag, asked)
    sender.wait(wait, f"cannot {error.operation.does} yet")
