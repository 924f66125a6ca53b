"""What is read once for all threads."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Once", "Turns"]

T = TypeVar("T")


class Turns:
    """Lets one thread at a time read. Those who wait for one that fails share its failure: to try it costs minutes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures = 0
        self._failure: Exception | None = None

    def take(self) -> AbstractContextManager[None]:
        """Get in line for a turn; to enter it waits, and raises the failure of a read that was waited for."""
        return self._turn(self._failures)

    @contextmanager
    def _turn(self, failures: int) -> Generator[None]:
        with self._lock:
            if self._failure and self._failures > failures:
                raise self._failure
            try:
                yield
            except Exception as failure:
                self._failures += 1
                self._failure = failure
                raise
            self._failure = None


class Once(Generic[T]):
    """A value that is read on first need, once for all threads; a failed read is tried again.

    Args:
        read: reads it.
    """

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._turns = Turns()
        self._value: T | None = None

    def get(self) -> T:
        """Return the value, reading it where nobody has."""
        with self._turns.take():
            if self._value is None:
                self._value = self._read()
            return self._value
