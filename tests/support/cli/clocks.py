"""Clocks of processes under test."""

import os

from support.scripted import DrivenClock

__all__ = ["JumpingClock"]


class JumpingClock(DrivenClock):
    """A clock whose time of day jumps by `TEST_JUMP` seconds after somebody asked for it."""

    def __init__(self) -> None:
        super().__init__()
        self._jumped = 0.0

    def time(self) -> float:
        """Return the seconds since the epoch, and jump."""
        now = super().time() + self._jumped
        self._jumped = float(os.environ["TEST_JUMP"])
        return now
