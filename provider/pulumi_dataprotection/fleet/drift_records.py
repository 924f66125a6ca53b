"""The result of a comparison of stacks with the service: findings by stack, and items that several stacks declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pulumi_dataprotection.core.drift import Status

__all__ = ["DeclaredTwice", "Drift", "Finding", "StackDrift"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The comparison of one protection, or of another resource, or of several with the same result.

    Attributes:
        stack: the number of the stack.
        status: the result.
        urn: the resource; empty for several resources.
        tenant_id: the tenant; empty for an organization.
        id: the id of the item, the archive or the organization; empty for several.
        name: its name in the service, or its name in the program; empty if it is unknown or secret.
        declared: the value in the state, as messages name it.
        found: the value in the service, as messages name it.
        reason: the reason, if the values do not show it.
        items: the number of items.
        is_drift: whether a refresh would change the state.
    """

    stack: int
    status: Status
    urn: str = ""
    tenant_id: str = ""
    id: str = ""
    name: str = ""
    declared: str = ""
    found: str = ""
    reason: str = ""
    items: int = 1
    is_drift: bool = False


@dataclass(slots=True)
class StackDrift:
    """The comparison of a stack.

    Attributes:
        name: the name of the stack.
        source: the folder of its project, or its file.
        findings: the findings, except those that are in step.
        counts: the number of items by status.
    """

    name: str
    source: str
    findings: list[Finding] = field(default_factory=list[Finding])
    counts: Counter[Status] = field(default_factory=Counter[Status])

    def add(self, finding: Finding) -> None:
        """Add a finding."""
        self.counts[finding.status] += finding.items
        if finding.status is not Status.IN_STEP:
            self.findings.append(finding)


@dataclass(frozen=True, slots=True)
class DeclaredTwice:
    """A protection that several states declare.

    Attributes:
        tenant_id: the tenant.
        item_id: the item.
        by: the numbers of the stacks, and the URNs of the resources.
    """

    tenant_id: str
    item_id: str
    by: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Drift:
    """The comparison of all stacks.

    Attributes:
        stacks: the stacks.
        declared_twice: the protections that several states declare.
    """

    stacks: Sequence[StackDrift]
    declared_twice: Sequence[DeclaredTwice]

    @property
    def is_drift(self) -> bool:
        """Whether a refresh would change a state."""
        return any(finding.is_drift for stack in self.stacks for finding in stack.findings)

    @property
    def is_complete(self) -> bool:
        """Whether everything could be read."""
        return not any(stack.counts[Status.UNREADABLE] for stack in self.stacks)
