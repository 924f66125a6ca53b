"""The handlers of the operations."""

import json
from contextlib import closing
from operator import attrgetter

import pytest

from pulumi_dataprotection.emulator import FULL_KEY
from pulumi_dataprotection.emulator._service import Incoming, Service
from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.answers.records import NOTHING, RECORDS
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.handlers import HANDLERS
from pulumi_dataprotection.emulator.requests.log import RequestLog
from pulumi_dataprotection.emulator.seeds.content import open_store
from pulumi_dataprotection.emulator.store.clock import Clock
from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation

FOLDER = "provider/pulumi_dataprotection/emulator/handlers"


@pytest.mark.parametrize("operation", OPERATIONS, ids=attrgetter("id"))
def test_an_operation_has_a_handler_that_answers_a_record(operation: Operation) -> None:
    # A write acts on the object that its path names last.
    of_object = operation.path.rpartition("/{")[0] if operation.writes and operation.path_parameters else ""
    noun = [part for part in (of_object or operation.path).split("/") if not part.startswith("{")][-1]
    assert operation.id in HANDLERS, f"write the handler {operation.id} in {FOLDER}/{noun}.py, or in its noun's file"
    record = HANDLERS[operation.id].record
    assert record in {NOTHING, *RECORDS}, f"add {record} to answers/records.py"
    assert (operation.answers == "page") == record.endswith("Page")


def test_a_handler_has_an_operation() -> None:
    assert HANDLERS.keys() <= BY_ID.keys(), "add the row of the operation to spec/operations.py"


def test_an_operation_without_a_handler_is_answered_with_501_and_the_others_as_ever() -> None:
    handlers = {name: handler for name, handler in HANDLERS.items() if name != "get_org"}
    with closing(open_store(":memory:", {"seed": "demo"}, parse_time("2026-01-31T08:00:00Z"))) as store:
        service = Service(store, Clock(store), RequestLog(), Dialect(), handlers)

        def get(path: str) -> tuple[int, str]:
            answer = service.answer(Incoming("GET", f"/api/v1/{path}", "", FULL_KEY, "", b"")).answer
            return answer.status, answer.body.decode()

        status, body = get("orgs/org-contoso")
        assert (501, "the emulator has no handler for the operation get_org") == (status, json.loads(body)["message"])
        assert 200 == get("tenants/tenant-contoso")[0]
