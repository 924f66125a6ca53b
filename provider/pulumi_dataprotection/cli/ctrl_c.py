"""Ctrl-C in commands that only read: an end at once, or an end with the result so far."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType

import click

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors

__all__ = ["ending_at_ctrl_c", "keeping_result_at_ctrl_c"]

_INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""

_ENDING = b"Interrupted: waiting for the calls that are under way. Press Ctrl-C again to end now.\n"


@contextmanager
def ending_at_ctrl_c() -> Generator[None]:
    """End at once, although other threads may wait: they only read."""
    with _handling(lambda _signal, _frame: _end()):
        yield


@contextmanager
def keeping_result_at_ctrl_c() -> Generator[None]:
    """At the first Ctrl-C, let no other call go out; end at once at the second.

    The next call raises `CanceledError`. The block shows its result so far, and then lets the error pass, which ends
    the process. A block that needed no other call has a complete result, and goes on.
    """
    clock = client.process_clock()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if clock.is_interrupted():
            _end()
        # In a thread: the main thread may hold the lock of this event, and goes on only after this function.
        Thread(target=clock.interrupt, daemon=True).start()
        os.write(sys.stderr.fileno(), _ENDING)

    with _handling(interrupt):
        try:
            yield
        except errors.CanceledError:
            click.echo("The result is not complete.", err=True)
            # Nobody may read the result any more.
            with suppress(OSError):
                sys.stdout.flush()
            # Without a wait for the processes and calls that are still under way: they only read.
            os._exit(_INTERRUPTED)


@contextmanager
def _handling(handle: Callable[[int, FrameType | None], None]) -> Generator[None]:
    """Handle Ctrl-C with a function. If Ctrl-C is ignored, it stays ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end() -> None:
    if sys.stderr.isatty():
        # A progress bar hides the cursor.
        os.write(sys.stderr.fileno(), b"\x1b[?25h\n")
    os._exit(_INTERRUPTED)
