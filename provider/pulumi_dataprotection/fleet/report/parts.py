"""The parts of a report's model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic.dataclasses import dataclass

from pulumi_dataprotection.core.coverage import Counts
from pulumi_dataprotection.core.drift import Status

__all__ = ["Change", "Customer", "Kind", "Licence", "Point", "Stack", "Tasks"]


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
        counts: the number of items by the status of `dataprotection drift`.
        is_drift: whether a refresh would change the state.
        findings: some of the items that are not in step.
    """

    name: str
    counts: Mapping[str, int]
    is_drift: bool
    findings: Sequence[str] = ()

    @property
    def differing(self) -> int:
        """The number of items that are not in step, or cannot be read."""
        return sum(number for status, number in self.counts.items() if status != Status.IN_STEP)


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
    """A change of a customer or a stack since the earlier report.

    Attributes:
        label: the name of the customer or the stack.
        subject: the part that changed, such as `unprotected items`.
        before: the earlier number; None if the customer or the stack is new.
        after: the number now; None if it is gone.
    """

    label: str
    subject: str
    before: int | None
    after: int | None
