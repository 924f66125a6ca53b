"""Work in other threads."""

from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

__all__ = ["in_context"]

P = ParamSpec("P")
R = TypeVar("R")


def in_context(act: Callable[P, R]) -> Callable[P, R]:
    """Return a function that runs in a copy of this context, in any thread: messages then name the same resource."""
    context = copy_context()

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        # A context runs in one thread at a time.
        return context.copy().run(act, *args, **kwargs)

    return run
