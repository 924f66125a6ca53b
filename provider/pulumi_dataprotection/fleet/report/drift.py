"""The drift of stacks as a part of a report."""

from __future__ import annotations

from collections.abc import Sequence

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.fleet.drift_records import Drift, Finding, StackDrift
from pulumi_dataprotection.fleet.report.parts import Stack

__all__ = ["MAX_FINDINGS", "stacks_of"]

MAX_FINDINGS = 20
"""The items of a stack that a report names."""


def stacks_of(drift: Drift) -> Sequence[Stack]:
    """Return the stacks of a comparison as a part of a report."""
    return [_stack(stack) for stack in drift.stacks]


def _stack(stack: StackDrift) -> Stack:
    return Stack(
        name=printable(stack.name),
        counts={str(status): number for status, number in stack.counts.items() if number},
        is_drift=any(finding.is_drift for finding in stack.findings),
        findings=[_text(finding) for finding in stack.findings[:MAX_FINDINGS]],
    )


def _text(finding: Finding) -> str:
    label = finding.name or finding.id or finding.urn.rsplit("::", 1)[-1] or finding.tenant_id
    values = f"{finding.declared} in the state, {finding.found or 'nothing'} in the service" if finding.declared else ""
    return printable(": ".join(filter(None, (str(finding.status), label, finding.reason or values))), limit=None)
