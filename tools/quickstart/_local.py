"""The git-ignored folder of the quickstart, and the lock on it."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["LOCAL", "ROOT", "QuickstartError", "only_one"]

ROOT = Path(__file__).resolve().parents[2]
LOCAL = ROOT / ".local"


class QuickstartError(Exception):
    """The quickstart cannot go on; the text says why and what to do."""


@contextmanager
def only_one(command: str) -> Generator[None]:
    """Refuse to run while another `make up` or `make down` runs in this folder."""
    LOCAL.mkdir(exist_ok=True)
    with (LOCAL / "quickstart.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            name, _, pid = lock.read().partition(" ")
            raise QuickstartError(f"another make {name} is running (pid {pid}); wait for its end") from None
        lock.truncate(0)
        lock.write(f"{command} {os.getpid()}")
        lock.flush()
        yield
