"""The emulator's clock: the machine's time and an offset that tests drive."""

from datetime import UTC, datetime, timedelta

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator.store.store import Store

_OFFSET = "clock_offset"
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)


class Clock:
    """The time of the emulated service; its offset is kept in the database.

    All that moves it raises EmulatorError, or OverflowError, for a time that is too far away.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._offset = timedelta(seconds=float(store.setting(_OFFSET) or 0))

    def now(self) -> datetime:
        """Return the service's present time."""
        return datetime.now(UTC) + self._offset

    def advance(self, by: timedelta) -> None:
        """Move the clock on, or back by a negative duration."""
        self._set(self._offset + by)

    def set(self, time: datetime) -> None:
        """Make it this time now; the clock runs on from there."""
        self._set(time - datetime.now(UTC))

    def reset(self) -> None:
        """Go back to the machine's time."""
        self._set(timedelta())

    def _set(self, offset: timedelta) -> None:
        # Near the ends of the calendar nothing could be counted back or on from now.
        if not _EARLIEST <= datetime.now(UTC) + offset <= _LATEST:
            raise EmulatorError("the clock goes from 1970 to 9000")
        self._store.set_setting(_OFFSET, str(offset.total_seconds()))
        self._offset = offset
