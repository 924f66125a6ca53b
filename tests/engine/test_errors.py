"""Look-ups and settings that fail on the real engine: a clear error, and nothing written."""

from support import Emulator
from support.engine.stack import Stack, traceback_in

UNPROTECTED = 'Protection("p", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")'

BAD_LOOKUPS = {
    "unknown tenant": ('get_tenant("tenant-x")', "404 not found (GET /api/v1/tenants/tenant-x)"),
    "unknown name of a tenant": (
        'get_tenant(name="Contoso", org_id="org-contoso")',
        'no tenant "Contoso" in the organization org-contoso; there are: "Contoso Workspace"',
    ),
    "unknown policy": ('get_policy("tenant-contoso", "gold")', 'there are: "Bronze"'),
    "unknown organization": ('get_org(external_id="crm-9")', 'no organization with the external_id "crm-9"'),
}


def test_a_lookup_that_fails_says_why_without_a_traceback(stack: Stack) -> None:
    for case, (program, text) in BAD_LOOKUPS.items():
        stack.write(program)
        preview = stack.preview()
        assert text in preview.messages[""], case
        assert not traceback_in(preview), case


def test_an_output_handed_to_a_plain_lookup_names_the_other_form(stack: Stack, emulator: Emulator) -> None:
    stack.write('org = Org("o", external_id="crm-7", name="Litware")\nget_tenants(org.id)')
    preview = stack.preview()
    assert "org_id is an Output, not known yet: call get_tenants_output instead" in preview.text
    assert "list_tenants" not in [request["operation"] for request in emulator.requests()]


BAD_SETTINGS: dict[str, tuple[dict[str, str | None], str]] = {
    "no key": ({"DATAPROTECTION_API_KEY": None}, "no apiKey: set the environment variable DATAPROTECTION_API_KEY"),
    "a blank key": ({"DATAPROTECTION_API_KEY": "  "}, "pulumi config set --secret dataprotection:apiKey"),
    "no base URL": ({"DATAPROTECTION_BASE_URL": None}, "pulumi config set dataprotection:baseUrl"),
    "a base URL without a scheme": ({"DATAPROTECTION_BASE_URL": "127.0.0.1:8080"}, "needs a scheme and a host"),
    "plain http to elsewhere": ({"DATAPROTECTION_BASE_URL": "http://api.example.com"}, "use https"),
    "a key with a newline": ({"DATAPROTECTION_API_KEY": "SECRET\nSECRET"}, "holds a character that no key has (U+000A"),
    "a key with an accent": ({"DATAPROTECTION_API_KEY": "SECRÉT"}, "holds a character that no key has (U+00C9"),
    "a wrong key": (
        {"DATAPROTECTION_API_KEY": "SECRET"},
        "401 unauthenticated (GET /api/v1/tenants/tenant-contoso/resources)",
    ),
    "a wrong key, again": (
        {"DATAPROTECTION_API_KEY": "SECRET"},
        "Check that the API key from DATAPROTECTION_API_KEY is whole and has not expired",
    ),
    "a number that is none": ({"DATAPROTECTION_CONCURRENCY": "many"}, "DATAPROTECTION_CONCURRENCY is 'many'"),
}


def test_settings_that_cannot_be_used_say_what_to_do_and_never_show_the_key(stack: Stack) -> None:
    stack.write(UNPROTECTED)
    good = dict(stack.environment)
    for case, (variables, text) in BAD_SETTINGS.items():
        stack.set_environment(**variables)
        preview = stack.preview()
        stack.set_environment(**{name: good.get(name) for name in variables})
        assert preview.failed, case
        assert text in preview.messages["p"], case
        assert "SECR" not in preview.text, case
        assert not traceback_in(preview), case


def test_a_base_url_may_end_in_a_slash_and_in_the_version(stack: Stack, emulator: Emulator) -> None:
    stack.write(UNPROTECTED)
    for ending in ("/", "/api/v1", "/api/v1/"):
        stack.set_environment(DATAPROTECTION_BASE_URL=emulator.url + ending)
        assert stack.preview().steps == {"p": "create"}
    assert {404} & {request["status"] for request in emulator.requests()} == set()


def test_a_read_only_key_is_enough_for_a_preview_and_not_for_up(stack: Stack, emulator: Emulator) -> None:
    stack.write(UNPROTECTED)
    stack.set_environment(DATAPROTECTION_API_KEY=emulator.read_only_key)
    assert stack.preview().steps == {"p": "create"}
    up = stack.up()
    assert up.failed
    assert up.messages["p"].startswith(
        'cannot protect wei.zhang@contoso.example in tenant tenant-contoso with policy "Gold": 403 forbidden '
        "(POST /api/v1/tenants/tenant-contoso/resources/res-contoso-user-12/protect)"
    )
    assert "lacks the permission to write" in up.messages["p"]
    assert emulator.read_only_key not in up.text
    assert not traceback_in(up)
