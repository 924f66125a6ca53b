"""What the state holds, and what it never holds."""

import base64

import pytest

from support import Emulator
from support.engine.stack import SECRET, Stack

PROGRAM = """
    it = pulumi.Output.secret("it@fabrikam.example")
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email=it)
    Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    members = ["yuki.tanaka@contoso.example", "former.employee@contoso.example"]
    ProtectionSet("set", tenant_id="tenant-contoso", resources=members, policy="Gold", on_missing="warn")
    pulumi.export("invitation", org.invitation_url)
"""
OUTPUTS = {
    "fabrikam": {
        "__provider",
        "admin_email",
        "external_id",
        "invitation_url",
        "kind",
        "name",
        "parent_org_id",
        "schema_version",
    },
    "wei": {
        "__provider",
        "job_id",
        "on_conflict",
        "on_destroy",
        "own_policy_id",
        "policy",
        "policy_id",
        "protection_id",
        "resource",
        "resource_id",
        "schema_version",
        "tenant_id",
    },
    "set": {
        "__provider",
        "adopted",
        "on_conflict",
        "on_destroy",
        "on_missing",
        "protected",
        "schema_version",
        "tenant_id",
    },
}
INPUTS = {
    "fabrikam": {"__provider", "admin_email", "external_id", "name", "parent_org_id"},
    "wei": {
        "__provider",
        "on_conflict",
        "on_destroy",
        "policy",
        "policy_id",
        "resource",
        "resource_id",
        "tenant_id",
    },
    "set": {
        "__provider",
        "assignments",
        "missing",
        "on_conflict",
        "on_destroy",
        "on_missing",
        "policy_ids",
        "resource_ids",
        "tenant_id",
    },
}


def test_the_state_has_its_frozen_shape_and_keeps_it_through_a_refresh(stack: Stack) -> None:
    stack.write(PROGRAM)
    stack.up()
    for moment in ("up", "refresh"):
        resources = stack.resources()
        assert {name: resource["type"] for name, resource in resources.items()} == {
            "fabrikam": "pulumi-python:dynamic/dataprotection:Org",
            "wei": "pulumi-python:dynamic/dataprotection:Protection",
            "set": "pulumi-python:dynamic/dataprotection:ProtectionSet",
        }
        assert {name: set(resource["outputs"]) for name, resource in resources.items()} == OUTPUTS, moment
        assert {name: set(resource["inputs"]) for name, resource in resources.items()} == INPUTS, moment
        stack.refresh()


def test_what_is_secret_is_encrypted_after_up_and_after_a_refresh(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    up = stack.up()
    url = str(stack.outputs()["invitation"])
    for outcome in (up, stack.refresh(), stack.up()):
        outputs = stack.resources()["fabrikam"]["outputs"]
        assert SECRET in outputs["invitation_url"]
        assert SECRET in outputs["admin_email"]
        assert url not in outcome.text
        assert "it@fabrikam.example" not in outcome.text
    assert sorted(write["operation"] for write in emulator.writes()) == [
        "create_org",
        "protect_resource",
        "protect_resource",
    ]


@pytest.mark.parametrize("source", ["environment", "config", "profile"])
def test_the_key_is_nowhere_in_the_state_and_another_one_can_take_over(
    stack: Stack, emulator: Emulator, source: str
) -> None:
    program = PROGRAM
    key = emulator.api_key
    if source != "environment":
        stack.set_environment(DATAPROTECTION_API_KEY=None)
    if source == "profile":
        program = PROGRAM.replace('policy="Gold"', 'policy="Gold", profile="msp"').replace(
            'name="Fabrikam"', 'name="Fabrikam", profile="msp"'
        )
    _use_key(stack, emulator, source, key)
    stack.write(program)
    assert not stack.up().failed
    assert not stack.refresh().failed
    hidden = [key.encode(), base64.b64encode(key.encode())[:-4]]
    assert [path for path in stack.files() for secret in hidden if secret in path.read_bytes()] == []

    emulator.patch({"keys": [{**emulator.state()["keys"][0], "key": "rotated-key-5f0c"}]})
    _use_key(stack, emulator, source, "rotated-key-5f0c")
    assert stack.up().steps == {}
    assert not stack.refresh().failed
    assert not stack.destroy().failed


def _use_key(stack: Stack, emulator: Emulator, source: str, key: str) -> None:
    if source == "environment":
        stack.set_environment(DATAPROTECTION_API_KEY=key)
    elif source == "config":
        stack.configure("apiKey", key, secret=True)
    else:
        profiles = f'{{"msp": {{"apiKey": "{key}", "baseUrl": "{emulator.url}"}}}}'
        stack.configure("profiles", profiles, secret=True)


def test_config_alone_is_enough_for_every_command_and_a_blank_variable_does_not_win(
    stack: Stack, emulator: Emulator
) -> None:
    stack.set_environment(DATAPROTECTION_API_KEY=" ", DATAPROTECTION_BASE_URL="")
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.configure("baseUrl", emulator.url)
    stack.write(PROGRAM + '\n    pulumi.export("tenant", get_tenant("tenant-contoso").name)')
    assert not stack.up().failed
    assert stack.outputs()["tenant"] == "Contoso Workspace"
    assert not stack.refresh().failed
    assert not stack.destroy().failed


def test_the_environment_wins_over_config_in_the_program_and_in_the_provider(stack: Stack, emulator: Emulator) -> None:
    stack.configure("apiKey", "stale-key", secret=True)
    stack.configure("baseUrl", "https://stale.invalid")
    stack.write(PROGRAM + '\n    pulumi.export("tenant", get_tenant("tenant-contoso").name)')
    assert not stack.up().failed
    assert {request["status"] for request in emulator.requests()} == {200}


CHAIN = """
    org = Org("litware", external_id="crm-77", name="Litware")
    name = pulumi.Output.concat("crm-77-", org.id)
    child = Org("branch", external_id=name, name=pulumi.Output.concat("Branch of ", org.name), parent_org_id=org.id)
    tenants = get_tenants_output(org.id)
    pulumi.export("tenants", tenants.items.apply(len))
    tenant_id = org.id.apply(lambda id: "tenant-contoso")
    policy = get_policy_output(tenant_id, "Gold")
    for number in (12, 13):
        resource = org.id.apply(lambda id, number=number: f"res-contoso-user-{number}")
        Protection(f"p{number}", tenant_id=tenant_id, resource=resource, policy=policy.id)
"""


def test_what_is_not_known_in_a_preview_never_reaches_the_service(stack: Stack, emulator: Emulator) -> None:
    stack.write(CHAIN)
    preview = stack.preview()
    assert preview.steps == {"litware": "create", "branch": "create", "p12": "create", "p13": "create"}
    up = stack.up()
    assert not up.failed, up.text
    stack.write(CHAIN + '\n    Org("more", external_id="crm-78", name="More", parent_org_id=org.id)')
    assert stack.preview().steps == {"more": "create"}
    strange = ("04da6b54", "Unknown", "Output", "None", "object at")
    targets = [f"{request['path']} {request['query']}" for request in emulator.requests()]
    assert [target for target in targets for text in strange if text in target] == []
    assert {request["status"]: request for request in emulator.requests() if request["status"] >= 400} == {}
