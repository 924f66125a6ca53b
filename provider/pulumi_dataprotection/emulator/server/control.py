"""The control plane under /_emulator/, by which tests and people drive the emulator."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator._service import Incoming, Service
from pulumi_dataprotection.emulator._times import format_time, parse_time
from pulumi_dataprotection.emulator.answers.answer import Answer, json_answer
from pulumi_dataprotection.emulator.dialect.presets import named_dialect
from pulumi_dataprotection.emulator.requests.log import RequestLog
from pulumi_dataprotection.emulator.seeds import named_seed
from pulumi_dataprotection.emulator.seeds.content import reseed_store, seed_store
from pulumi_dataprotection.emulator.server.delivery import Delivery
from pulumi_dataprotection.emulator.server.openapi import openapi_document
from pulumi_dataprotection.emulator.store.clock import Clock
from pulumi_dataprotection.emulator.store.document import check_sections, patch_content, read_document
from pulumi_dataprotection.emulator.store.progress import advance_to
from pulumi_dataprotection.emulator.store.store import Store

PREFIX = "/_emulator/"

_Action = Callable[[object], object]


class Control:
    """The control plane; it needs no key.

    Args:
        store: the database.
        clock: the service's time.
        log: the service's requests.
        service: the service itself.
        delivery: where answers are held back.
    """

    def __init__(self, store: Store, clock: Clock, log: RequestLog, service: Service, delivery: Delivery) -> None:
        self._store = store
        self._clock = clock
        self._service = service
        self._delivery = delivery
        self._initial_dialect = service.dialect
        self._actions: Mapping[str, Mapping[str, _Action]] = {
            "clock": {"GET": self._get_clock, "POST": self._set_clock},
            "dialect": {"GET": lambda _: service.dialect.model_dump(), "PUT": self._set_dialect},
            "faults": {
                "GET": lambda _: service.faults.document(),
                "POST": self._add_faults,
                "DELETE": self._clear_faults,
            },
            "health": {"GET": lambda _: {"status": "ok", "pid": os.getpid()}},
            "limits": {"GET": lambda _: service.limits.document(clock.now())},
            "openapi.json": {"GET": lambda _: openapi_document()},
            "requests": {"GET": lambda _: log.document(), "DELETE": lambda _: log.clear()},
            "reset": {"POST": self._reset},
            "seed": {"POST": self._seed},
            "state": {"GET": lambda _: read_document(store), "PATCH": self._patch_state},
        }

    def answer(self, incoming: Incoming) -> Answer:
        """Answer a request of the control plane; a write is done as a whole or not at all."""
        actions = self._actions.get(incoming.path.removeprefix(PREFIX))
        if actions is None:
            known = ", ".join(f"{PREFIX}{name}" for name in self._actions)
            return json_answer(404, {"message": f"the control plane has no {incoming.path}; it has {known}"})
        action = actions.get(incoming.method)
        if action is None:
            taken = ", ".join(actions)
            answer = json_answer(405, {"message": f"{incoming.path} takes {taken}, not {incoming.method}"})
            return replace(answer, headers={"Allow": taken})
        try:
            body = json.loads(incoming.body) if incoming.body else None
        except (ValueError, RecursionError) as error:
            return json_answer(400, {"message": f"the body is not JSON: {error}"})
        by_clock = self._service.dialect.task_progress == "clock"
        advance_to(self._store, self._clock.now(), tasks_run_by_clock=by_clock)
        try:
            with self._store.transaction(write=incoming.method != "GET"):
                shown = action(body)
            return json_answer(200, {} if shown is None else shown)
        except (EmulatorError, ValueError, OverflowError) as error:
            # The text may hold what came, and JSON can hold half of a character.
            return json_answer(400, {"message": str(error).encode(errors="backslashreplace").decode()})

    def _reset(self, _body: object) -> None:
        reseed_store(self._store, datetime.now(UTC))
        self._start_over()

    def _seed(self, body: object) -> None:
        seed_store(self._store, named_seed(body), datetime.now(UTC))
        self._start_over()

    def _start_over(self) -> None:
        self._clock.reset()
        self._service.set_dialect(self._initial_dialect)
        self._clear_faults(None)

    def _set_dialect(self, body: object) -> object:
        self._service.set_dialect(named_dialect(body))
        return self._service.dialect.model_dump()

    def _patch_state(self, body: object) -> None:
        patch_content(self._store, check_sections(body), self._clock.now())
        self._service.lag.forget()

    def _get_clock(self, _body: object) -> object:
        return {"now": format_time(self._clock.now())}

    def _set_clock(self, body: object) -> object:
        fields = cast("dict[str, object]", body) if isinstance(body, dict) else {}
        match fields:
            case {"advance": int() | float() as seconds} if len(fields) == 1:
                self._clock.advance(timedelta(seconds=seconds))
            case {"now": str(text)} if len(fields) == 1:
                self._clock.set(parse_time(text))
            case _:
                raise EmulatorError('the clock takes {"advance": SECONDS} or {"now": RFC 3339 TIME}')
        return self._get_clock(None)

    def _add_faults(self, body: object) -> object:
        self._service.faults.add(body)
        return self._service.faults.document()

    def _clear_faults(self, _body: object) -> None:
        self._service.faults.clear()
        self._delivery.release()
