"""Functions and settings that fail on the real engine: an error without a traceback, and no write."""

import os

from support import TESTS, Emulator
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
    path = os.pathsep.join([str(TESTS), stack.environment.get("PYTHONPATH", "")])
    stack.set_environment(DATAPROTECTION_DRIVEN_CLOCK="support.scripted:DrivenClock", PYTHONPATH=path)
    stack.write('get_tenant("tenant-contoso")')
    with emulator.faults({"operation": "get_tenant", "do": [{"status": 503, "headers": {"Retry-After": "60"}}]}):
        preview = stack.preview()
    assert not preview.failed
    assert "cannot read a tenant yet (503)" in preview.progress[""]


def test_an_output_as_an_argument_of_a_function_names_the_other_function(stack: Stack, emulator: Emulator) -> None:
    stack.write('org = Org("o", external_id="crm-7", name="Litware")\nget_tenants(org.id)')
    preview = stack.preview()
    assert "org_id is an Output, " in preview.text
    assert "get_tenants_output" in preview.text
    assert "list_tenants" not in [request["operation"] for request in emulator.requests()]


# The unit tests of the settings have more of these.
BAD_SETTINGS: dict[str, tuple[dict[str, str | None], str]] = {
    "no key": ({"DATAPROTECTION_API_KEY": None}, "DATAPROTECTION_API_KEY"),
    "no base URL": ({"DATAPROTECTION_BASE_URL": None}, "dataprotection:baseUrl"),
    "a key with a newline": ({"DATAPROTECTION_API_KEY": "SECRET\nSECRET"}, "(U+000A"),
    "a wrong key": ({"DATAPROTECTION_API_KEY": "SECRET"}, "401 unauthenticated (GET /api/v1/tenants/tenant-contoso"),
}


def test_bad_settings_are_named_and_the_key_is_never_shown(stack: Stack) -> None:
    stack.write(PROTECTION)
    good = dict(stack.environment)
    for case, (variables, text) in BAD_SETTINGS.items():
        stack.set_environment(**variables)
        preview = stack.preview()
        stack.set_environment(**{name: good.get(name) for name in variables})
        assert preview.failed, case
        assert text in preview.messages["p"], case
        assert "SECR" not in preview.text, case
        assert not traceback_in(preview), case
