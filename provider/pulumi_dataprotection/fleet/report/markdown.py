"""A report as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from pulumi_dataprotection._markdown import as_cell, as_code
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.order import customers_by_need, licence_use, short_customers, stacks_with_drift
from pulumi_dataprotection.fleet.report.parts import Change, Customer, Stack

__all__ = ["MAX_CHARACTERS", "as_markdown"]

MAX_CHARACTERS = 65_000
"""The characters of the text. A comment on GitHub may have 65,536."""

_MAX_PART = 12_000
"""The characters of a part before the customers, so that there is space for these."""

_MAX_REASON = 300
"""The characters of a reason."""


def as_markdown(report: Report) -> str:
    """Return the report as Markdown. The last line says how many lines were left out, if any."""
    parts = ["\n".join(_summary(report))]
    if report.since:
        parts.append(_part("Changes", _CHANGE_HEAD, map(_change, report.changes), "Nothing has changed."))
    if report.stacks is not None:
        stacks = stacks_with_drift(report)
        drifted = (_stack(stack) for stack in stacks)
        parts.append(_part("Drift", _DRIFT_HEAD, drifted, "All stacks are in step with the service."))
    unread = [*([report.ended_early] if report.ended_early else []), *report.unseen]
    unread += [f"{customer.label}: {text}" for customer in report.customers for text in customer.problems]
    if unread:
        parts.append(_part("Unreadable parts", "", (f"- {as_code(text[:_MAX_REASON])}" for text in unread), ""))
    head = "\n\n".join(parts) + "\n\n## Customers\n\n" + _CUSTOMER_HEAD
    return _with_rows(head, [_customer(customer) for customer in customers_by_need(report.customers)])


_CHANGE_HEAD = "| customer | change | before | now |\n|---|---|---:|---:|\n"
_DRIFT_HEAD = f"| stack | {' | '.join(Status)} |\n|---|{'---:|' * len(Status)}\n"
_CUSTOMER_HEAD = (
    "| customer | coverage | items | not protected | archived with policy | licences used | failed tasks |\n"
    "|---|---:|---:|---:|---:|---:|---:|\n"
)


def _summary(report: Report) -> Iterator[str]:
    total = report.counts
    at = report.created_at[:16].replace("T", " ")
    yield f"# Backup report of {at} UTC"
    yield ""
    if not report.is_complete:
        yield "**This report is not complete.** The unreadable parts are below."
        yield ""
    yield f"- customers: {len(report.customers):,}"
    yield f"- protected items: **{total.percent} %**"
    yield f"- items that are not protected: {total.unprotected:,}"
    yield f"- archived items with a policy: {total.archived_protected:,}"
    yield f"- failed tasks in {report.days} days: {report.failed:,}"
    yield f"- customers without a free licence: {len(short_customers(report)):,}"


def _part(title: str, head: str, rows: Iterable[str], otherwise: str) -> str:
    lines = [*rows]
    ends = itertools.accumulate(map(len, lines))
    shown = [line for line, end in zip(lines, ends, strict=True) if end <= _MAX_PART]
    cut = f"\n\n{len(lines) - len(shown):,} more lines are left out." if len(lines) > len(shown) else ""
    return f"## {title}\n\n" + (head + "\n".join(shown) + cut if lines else otherwise)


def _with_rows(head: str, rows: list[str]) -> str:
    """Add the rows for which there is space."""
    whole = head + "".join(f"{row}\n" for row in rows)
    if len(whole) <= MAX_CHARACTERS:
        return whole
    text, shown = head, 0
    for row in rows:
        if len(text) + len(row) > MAX_CHARACTERS - 200:
            break
        text += f"{row}\n"
        shown += 1
    return (
        f"{text}\n{len(rows) - shown:,} of {len(rows):,} customers are left out, because a comment has a limit. "
        "The page of the report has all of them.\n"
    )


def _customer(customer: Customer) -> str:
    counts, licence = customer.counts, licence_use(customer)
    use = licence.text and f"{as_cell(licence.text)}{' **none free**' if licence.is_short else ''}"
    failed = f"{customer.tasks.failed:,}" if customer.tasks else "unknown"
    numbers = (
        ("unknown", "", "", "")
        if customer.kinds is None
        else (f"{counts.percent} %", f"{counts.count:,}", f"{counts.unprotected:,}", f"{counts.archived_protected:,}")
    )
    return f"| {as_cell(customer.label)} | {' | '.join((*numbers, use, failed))} |"


def _stack(stack: Stack) -> str:
    return f"| {as_cell(stack.name)} | {' | '.join(f'{stack.counts.get(status, 0):,}' for status in Status)} |"


def _change(change: Change) -> str:
    before, after = ("" if number is None else f"{number:,}" for number in (change.before, change.after))
    return f"| {as_cell(change.label)} | {change.subject} | {before} | {after} |"
