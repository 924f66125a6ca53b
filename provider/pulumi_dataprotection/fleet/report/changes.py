"""The changes between two reports, and the trend of all reports so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pulumi_dataprotection.fleet.report.anonymous import alias_of_scope, anonymized
from pulumi_dataprotection.fleet.report.document import ReportFileError
from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Change, Customer, Stack

__all__ = ["MAX_POINTS", "as_comparable", "compare", "with_earlier"]

MAX_POINTS = 400
"""The earlier reports in a trend: a year of nights."""


def with_earlier(report: Report, earlier: Report) -> Report:
    """Return a report with the changes since an earlier report, and with its trend.

    Args:
        report: the report.
        earlier: the earlier report, of the same tenants.
    """
    points = {point.at: point for point in (*earlier.history, earlier.point) if point.at < report.created_at}
    return replace(
        report,
        since=earlier.created_at,
        changes=[*compare(earlier, report)],
        history=[points[at] for at in sorted(points)][-MAX_POINTS:],
    )


def as_comparable(earlier: Report, scope: str, *, anonymous: bool) -> Report:
    """Return an earlier report in the form of a new report.

    Args:
        earlier: the earlier report.
        scope: the scope of the new report.
        anonymous: whether the new report is anonymous.

    Raises:
        ReportFileError: The reports cannot be compared.
    """
    if earlier.anonymous and not anonymous:
        raise ReportFileError("it is anonymous. Add --anonymous")
    if earlier.scope != (alias_of_scope(scope) if earlier.anonymous else scope):
        raise ReportFileError("it is about other tenants. Use the same --tenant, --org and --recursive")
    return anonymized(earlier) if anonymous else earlier


def compare(before: Report, after: Report) -> Iterator[Change]:
    """Yield the changes from one report to another; a part that one of them could not read has no change.

    Args:
        before: the earlier report.
        after: the later report.
    """
    earlier = {customer.tenant_id: customer for customer in before.customers}
    later = {customer.tenant_id: customer for customer in after.customers}
    for id, customer in later.items():
        if id in earlier:
            yield from _changes_of(earlier[id], customer)
        elif before.is_complete:
            yield _change(customer, "new customer", None, customer.counts.count)
    if after.is_complete:
        for id in earlier.keys() - later.keys():
            yield _change(earlier[id], "customer is gone", earlier[id].counts.count, None)
    if before.stacks is not None and after.stacks is not None:
        yield from _changes_of_stacks(before.stacks, after.stacks)


def _changes_of_stacks(before: Sequence[Stack], after: Sequence[Stack]) -> Iterator[Change]:
    earlier = {stack.name: stack.differing for stack in before}
    for stack in after:
        number = earlier.get(stack.name)
        if number != stack.differing and (number is not None or stack.differing):
            yield Change(label=stack.name, subject="items that are not in step", before=number, after=stack.differing)


def _changes_of(before: Customer, after: Customer) -> Iterator[Change]:
    if before.kinds is not None and after.kinds is not None:
        old, new = before.counts, after.counts
        if old.unprotected != new.unprotected:
            yield _change(after, "unprotected items", old.unprotected, new.unprotected)
        if old.archived_protected != new.archived_protected:
            yield _change(after, "archived items with a policy", old.archived_protected, new.archived_protected)
    if before.tasks and after.tasks and before.tasks.failed != after.tasks.failed:
        yield _change(after, "failed tasks", before.tasks.failed, after.tasks.failed)
    if before.licences is not None and after.licences is not None:
        short = [sum(licence.is_short for licence in one) for one in (before.licences, after.licences)]
        if short[0] != short[1]:
            yield _change(after, "kinds without a free licence", short[0], short[1])


def _change(customer: Customer, subject: str, before: int | None, after: int | None) -> Change:
    return Change(label=customer.label, subject=subject, before=before, after=after)
