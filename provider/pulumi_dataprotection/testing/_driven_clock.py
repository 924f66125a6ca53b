"""The clock of a stack under test: waits end at once, and the emulator's clock advances by as much."""

import os
import threading

from pulumi_dataprotection.client import Clock
from pulumi_dataprotection.testing._control import send

__all__ = ["DrivenClock", "driven_clock_variables"]

_URL = "DATAPROTECTION_DRIVEN_CLOCK_URL"


def driven_clock_variables(url: str) -> dict[str, str]:
    """Return the variables that give a process this clock; `client.open_clock` reads them.

    Args:
        url: the emulator's address.
    """
    return {"DATAPROTECTION_DRIVEN_CLOCK": f"{__name__}:{DrivenClock.__name__}", _URL: url}


class DrivenClock(Clock):
    """A clock that runs as the machine's clock does, and skips waits."""

    def __init__(self) -> None:
        super().__init__()
        self._url = os.environ[_URL]
        self._ahead = 0.0
        self._lock = threading.Lock()

    def monotonic(self) -> float:
        """Return the seconds since some moment."""
        return super().monotonic() + self._ahead

    def time(self) -> float:
        """Return the seconds since the epoch."""
        return super().time() + self._ahead

    def sleep(self, seconds: float, /) -> None:
        """Advance this clock and the emulator's clock."""
        self.check()
        with self._lock:
            send(self._url, "POST", "clock", {"advance": seconds})
            self._ahead += seconds
