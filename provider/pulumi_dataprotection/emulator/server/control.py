"""The control plane under /_emulator/: what tests and people do to the emulator itself."""

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
    """Answers the control plane's requests; no key is asked for.

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
        self._log = log
        self._service = service
        self._delivery = delivery
        self._initial_dialect = service.dialect
        self._actions: Mapping[str, Mapping[str, _Action]] = {
            "clock": {"GET": self._get_clock, "POST": self._set_clock},
            "dialect": {"GET": self._get_dialect, "PUT": self._put_dialect},
            "faults": {"GET": self._get_faults, "POST": self._add_faults, "DELETE": self._clear_faults},
            "health": {"GET": self._get_health},
            "limits": {"GET": self._get_limits},
            "openapi.json": {"GET": self._get_openapi},
            "requests": {"GET": self._get_requests, "DELETE": self._clear_requests},
            "reset": {"POST": self._reset},
            "seed": {"POST": self._seed},
            "state": {"GET": self._get_state, "PATCH": self._patch_state},
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
                return json_answer(200, action(body))
        except (EmulatorError, ValueError, OverflowError) as error:
            # The text may hold what came, and JSON can hold half of a character.
            return json_answer(400, {"message": str(error).encode(errors="backslashreplace").decode()})

    def _get_health(self, _body: object) -> object:
        return {"status": "ok", "pid": os.getpid()}

    def _get_openapi(self, _body: object) -> object:
        return openapi_document()

    def _reset(self, _body: object) -> object:
        reseed_store(self._store, datetime.now(UTC))
        self._start_over()
        return {}

    def _seed(self, body: object) -> object:
        seed_store(self._store, named_seed(body), datetime.now(UTC))
        self._start_over()
        return {}

    def _start_over(self) -> None:
        self._clock.reset()
        self._service.set_dialect(self._initial_dialect)
        self._clear_faults(None)

    def _get_dialect(self, _body: object) -> object:
        return self._service.dialect.model_dump()

    def _put_dialect(self, body: object) -> object:
        self._service.set_dialect(named_dialect(body))
        return self._get_dialect(None)

    def _get_state(self, _body: object) -> object:
        return read_document(self._store)

    def _patch_state(self, body: object) -> object:
        patch_content(self._store, check_sections(body), self._clock.now())
        self._service.lag.forget()
        return {}

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

    def _get_faults(self, _body: object) -> object:
        return self._service.faults.document()

    def _add_faults(self, body: object) -> object:
        self._service.faults.add(body)
        return self._get_faults(None)

    def _clear_faults(self, _body: object) -> object:
        self._service.faults.clear()
        self._delivery.release()
        return {}

    def _get_limits(self, _body: object) -> object:
        return self._service.limits.document(self._clock.now())

    def _get_requests(self, _body: object) -> object:
        return self._log.document()

    def _clear_requests(self, _body: object) -> object:
        self._log.clear()
        return {}
