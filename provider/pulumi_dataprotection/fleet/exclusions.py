"""The ignore file of `dataprotection coverage`: items that need no policy, each with a reason."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import folded
from pulumi_dataprotection.client.records import Resource, Tenant
from pulumi_dataprotection.functions.resources import matches_name

__all__ = ["Exclusion", "IgnoreFileError", "excluded_ids", "parse_exclusions"]

_COLUMNS = ("pattern", "tenant", "kind", "until", "reason")
_REQUIRED = ("pattern", "reason")


class IgnoreFileError(ValueError):
    """A line of an ignore file cannot be read; the text has its number."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A line of an ignore file.

    Attributes:
        line: the number of the line.
        pattern: a pattern of names without regard to case, or an id.
        reason: why these items need no policy.
        tenant: a pattern of names of tenants, or the id of a tenant; empty for all tenants.
        kind: the kind of item; empty for all kinds.
        until: the last day on which the line counts; None for no limit.
    """

    line: int
    pattern: str
    reason: str
    tenant: str = ""
    kind: str = ""
    until: date | None = None

    def counts_on(self, day: date) -> bool:
        """Return whether the line counts on a day."""
        return self.until is None or day <= self.until

    def concerns(self, tenant: Tenant) -> bool:
        """Return whether the line is about a tenant."""
        return self.tenant in {"", tenant.id} or fnmatchcase(folded(tenant.name or ""), folded(self.tenant))

    def covers(self, item: Resource) -> bool:
        """Return whether an item of such a tenant needs no policy."""
        return self.kind in {"", item.kind} and (item.id == self.pattern or matches_name(item, self.pattern))


def parse_exclusions(text: str) -> list[Exclusion]:
    """Read an ignore file: CSV with the columns `pattern` and `reason`, and perhaps `tenant`, `kind` and `until`.

    Args:
        text: the content of the file.

    Returns:
        The lines, those that no longer count too.

    Raises:
        IgnoreFileError: A line cannot be read.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        return [*_lines(reader)]
    except csv.Error as error:
        raise IgnoreFileError(f"line {reader.reader.line_num}: {error}") from None


def excluded_ids(exclusions: Iterable[Exclusion], tenant: Tenant, items: Sequence[Resource]) -> set[str]:
    """Return the ids of the items of a tenant that need no policy.

    Args:
        exclusions: the lines that count.
        tenant: the tenant.
        items: its items.
    """
    concerning = [exclusion for exclusion in exclusions if exclusion.concerns(tenant)]
    return {item.id for item in items if any(exclusion.covers(item) for exclusion in concerning)}


def _lines(reader: csv.DictReader[str]) -> Iterator[Exclusion]:
    columns = [*(reader.fieldnames or ())]
    unknown = [column for column in columns if column not in _COLUMNS]
    if unknown or {*_REQUIRED} - {*columns} or len({*columns}) < len(columns):
        raise IgnoreFileError(
            f"line 1: the columns must be {', '.join(_REQUIRED)} and, if you need them, tenant, kind, until; "
            f'not "{printable(",".join(columns))}"'
        )
    for row in reader:
        yield _line(reader.line_num, row)


def _line(number: int, row: Mapping[str | None, str | list[str] | None]) -> Exclusion:
    if None in row or None in row.values():
        raise IgnoreFileError(f"line {number}: it must have a cell for each column of line 1")
    cells = {name: str(row.get(name) or "").strip() for name in _COLUMNS}
    for name in _REQUIRED:
        if not cells[name]:
            raise IgnoreFileError(f"line {number}: {name} must not be empty")
    until = None
    if cells["until"]:
        try:
            until = date.fromisoformat(cells["until"])
        except ValueError:
            raise IgnoreFileError(
                f'line {number}: until must be a day such as 2026-12-31, not "{printable(cells["until"])}"'
            ) from None
    return Exclusion(number, cells["pattern"], cells["reason"], cells["tenant"], cells["kind"], until)
