"""The work on many items side by side, and the account of its outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import NamedTuple, TypeVar

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.messages import listed
from pulumi_dataprotection.core.outcomes import PurposeError, Severity, cause_of, severity_of
from pulumi_dataprotection.core.protection_set.plan import SetState

__all__ = ["MAX_FAILURES", "Failure", "Result", "for_each", "side_by_side"]

MAX_FAILURES = 20
"""The number of failures in a row that do not depend on the item, after which no other item is tried."""

_PROGRESS_SECONDS = 0.5

_DEPENDS_ON_NO_ITEM = (
    errors.AnswerError,
    errors.BusyError,
    errors.ForbiddenError,
    errors.NotSentError,
    errors.OutcomeUnclearError,
    errors.ServiceError,
    errors.TooManyRequestsError,
    errors.UnauthenticatedError,
)

T = TypeVar("T")
R = TypeVar("R")


class Failure(NamedTuple):
    """A failure of one item; failures sort by severity, and then by reason.

    Attributes:
        severity: its severity.
        reason: its reason, which several items may share.
        text: the reason with the item, for the only item with this reason.
        item: the item, as messages name it.
    """

    severity: Severity
    reason: str
    text: str
    item: str

    @classmethod
    def of(cls, error: BaseException, item_id: str, item: str) -> Failure:
        """Describe the failure of an item."""
        detail = error.detail if isinstance(error, PurposeError) else str(error)
        reason = re.sub(rf"(?<![\w-]){re.escape(item_id)}(?![\w-])", "…", detail)
        return cls(severity_of(error), reason, str(error), item)


@dataclass(slots=True)
class Result:
    """The policies of a set after some work, and the account of the work.

    Attributes:
        protected: policies that the set assigned to its members, by the item's id.
        adopted: policies that its members had before.
        displaced: policies that a take-over could not remove yet.
        failed: the failures, by the item's id or the name in the program.
        assigned: the number of items that got a policy of the set.
        kept: the number of items that have a policy from before.
        removed: the number of items that lost the policy of the set.
        untried: the number of items without an attempt, after the end of the work.
        interrupted: whether the user ended the work.
    """

    protected: dict[str, str]
    adopted: dict[str, str]
    displaced: dict[str, Sequence[str]]
    failed: dict[str, Failure] = field(default_factory=dict[str, Failure])
    assigned: int = 0
    kept: int = 0
    removed: int = 0
    untried: int = 0
    interrupted: bool = False

    @classmethod
    def after(cls, state: SetState) -> Result:
        """Return the result before any work."""
        return cls(dict(state.protected), dict(state.adopted), dict(state.displaced))

    def note(self, resource_id: str, policy_id: str, *, made: bool) -> None:
        """Note the policy that a member has."""
        self.forget(resource_id)
        (self.protected if made else self.adopted)[resource_id] = policy_id
        self.assigned += made
        self.kept += not made

    def forget(self, resource_id: str) -> None:
        """Note that an item is not a member any more."""
        self.protected.pop(resource_id, None)
        self.adopted.pop(resource_id, None)
        self.displaced.pop(resource_id, None)

    def own_all(self, resource_ids: Collection[str]) -> None:
        """Note that the policies which the set adopted on its members are its own."""
        for resource_id in [id for id in self.adopted if id in resource_ids]:
            self.protected[resource_id] = self.adopted.pop(resource_id)

    @property
    def problem(self) -> str:
        """The text about failures, or empty."""
        parts: list[str] = []
        if self.failed:
            grouped = groupby(sorted(self.failed.values()), lambda failure: failure[:2])
            groups = [[*group] for _, group in grouped]
            lines = [_group_text(group, f"{len(group):,} times ") for group in groups]
            failed = f" {_group_text(groups[0])}" if len(groups) == 1 else listed(lines, ordered=True)
            parts.append(f"{len(self.failed):,} failed:{failed}")
        if self.interrupted:
            parts.append(f"interrupted: {self._done:,} done, {self.untried:,} not")
        elif self.untried:
            parts.append(f"broken off after {MAX_FAILURES} failures in a row: {self.untried:,} were not tried")
        return "\n".join(parts)

    @property
    def summary(self) -> str:
        """The text about successes, or empty."""
        counts = {
            "protected": self.assigned,
            "adopted": self.kept,
            "unprotected": self.removed,
        }
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)

    @property
    def _done(self) -> int:
        return self.assigned + self.kept + self.removed


def _group_text(failures: Sequence[Failure], times: str = "") -> str:
    """Format failures with one reason: a single failure with its item, several with their items below the reason."""
    if len(failures) == 1:
        return failures[0].text
    items = listed(failure.item for failure in failures)
    if times:
        items = items.replace("\n", "\n  ")
    return f"{times}{failures[0].reason}:{items}"


def for_each(
    act: Callable[[str], R],
    item_ids: Collection[str],
    result: Result,
    sender: client.Client,
    *,
    label: Callable[[str], str] = str,
    show: Callable[[str], None],
    does: str,
) -> Iterator[tuple[str, R]]:
    """Do the same work on many items, and note failures.

    Args:
        act: does the work on one item, in a thread of its own.
        item_ids: the items.
        result: gets the failures.
        sender: sends the calls of the work.
        label: names an item in messages.
        show: shows the progress, at most twice a second.
        does: the work, as in "protected".

    Yields:
        Each item whose work succeeded, with its outcome.
    """
    before, ended, shown = len(result.failed), 0, sender.clock.monotonic()
    for item_id, outcome in side_by_side(act, item_ids, threads=sender.settings.concurrency):
        if isinstance(outcome, BaseException):
            if cause_of(outcome, errors.CanceledError):
                result.interrupted = True
                continue
            result.failed[item_id] = Failure.of(outcome, item_id, label(item_id))
        else:
            yield item_id, outcome
        ended += 1
        if (now := sender.clock.monotonic()) - shown >= _PROGRESS_SECONDS:
            shown = now
            failed = len(result.failed) - before
            show(f"{ended - failed:,}/{len(item_ids):,} {does}" + (f", {failed:,} failed" if failed else ""))
    result.untried += len(item_ids) - ended


def side_by_side(act: Callable[[T], R], items: Iterable[T], *, threads: int) -> Iterator[tuple[T, R | BaseException]]:
    """Do the same work on many items, some at a time.

    After an interruption, or too many failures that do not depend on the item, no further item is begun.

    Args:
        act: does the work on one item.
        items: the items.
        threads: the number of items at a time.

    Yields:
        Each item with the outcome of its work, as it ends. An unexpected error is an outcome, too: the outcomes of
        other items must not be lost.
    """
    waiting, in_a_row = iter(items), 0
    with ThreadPoolExecutor(threads) as pool:
        # The threads show their messages to the user of this operation.
        work = client.in_context(act)
        running = {pool.submit(work, item): item for item in islice(waiting, 2 * threads)}
        while running:
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                item, error = running.pop(future), future.exception()
                in_a_row = in_a_row + 1 if error and cause_of(error, *_DEPENDS_ON_NO_ITEM) else 0
                if error and cause_of(error, errors.CanceledError):
                    in_a_row = MAX_FAILURES
                # After each outcome, not after all of them, so that the number of tried items does not depend on luck.
                if in_a_row < MAX_FAILURES:
                    running |= {pool.submit(work, item): item for item in islice(waiting, 1)}
                yield item, error or future.result()
