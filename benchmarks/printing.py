"""The tables of benchmarks, whose words stay whole in a narrow terminal, and the progress on stderr."""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["Columns", "output", "report"]

_WIDER_THAN_ANY_LINE = 1000
_SHORT = 14
"""Cells up to this length are not broken."""
_READABLE = 30
"""The width that a column of longer cells needs."""
_GAP = 2


def output() -> Console:
    """Return the console for results; a file has lines of any length."""
    return Console(width=None if sys.stdout.isatty() else _WIDER_THAN_ANY_LINE)


def report(text: str) -> None:
    """Print on stderr, with the time, the step that begins."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


@dataclass(frozen=True)
class Columns:
    """A table that leaves out the least important columns if there is no space for all.

    Attributes:
        title: the text above.
        headings: the headings of the columns.
        rows: the cells; an empty row is the line between two sections.
        least: the headings of columns that may be left out, the least important column first.
        caption: the text below.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    least: Sequence[str] = ()
    caption: str = ""

    def __rich_console__(
        self,
        console: Console,
        options: ConsoleOptions,
    ) -> Iterator[RenderableType]:
        """Yield the text above, the table, and the text below."""
        widths = {
            heading: max(cell_len(text) for text in (heading, *(row[number] for row in self.rows if row)))
            for number, heading in enumerate(self.headings)
        }
        left_out: list[str] = []
        for heading in self.least:
            needed = sum(min(width, _READABLE) + _GAP for name, width in widths.items() if name not in left_out)
            if needed > options.max_width:
                left_out.append(heading)
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
        shown = [number for number, heading in enumerate(self.headings) if heading not in left_out]
        for number in shown:
            heading = self.headings[number]
            table.add_column(Text(heading), no_wrap=widths[heading] <= _SHORT)
        for row in self.rows:
            table.add_row(*(Text(row[number]) if row else "" for number in shown))
        yield Text(f"\n{self.title}\n", style="bold")
        yield table
        note = f"Left out for lack of space: {', '.join(left_out)}." if left_out else ""
        if below := " ".join(text for text in (self.caption, note) if text):
            yield Text(f"\n{below}")
