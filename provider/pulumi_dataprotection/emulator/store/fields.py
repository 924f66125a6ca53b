"""The fields of the state document's records, to the database's columns and back."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import cast

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator._times import format_time, parse_time
from pulumi_dataprotection.emulator.store.schema import Column, ColumnType, Table
from pulumi_dataprotection.emulator.store.store import Row

_UINT64 = range(2**64)
_INT64 = range(-(2**63), 2**63)
_SHOWN: Mapping[ColumnType, Callable[[str], object]] = {"boolean": bool, "texts": json.loads}
_HALF = re.compile("[\ud800-\udfff]")


def shown_record(table: Table, row: Row) -> dict[str, object]:
    """Return a row as the document shows it."""
    shown: dict[str, object] = dict(row)
    for column in table.columns:
        if column.type in _SHOWN:
            shown[column.name] = _SHOWN[column.type](row[column.name])
    return shown


def stored_row(table: Table, record: Mapping[str, object], place: str, now: datetime) -> list[object]:
    """Return a document's record as the table's columns, with the defaults of what it leaves out.

    Args:
        table: the table.
        record: the record; a time that it leaves out is now.
        place: its place in the document, for errors.
        now: the emulator's time.

    Raises:
        EmulatorError: A field is unknown or missing, or its value is not of its type.
    """
    unknown = record.keys() - {column.name for column in table.columns}
    if unknown:
        known = ", ".join(column.name for column in table.columns)
        raise EmulatorError(f"{place} has no field {', '.join(sorted(unknown))}; it has {known}")
    return [
        _stored(column, record[column.name] if column.name in record else _default(column, now), place)
        for column in table.columns
    ]


def stored_key(table: Table, record: Mapping[str, object], place: str) -> list[object]:
    """Return the columns that identify a document's record; raises as `stored_row` does."""
    return [_stored(column, record.get(column.name), place) for column in table.columns if column.key]


def _stored(column: Column, value: object, place: str) -> object:
    if value is None and column.nullable:
        return None
    description, convert = _TYPES[column.type]
    stored = convert(value)
    if stored is None:
        raise EmulatorError(f"{place}: {column.name} must be {description}, not {value!r}")
    return stored


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value in _INT64 else None


def _decimal(value: object) -> str | None:
    text = str(value)
    return text if text.isdecimal() and text.isascii() and int(text) in _UINT64 else None


def _time(value: object) -> str | None:
    try:
        return format_time(parse_time(str(value)))
    except ValueError:
        return None


def _text(value: object) -> str | None:
    # JSON can hold half of a character, and the database cannot.
    return value if isinstance(value, str) and not _HALF.search(value) else None


def _texts(value: object) -> str | None:
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    return json.dumps(items) if all(_text(item) is not None for item in items) else None


# The name of each type's values, and their stored form; None for a value of another type.
_TYPES: Mapping[ColumnType, tuple[str, Callable[[object], object]]] = {
    "text": ("a text of whole characters", _text),
    "integer": ("an integer", _integer),
    "boolean": ("true or false", lambda value: value if isinstance(value, bool) else None),
    "decimal": ("a whole number of up to 64 bits, best as a text", _decimal),
    "time": ("an RFC 3339 time with an offset", _time),
    "texts": ("a list of texts", _texts),
}


def _default(column: Column, now: datetime) -> object:
    is_now = column.type == "time" and not column.key and not column.nullable
    return format_time(now) if is_now else column.default
