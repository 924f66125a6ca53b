"""The call budget of a key, which all processes of this machine share."""

import hashlib
import logging
import math
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from pyrate_limiter import GCRA, Rate

from pulumi_dataprotection.client._transport.clock import Clock
from pulumi_dataprotection.client._transport.retry import MAX_SECONDS
from pulumi_dataprotection.client._transport.shared_file import SharedFile
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Budget", "CoolDownError"]

_ALONE = 60.0
"""Seconds before a file that could not be used is tried again."""

_MAX_BAN = 366 * 86400.0
"""Seconds of the longest ban that is kept."""

_DIGITS = 20
_ALGORITHM = GCRA()

_log = logging.getLogger(__name__)


class CoolDownError(Exception):
    """The service allows no call for longer than a client waits.

    Attributes:
        seconds: the seconds until it allows a call.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class _State(NamedTuple):
    """The state that all users of a key share.

    Attributes:
        slots: microseconds since the epoch: the number that the algorithm keeps, later the more slots are taken.
        cool_down: milliseconds since the epoch before which nobody calls; calls wait for it.
        banned_at: milliseconds since the epoch at which a ban began: a cool-down that is too long to wait for.
        ban: its milliseconds; 0 without a ban.
    """

    slots: int = 0
    cool_down: int = 0
    banned_at: int = 0
    ban: int = 0

    def ban_left(self, now: int) -> int:
        """Return the milliseconds until the ban is over; 0 if it is over."""
        return max(0, self.banned_at + self.ban - now)

    def text(self) -> bytes:
        """Return the content of the file."""
        return (" ".join(f"{number:0{_DIGITS}}" for number in self) + "\n").encode()


def _parse(text: bytes) -> _State:
    try:
        return _State(*map(int, text.split()))
    except (TypeError, ValueError):
        return _State()


class Budget:
    """The rate limit of a key: it delays calls. Safe to use from several threads.

    All clients of all processes share a file of four numbers. A client that cannot use the file takes the whole budget,
    warns once, and tries again after a minute.

    Args:
        settings: the key, and its calls per second.
        clock: measures.
        wait: waits some seconds for a reason.
        patience: seconds to wait for another process to let go of the file, which it holds for a fraction of one.
    """

    def __init__(
        self, settings: Settings, clock: Clock, wait: Callable[[float, str], None], *, patience: float = 2
    ) -> None:
        self._clock = clock
        self._wait = wait
        self._rates = _rates(settings.calls_per_second)
        # More than wait in line at a time: a minute's calls, and a hundred.
        self._max_taken = settings.calls_per_second * 60 + 100
        user = f"{settings.base_url} {settings.api_key}"
        name = hashlib.blake2b(user.encode(), digest_size=16).hexdigest()
        self._file = SharedFile(name, len(_State().text()), patience)
        self._lock = Lock()
        self._known = _State()
        self._alone_until = -math.inf
        self._warned = False

    def check(self) -> Path:
        """Require that the file can be used, without taking a slot; return its path.

        Raises:
            OSError: It cannot be used, or another process did not release it.
            RuntimeError: The same, for the lock's own reasons.
        """
        with self._lock, self._file.hold():
            return self._file.path

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def wait_for_slot(self) -> None:
        """Wait until a call may go out.

        Raises:
            CoolDownError: The service allows no call for longer than 10 minutes.
        """
        wait = self._next_slot()
        while wait > 0:
            asked = self._cool_down_left() > 0
            reason = "the service allows no call yet (429)" if asked else "the call budget is used up (callsPerSecond)"
            self._wait(wait, reason)
            # If a cool-down has begun meanwhile, the slot is lost.
            wait = self._next_slot() if self._cool_down_left() > 0 else 0

    def cool_down(self, seconds: float) -> None:
        """Keep all users of the key from calling for some seconds.

        Calls wait for at most 10 minutes; during a longer cool-down they fail.
        """

        def extend(known: _State, now: int) -> _State:
            if seconds > MAX_SECONDS:
                ban = round(1000 * min(seconds, _MAX_BAN))
                return known if known.ban_left(now) > ban else known._replace(banned_at=now, ban=ban)
            until = now + round(1000 * seconds)
            # No burst at the end: all have waited for it, and one goes after the other.
            slots = _take(self._rates, 0, until, self._rates[0].burst) if self._rates else 0
            return known._replace(slots=max(known.slots, slots), cool_down=max(known.cool_down, until))

        self._change(extend)

    def _next_slot(self) -> float:
        """Take the next slot that is free, and return the seconds until then."""
        return self._take_slot() if self._rates else self._cool_down_left()

    def _take_slot(self) -> float:
        wait, ban = 0, 0

        def take(known: _State, now: int) -> _State:
            nonlocal wait, ban
            if ban := known.ban_left(now):
                return known
            at = max(now, known.cool_down)
            _, decision = _ALGORITHM.step(self._rates, (known.slots,), at, 1)
            at += decision.retry_after_ms or 0
            wait = at - now
            return known._replace(slots=_take(self._rates, known.slots, at, 1))

        self._change(take)
        if ban:
            raise CoolDownError(ban / 1000)
        return wait / 1000

    def _cool_down_left(self) -> float:
        """Return the seconds until the cool-down is over; without the lock, since it is asked for each call."""
        text, now = self._file.read(), self._now()
        known = self._merge(text, now)
        if ban := known.ban_left(now):
            # The clock may have been set back, and the file must not begin the ban again and again.
            self._change(lambda known, _: known)
            raise CoolDownError(ban / 1000)
        return (known.cool_down - now) / 1000

    def _change(self, change: Callable[[_State, int], _State]) -> None:
        def change_text(text: bytes) -> bytes:
            now = self._now()
            self._known = change(self._merge(text, now), now)
            return self._known.text()

        with self._lock:
            if self._clock.monotonic() >= self._alone_until:
                try:
                    self._file.change(change_text)
                except (OSError, RuntimeError) as error:
                    self._alone_until = self._clock.monotonic() + _ALONE
                    self._warn(error)
                else:
                    return
            # A file that cannot be written may say what holds for all.
            change_text(self._file.read())

    def _merge(self, text: bytes, now: int) -> _State:
        """Add what the file says to what is known: what this process did holds without the file too."""
        own, shared = self._possible(self._known, now), self._possible(_parse(text), now)
        longer = max(own, shared, key=lambda state: state.ban_left(now))
        return longer._replace(slots=max(own.slots, shared.slots), cool_down=max(own.cool_down, shared.cool_down))

    def _possible(self, state: _State, now: int) -> _State:
        """Leave out what lies too far in the future: the file is broken, or the clock was set back."""
        cool_down = state.cool_down if state.cool_down <= now + 1000 * MAX_SECONDS else 0
        taken = _ALGORITHM.consumed(self._rates, (state.slots,), max(now, cool_down)) if self._rates else 0
        slots = state.slots if taken <= self._max_taken else 0
        if not state.ban_left(now) or state.ban > 1000 * _MAX_BAN:
            return _State(slots, cool_down)
        # If the clock was set back, nobody knows how much of the ban is over: it begins again.
        return _State(slots, cool_down, min(state.banned_at, now), state.ban)

    def _now(self) -> int:
        return round(1000 * self._clock.time())

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            _log.warning(
                "the call budget is not shared with other processes, and the service may refuse calls (429): %s. "
                "Make %s a folder that is yours alone (mode 0700), or set XDG_CACHE_HOME to a folder for caches",
                error,
                self._file.path.parent,
            )


def _rates(calls_per_second: float) -> list[Rate]:
    if not calls_per_second > 0:
        return []
    # From one call a day to the finest step of the algorithm.
    rate = min(max(calls_per_second, 1 / 86400), 1e6)
    # At once goes what half a second brings: a service with the same limit has room for what the way delays.
    burst = max(1, math.floor(rate / 2))
    return [Rate(burst, math.ceil(1000 * burst / rate))]


def _take(rates: list[Rate], slots: int, at: int, count: int) -> int:
    (taken, *_), _ = _ALGORITHM.step(rates, (slots,), at, count)
    return int(taken)
