"""The one place from which calls go out."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from math import inf
from pathlib import Path
from typing import Generic, TypeVar, cast

from tenacity import RetryCallState, Retrying

from pulumi_dataprotection.client._answers import MisfitError, read_page, read_result
from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._messages import explain, explain_answer
from pulumi_dataprotection.client._transport.clock import CLOCK, Clock
from pulumi_dataprotection.client._transport.http import Answer, Failure, Http
from pulumi_dataprotection.client._transport.rate_limit import Budget
from pulumi_dataprotection.client._transport.retry import TRIES, decide, retry_after, told_time
from pulumi_dataprotection.client.errors import InvalidArgumentError
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Client", "Listed"]

T = TypeVar("T")
R = TypeVar("R")

MOST_IDLE_PAGES = 100
FIRST_POLL = 0.25
"""Seconds before a read that lagged is tried again; doubled each time."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """The items of a listing.

    Attributes:
        items: the items, each one once.
        complete: whether these are all items.
        explicit: whether each page stated its items. An absence from a listing that is not explicit proves nothing.
    """

    items: T
    complete: bool
    explicit: bool


class Client:
    """Sends calls: within the budget, with retries, all pages of a list. Safe to use from several threads.

    When a call is tried again may change between releases. Today: after 429, and after a failure that cannot have
    reached the service, any call; after 5xx and a lost answer, the calls that are safe to repeat. Waits grow
    exponentially with full jitter and are never shorter than `Retry-After`; after 8 tries or 10 minutes the error
    is raised. After a 401 no call is sent any more, and none once the clock is interrupted.

    Attributes:
        settings: where the service is and how hard to press it.
        clock: measures and waits.
        clock_skew: seconds that the service's clock was ahead of this one, by the last answer that had a `Date`
            header; None before there was one.
    """

    def __init__(self, settings: Settings, *, clock: Clock = CLOCK, most_tries: int = TRIES) -> None:
        """Open a client.

        Args:
            settings: where the service is and how hard to press it.
            clock: measures and waits; the machine's unless a test drives it.
            most_tries: a call is sent so often at most.
        """
        self.settings = settings
        self.clock = clock
        self.clock_skew: float | None = None
        self._most_tries = most_tries
        self._http = Http(settings)
        self._budget = Budget(settings, clock)
        self._page_size: int | None = settings.page_size
        self._unauthenticated: Answer | None = None

    def send(self, call: Call[T]) -> T:
        """Send a call and return its result; for a paged operation the items of all pages.

        Raises:
            CallError: the call failed; `errors` has one class for each way.
            CanceledError: the process is to end.
        """
        if call.operation.paged:
            return self.send_listing(call).items
        answer, tries = self._deliver(call, call.target())
        return self._read(read_result, call, answer, tries)

    def send_listing(self, call: Call[T], *, max_pages: float = inf) -> Listed[T]:
        """Send the call of a paged operation.

        Args:
            call: the call.
            max_pages: the number of pages after which to stop.

        Raises:
            CallError: the call failed.
            CanceledError: the process is to end.
        """
        found: dict[object, object] = {}
        seen: set[str] = set()
        token = ""
        idle, pages, explicit = 0, 0, True
        while True:
            answer, tries = self._page(call, token)
            page = self._read(read_page, call, answer, tries)
            pages, explicit, known = pages + 1, explicit and page.explicit, len(found)
            for item in page.items:
                # A list that shifts while it is read shows an item twice.
                found.setdefault(getattr(item, "id", None) or repr(item), item)
            token = page.next_page_token
            if token == "" or pages == max_pages:
                return Listed(cast("T", [*found.values()]), complete=token == "", explicit=explicit)
            idle = 0 if len(found) > known else idle + 1
            if idle > MOST_IDLE_PAGES:
                raise explain_answer(call, answer, "its pages bring nothing new and never end", tries, self.settings)
            if token in seen:
                raise explain_answer(call, answer, "its pages lead in a circle", tries, self.settings)
            seen.add(token)

    def read_until(self, read: Callable[[], T], done: Callable[[T], bool]) -> T:
        """Read again and again until the result is as it should be, or the lag of the service is over.

        Args:
            read: sends calls that read.
            done: whether their result shows what was written.

        Returns:
            The last result.
        """
        over = self.clock.monotonic() + self.settings.read_lag
        delay = FIRST_POLL
        while not done(result := read()) and (left := over - self.clock.monotonic()) > 0:
            self.clock.sleep(min(delay, left))
            delay *= 2
        return result

    def wait_until(self, moment: float) -> None:
        """Wait until the client's clock shows a moment, in its own seconds."""
        while (left := moment - self.clock.monotonic()) > 0:
            self.clock.sleep(left)

    def check_budget(self) -> Path:
        """Make sure that the file of the call budget can be used; no turn is taken, and nothing is sent.

        Returns:
            The file.

        Raises:
            OSError: it cannot be used, or another process did not let go of it.
            RuntimeError: the same, for the lock's own reasons.
        """
        return self._budget.check()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _page(self, call: Call[T], token: str) -> tuple[Answer, int]:
        paging: dict[str, str | int] = {"page_token": token} if token else {}
        limit = self._page_size
        if limit is None:
            return self._deliver(call, call.target(**paging))
        try:
            return self._deliver(call, call.target(limit=limit, **paging))
        except InvalidArgumentError:
            # The largest page is not documented: the service may refuse ours, and then chooses its own.
            answer = self._deliver(call, call.target(**paging))
            self._page_size = None
            return answer

    def _deliver(self, call: Call[T], target: str) -> tuple[Answer, int]:
        if self._unauthenticated:
            # The key will not become better, and who keeps trying looks like somebody who guesses keys.
            raise explain(call, self._unauthenticated, 0, self.settings)
        operation = call.operation
        body = b"{}" if operation.body else None
        started = self.clock.monotonic()
        delay: float | None = None

        def attempt() -> Answer | Failure:
            self._budget.wait_for_turn()
            self.clock.check()
            outcome = self._http.send(operation.method, target, body)
            _log.debug("%s: %s", call.request, _result(outcome), extra={"operation": operation.id})
            self._compare_clocks(outcome)
            return outcome

        def again(state: RetryCallState) -> bool:
            nonlocal delay
            outcome, tries = _outcome(state), state.attempt_number
            delay = decide(
                outcome,
                operation,
                tries=tries,
                spent=self.clock.monotonic() - started,
                most_tries=self._most_tries,
            )
            if isinstance(outcome, Answer) and outcome.status == HTTPStatus.TOO_MANY_REQUESTS:
                # All who use the key are counted together, so that all must wait; but not as long as one who failed
                # again and again.
                asked = retry_after(outcome)
                self._budget.quiet(min(delay or 0, 1) if asked is None else asked)
            if delay is not None:
                _log.info(
                    "%s: %s at try %d, again in %.1f s",
                    operation.id,
                    _result(outcome),
                    tries,
                    delay,
                    extra={"operation": operation.id},
                )
            return delay is not None

        retrying = Retrying(retry=again, wait=lambda _state: delay or 0.0, sleep=self.clock.sleep)
        outcome = retrying(attempt)
        tries = cast("int", retrying.statistics["attempt_number"])
        if isinstance(outcome, Answer) and 200 <= outcome.status < 300:  # noqa: PLR2004 - HTTP
            return outcome, tries
        if isinstance(outcome, Answer) and outcome.status == HTTPStatus.UNAUTHORIZED:
            self._unauthenticated = outcome
        raise explain(call, outcome, tries, self.settings)

    def _compare_clocks(self, outcome: Answer | Failure) -> None:
        if isinstance(outcome, Answer):
            # What is no date says nothing.
            with suppress(ValueError, OverflowError):
                if told := told_time(outcome):
                    self.clock_skew = told.timestamp() - self.clock.time()

    def _read(self, read: Callable[[Call[T], Answer], R], call: Call[T], answer: Answer, tries: int) -> R:
        try:
            return read(call, answer)
        except MisfitError as misfit:
            problem = str(misfit)
        raise explain_answer(call, answer, problem, tries, self.settings)


def _result(outcome: Answer | Failure) -> int | str:
    return outcome.status if isinstance(outcome, Answer) else "no answer"


def _outcome(state: RetryCallState) -> Answer | Failure:
    return cast("Future[Answer | Failure]", state.outcome).result()
