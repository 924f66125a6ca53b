"""Time, as the client measures it and waits in it, until the user wants the process to end."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from pulumi_dataprotection.client.errors import CanceledError

__all__ = ["CLOCK", "Clock", "interrupt"]


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


CLOCK = Clock()
"""The clock of all clients that are not given another."""


def interrupt() -> None:
    """Let the calls of this process that are under way come to their end, and no other go out."""
    CLOCK.interrupt()
