"""The formats of records: a table for people, JSON or CSV for programs, Markdown for a pull request."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pulumi_dataprotection._markdown import as_cell
from pulumi_dataprotection._printable import printable, printable_lines
from pulumi_dataprotection.cli.get.layout import Fields, Layout
from pulumi_dataprotection.cli.get.tables import lines, pairs

__all__ = ["FORMATS", "Block", "as_code", "encodable"]

# The first characters of a formula in spreadsheets.
_FORMULA = re.compile(r"(?!-[0-9]+(\.[0-9]+)?\Z)[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?|true|false")


@dataclass(frozen=True, slots=True)
class Block:
    """The records of one tenant, or all records.

    Attributes:
        entries: the records.
        tenant: the `tenant_id` and the `tenant_name`; empty if the command is for one tenant, or for none.
        is_list: whether the result is a list, which may be empty.
    """

    entries: Sequence[Fields]
    tenant: Fields
    is_list: bool

    def rows(self, layout: Layout, others: Callable[[Fields], Fields] = lambda _: {}) -> Iterator[Fields]:
        """Yield the rows of the records, each with the tenant, and with other fields of its record."""
        for entry in self.entries:
            for row in layout.rows(entry):
                yield {**others(entry), **row, **self.tenant}


def encodable(text: str) -> str:
    """Escape characters that the terminal cannot show, as Python does; of unsafe characters no line has any."""
    return printable_lines(text).encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding)


def _json(_layout: Layout, _front: Sequence[str], blocks: Iterable[Block]) -> Iterator[str]:
    """Print a list record by record, or one object."""
    in_unicode = sys.stdout.encoding.lower().startswith("utf")
    before = "["
    for block in blocks:
        for entry in block.entries:
            whole = {**block.tenant, **entry, **block.tenant}
            text = encodable(json.dumps(whole, indent=2, ensure_ascii=not in_unicode))
            if not block.is_list:
                yield f"{text}\n"
                return
            yield f"{before}\n  " + text.replace("\n", "\n  ")
            before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def _csv(layout: Layout, front: Sequence[str], blocks: Iterable[Block]) -> Iterator[str]:
    """Print a line with the names, and a line for each row."""
    # A record with details has no column for all that the service sent: each of its rows would repeat it.
    sent = ["fields"] if layout.is_open and not layout.details else []
    header = [*dict.fromkeys([*front, *layout.columns(), *sent])]
    yield ",".join(header) + "\n"
    for block in blocks:
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        for row in block.rows(layout, lambda entry: {name: entry[name] for name in sent}):
            # The total of resources by kind has fields that a single kind lacks.
            writer.writerow([_harmless(_text(row.get(name))) for name in header])
        yield written.getvalue()


def _table(layout: Layout, front: Sequence[str], blocks: Iterable[Block]) -> Iterator[str]:
    """Print all records together, since the widths of columns depend on all of them."""
    rows: list[Mapping[str, str]] = []
    single = False
    for block in blocks:
        single = not block.is_list and not layout.details
        rows += [
            {name: _cell(_text(value)) for name, value in row.items()} for row in block.rows(layout, layout.others)
        ]
    if rows:
        names = dict.fromkeys([*front, *layout.columns(), *(name for row in rows for name in row)])
        headings = {name: _cell(name) for name in names}
        yield pairs(headings, rows) if single else lines(headings, rows)


def _markdown(layout: Layout, front: Sequence[str], blocks: Iterable[Block]) -> Iterator[str]:
    """Print a line for each row, with the columns of CSV but the one for all that the service sent."""
    header = [*dict.fromkeys([*front, *layout.columns()])]
    yield "| " + " | ".join(header) + " |\n|" + " --- |" * len(header) + "\n"
    for block in blocks:
        for row in block.rows(layout):
            yield "| " + " | ".join(as_code(_text(row.get(name))) for name in header) + " |\n"


def as_code(text: str) -> str:
    """Return a cell in which nothing is markup or mentions anybody: a number, or code."""
    cell = _cell(text)
    if not cell.strip() or _NUMBER.fullmatch(cell):
        return cell
    return as_cell(cell)


def _harmless(cell: str) -> str:
    return _cell(f"'{cell}" if _FORMULA.match(cell) else cell)


def _cell(text: str) -> str:
    return encodable(printable(text.replace("\n", "\\n"), limit=None))


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


FORMATS: Mapping[str, Callable[[Layout, Sequence[str], Iterable[Block]], Iterator[str]]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "md": _markdown,
}
"""Each format makes its text piece by piece from a layout, the columns in front of it, and the records."""
