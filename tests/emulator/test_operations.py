"""All operations are there, and all are used."""

import pytest

from pulumi_dataprotection.emulator._clock import Clock
from pulumi_dataprotection.emulator._content import open_store
from pulumi_dataprotection.emulator._dialect import Dialect
from pulumi_dataprotection.emulator._log import RequestLog
from pulumi_dataprotection.emulator._service import Service
from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.handlers import HANDLERS
from pulumi_dataprotection.spec import OPERATIONS
from support import SEEN_OPERATIONS, Emulator


def test_each_operation_has_a_handler() -> None:
    assert sorted(operation.id for operation in OPERATIONS) == sorted(HANDLERS)


def test_a_service_without_a_handler_for_an_operation_does_not_start() -> None:
    handlers = {name: handler for name, handler in HANDLERS.items() if name not in {"get_task", "get_org"}}
    store = open_store(":memory:", {"seed": "empty"}, parse_time("2026-01-31T08:00:00Z"))
    with pytest.raises(LookupError, match="operations without a handler: get_org, get_task"):
        Service(store, Clock(store), RequestLog(), Dialect(), handlers=handlers)
    store.close()


def test_each_operation_was_called_by_the_suite(
    session_emulator: Emulator,
    whole_suite: bool,  # noqa: FBT001 - a fixture
) -> None:
    if not whole_suite:
        pytest.skip("only a part of the suite was selected, so not every operation need be called")
    session_emulator.note_operations()
    assert {operation.id for operation in OPERATIONS} == SEEN_OPERATIONS
