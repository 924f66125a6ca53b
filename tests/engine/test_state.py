"""The values that the state never holds."""

import base64

from support import Emulator
from support.engine.stack import Stack

PROGRAM = """
    it = pulumi.Output.secret("it@fabrikam.example")
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email=it)
    Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    members = ["yuki.tanaka@contoso.example", "former.employee@contoso.example"]
    ProtectionSet("set", tenant_id="tenant-contoso", resources=members, policy="Gold", on_missing="warn")
    pulumi.export("invitation", org.invitation_url)
"""


KEYS = ("rotated-key-5f0c", "rotated-key-5f0d", "rotated-key-5f0e")


def test_no_key_is_in_the_state_and_each_can_be_rotated(stack: Stack, emulator: Emulator) -> None:
    first = emulator.api_key
    stack.deploy(PROGRAM)
    full = emulator.state()["keys"][0]
    for source, key in zip(("environment", "config", "profile"), KEYS, strict=True):
        emulator.patch({"keys": [{**full, "key": key}]})
        if source == "environment":
            stack.set_environment(DATAPROTECTION_API_KEY=key)
        elif source == "config":
            # A blank variable counts as not set.
            stack.set_environment(DATAPROTECTION_API_KEY=" ", DATAPROTECTION_BASE_URL="")
            stack.configure("baseUrl", emulator.url)
            stack.configure("apiKey", key, secret=True)
        else:
            profiles = f'{{"msp": {{"apiKey": "{key}", "baseUrl": "{emulator.url}"}}}}'
            stack.configure("profiles", profiles, secret=True)
            named = PROGRAM.replace('policy="Gold"', 'policy="Gold", profile="msp"')
            stack.write(named.replace('name="Fabrikam"', 'name="Fabrikam", profile="msp"'))
        up = stack.up()
        assert (False, [], source == "profile") == (up.failed, up.writes, bool(up.steps)), up.text
    assert not stack.refresh().failed
    hidden = [form for key in (first, *KEYS) for form in (key.encode(), base64.b64encode(key.encode())[:-4])]
    assert [path for path in stack.files() for secret in hidden if secret in path.read_bytes()] == []
    assert not stack.destroy().failed
