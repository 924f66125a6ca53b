"""The end of a command that only reads, at Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["INTERRUPTED", "ending_at_ctrl_c", "handling_ctrl_c"]

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""


@contextmanager
def ending_at_ctrl_c() -> Generator[None]:
    """End at once, although other threads may wait: they only read."""
    with handling_ctrl_c(_end):
        yield


@contextmanager
def handling_ctrl_c(handle: Callable[[int, FrameType | None], None]) -> Generator[None]:
    """Handle Ctrl-C with a function. If Ctrl-C is ignored, it stays ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    if sys.stderr.isatty():
        # A progress bar hides the cursor.
        os.write(sys.stderr.fileno(), b"\x1b[?25h\n")
    os._exit(INTERRUPTED)
