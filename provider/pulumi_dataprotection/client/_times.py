"""Times of the service: exact, comparable with datetimes, and readable in the forms that servers send."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeAlias, cast

from pydantic import (
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
)
from pydantic_core import CoreSchema, core_schema

__all__ = ["Time", "Timestamp", "parse_time", "rfc3339"]

# A class with a property of this name cannot name the type.
_Datetime: TypeAlias = datetime


def rfc3339(time: datetime) -> str:
    """Write a time as this package writes all of them: in UTC, with `Z`."""
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Timestamp(str):
    """A time as RFC 3339 text in UTC, with the digits that the service sent; it compares with datetimes.

    Attributes:
        datetime: the time as an aware datetime in UTC, to the microsecond.
    """

    __slots__ = ()

    @property
    def datetime(self) -> _Datetime:
        """The time as an aware datetime in UTC."""
        # A datetime has no leap seconds.
        return datetime.fromisoformat(re.sub(r":60(?=[.Z])", ":59", self))

    def __eq__(self, other: object) -> bool:
        """Compare with text as text, and with a datetime as a time."""
        return self.datetime == other if isinstance(other, datetime) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """Compare with text as text, and with a datetime as a time."""
        return not self == other

    __hash__ = str.__hash__

    def __lt__(self, other: str | _Datetime) -> bool:
        """Whether it is before another time."""
        return self._order(other) < 0

    def __le__(self, other: str | _Datetime) -> bool:
        """Whether it is not after another time."""
        return self._order(other) <= 0

    def __gt__(self, other: str | _Datetime) -> bool:
        """Whether it is after another time."""
        return self._order(other) > 0

    def __ge__(self, other: str | _Datetime) -> bool:
        """Whether it is not before another time."""
        return self._order(other) >= 0

    def _order(self, other: str | _Datetime) -> float:
        """Return a negative number if it is before another time; text that is not a time is compared as text."""
        if isinstance(other, str):
            try:
                other = parse_time(other)
            except ValueError:
                mine, others = str(self), str(other)
                return (mine > others) - (mine < others)
        return (self.datetime - other).total_seconds()

    def __sub__(self, other: str | _Datetime) -> timedelta:
        """Return the time that has passed since another time."""
        return self.datetime - parse_time(other)

    def __rsub__(self, other: str | _Datetime) -> timedelta:
        """Return the time that has passed until another time."""
        return parse_time(other) - self.datetime

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read it as pydantic reads a datetime."""
        return core_schema.no_info_wrap_validator_function(
            cls._read, handler.generate_schema(AwareDatetime), serialization=core_schema.to_string_ser_schema()
        )

    @classmethod
    def _read(cls, sent: object, validate: ValidatorFunctionWrapHandler) -> "Timestamp":
        if isinstance(sent, cls):
            return sent
        leap = isinstance(sent, str) and _LEAP_SECOND.search(sent)
        try:
            text = rfc3339(validate(_LEAP_SECOND.sub(":59", sent) if isinstance(sent, str) else sent))
        except OverflowError:
            raise ValueError("is beyond the calendar in UTC") from None
        # A datetime has no more than microseconds.
        fraction = re.search(r"\.[0-9]+", sent) if isinstance(sent, str) else None
        seconds = "60" if leap else text[17:19]
        return cls(f"{text[:17]}{seconds}{fraction[0] if fraction else text[19:-1]}Z")


_LEAP_SECOND = re.compile(r":60(?=[.Zz+-])")


def _readable_time(value: object) -> object:
    # Servers written in Go send their zero time for "never".
    return None if value == "" or (isinstance(value, str) and value.startswith("0001-01-01T00:00:00")) else value


Time = Annotated[Timestamp | None, BeforeValidator(_readable_time)]

_TIME: TypeAdapter[Timestamp | None] = TypeAdapter(Time, config=ConfigDict(defer_build=True))


def parse_time(value: datetime | str) -> datetime:
    """Read a time as a program gives it.

    Args:
        value: a datetime with a time zone, or RFC 3339 text.

    Returns:
        The time in UTC, where each day has 24 hours.

    Raises:
        ValueError: it is neither.
    """
    # Text without a colon names no time of a day, and digits would be taken for seconds since 1970.
    readable = isinstance(value, datetime) or (isinstance(cast("object", value), str) and ":" in value)
    time = _TIME.validate_python(value) if readable else None
    if time is None:
        raise ValueError("it is neither a datetime with a time zone nor RFC 3339 text")
    return time.datetime
