"""Loaded at the start of each Python of a run: the client's waits are over at once, the emulator's clock goes on."""

import json
import os
import sys
import threading
from http.client import HTTPConnection
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from urllib.parse import urlsplit

try:
    from pulumi_dataprotection.client._transport.clock import CLOCK, Clock
except ModuleNotFoundError:
    pass  # a Python that has nothing to do with this package
else:

    class DrivenClock(Clock):
        """Goes on by itself, and at once by what somebody wants to wait; the emulator's clock goes with it.

        Args:
            url: the emulator's address.
        """

        def __init__(self, url: str) -> None:
            super().__init__()
            self._address = urlsplit(url).netloc
            self._ahead = 0.0
            self._turn = threading.Lock()

        def monotonic(self) -> float:
            """Seconds since some moment."""
            return super().monotonic() + self._ahead

        def time(self) -> float:
            """Seconds since the epoch."""
            return super().time() + self._ahead

        def sleep(self, seconds: float, /) -> None:
            """Go on."""
            self.check()
            with self._turn:
                connection = HTTPConnection(self._address, timeout=900)
                try:
                    connection.request("POST", "/_emulator/clock", json.dumps({"advance": seconds}))
                    connection.getresponse().read()
                finally:
                    connection.close()
                self._ahead += seconds

    if _url := os.environ.get("DATAPROTECTION_DRIVEN_CLOCK"):
        # Whoever was given the clock keeps it, so that it has to become another one.
        vars(CLOCK).update(vars(DrivenClock(_url)))
        CLOCK.__class__ = DrivenClock

# This module takes the place of another one of the same name, which has its turn now.
_here = Path(__file__).parent
_other = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if Path(entry) != _here])
if _other and _other.loader:
    _other.loader.exec_module(module_from_spec(_other))
