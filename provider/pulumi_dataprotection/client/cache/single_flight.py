"""Reads that happen once for all threads."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["CachedValue", "SingleFlight"]

T = TypeVar("T")


class SingleFlight:
    """A lock for one read at a time. Waiting threads get the same error, because each retry cycle takes minutes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures = 0
        self._failure: Exception | None = None

    def enter(self) -> AbstractContextManager[None]:
        """Return a context that waits for the read of another thread, and raises the error of that read."""
        return self._enter(self._failures)

    @contextmanager
    def _enter(self, failures: int) -> Generator[None]:
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


class CachedValue(Generic[T]):
    """A value that is read on first use, once for all threads; a failed read is repeated on the next use.

    Args:
        read: reads the value.
    """

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._flight = SingleFlight()
        self._value: T | None = None

    def get(self) -> T:
        """Return the value."""
        if (value := self._value) is not None:
            return value
        with self._flight.enter():
            if self._value is None:
                self._value = self._read()
            return self._value
