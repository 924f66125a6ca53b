"""The service: the general checks of every operation, then its handler."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pulumi_dataprotection.emulator._errors import ServerFault, ServiceError, Unimplemented
from pulumi_dataprotection.emulator.answers.answer import Answer, json_answer, refusal, success
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.faults.pending import Faults, Outgoing, Turn, apply_fault
from pulumi_dataprotection.emulator.faults.reads import distort, other_path, resolve_token, shrink, without_filters
from pulumi_dataprotection.emulator.handlers import HANDLERS, Handler
from pulumi_dataprotection.emulator.requests.access import check_entity, check_permission, find_key
from pulumi_dataprotection.emulator.requests.limits import Limits
from pulumi_dataprotection.emulator.requests.log import Entry, RequestLog
from pulumi_dataprotection.emulator.requests.parameters import check_body, read_query
from pulumi_dataprotection.emulator.requests.request import Request
from pulumi_dataprotection.emulator.requests.router import Router
from pulumi_dataprotection.emulator.store.clock import Clock
from pulumi_dataprotection.emulator.store.lag import Lag
from pulumi_dataprotection.emulator.store.progress import advance_to
from pulumi_dataprotection.emulator.store.store import Store
from pulumi_dataprotection.spec import OPERATIONS


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came over the wire: path and query still encoded."""

    method: str
    path: str
    query: str
    authorization: str
    content_type: str
    body: bytes


@dataclass(slots=True)
class _Identified:
    """The facts about a request that are known so far."""

    operation: str | None = None
    key: str | None = None
    turn: Turn | None = None


class Service:
    """Answers the service's requests, one after the other.

    Args:
        store: the database.
        clock: the service's time.
        log: where requests are noted.
        dialect: how the service reads what the interface leaves open.
        handlers: the handlers by operation id; an operation without a handler is answered with 501.
    """

    def __init__(
        self, store: Store, clock: Clock, log: RequestLog, dialect: Dialect, handlers: Mapping[str, Handler] = HANDLERS
    ) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self.dialect = dialect
        self.lag = Lag(store)
        self.limits = Limits()
        self.faults = Faults()
        self._router = Router(OPERATIONS)
        self._handlers = handlers

    def set_dialect(self, dialect: Dialect) -> None:
        """Change the dialect; writes that the old lag hides become visible, and call rates start again."""
        self.dialect = dialect
        self.lag.forget()
        self.limits = Limits()

    def answer(self, incoming: Incoming) -> Outgoing:
        """Answer a request, and note it in the log."""
        now, identified = self._clock.now(), _Identified()
        # An error that no handler expects is logged as the 500 that the server answers.
        outgoing = Outgoing(json_answer(500, {}))
        try:
            try:
                answer = self._perform(incoming, now, identified)
            except ServiceError as error:
                answer = refusal(error, self.dialect)
            outgoing = apply_fault(answer, identified.turn, self.dialect)
        finally:
            fault = None if outgoing.fault is None else outgoing.fault.text
            sent = (incoming.method, incoming.path, incoming.query)
            self._log.add(Entry(identified.operation, *sent, outgoing.status, identified.key, now, fault))
        return outgoing

    def _perform(self, incoming: Incoming, now: datetime, identified: _Identified) -> Answer:
        operation, path = self._router.match(incoming.method, incoming.path)
        identified.operation = operation.id
        handler = self._handlers.get(operation.id)
        advance_to(self._store, now, tasks_run_by_clock=self.dialect.task_progress == "clock")
        store, writes = self._store, operation.writes or (handler is not None and handler.writes(self.dialect))
        if writes:
            self.lag.before_write(now, self.dialect.read_lag)
        else:
            store = self.lag.shown(now, self.dialect.read_lag)
        with store.transaction(write=writes):
            key = find_key(store, incoming.authorization, now)
            identified.key = key.name
            self.limits.count(key.name, self.dialect, now)
            turn = identified.turn = self.faults.turn(operation, incoming.path, key.name)
            if turn is not None and turn.fault.prevents:
                # `apply_fault` replaces this answer; the transaction is rolled back.
                raise ServerFault(503)
            check_permission(operation, key)
            query = read_query(operation, incoming.query)
            check_body(operation, incoming.content_type, incoming.body)
            check_entity(store, operation, path, key, self.dialect)
            path = other_path(turn, operation, path, store)
            request = Request(operation, key, path, resolve_token(query), now, self.dialect)
            request = without_filters(turn, request)
            if handler is None:
                raise Unimplemented(f"the emulator has no handler for the operation {operation.id}")
            payload = handler.answer(request, store)
            payload = distort(turn, request, query.get("page_token"), payload, lambda page: handler.answer(page, store))
        if shrink(turn, request, payload, self._store):
            self.lag.forget()
        if payload:
            payload = handler.shape(payload, self.dialect)
        return success(operation, payload, self.dialect)
