"""The end of a command that only reads, at Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["ending_at_ctrl_c"]

_INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""


@contextmanager
def ending_at_ctrl_c() -> Generator[None]:
    """End at once, although other threads may wait: they only read. If Ctrl-C is ignored, it stays ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    if sys.stderr.isatty():
        # A progress bar hides the cursor.
        os.write(sys.stderr.fileno(), b"\x1b[?25h\n")
    os._exit(_INTERRUPTED)
