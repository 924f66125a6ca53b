"""The model of a report, which is also its JSON. A later version may add fields; another meaning raises `SCHEMA`."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic.dataclasses import dataclass

from pulumi_dataprotection.core.coverage import Counts
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.fleet.report.parts import Change, Customer, Point, Stack

__all__ = ["SCHEMA", "Report"]

SCHEMA = 1
"""The version of the model's meaning."""


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
        return not (
            self.unseen
            or self.ended_early
            or any(customer.problems for customer in self.customers)
            or any(stack.counts.get(Status.UNREADABLE) for stack in self.stacks or ())
        )

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
