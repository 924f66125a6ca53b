"""The model of a report, which is also its JSON. A later version may add fields; another meaning raises `SCHEMA`."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic.dataclasses import dataclass

from pulumi_dataprotection.core.coverage import Counts

__all__ = [
    "SCHEMA",
    "Change",
    "Customer",
    "Kind",
    "Licence",
    "Point",
    "Report",
    "Stack",
    "Tasks",
]

SCHEMA = 1
"""The version of the model's meaning."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The coverage of one kind of item of a customer; the counts are those of `core.coverage.Counts`."""

    kind: str
    count: int
    by_code: int
    in_portal: int
    excluded: int
    archived_protected: int

    @property
    def counts(self) -> Counts:
        """The counts, with their sums."""
        return Counts(self.count, self.by_code, self.in_portal, self.excluded, self.archived_protected)


@dataclass(frozen=True, kw_only=True)
class Licence:
    """The use of a customer's licences of one kind; None for a number that the service does not state."""

    kind: str
    used: int | None
    limit: int | None
    units: str
    exceeded: bool
    unlimited: bool

    @property
    def is_short(self) -> bool:
        """Whether no licence is free."""
        full = self.used is not None and self.limit is not None and self.used >= self.limit
        return self.exceeded or (full and not self.unlimited)


@dataclass(frozen=True, kw_only=True)
class Tasks:
    """The ended tasks of a customer in the period of the report."""

    done: int
    warnings: int
    failed: int


@dataclass(frozen=True, kw_only=True)
class Customer:
    """A tenant with its coverage, its licences and its tasks.

    Attributes:
        tenant_id: the tenant.
        tenant_name: its name; empty if the service does not state it.
        org_id: its organization; empty if the key is installed for the tenant only.
        org_name: the name of the organization.
        kinds: the coverage by kind; None if the tenant cannot be read.
        stacks: the stacks that declare its items.
        unprotected: the names of some items without a policy.
        licences: the licences; None if they cannot be read.
        tasks: the ended tasks; None if they cannot be read, or if the service does not state them.
        problems: the reasons for the parts that cannot be read.
    """

    tenant_id: str
    tenant_name: str
    org_id: str
    org_name: str
    kinds: Sequence[Kind] | None
    stacks: Sequence[str] = ()
    unprotected: Sequence[str] = ()
    licences: Sequence[Licence] | None
    tasks: Tasks | None
    problems: Sequence[str] = ()

    @property
    def label(self) -> str:
        """The name, or the id of a tenant without a name."""
        return self.tenant_name or self.tenant_id

    @property
    def counts(self) -> Counts:
        """The coverage of all kinds."""
        return sum((kind.counts for kind in self.kinds or ()), Counts())


@dataclass(frozen=True, kw_only=True)
class Stack:
    """The comparison of a stack's state with the service.

    Attributes:
        name: the stack.
        drifted: the resources that differ, in the words of `dataprotection drift`.
        result: the result in one word, such as `in step`.
    """

    name: str
    result: str
    drifted: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Point:
    """The sums of a report, for the trend.

    Attributes:
        at: the time of the report in RFC 3339.
        count: the items that need a policy.
        protected: the items with a policy.
        failed: the failed tasks.
    """

    at: str
    count: int
    protected: int
    failed: int


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of a customer since the earlier report.

    Attributes:
        tenant_id: the tenant.
        label: its name.
        subject: the part that changed, such as `unprotected items`.
        before: the earlier number; None if the customer is new.
        after: the number now; None if the customer is gone.
    """

    tenant_id: str
    label: str
    subject: str
    before: int | None
    after: int | None


@dataclass(frozen=True, kw_only=True)
class Report:
    """A report of all customers at one time.

    Attributes:
        schema_version: the version of the model's meaning.
        created_at: the time of the report in RFC 3339.
        scope: the options that chose the tenants; empty for all tenants.
        days: the number of days whose tasks are counted.
        with_states: whether states were read, so that policies of stacks are counted apart.
        anonymous: whether aliases replace all names and ids.
        customers: the customers.
        unseen: the other parts that cannot be read, with their reasons.
        ended_early: the reason for which the walk over the tenants ended before the last tenant; else empty.
        stacks: the comparison of each stack; None if no state was read.
        since: the time of the earlier report; None without an earlier report.
        changes: the changes since then.
        history: the sums of earlier reports, in their order.
    """

    schema_version: int = SCHEMA
    created_at: str
    scope: str
    days: int
    with_states: bool
    anonymous: bool
    customers: Sequence[Customer]
    unseen: Sequence[str] = ()
    ended_early: str = ""
    stacks: Sequence[Stack] | None = None
    since: str | None = None
    changes: Sequence[Change] = ()
    history: Sequence[Point] = ()

    @property
    def counts(self) -> Counts:
        """The coverage of all customers."""
        return sum((customer.counts for customer in self.customers), Counts())

    @property
    def failed(self) -> int:
        """The failed tasks of all customers."""
        return sum(customer.tasks.failed for customer in self.customers if customer.tasks)

    @property
    def is_complete(self) -> bool:
        """Whether everything could be read."""
        return not (self.unseen or self.ended_early or any(customer.problems for customer in self.customers))

    @property
    def point(self) -> Point:
        """The sums of this report."""
        counts = self.counts
        return Point(
            at=self.created_at,
            count=counts.count - counts.excluded,
            protected=counts.protected,
            failed=self.failed,
        )
