"""Unknown values in a preview on the real engine: they may change, and do not replace what depends on them."""

from support import Emulator
from support.engine.programs import placeholders
from support.engine.stack import Stack

PROGRAM = """
jane = Protection(
    "jane", tenant_id="tenant-contoso", resource="res-contoso-user-01", policy="Silver", on_destroy={on_destroy!r}
)
def late(value):
    # Unknown in the preview of a change of jane.
    return jane.job_id.apply(lambda _: value)

BackupRun("run", tenant_id=jane.tenant_id, job_id=jane.job_id, wait=False)
BackupRun(
    "again",
    tenant_id="tenant-contoso",
    job_id="job-contoso-02",
    wait=False,
    triggers=[jane.policy_id, {{"deep": [jane.job_id]}}],
)
ArchiveDeletion(
    "deletion",
    tenant_id=jane.tenant_id,
    archive_id=late("archive-contoso-05"),
    reason="left",
)
Protection("tenant", tenant_id=late("tenant-contoso"), resource="res-contoso-user-20", policy="Gold")
Protection("resource", tenant_id="tenant-contoso", resource=late("res-contoso-user-21"), policy="Gold")
Protection("policy", tenant_id="tenant-contoso", resource="res-contoso-user-22", policy=late("Gold"))
ProtectionSet("set", tenant_id=late("tenant-contoso"), assignments={{"res-contoso-user-23": "Gold"}})
ProtectionSet("members", tenant_id="tenant-contoso", assignments={{"res-contoso-user-24": late("Gold")}})
ProtectionSet("all", tenant_id="tenant-contoso", resources=late(["res-contoso-user-25"]), policy="Gold")
org = Org("org", external_id="crm-9", name="Shop", admin_email=late("it@shop.example"))
name = pulumi.Output.concat("crm-9-", org.id)
Org("branch", external_id=name, name=pulumi.Output.concat("Branch of ", org.name), parent_org_id=org.id)
pulumi.export("tenants", get_tenants_output(org.id).items.apply(len))
"""


def test_dependents_of_a_changed_protection_are_not_replaced(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM.format(on_destroy="unprotect"))
    up = stack.up()
    assert not up.failed, up.text
    assert [] == placeholders(emulator)
    assert [] == [request for request in emulator.requests() if request["status"] >= 400]
    emulator.clear_requests()
    stack.write(PROGRAM.format(on_destroy="keep"))
    preview = stack.preview()
    assert (False, {"update"}) == (preview.failed, {*preview.steps.values()}), preview.text
    assert {"jane", "run", "again", "deletion", "tenant", "resource", "set", "all"} <= preview.steps.keys()
    up = stack.up()
    assert (False, {"jane": "update"}, []) == (up.failed, up.steps, emulator.writes()), up.text
    assert {} == stack.preview().steps
