"""Bad input on the real engine: a clear error in the preview, and nothing written."""

import pytest

from engine.stack import Stack
from support import Emulator

UNPROTECTED = 'Protection("p", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")'

BAD_PROGRAMS = {
    "unknown tenant": (UNPROTECTED.replace("tenant-contoso", "tenant-x"), "p", ("property tenant_id", "tenant-x")),
    "unknown policy": (UNPROTECTED.replace("Gold", "Golf"), "p", ("property policy", '"Bronze"', '"Gold"', '"Silver"')),
    "unknown resource": (
        UNPROTECTED.replace("res-contoso-user-12", "nobody@contoso.example"),
        "p",
        ("property resource", "is no id, no name"),
    ),
    "ambiguous resource": (
        UNPROTECTED.replace("res-contoso-user-12", "support@contoso.example"),
        "p",
        (
            "property resource",
            "means 2 resources",
            "office_user res-contoso-user-30",
            "office_teamdrive res-contoso-drive",
        ),
    ),
    "archived resource": (
        UNPROTECTED.replace("res-contoso-user-12", "former.employee@contoso.example"),
        "p",
        ("property resource", "archived"),
    ),
    "another policy is on it": (
        UNPROTECTED.replace("res-contoso-user-12", "res-contoso-user-01").replace("Gold", "Bronze"),
        "p",
        ("property policy", "is protected with policy", "already", '"Bronze" (policy-contoso-bronze)', "take_over"),
    ),
    "empty resource": (
        UNPROTECTED.replace("res-contoso-user-12", " "),
        "p",
        ("property resource", "must not be empty"),
    ),
    "a number for a policy": (UNPROTECTED.replace('"Gold"', "5"), "p", ("property policy", "must be text")),
    "no such choice": (UNPROTECTED.replace('"Gold"', '"Gold", on_conflict="maybe"'), "p", ("fail, take_over, accept",)),
    "an external id that is taken": (
        'Org("o", external_id="crm-1002", name="Contoso Ltd", parent_org_id="org-alpine")',
        "o",
        ("property name", 'the external_id "crm-1002" belongs to the organization "Contoso" (org-contoso)'),
    ),
    "a name that is taken": (
        'Org("o", external_id="crm-7", name="Contoso", parent_org_id="org-alpine")',
        "o",
        ("property external_id", 'an organization named "Contoso" exists already, with the external_id "crm-1002"'),
    ),
    "an unknown parent": (
        'Org("o", external_id="crm-7", name="Litware", parent_org_id="org-x")',
        "o",
        ("property parent_org_id", "404 not found", "org-x"),
    ),
    "an empty name": ('Org("o", external_id="crm-7", name="")', "o", ("property name", "must not be empty")),
}


@pytest.mark.parametrize("case", BAD_PROGRAMS)
def test_bad_input_fails_in_the_preview_on_its_property(stack: Stack, emulator: Emulator, case: str) -> None:
    program, resource, texts = BAD_PROGRAMS[case]
    stack.write(program)
    preview = stack.preview()
    assert preview.failed
    for text in texts:
        assert text in preview.messages[resource]
    assert "Traceback" not in preview.text
    assert emulator.writes() == [], "a preview wrote"


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
        assert "Traceback" not in preview.text, case


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
        assert "Traceback" not in preview.text, case


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
    assert "Traceback" not in up.text
