"""The one place from which calls go out."""

import logging
import time
from concurrent.futures import Future
from threading import Lock
from typing import Protocol, TypeVar, cast

import pydantic_core
from pydantic import ValidationError
from pyrate_limiter import Limiter, Rate
from tenacity import RetryCallState, Retrying

from pulumi_dataprotection.client._call import Call
from pulumi_dataprotection.client._explain import explain, explain_answer
from pulumi_dataprotection.client._http import Answer, Failure, Http
from pulumi_dataprotection.client._retry import decide
from pulumi_dataprotection.client._settings import Settings
from pulumi_dataprotection.client.errors import InvalidArgumentError

__all__ = ["Client", "Clock"]

T = TypeVar("T")

MOST_EMPTY_PAGES = 100

_log = logging.getLogger(__name__)


class Clock(Protocol):
    """What the client needs of the module `time`."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Wait."""
        ...


class Client:
    """Sends calls: within the budget, with retries, all pages of a list. Safe to use from several threads.

    When a call is tried again may change between releases. Today: after 429, and after a failure that cannot have
    reached the service, any call; after 5xx and a lost answer, the calls that are safe to repeat. Waits grow
    exponentially with full jitter and are never shorter than `Retry-After`; after 8 tries or 10 minutes the error
    is raised.
    """

    def __init__(self, settings: Settings, *, clock: Clock = time) -> None:
        """Open a client.

        Args:
            settings: where the service is and how hard to press it.
            clock: measures and waits; the module `time` unless a test drives it.
        """
        self.settings = settings
        self._clock = clock
        self._http = Http(settings)
        self._budget = _limiter(settings.calls_per_second)
        self._page_size: int | None = settings.page_size
        self._lock = Lock()
        self._quiet_until = clock.monotonic()

    def send(self, call: Call[T]) -> T:
        """Send a call and return its result; for a paged operation the items of all pages.

        Raises:
            CallError: the call failed; `errors` has one class for each way.
        """
        if call.operation.paged:
            return self._list(call)
        answer, tries = self._deliver(call, call.target())
        return self._decode(call, answer, self._json(call, answer, tries), tries)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _list(self, call: Call[T]) -> T:
        found: dict[object, object] = {}
        seen: set[str] = set()
        token = ""
        empty = 0
        while True:
            answer, tries = self._page(call, token)
            page = self._json(call, answer, tries)
            # An absent or null list is a page without items, as servers of many kinds write it.
            items = cast("list[object]", self._decode(call, answer, page.get("items") or [], tries))
            for item in items:
                # A list that shifts while it is read shows an item twice.
                found.setdefault(getattr(item, "id", None) or len(found), item)
            following = page.get("next_page_token") or ""
            if following == "":
                return cast("T", list(found.values()))
            empty = 0 if items else empty + 1
            if empty > MOST_EMPTY_PAGES:
                raise explain_answer(call, answer, "its empty pages never end", tries, self.settings)
            if not isinstance(following, str):
                raise explain_answer(call, answer, "its next_page_token is not text", tries, self.settings)
            if following in seen:
                raise explain_answer(call, answer, "its pages lead in a circle", tries, self.settings)
            seen.add(following)
            token = following

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
        operation = call.operation
        body = b"{}" if operation.body else None
        started = self._clock.monotonic()
        delay: float | None = None

        def attempt() -> Answer | Failure:
            self._wait_for_turn()
            outcome = self._http.send(operation.method, target, body)
            result = outcome.status if isinstance(outcome, Answer) else "no answer"
            _log.debug("%s: %s", call.request, result)
            return outcome

        def again(state: RetryCallState) -> bool:
            nonlocal delay
            spent = self._clock.monotonic() - started
            delay = decide(_outcome(state), operation, tries=state.attempt_number, spent=spent)
            return delay is not None

        retrying = Retrying(
            retry=again,
            wait=lambda _state: delay or 0.0,
            before_sleep=self._slow_down_everyone,
            sleep=self._clock.sleep,
        )
        outcome = retrying(attempt)
        tries = cast("int", retrying.statistics["attempt_number"])
        if isinstance(outcome, Answer) and 200 <= outcome.status < 300:  # noqa: PLR2004 - HTTP
            return outcome, tries
        raise explain(call, outcome, tries, self.settings)

    def _slow_down_everyone(self, state: RetryCallState) -> None:
        """After a 429 no thread calls before the wait is over, since all share one key."""
        outcome = _outcome(state)
        if isinstance(outcome, Answer) and outcome.status == 429:  # noqa: PLR2004 - HTTP
            with self._lock:
                until = self._clock.monotonic() + state.upcoming_sleep
                self._quiet_until = max(self._quiet_until, until)

    def _wait_for_turn(self) -> None:
        while (wait := self._quiet_until - self._clock.monotonic()) > 0:
            self._clock.sleep(wait)
        if self._budget:
            self._budget.try_acquire("key")

    def _json(self, call: Call[T], answer: Answer, tries: int) -> dict[str, object]:
        problem = "it is longer than 64 MiB"
        if answer.complete:
            try:
                # An empty body is a success without a result, as some services answer a deletion; nothing to read.
                nothing = b"{}" if call.operation.writes else b""
                value: object = pydantic_core.from_json(answer.body or nothing)
            except ValueError:
                problem = "it is not JSON"
            else:
                if isinstance(value, dict):
                    return cast("dict[str, object]", value)
                problem = "it is not a JSON object"
        raise explain_answer(call, answer, problem, tries, self.settings)

    def _decode(self, call: Call[T], answer: Answer, value: object, tries: int) -> T:
        try:
            return call.decode(value)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            problem = f"{'.'.join(str(part) for part in first['loc']) or 'it'}: {first['msg']}"
        raise explain_answer(call, answer, problem, tries, self.settings)


def _outcome(state: RetryCallState) -> Answer | Failure:
    return cast("Future[Answer | Failure]", state.outcome).result()


def _limiter(calls_per_second: float) -> Limiter | None:
    if calls_per_second == 0:
        return None
    if calls_per_second % 1 == 0:
        return Limiter(Rate(int(calls_per_second), 1000))
    return Limiter(Rate(1, round(1000 / calls_per_second)))
