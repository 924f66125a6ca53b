"""Tables that stay readable in a narrow terminal: no cell of a line is broken, and nothing is left out."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["lines", "pairs"]

_WIDER_THAN_ANY_LINE = 1 << 30

Row = Mapping[str, str]


def lines(headings: Mapping[str, str], rows: Sequence[Row]) -> str:
    """Print each record in a line.

    If the lines are wider than the terminal, a value that all records share stands once above them. If they still are
    wider, each record is a paragraph, as with `pairs`.

    Args:
        headings: the headings by column.
        rows: the cells by column, without control characters; at least one row.
    """
    table = _lines(headings, rows)
    if _fits(table):
        return _drawn(table)
    shared = {name: rows[0].get(name, "") for name in headings if len({row.get(name, "") for row in rows}) == 1}
    others = {name: heading for name, heading in headings.items() if name not in shared}
    table = _lines(others, rows)
    if len(rows) > 1 and others and _fits(table):
        return f"{pairs(headings, [shared])}\n{_drawn(table)}"
    return pairs(headings, rows)


def pairs(headings: Mapping[str, str], rows: Sequence[Row]) -> str:
    """Print each record as a paragraph, with a line for each column."""
    return "\n".join(_drawn(_pairs({headings[name]: row[name] for name in headings if name in row})) for row in rows)


def _lines(headings: Mapping[str, str], rows: Sequence[Row]) -> Table:
    table = _table()
    for heading in headings.values():
        # No markup, because a name may contain it.
        table.add_column(Text(heading), no_wrap=True)
    for row in rows:
        table.add_row(*(Text(row.get(name, "")) for name in headings))
    return table


def _pairs(row: Row) -> Table:
    table = _table(header=False)
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for heading, cell in row.items():
        table.add_row(Text(heading), Text(cell))
    return table


def _table(*, header: bool = True) -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=header)


def _fits(table: Table) -> bool:
    console = Console()
    widest = console.measure(table, options=console.options.update(max_width=_WIDER_THAN_ANY_LINE)).maximum
    return not sys.stdout.isatty() or widest <= console.width


def _drawn(table: RenderableType) -> str:
    console = Console(width=None if sys.stdout.isatty() else _WIDER_THAN_ANY_LINE)
    with console.capture() as capture:
        console.print(table)
    return re.sub(r" +$", "", capture.get(), flags=re.MULTILINE)
