"""Functions and settings that fail on the real engine: an error without a traceback, and no write."""

from support import Emulator
from support.engine.stack import Stack, traceback_in

PROTECTION = 'Protection("p", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")'


def test_a_function_that_fails_gives_a_reason_without_a_traceback(stack: Stack) -> None:
    stack.write('get_tenant("tenant-x")')
    preview = stack.preview()
    assert "404 not found (GET /api/v1/tenants/tenant-x)" in preview.messages[""]
    assert not traceback_in(preview)


def test_a_command_fails_at_once_before_the_time_that_the_service_told_an_earlier_command(
    stack: Stack, emulator: Emulator
) -> None:
    stack.write(PROTECTION)
    with emulator.faults({"do": [{"status": 429, "headers": {"Retry-After": "86400"}}]}):
        assert "86,400 s" in stack.preview().messages["p"]
    emulator.clear_requests()
    second = stack.preview()
    assert [] == emulator.requests()
    assert [] == [name for name in ("429", "nothing was sent", " UTC") if name not in second.messages["p"]]
    assert not traceback_in(second)


def test_a_wait_of_a_function_is_shown_in_the_status_column_of_the_stack(stack: Stack, emulator: Emulator) -> None:
    stack.hurry()
    stack.write('get_tenant("tenant-contoso")')
    with emulator.faults({"operation": "get_tenant", "do": [{"status": 503, "headers": {"Retry-After": "60"}}]}):
        preview = stack.preview()
    assert not preview.failed
    assert "cannot read a tenant yet (503)" in preview.progress[""]
