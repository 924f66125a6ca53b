"""All operations are there."""

from contextlib import closing

from pulumi_dataprotection.emulator import FULL_KEY
from pulumi_dataprotection.emulator._service import Incoming, Service
from pulumi_dataprotection.emulator._times import parse_time
from pulumi_dataprotection.emulator.dialect.dialect import Dialect
from pulumi_dataprotection.emulator.handlers import HANDLERS
from pulumi_dataprotection.emulator.requests.log import RequestLog
from pulumi_dataprotection.emulator.seeds.content import open_store
from pulumi_dataprotection.emulator.store.clock import Clock
from pulumi_dataprotection.spec import OPERATIONS


def test_each_operation_has_a_handler() -> None:
    assert sorted(operation.id for operation in OPERATIONS) == sorted(HANDLERS)


def test_an_operation_without_a_handler_is_answered_with_501_and_the_others_as_ever() -> None:
    handlers = {name: handler for name, handler in HANDLERS.items() if name != "get_org"}
    with closing(open_store(":memory:", {"seed": "demo"}, parse_time("2026-01-31T08:00:00Z"))) as store:
        service = Service(store, Clock(store), RequestLog(), Dialect(), handlers=handlers)

        def ask(path: str) -> tuple[int, str]:
            answer = service.answer(Incoming("GET", f"/api/v1/{path}", "", FULL_KEY, "", b"")).answer
            return answer.status, answer.body.decode()

        assert (501, '{"message":"the emulator has no handler for the operation get_org"}') == ask("orgs/org-contoso")
        assert 200 == ask("tenants/tenant-contoso")[0]
