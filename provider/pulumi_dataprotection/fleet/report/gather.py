"""The walk that makes a report: the coverage, the licences and the tasks of each tenant."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import Account, calls, in_context
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.client.records import Quota
from pulumi_dataprotection.core.licences import is_exceeded, read_quotas
from pulumi_dataprotection.fleet.coverage import TenantCoverage
from pulumi_dataprotection.fleet.report.parts import Customer, Kind, Licence, Tasks
from pulumi_dataprotection.inventory import LEFT_OUT

__all__ = ["MAX_NAMES", "gather"]

MAX_NAMES = 20
"""The unprotected items of a customer whose names the report has."""


@dataclass
class _Extras:
    """The licences and the tasks of a tenant, with the error that ends the walk."""

    licences: Sequence[Licence] | None = None
    tasks: Tasks | None = None
    problems: list[str] = field(default_factory=list[str])
    error: DataProtectionError | None = None

    def note(self, error: DataProtectionError) -> None:
        """Note a part that cannot be read; an error that is not about this tenant ends the walk."""
        self.problems.append(printable(error, limit=None))
        if not isinstance(error, LEFT_OUT):
            self.error = error


def gather(account: Account, coverages: Iterable[TenantCoverage], days: int) -> Iterator[Customer]:
    """Yield each customer of a report; the parts that cannot be read have a problem.

    The licences and the tasks of a tenant are read on threads, while the contents of the next tenants are read.

    Args:
        account: the account of the key.
        coverages: the coverage of each tenant.
        days: the number of days whose tasks are counted.

    Raises:
        DataProtectionError: A call failed with another error than `LEFT_OUT`. The customers that were read come first.
    """
    end = datetime.fromtimestamp(account.client.clock.time(), UTC)
    # The same window for all tenants. Its start is on the next hour, because the service rounds it.
    start = (end - timedelta(days=days) + timedelta(minutes=59, seconds=59)).replace(minute=0, second=0, microsecond=0)
    read: Callable[[str], _Extras] = in_context(partial(_read, account, start, end))
    waiting: deque[tuple[TenantCoverage, Future[_Extras]]] = deque()
    ended: DataProtectionError | None = None
    concurrency = account.client.settings.concurrency
    with ThreadPoolExecutor(concurrency) as threads:
        try:
            for coverage in coverages:
                waiting.append((coverage, threads.submit(read, coverage.tenant.id)))
                if len(waiting) > concurrency:
                    customer, ended = _finished(*waiting.popleft())
                    yield customer
                if ended:
                    break
        except DataProtectionError as error:
            ended = error
        for one in waiting:
            customer, failure = _finished(*one)
            ended = ended or failure
            yield customer
    if ended:
        raise ended


def _read(account: Account, start: datetime, end: datetime, tenant_id: str) -> _Extras:
    extras = _Extras()
    try:
        extras.licences = [_licence(quota) for quota in read_quotas(account, tenant_id)]
    except DataProtectionError as error:
        extras.note(error)
    try:
        total = account.send(calls.get_task_stats(tenant_id, start_time=start, end_time=end)).total
        extras.tasks = Tasks(done=total.done, warnings=total.warnings, failed=total.failed) if total else None
    except DataProtectionError as error:
        extras.note(error)
    return extras


def _licence(quota: Quota) -> Licence:
    return Licence(
        kind=printable(quota.kind),
        used=quota.used,
        limit=quota.limit,
        units=printable(quota.units),
        exceeded=bool(is_exceeded(quota)),
        unlimited=quota.unlimited,
    )


def _finished(coverage: TenantCoverage, read: Future[_Extras]) -> tuple[Customer, DataProtectionError | None]:
    extras = read.result()
    return _customer(coverage, extras), extras.error


def _customer(coverage: TenantCoverage, extras: _Extras) -> Customer:
    org, tenant = coverage.org, coverage.tenant
    kinds = [
        Kind(
            kind=printable(kind),
            count=counts.count,
            by_code=counts.by_code,
            in_portal=counts.in_portal,
            excluded=counts.excluded,
            archived_protected=counts.archived_protected,
        )
        for kind, counts in coverage.kinds.items()
    ]
    return Customer(
        tenant_id=printable(tenant.id),
        tenant_name=printable(tenant.name),
        org_id=printable(org.id) if org else "",
        org_name=printable(org.name) if org else "",
        kinds=None if coverage.error else kinds,
        stacks=sorted({printable(name) for by_stack in (coverage.stacks or {}).values() for name in by_stack}),
        unprotected=[printable(item.name or item.id) for item in coverage.unprotected[:MAX_NAMES]],
        licences=extras.licences,
        tasks=extras.tasks,
        problems=[*([printable(coverage.error, limit=None)] if coverage.error else []), *extras.problems],
    )
