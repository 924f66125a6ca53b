"""The drift of all stacks: each tenant is read once, however many stacks declare parts of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.core.protection_set.progress import side_by_side
from pulumi_dataprotection.fleet.drift_claims import Claim, Job, JobKey, claim_of, unreadable
from pulumi_dataprotection.fleet.drift_reading import read_job
from pulumi_dataprotection.fleet.drift_records import DeclaredTwice, Drift, Finding, StackDrift
from pulumi_dataprotection.inventory import StackState

__all__ = ["find_drift"]

_NOT_COMPARED = "MemberRemoval"
"""The part of a set that the service does not know."""


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
    jobs: dict[JobKey, list[Claim]] = {}
    claimed: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for number, state in enumerate(states):
        stacks.append(StackDrift(state.name, state.source))
        if state.problem:
            stacks[-1].add(Finding(number, Status.UNREADABLE, reason=state.problem))
        for resource in state.resources:
            if resource.kind == _NOT_COMPARED:
                continue
            try:
                key, claim = claim_of(number, resource)
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


def _read(
    claims: Mapping[JobKey, Sequence[Claim]],
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

    def read(key: JobKey) -> list[Finding]:
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
