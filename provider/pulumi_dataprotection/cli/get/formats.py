"""The formats of records: a table for people, JSON or CSV for programs."""

import csv
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TypeGuard, cast

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from pulumi_dataprotection._printable import printable, printable_lines
from pulumi_dataprotection.client.records import Record, read_names

__all__ = ["encodable", "render"]

Fields = Mapping[str, object]

# The first characters of a formula in spreadsheets.
_FORMULA = re.compile(r"(?!-[0-9]+(\.[0-9]+)?\Z)[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")

_WIDER_THAN_ANY_LINE = 1 << 30


def render(found: Record | Sequence[Record], names: Sequence[str], output_format: str) -> str:
    """Write one record, or a list of them.

    Args:
        found: the record, or the records.
        names: the records' fields, which an empty list has too; `fields` stands for what the service sent besides.
        output_format: `table`, `json` or `csv`.

    Returns:
        Lines without control characters; no line for the table of an empty list.
    """
    records = [found] if isinstance(found, Record) else found
    if output_format == "csv":
        return _csv(records, names)
    if output_format == "json":
        chosen = [{name: record[name] for name in names} for record in records]
        return _json(chosen[0] if isinstance(found, Record) else chosen)
    if isinstance(found, Record):
        return _drawn(_pairs(_spread(found, names)))
    return _drawn(_rows([_spread(record, names) for record in records])) if records else ""


def encodable(text: str) -> str:
    """Escape characters that the terminal cannot show, as Python does; of unsafe characters no line has any."""
    return printable_lines(text).encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding)


def _json(value: object) -> str:
    in_unicode = sys.stdout.encoding.lower().startswith("utf")
    return encodable(json.dumps(value, indent=2, ensure_ascii=not in_unicode)) + "\n"


def _csv(records: Sequence[Fields], names: Sequence[str]) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_harmless(_text(record[name])) for name in names] for record in records)
    return lines.getvalue()


def _harmless(cell: str) -> str:
    return _cell(f"'{cell}" if _FORMULA.match(cell) else cell)


def _spread(record: Record, names: Sequence[str]) -> Fields:
    """Return the known fields, and after them the other fields that the service sent."""
    sent = cast("Fields", record.get("fields", {}))
    known = read_names(type(record))
    return {name: record[name] for name in names if name != "fields"} | {
        name: value for name, value in sent.items() if name not in known
    }


def _drawn(table: Table) -> str:
    console = Console(width=None if sys.stdout.isatty() else _WIDER_THAN_ANY_LINE)
    with console.capture() as capture:
        console.print(table)
    return re.sub(r" +$", "", capture.get(), flags=re.MULTILINE)


def _table(*, header: bool = True) -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=header)


def _rows(records: Sequence[Fields]) -> Table:
    table = _table()
    names = dict.fromkeys(name for record in records for name in record)
    for name in names:
        table.add_column(_line(name), overflow="fold")
    for record in records:
        table.add_row(*(_opened(record.get(name)) for name in names))
    return table


def _pairs(record: Fields) -> Table:
    table = _table(header=False)
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for name, value in record.items():
        table.add_row(_line(name), _opened(value))
    return table


def _opened(value: object) -> RenderableType:
    """Return a cell, which is a table if the value has fields."""
    if _has_fields(value):
        return _pairs(value)
    records = _records(value)
    return _rows(records) if records else _line(value)


def _records(value: object) -> list[Fields]:
    """Return a list if all members have fields; else an empty list."""
    members = cast("list[object]", value) if isinstance(value, list) else []
    records = [member for member in members if _has_fields(member)]
    return records if len(records) == len(members) else []


def _has_fields(value: object) -> TypeGuard[Fields]:
    return isinstance(value, dict) and value != {}


def _line(value: object) -> Text:
    # No markup, because a name may contain it.
    return Text(_cell(_text(value)))


def _cell(text: str) -> str:
    return encodable(printable(text.replace("\n", "\\n"), limit=None))


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
