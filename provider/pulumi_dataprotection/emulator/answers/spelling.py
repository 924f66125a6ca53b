"""The spelling of payloads in a dialect."""

from collections.abc import Callable, Mapping
from datetime import timedelta, timezone
from typing import Any
from zlib import crc32

from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.requests.request import Payload

_JSON = dict[str, Any] | list[Any] | str | int | None

_DEFAULT = Dialect()
_TIME_FIELDS = frozenset({"created_at", "started_at", "finished_at", "start", "end", "expires"})
_DECIMAL_FIELDS = frozenset({"count", "limit", "qty", "quantity", "size", "size_total", "used"})
# Objects whose fields are not names but values.
_MAPPINGS = frozenset({"statuses", "by_action"})

_ELSEWHERE = timezone(timedelta(hours=2))

_ABSENT = object()
_EMPTY: Mapping[str, object] = {
    "empty": "",
    "list": [],
    "null": None,
    "absent": _ABSENT,
    "zero": "0001-01-01T00:00:00Z",
}


def _with_offset(time: str) -> str:
    try:
        return parse_time(time).astimezone(_ELSEWHERE).isoformat(timespec="milliseconds")
    except OverflowError:
        # The calendar ends before it does there.
        return time


_TIMES: Mapping[str, Callable[[str], str]] = {
    "milliseconds": str,
    "seconds": lambda time: f"{time[:19]}Z",
    "nanoseconds": lambda time: f"{time[:23]}000000Z",
    "offset": _with_offset,
    "lower_case": str.lower,
}

# One record in 35 has the unknown kind, and always the same records.
_SELDOM = 35


def spelled(payload: Payload, dialect: Dialect) -> Payload:
    """Return a handler's payload as a dialect writes it."""
    if not payload or dialect == _DEFAULT:
        return payload
    return _record("", payload, dialect)


def _written(name: str, value: _JSON, dialect: Dialect) -> object:
    """Return a field's value as the dialect writes it, or _ABSENT."""
    written: object = value
    match value:
        case dict():
            written = _record(name, value, dialect)
        case []:
            written = _EMPTY[dialect.empty_list]
        case list():
            written = [_written("", item, dialect) for item in value]
        case None:
            # Only times are None in a handler's payload.
            written = _EMPTY[dialect.empty_time]
        case "":
            written = _EMPTY[dialect.last_page if name == "next_page_token" else dialect.empty_text]
        case str() if name in _TIME_FIELDS:
            written = _TIMES[dialect.times](value)
        case _ if value in (0, False) or (value == "0" and name in _DECIMAL_FIELDS):
            written = value if dialect.zero_values == "written" else _ABSENT
        case _:
            pass
    return written


def _record(name: str, record: Payload, dialect: Dialect) -> Payload:
    # An empty object is said to be empty, a mapping holds what it holds, and a page without items has nothing else.
    if dialect.extra_fields == "some" and record and name not in _MAPPINGS and record.get("items") != []:
        record = _with_more(record)
    fields = ((field, _written(field, value, dialect)) for field, value in record.items())
    return {field: value for field, value in fields if value is not _ABSENT}


def _with_more(record: Payload) -> Payload:
    more: Payload = {**record, "labels": [], "revision": 1}
    if "next_page_token" in record:
        more["item_count"] = len(record["items"])
    # Organizations, tenants and resources have an external id.
    if "external_id" in record and crc32(record["id"].encode()) % _SELDOM == 0:
        more["kind"] = "office_holograms"
    return more
