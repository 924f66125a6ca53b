"""The one place from which calls go out."""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from math import inf
from pathlib import Path
from typing import Generic, TypeVar, cast

from tenacity import RetryCallState, Retrying

from pulumi_dataprotection.client._call import Call, MisfitError
from pulumi_dataprotection.client._messages import explain, explain_answer, explain_cool_down, explain_pages
from pulumi_dataprotection.client._transport.clock import Clock, process_clock
from pulumi_dataprotection.client._transport.http import Http
from pulumi_dataprotection.client._transport.rate_limit import Budget, CoolDownError
from pulumi_dataprotection.client._transport.response import Response, TransportError
from pulumi_dataprotection.client._transport.retry import (
    MAX_ATTEMPTS,
    MAX_SECONDS,
    retry_after,
    retry_delay,
    stated_time,
)
from pulumi_dataprotection.client.errors import (
    CallError,
    ConflictError,
    InvalidArgumentError,
    NotFoundError,
    StatusError,
    UnexpectedStatusError,
)
from pulumi_dataprotection.client.settings import Settings

__all__ = ["Client", "Listed"]

T = TypeVar("T")
R = TypeVar("R")

MAX_IDLE_PAGES = 100
MAX_READINGS = 4
"""The number of times that a list is read from its first page, if the service refuses a later page."""

