"""Time, as the client measures it and waits in it, until the user wants the process to end."""

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import cast

from pulumi_dataprotection.client.errors import CanceledError

__all__ = ["Clock", "interrupt", "open_clock", "process_clock"]


class Clock:
    """The machine's time. Once it is interrupted, waits end and no new call goes out, except inside a shield.

    Attributes:
        monotonic: returns the seconds since some moment.
        time: returns the seconds since the epoch, as all processes of this machine see them.
        is_interrupted: returns whether the process is to end.
    """

    def __init__(self) -> None:
        self._interrupted = threading.Event()
        self.is_interrupted = self._interrupted.is_set
        self._local = threading.local()

    monotonic: Callable[[], float] = staticmethod(time.monotonic)
    time: Callable[[], float] = staticmethod(time.time)

    def sleep(self, seconds: float, /) -> None:
        """Wait.

        Args:
            seconds: how long.

        Raises:
            CanceledError: the process is to end.
        """
        if self._shielded:
            time.sleep(seconds)
        elif self._interrupted.wait(seconds):
            self.check()

    def interrupt(self) -> None:
        """End all waits, and let no new call go out."""
        self._interrupted.set()

    def check(self) -> None:
        """Let a call go out.

        Raises:
            CanceledError: the process is to end.
        """
        if self._interrupted.is_set() and not self._shielded:
            raise CanceledError("interrupted: nothing more was sent")

    @contextmanager
    def shield(self) -> Generator[None]:
        """Bring to its end what must not be left half done, on this thread."""
        before = self._shielded
        self._local.shielded = True
        try:
            yield
        finally:
            self._local.shielded = before

    @property
    def _shielded(self) -> bool:
        return getattr(self._local, "shielded", False)


def open_clock() -> Clock:
    """Open the machine's clock, or the clock of a test.

    A test names a factory as `module:function` in the variable DATAPROTECTION_DRIVEN_CLOCK.
    """
    module, _, factory = os.environ.get("DATAPROTECTION_DRIVEN_CLOCK", "").partition(":")
    return cast("Clock", getattr(import_module(module), factory)()) if module else Clock()


_opened: list[Clock] = []
_opening = threading.Lock()


def process_clock() -> Clock:
    """Return the clock that all clients of this process share unless they get another clock."""
    with _opening:
        if not _opened:
            _opened.append(open_clock())
        return _opened[0]


def interrupt() -> None:
    """Let the calls of this process that are under way come to their end, and no other go out."""
    process_clock().interrupt()
