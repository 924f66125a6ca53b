"""The call rate of a key, and the ban of a key that does not wait."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import Any

from pulumi_dataprotection.emulator._errors import Forbidden, TooManyRequests
from pulumi_dataprotection.emulator._times import format_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect

_LONGEST_WAIT = 60
_VIOLATIONS_PER_DOUBLING = 4
_VIOLATIONS_UNTIL_BAN = 20
_BAN = timedelta(minutes=10)
_MEMORY = timedelta(seconds=60)

# Many small refills add up to a little less than a whole token.
_ROUNDING = 1e-9


@dataclass(slots=True)
class _Bucket:
    """The tokens of one key, and its calls without a token."""

    rate: float
    size: int
    tokens: float
    filled_at: datetime
    refused: int = 0
    refused_at: datetime | None = None
    violations: int = 0
    wait_until: datetime | None = None
    banned_until: datetime | None = None

    def bring_to(self, now: datetime) -> None:
        """Refill the bucket, and end waits and bans that are over."""
        # The clock may have been set back.
        passed = max((now - self.filled_at).total_seconds(), 0)
        self.tokens = min(self.size, self.tokens + passed * self.rate)
        self.filled_at = now
        if self.wait_until is not None and self.wait_until <= now:
            self.wait_until = None
        if self.refused_at is not None and now - self.refused_at > _MEMORY:
            self.violations = 0
        if self.banned_until is not None and self.banned_until <= now:
            self.banned_until = None
            self.violations = 0

    @property
    def seconds_to_wait(self) -> int:
        """How long a call that is refused now has to wait."""
        missing = max(1 - self.tokens, 0) / self.rate
        penalty = 1 << self.violations // _VIOLATIONS_PER_DOUBLING
        return math.ceil(min(max(missing - _ROUNDING, penalty), _LONGEST_WAIT))


class Limits:
    """The buckets of all keys, in which tokens grow on the service's clock."""

    def __init__(self) -> None:
        self._buckets: dict[str, _Bucket] = {}

    def count(self, key: str, dialect: Dialect, now: datetime) -> None:
        """Take a token for a call.

        Args:
            key: the name of the key that calls.
            dialect: how many calls it may make.
            now: the service's time.

        Raises:
            TooManyRequests: The key has no token, or calls during a wait.
            Forbidden: The key is banned, because it did not wait too often.
        """
        if not dialect.calls_per_second:
            return
        size = dialect.burst or max(1, int(dialect.calls_per_second))
        bucket = self._buckets.setdefault(key, _Bucket(dialect.calls_per_second, size, size, now))
        bucket.bring_to(now)
        if bucket.banned_until is None and bucket.wait_until is not None:
            bucket.violations += 1
            if bucket.violations >= _VIOLATIONS_UNTIL_BAN:
                bucket.wait_until, bucket.banned_until = None, now + _BAN
        if bucket.banned_until is None and bucket.wait_until is None and bucket.tokens >= 1 - _ROUNDING:
            bucket.tokens -= 1
            return
        bucket.refused += 1
        bucket.refused_at = now
        if bucket.banned_until is not None:
            raise Forbidden(
                f'the application "{key}" is banned until {format_time(bucket.banned_until)}: '
                f"it called {_VIOLATIONS_UNTIL_BAN} times while it was told to wait"
            )
        raise TooManyRequests(_reason(key, bucket), _retry_after(bucket, dialect, now))

    def document(self, now: datetime) -> dict[str, Any]:
        """Return the buckets as the control plane shows them, by the names of the keys."""
        return {key: _view(bucket, now) for key, bucket in self._buckets.items()}


def _reason(key: str, bucket: _Bucket) -> str:
    text = f'the application "{key}" makes more than {bucket.rate:g} calls per second'
    if bucket.violations:
        text += f"; it called {bucket.violations} times while it was told to wait, {_VIOLATIONS_UNTIL_BAN} bring a ban"
    return text


def _retry_after(bucket: _Bucket, dialect: Dialect, now: datetime) -> dict[str, str]:
    """Return the wait, and hold the key to it; a wait that is not stated cannot be violated."""
    if dialect.retry_after == "absent":
        return {}
    end = max(now + timedelta(seconds=bucket.seconds_to_wait), bucket.wait_until or now)
    if dialect.retry_after == "date":
        # Dates have no fractions, and a caller that comes back at the stated second must not be too early.
        bucket.wait_until = end + timedelta(microseconds=-end.microsecond % 1_000_000)
        return {"Retry-After": format_datetime(bucket.wait_until, usegmt=True)}
    seconds = math.ceil((end - now).total_seconds())
    bucket.wait_until = now + timedelta(seconds=seconds)
    return {"Retry-After": str(seconds)}


def _view(bucket: _Bucket, now: datetime) -> dict[str, Any]:
    bucket.bring_to(now)
    return {
        "tokens": round(bucket.tokens, 3),
        "violations": bucket.violations,
        "wait_until": bucket.wait_until and format_time(bucket.wait_until),
        "banned_until": bucket.banned_until and format_time(bucket.banned_until),
        "refused": bucket.refused,
    }
