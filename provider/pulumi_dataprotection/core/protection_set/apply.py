"""Carries out what has to be done to many members: side by side, each by itself, and nothing done gets lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection_set.members import listed
from pulumi_dataprotection.core.protection_set.plan import SetState

__all__ = ["MOST_FAILURES", "Result", "carry_out", "side_by_side"]

MOST_FAILURES = 20
"""After so many failures in a row that do not lie with the member, no other one is tried."""

_PROGRESS_SECONDS = 0.5

_LIES_WITH_ALL = (
    errors.AnswerError,
    errors.ForbiddenError,
    errors.NotSentError,
    errors.OutcomeUnclearError,
    errors.ServiceError,
    errors.TooManyRequestsError,
    errors.UnauthenticatedError,
)

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class Result:
    """What there is after a run, and what it did.

    Attributes:
        protected: policies that the set put on its members, by the resource's id.
        adopted: policies that were there before.
        displaced: policies that a take-over could not remove yet.
        failed: what failed, by the resource's id or the name in the program.
        put_on: how many got a policy of the set.
        taken_over: how many have a policy that was there before.
        taken_off: how many lost the policy of the set.
        untried: how many nothing was done about, since the run was broken off.
        interrupted: whether the user did that.
    """

    protected: dict[str, str]
    adopted: dict[str, str]
    displaced: dict[str, Sequence[str]]
    failed: dict[str, str] = field(default_factory=dict[str, str])
    put_on: int = 0
    taken_over: int = 0
    taken_off: int = 0
    untried: int = 0
    interrupted: bool = False

    @classmethod
    def after(cls, state: SetState) -> Result:
        """What there is before anything is done."""
        return cls(dict(state.protected), dict(state.adopted), dict(state.displaced))

    def note(self, resource_id: str, policy_id: str, *, made: bool) -> None:
        """Note the policy that is on a member."""
        self.forget(resource_id)
        (self.protected if made else self.adopted)[resource_id] = policy_id
        self.put_on += made
        self.taken_over += not made

    def forget(self, resource_id: str) -> None:
        """Note that a resource is no member any more."""
        self.protected.pop(resource_id, None)
        self.adopted.pop(resource_id, None)
        self.displaced.pop(resource_id, None)

    def own_all(self, resource_ids: Collection[str]) -> None:
        """Note that the policies which the set adopted on its members are its own."""
        for resource_id in [id for id in self.adopted if id in resource_ids]:
            self.protected[resource_id] = self.adopted.pop(resource_id)

    @property
    def problem(self) -> str:
        """What the user has to know of what went wrong; empty where nothing did."""
        parts: list[str] = []
        if self.failed:
            parts.append(f"{len(self.failed):,} failed:{listed(self.failed.values())}")
        if self.interrupted:
            parts.append(f"interrupted: {self._done:,} done, {self.untried:,} not")
        elif self.untried:
            parts.append(f"broken off after {MOST_FAILURES} failures in a row: {self.untried:,} were not tried")
        return "\n".join(parts)

    @property
    def summary(self) -> str:
        """What was done."""
        counts = {
            "protected": self.put_on,
            "adopted": self.taken_over,
            "unprotected": self.taken_off,
        }
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)

    @property
    def _done(self) -> int:
        return self.put_on + self.taken_over + self.taken_off


def carry_out(
    account: client.Account,
    act: Callable[[str], R],
    resource_ids: Iterable[str],
    result: Result,
    *,
    then: Callable[[str, R], None],
    show: Callable[[str], None],
    does: str,
) -> None:
    """Do one thing to many resources.

    Args:
        account: the service.
        act: does it to one, in a thread of its own.
        resource_ids: the resources.
        result: gets what failed.
        then: notes what came of one.
        show: shows how far it is, at most twice a second.
        does: what is done, as "protected".
    """
    waiting = [*resource_ids]
    before, ended, shown = len(result.failed), 0, account.client.clock.monotonic()
    for resource_id, outcome in side_by_side(act, waiting, threads=account.client.settings.concurrency):
        if isinstance(outcome, Exception):
            if _cause(outcome, errors.CanceledError):
                result.interrupted = True
                continue
            result.failed[resource_id] = str(outcome)
        else:
            then(resource_id, outcome)
        ended += 1
        if (now := account.client.clock.monotonic()) - shown >= _PROGRESS_SECONDS:
            shown = now
            failed = len(result.failed) - before
            show(f"{ended:,}/{len(waiting):,} {does}" + (f", {failed:,} failed" if failed else ""))
    result.untried += len(waiting) - ended


def side_by_side(act: Callable[[T], R], items: Iterable[T], *, threads: int) -> Iterator[tuple[T, R | Exception]]:
    """Do one thing to many items, some at a time, and give what came of each as it ends.

    Once the user interrupts, and after too many failures that do not lie with the item, no further item is begun.

    Args:
        act: does it to one.
        items: the items.
        threads: how many at a time.
    """
    waiting = iter(items)

    def attempt(item: T) -> tuple[T, R | Exception]:
        try:
            return item, act(item)
        except Exception as error:  # noqa: BLE001 - one that nobody foresaw must not lose what the others did
            return item, error

    with ThreadPoolExecutor(threads) as pool:
        in_a_row = 0
        running: set[Future[tuple[T, R | Exception]]] = {
            pool.submit(attempt, item) for item in islice(waiting, 2 * threads)
        }
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                item, outcome = future.result()
                in_a_row = in_a_row + 1 if _lies_with_all(outcome) else 0
                if isinstance(outcome, Exception) and _cause(outcome, errors.CanceledError):
                    in_a_row = MOST_FAILURES
                # After each outcome, not after all of them: the number of items that are tried does not depend on luck.
                if in_a_row < MOST_FAILURES:
                    running |= {pool.submit(attempt, item) for item in islice(waiting, 1)}
                yield item, outcome


def _lies_with_all(outcome: object) -> bool:
    return isinstance(outcome, Exception) and _cause(outcome, *_LIES_WITH_ALL)


def _cause(error: BaseException | None, *kinds: type[Exception]) -> bool:
    while error is not None:
        if isinstance(error, kinds):
            return True
        error = error.__cause__
    return False
