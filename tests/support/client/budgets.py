"""Call budgets of the tests' key."""

from pulumi_dataprotection.client import Settings
from pulumi_dataprotection.client._transport.rate_limit import Budget
from support.scripted import KEY, DrivenClock

__all__ = ["URL", "budget", "take", "waits"]

URL = "https://service.example"


def budget(
    clock: DrivenClock, rate: float = 10, *, api_key: str = KEY, base_url: str = URL, patience: float = 2
) -> Budget:
    """Open a budget, as a client does."""
    settings = Settings(api_key, base_url, calls_per_second=rate)
    return Budget(settings, clock, lambda seconds, _reason: clock.sleep(seconds), patience=patience)


def take(own: Budget, slots: int) -> None:
    """Take a number of slots, one after the other."""
    for _ in range(slots):
        own.wait_for_slot()


def waits(clock: DrivenClock) -> list[float]:
    """Return the seconds of each wait, without the errors of their sums."""
    return [round(wait, 3) for wait in clock.waits]
