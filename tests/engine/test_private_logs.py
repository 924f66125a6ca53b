"""The most detailed log of the engine holds no secret."""

from support import Emulator
from support.engine.stack import Stack

KEY = "key-that-nobody-may-read-5f0c"
PROGRAM = """
    it = pulumi.Output.secret("it.admin@shop.example")
    org = Org("shop", external_id="crm-7", name="Shop", admin_email=it)
    pulumi.export("invitation", org.invitation_url)
    Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
"""
DETAILED = ("-v=9", "--logtostderr", "--logflow")


def test_the_most_detailed_log_holds_no_key_no_invitation_and_no_secret_address(
    stack: Stack, emulator: Emulator
) -> None:
    emulator.patch({"keys": [{**emulator.state()["keys"][0], "key": KEY}]})
    stack.set_environment(DATAPROTECTION_API_KEY=None)
    stack.configure("apiKey", f"{KEY}\n", secret=True)
    stack.write(PROGRAM)
    with emulator.faults({"operation": "create_org", "do": ["status:429"]}):
        up = stack.up(*DETAILED)
    texts = [up.text, stack.refresh(*DETAILED).text]
    invitation = str(stack.outputs()["invitation"])
    private = (KEY, "it.admin", invitation, invitation.rpartition("/")[2])
    assert [] == [secret for secret in private for text in texts if secret in text]
    assert all("RegisterResource" in text or "Read(" in text for text in texts), "the log was not detailed"


def test_the_most_detailed_log_does_not_hold_a_malformed_key(stack: Stack) -> None:
    stack.write(PROGRAM)
    for key in ("SECRET\u200bSECRET", "S" * 100_000):
        stack.set_environment(DATAPROTECTION_API_KEY=key)
        preview = stack.preview(*DETAILED)
        assert preview.failed
        assert "SECR" not in preview.text
        assert "SSSS" not in preview.text