_EXPIRED = {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
"""The statuses of a page token that the service does not know any more."""

_PAUSES_AFTER_CONFLICTS = (2.0, 10.0)
"""Seconds before each further attempt of a write after a conflict."""

_MAX_DATES = 10
_SHOWN_FROM = 5.0
"""Seconds beyond which a wait is shown."""
FIRST_POLL = 0.25
"""Seconds before a read that lagged is tried again; doubled each time."""
_LAG = "reads may not show earlier writes yet (readLag)"

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
    """A sender of calls: within the budget, with retries, over all pages of a list. Safe to use from several threads.

    The rules of retries may change between releases. Today the client repeats any call after 429, and after a failure
    that cannot have reached the service. After 5xx, a lost answer and a busy service it repeats only calls that are
    safe to repeat; a 501 is final. Waits grow exponentially with full jitter, and are never shorter than `Retry-After`.
    After 8 attempts or 10 minutes the error is raised. The client sends no call after a 401, before the end of a longer
    `Retry-After` of a 429, and once the clock is interrupted.

    Attributes:
        settings: the settings.
        clock: measures and waits.
        show: shows a text about a long wait to the user; called from any thread.
        max_items: the number of items of a listing after which it counts as endless.
        max_pages: the number of pages after which it does.
    """

    max_items = 2_000_000
    max_pages = 20_000

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        max_attempts: int = MAX_ATTEMPTS,
        show: Callable[[str], object] = lambda _text: None,
    ) -> None:
        """Open a client.

        Args:
            settings: the settings.
            clock: measures and waits; by default the clock of this process.
            max_attempts: the number of attempts of a call after which its error is raised.
            show: shows a text about each wait of more than 5 seconds.
        """
        self.settings = settings
        self.clock = process_clock() if clock is None else clock
        self.show = show
        # The last dates of responses, with the time of their arrival.
        self._dates: deque[tuple[str, float]] = deque(maxlen=_MAX_DATES)
        self._max_attempts = max_attempts
        self._http = Http(settings)
        self._budget = Budget(settings, self.clock, self.wait)
        self._page_size: int | None = settings.page_size
        self._unauthenticated: Response | None = None

    def send(self, call: Call[T]) -> T:
        """Send a call and return its result; for a paged operation the items of all pages.

        Raises:
            CallError: the call failed; `errors` has one class for each way.
            CanceledError: the process is to end.
        """
        if call.operation.answers == "page":
            return self.send_listing(call).items
        response, attempts = self._deliver(call, call.target())
        return self._read(call.read_result, call, response, attempts)

    def send_despite_conflicts(self, call: Call[T], is_explained: Callable[[], bool]) -> T:
        """Send a write, and twice more at most after conflicts that a read does not explain.

        A 409 without `Retry-After` can say that the write is done already, that something stands in its way, or that
        another request is under way. Only the last cause goes away.

        Args:
            call: the write.
            is_explained: reads whether the content of the service explains the conflict.

        Raises:
            CallError: the call failed, or the read.
            CanceledError: the process is to end.
        """
        for pause in _PAUSES_AFTER_CONFLICTS:
            try:
                return self.send(call)
            except ConflictError as error:
                self.pause_after(error, pause)
                if is_explained():
                    raise
        return self.send(call)

    def pause_after(self, error: CallError, seconds: float = _PAUSES_AFTER_CONFLICTS[0]) -> None:
        """Wait after a failure until reads show its cause, and as long as the service asks for.

        Args:
            error: the failure.
            seconds: the shortest wait.

        Raises:
            CallError: the failure, if the service asks for more than 10 minutes.
        """
        asked = error.retry_after or 0 if isinstance(error, StatusError) else 0
        if asked > MAX_SECONDS:
            raise error
        self.wait(max(seconds, self.settings.read_lag, asked), f"cannot {error.operation.does} yet")

    def send_listing(self, call: Call[T], *, max_pages: float = inf) -> Listed[T]:
        """Send the call of a paged operation.

        If the service refuses the token of a later page, then the list is read again from its first page, so that it
        is never a part of the list.

        Args:
            call: the call.
            max_pages: the number of pages after which to stop.

        Raises:
            CallError: the call failed.
            CanceledError: the process is to end.
        """
        reading = self._read_pages(call, max_pages)
        for _ in range(MAX_READINGS - 1):
            if isinstance(reading, StatusError):
                reading = self._read_pages(call, max_pages)
        if isinstance(reading, StatusError):
            raise explain_pages(call, reading, MAX_READINGS)
        return reading

    def _read_pages(self, call: Call[T], max_pages: float) -> Listed[T] | StatusError:
        """Read a list from its first page; return the refusal of a later page."""
        found: dict[object, object] = {}
        seen: set[str] = set()
        token = ""
        idle, pages, explicit = 0, 0, True
        while True:
            try:
                response, attempts = self._page(call, token)
            except (InvalidArgumentError, NotFoundError, UnexpectedStatusError) as error:
                if token and error.status in _EXPIRED:
                    return error
                raise
            page = self._read(call.read_page, call, response, attempts)
            pages, explicit, known = pages + 1, explicit and page.explicit, len(found)
            for item in page.items:
                # A list that shifts while it is read shows an item twice.
                found.setdefault(getattr(item, "id", None) or repr(item), item)
            token = page.next_page_token
            if len(found) > self.max_items or (token and pages == self.max_pages):
                limit = f"a list may have at most {self.max_items:,} items on {self.max_pages:,} pages"
                raise explain_answer(call, response, f"its pages do not end: {limit}", attempts, self.settings)
            if token == "" or pages == max_pages:
                return Listed(cast("T", [*found.values()]), complete=token == "", explicit=explicit)
            idle = 0 if len(found) > known else idle + 1
            if idle > MAX_IDLE_PAGES:
                raise explain_answer(
                    call, response, "its pages bring nothing new and never end", attempts, self.settings
                )
            if token in seen:
                raise explain_answer(call, response, "its pages lead in a circle", attempts, self.settings)
            seen.add(token)

    def reads_within_lag(self) -> Iterator[None]:
        """Wait between reads that may not show a write yet, until the lag of the service is over.

        Yields:
            Nothing, before each read. A loop ends when the write shows; its last read is the result in any case.
        """
        over = self.clock.monotonic() + self.settings.read_lag
        delay = FIRST_POLL
        yield
        while (left := over - self.clock.monotonic()) > 0:
            self.wait(min(delay, left), _LAG)
            delay *= 2
            yield

    def wait(self, seconds: float, reason: str) -> None:
        """Wait, and show a long wait to the user.

        Args:
            seconds: how long.
            reason: the cause of the wait.

        Raises:
            CanceledError: the process is to end.
        """
        if seconds > _SHOWN_FROM:
            self.show(f"waiting {seconds:,.0f} s: {reason}")
        self.clock.sleep(seconds)

    def wait_until(self, moment: float, reason: str = _LAG) -> None:
        """Wait until the client's clock shows a moment.

        Args:
            moment: the moment, in seconds of that clock.
            reason: the cause of the wait, as it is shown to the user.
        """
        while (left := moment - self.clock.monotonic()) > 0:
            self.wait(left, reason)

    def check_budget(self) -> Path:
        """Make sure that the file of the call budget can be used; no turn is taken, and nothing is sent.

        Returns:
            The file.

        Raises:
            OSError: it cannot be used, or another process did not let go of it.
            RuntimeError: the same, for the lock's own reasons.
        """
        return self._budget.check()

    @property
    def clock_skew(self) -> float | None:
        """Seconds that the service's clock was ahead of this clock at the last response that stated its time."""
        for stated, received in reversed(self._dates):
            # A header that is not a date says nothing.
            with suppress(ValueError, OverflowError):
                return stated_time(stated).timestamp() - received
        return None

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _page(self, call: Call[T], token: str) -> tuple[Response, int]:
        paging: dict[str, str | int] = {"page_token": token} if token else {}
        limit = self._page_size
        if limit is None:
            return self._deliver(call, call.target(**paging))
        try:
            return self._deliver(call, call.target(limit=limit, **paging))
        except InvalidArgumentError:
            # The largest page is not documented: the service may refuse ours, and then chooses its own.
            response = self._deliver(call, call.target(**paging))
            # With a token, the refusal can be about the token.
            self._page_size = limit if token else None
            return response

    def _deliver(self, call: Call[T], target: str) -> tuple[Response, int]:
        if self._unauthenticated:
            # The key will not become better, and who keeps trying looks like somebody who guesses keys.
            raise self._explain(call, self._unauthenticated, 0)
        operation, started = call.operation, self.clock.monotonic()
        outcomes: list[Response | TransportError] = []
        delay: float | None = None

        def should_retry(state: RetryCallState) -> bool:
            nonlocal delay
            outcomes.append(outcome := _outcome(state))
            attempts = len(outcomes)
            if _is_success(outcome):
                return False
            spent = self.clock.monotonic() - started
            delay = retry_delay(outcome, operation, attempts=attempts, spent=spent, max_attempts=self._max_attempts)
            self._cool_down(outcome, delay)
            if delay is not None:
                texts = operation.id, _label(outcome), attempts, delay
                _log.info("%s: %s at attempt %d, retry in %.1f s", *texts, extra={"operation": operation.id})
            return delay is not None

        def wait(seconds: float) -> None:
            self.wait(seconds, f"cannot {operation.does} yet ({_label(outcomes[-1])})")

        cool_down = 0.0
        try:
            Retrying(retry=should_retry, wait=lambda _state: delay or 0.0, sleep=wait)(self._attempt, call, target)
        except CoolDownError as error:
            cool_down = error.seconds
        if not outcomes:
            raise explain_cool_down(call, cool_down, self._budget.path, self.clock.time())
        # If a cool-down began between two attempts, then the last outcome says more.
        outcome, attempts = outcomes[-1], len(outcomes)
        if _is_success(outcome):
            return cast("Response", outcome), attempts
        if isinstance(outcome, Response) and outcome.status == HTTPStatus.UNAUTHORIZED:
            self._unauthenticated = outcome
        raise self._explain(call, outcome, attempts)

    def _cool_down(self, outcome: Response | TransportError, delay: float | None) -> None:
        """Let all users of the key wait after a 429, since the service counts them together."""
        if isinstance(outcome, Response) and outcome.status == HTTPStatus.TOO_MANY_REQUESTS:
            asked = retry_after(outcome)
            # The others wait less than a call that failed again and again.
            self._budget.cool_down(min(delay or 0, 1) if asked is None else asked)

    def _explain(self, call: Call[T], outcome: Response | TransportError, attempts: int) -> CallError:
        return explain(call, outcome, attempts, self.settings, now=self.clock.time())

    def _attempt(self, call: Call[T], target: str) -> Response | TransportError:
        self._budget.wait_for_slot()
        if self.clock.is_interrupted():
            self.clock.check()
        outcome = self._http.send(call.operation.method, target, b"{}" if call.operation.body else None)
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("%s: %s", call.request, _label(outcome), extra={"operation": call.operation.id})
        if isinstance(outcome, Response) and "Date" in outcome.headers:
            self._dates.append((outcome.headers["Date"], self.clock.time()))
        return outcome

    def _read(self, read: Callable[[Response], R], call: Call[T], response: Response, attempts: int) -> R:
        try:
            return read(response)
        except MisfitError as misfit:
            problem = str(misfit)
        raise explain_answer(call, response, problem, attempts, self.settings)


def _is_success(outcome: Response | TransportError) -> bool:
    return isinstance(outcome, Response) and 200 <= outcome.status < 300  # noqa: PLR2004 - HTTP


def _label(outcome: Response | TransportError) -> int | str:
    return outcome.status if isinstance(outcome, Response) else "no answer"


def _outcome(state: RetryCallState) -> Response | TransportError:
    return cast("Future[Response | TransportError]", state.outcome).result()
