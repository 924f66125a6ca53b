"""The shape of the state, and the values that it never holds."""

import base64

import pytest

from support import Emulator
from support.engine.programs import placeholders
from support.engine.stack import Stack

PROGRAM = """
    it = pulumi.Output.secret("it@fabrikam.example")
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email=it)
    Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    members = ["yuki.tanaka@contoso.example", "former.employee@contoso.example"]
    ProtectionSet("set", tenant_id="tenant-contoso", resources=members, policy="Gold", on_missing="warn")
    pulumi.export("invitation", org.invitation_url)
"""


@pytest.mark.parametrize("source", ["environment", "config", "profile"])
def test_the_key_is_nowhere_in_the_state_and_can_be_rotated(stack: Stack, emulator: Emulator, source: str) -> None:
    program = PROGRAM
    key = emulator.api_key
    if source != "environment":
        # A blank variable counts as not set.
        stack.set_environment(DATAPROTECTION_API_KEY=" ", DATAPROTECTION_BASE_URL="")
        stack.configure("baseUrl", emulator.url)
    if source == "profile":
        program = PROGRAM.replace('policy="Gold"', 'policy="Gold", profile="msp"').replace(
            'name="Fabrikam"', 'name="Fabrikam", profile="msp"'
        )
    _use_key(stack, emulator, source, key)
    stack.deploy(program)
    assert not stack.refresh().failed
    hidden = [key.encode(), base64.b64encode(key.encode())[:-4]]
    assert [path for path in stack.files() for secret in hidden if secret in path.read_bytes()] == []

    emulator.patch({"keys": [{**emulator.state()["keys"][0], "key": "rotated-key-5f0c"}]})
    _use_key(stack, emulator, source, "rotated-key-5f0c")
    assert stack.up().steps == {}
    assert not stack.destroy().failed


def _use_key(stack: Stack, emulator: Emulator, source: str, key: str) -> None:
    if source == "environment":
        stack.set_environment(DATAPROTECTION_API_KEY=key)
    elif source == "config":
        stack.configure("apiKey", key, secret=True)
    else:
        profiles = f'{{"msp": {{"apiKey": "{key}", "baseUrl": "{emulator.url}"}}}}'
        stack.configure("profiles", profiles, secret=True)


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


def test_an_unknown_value_never_reaches_the_service(stack: Stack, emulator: Emulator) -> None:
    stack.write(CHAIN)
    preview = stack.preview()
    assert preview.steps == {"litware": "create", "branch": "create", "p12": "create", "p13": "create"}
    up = stack.up()
    assert not up.failed, up.text
    stack.write(CHAIN + '\n    Org("more", external_id="crm-78", name="More", parent_org_id=org.id)')
    assert stack.preview().steps == {"more": "create"}
    assert [] == placeholders(emulator)
    assert {request["status"]: request for request in emulator.requests() if request["status"] >= 400} == {}
