"""The drift of all stacks: each tenant is read once, however many stacks declare parts of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.core.protection_set.progress import side_by_side
from pulumi_dataprotection.fleet.drift_reading import Claim, Finding, Job, read_job, unreadable
from pulumi_dataprotection.inventory import StackState, StateResource
from pulumi_dataprotection.resources._provider import split_id

__all__ = ["DeclaredTwice", "Drift", "StackDrift", "find_drift"]

_NEEDED = {
    "Org": {"name", "external_id", "profile"},
    "Protection": {"policy_id", "own_policy_id", "on_conflict", "profile"},
    "ProtectionSet": {"tenant_id", "protected", "adopted", "on_conflict", "profile"},
    "ArchiveDeletion": {"profile"},
    "BackupRun": {"profile"},
}
"""The properties without which a resource of a kind cannot be compared."""

_NOT_COMPARED = "MemberRemoval"
"""The part of a set that the service does not know."""


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


def find_drift(
    states: Iterable[StackState],
    open_account: Callable[[str | None], client.Account],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Drift:
    """Compare states with the service. If the process is interrupted, the rest is unreadable.

    Args:
        states: the states.
        open_account: opens the account of a profile.
        progress: gets the number of tenants and organizations that were read, and the number of all of them.
    """
    stacks: list[StackDrift] = []
    jobs: dict[tuple[str | None, str, str], list[Claim]] = {}
    claimed: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for number, state in enumerate(states):
        stacks.append(StackDrift(state.name, state.source))
        if state.problem:
            stacks[-1].add(Finding(number, Status.UNREADABLE, reason=state.problem))
        for resource in state.resources:
            if resource.kind == _NOT_COMPARED:
                continue
            try:
                key, claim = _claim(number, resource)
            except errors.DataProtectionError as error:
                stacks[-1].add(Finding(number, Status.UNREADABLE, resource.urn, reason=str(error)))
            else:
                jobs.setdefault(key, []).append(claim)
        for item, declared in state.declared.items():
            claimed.setdefault(item, []).append((number, declared.urn))
    for finding in _read(jobs, open_account, progress):
        stacks[finding.stack].add(finding)
    for stack in stacks:
        # The same result has the same order, whichever tenant answers first.
        stack.findings.sort(key=lambda finding: (finding.tenant_id, finding.urn, finding.id))
    twice = [DeclaredTwice(*item, by) for item, by in claimed.items() if len(by) > 1]
    return Drift(stacks, twice)


def _claim(stack: int, resource: StateResource) -> tuple[tuple[str | None, str, str], Claim]:
    """Return the key of the read that a resource needs, and the resource as a part of it.

    Raises:
        DataProtectionError: The resource cannot be compared.
    """
    needed = _NEEDED.get(resource.kind)
    if needed is None:
        raise errors.DataProtectionError(f"this version does not know resources of the kind {printable(resource.kind)}")
    if hidden := needed & resource.hidden:
        names = ", ".join(sorted(hidden))
        raise errors.DataProtectionError(f"the state has values only encrypted, and the passphrase is missing: {names}")
    profile = str(resource.outputs.get("profile") or "") or None
    if resource.kind == "Org":
        return (profile, "", resource.id), Claim(stack, resource, resource.id)
    if resource.kind == "ProtectionSet":
        tenant_id = str(resource.outputs.get("tenant_id") or unquote(resource.id))
        return (profile, tenant_id, ""), Claim(stack, resource, tenant_id)
    tenant_id, id = split_id(resource.id, "a resource of a tenant")
    return (profile, tenant_id, ""), Claim(stack, resource, id)


def _read(
    claims: Mapping[tuple[str | None, str, str], Sequence[Claim]],
    open_account: Callable[[str | None], client.Account],
    progress: Callable[[int, int], None],
) -> Iterator[Finding]:
    waiting = {key: Job(key[0], key[1], found) for key, found in claims.items()}
    accounts: dict[str | None, client.Account] = {}
    for profile in sorted({key[0] for key in waiting}, key=str):
        try:
            accounts[profile] = open_account(profile)
        except errors.DataProtectionError as error:
            for key in [key for key in waiting if key[0] == profile]:
                yield from unreadable(waiting.pop(key), str(error))
    if not waiting:
        return
    threads = max(account.client.settings.concurrency for account in accounts.values())

    def read(key: tuple[str | None, str, str]) -> list[Finding]:
        # An account of its own for each tenant, whose memory is free afterwards.
        return read_job(client.Account(accounts[key[0]].client), waiting[key])

    number, reason = len(waiting), ""
    for done, (key, outcome) in enumerate(side_by_side(read, [*waiting], threads=threads), 1):
        job = waiting.pop(key)
        if isinstance(outcome, errors.DataProtectionError):
            reason = str(outcome)
            yield from unreadable(job, reason)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            yield from outcome
        progress(done, number)
    for job in waiting.values():
        yield from unreadable(job, f"not read, because reads before it failed: {reason}")
