"""The output of `dataprotection drift`: tables for people, JSON or CSV for programs, Markdown for a pull request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from pydantic.dataclasses import dataclass

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.get.formats import FORMATS as FORMATS_OF_RECORDS
from pulumi_dataprotection.cli.get.formats import Block, as_code, encodable
from pulumi_dataprotection.cli.get.layout import Layout
from pulumi_dataprotection.client.records import Record
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.fleet.drift_records import Drift, Finding, StackDrift

__all__ = ["FORMATS"]

_MAX_ROWS = 100
"""The rows of a table in Markdown: the comments of pull requests have a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _StackRow(Record):
    """The numbers of items of a stack, by status."""

    stack: str
    source: str
    in_step: int
    drifted: int
    bare: int
    gone: int
    unreadable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _FindingRow(Record):
    """A finding, with the name of its stack."""

    stack: str
    source: str
    status: str
    drift: bool
    count: int
    resource: str
    tenant_id: str
    id: str
    name: str
    declared: str
    found: str
    reason: str


def _stack_rows(drift: Drift) -> list[_StackRow]:
    return [
        _StackRow(
            stack=stack.name,
            source=stack.source,
            in_step=stack.counts[Status.IN_STEP],
            drifted=stack.counts[Status.DRIFTED],
            bare=stack.counts[Status.BARE],
            gone=stack.counts[Status.GONE],
            unreadable=stack.counts[Status.UNREADABLE],
        )
        for stack in drift.stacks
    ]


def _finding_rows(drift: Drift) -> list[_FindingRow]:
    return [_finding_row(stack, finding) for stack in drift.stacks for finding in stack.findings]


def _finding_row(stack: StackDrift, finding: Finding) -> _FindingRow:
    return _FindingRow(
        stack=stack.name,
        source=stack.source,
        status=finding.status.value,
        drift=finding.is_drift,
        count=finding.items,
        resource=finding.urn.rsplit("::", 1)[-1],
        tenant_id=finding.tenant_id,
        id=finding.id,
        name=finding.name,
        declared=finding.declared,
        found=finding.found,
        reason=finding.reason,
    )


def _totals(drift: Drift) -> str:
    """Return the sums of all stacks in a line."""
    sums = {status: sum(stack.counts[status] for stack in drift.stacks) for status in Status}
    counts = ", ".join(f"{count:,} {status}" for status, count in sums.items() if count or status is Status.IN_STEP)
    return f"{len(drift.stacks):,} stacks: {counts}"


def _declared_twice(drift: Drift) -> list[dict[str, object]]:
    return [
        {
            "tenant_id": twice.tenant_id,
            "id": twice.item_id,
            "by": [{"stack": drift.stacks[stack].name, "urn": urn} for stack, urn in twice.by],
        }
        for twice in drift.declared_twice
    ]


def _twice_line(drift: Drift, number: int) -> str:
    twice = drift.declared_twice[number]
    by = [f"{drift.stacks[stack].name} ({urn.rsplit('::', 1)[-1]})" for stack, urn in twice.by]
    return f"{printable(twice.item_id)} in tenant {printable(twice.tenant_id)}: {', '.join(map(printable, by))}"


def _records(output_format: str, kind: type[Record], rows: Sequence[Record]) -> Iterator[str]:
    return FORMATS_OF_RECORDS[output_format](Layout.of(kind, ("tenant_id",)), (), [Block(rows, {}, is_list=True)])


def _table(drift: Drift) -> Iterator[str]:
    yield from _records("table", _StackRow, _stack_rows(drift))
    if findings := _finding_rows(drift):
        yield "\n"
        yield from _records("table", _FindingRow, findings)
    if drift.declared_twice:
        yield f"\n{len(drift.declared_twice):,} items are declared by several stacks:\n"
        yield from (f"  {_twice_line(drift, number)}\n" for number in range(len(drift.declared_twice)))
    yield f"\n{_totals(drift)}\n"


def _json(drift: Drift) -> Iterator[str]:
    whole = {
        "complete": drift.is_complete,
        "drift": drift.is_drift,
        "stacks": _stack_rows(drift),
        "findings": _finding_rows(drift),
        "declared_twice": _declared_twice(drift),
    }
    in_unicode = sys.stdout.encoding.lower().startswith("utf")
    yield encodable(json.dumps(whole, indent=2, ensure_ascii=not in_unicode)) + "\n"


def _csv(drift: Drift) -> Iterator[str]:
    return _records("csv", _FindingRow, _finding_rows(drift))


def _markdown(drift: Drift) -> Iterator[str]:
    """Print the stacks that are not in step, and the findings; of both not more than a comment can hold."""
    yield f"**{_totals(drift)}**\n"
    in_step = {"stack", "source", "in_step"}
    stacks = [row for row in _stack_rows(drift) if any(value for name, value in row.items() if name not in in_step)]
    yield from _markdown_table(["stack", "in_step", "drifted", "bare", "gone", "unreadable"], stacks)
    columns = ["stack", "status", "count", "resource", "tenant_id", "name", "declared", "found", "reason"]
    yield from _markdown_table(columns, _finding_rows(drift))
    if drift.declared_twice:
        shown = range(min(_MAX_ROWS, len(drift.declared_twice)))
        yield f"\n{len(drift.declared_twice):,} items are declared by several stacks:\n\n"
        yield from (f"- {_code(_twice_line(drift, number))}\n" for number in shown)
        yield from _cut(len(drift.declared_twice))


def _markdown_table(columns: Sequence[str], rows: Sequence[Record]) -> Iterator[str]:
    if rows:
        yield "\n| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns) + "\n"
        for row in rows[:_MAX_ROWS]:
            yield "| " + " | ".join(_code(row[column]) for column in columns) + " |\n"
        yield from _cut(len(rows))


def _cut(rows: int) -> Iterator[str]:
    if rows > _MAX_ROWS:
        yield f"\n… and {rows - _MAX_ROWS:,} more. `dataprotection drift` prints all of them.\n"


def _code(value: object) -> str:
    return as_code(encodable(printable(value)))


FORMATS: Mapping[str, Callable[[Drift], Iterator[str]]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "md": _markdown,
}
"""Each format makes its text piece by piece."""
