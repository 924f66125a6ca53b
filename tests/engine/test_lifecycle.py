"""A stack's life on the real engine: created, unchanged, changed, destroyed."""

from support import Emulator
from support.engine.stack import Stack, traceback_in

PROGRAM = """
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
    workspace = get_tenant(name="Contoso Workspace", org_id="org-contoso")
    wei = Protection("wei", tenant_id=workspace.id, resource="wei.zhang@contoso.example", policy="Gold")
    Protection("drive", tenant_id=workspace.id, resource="Marketing 🚀", policy=get_policy(workspace.id, "Silver").id)

    for name in ("id", "external_id", "name", "kind", "parent_org_id", "admin_email", "invitation_url"):
        pulumi.export(f"org.{name}", getattr(org, name))
"""
SHOWN = ("id", "external_id", "name", "kind", "parent_org_id")


CHANGES = {
    "another policy": ('policy="Gold"', 'policy="Bronze"', "update", {"policy", "policy_id"}),
    "another resource": ("wei.zhang", "yuki.tanaka", "replace", {"resource"}),
    "another option": ('policy="Gold"', 'policy="Gold", on_destroy="keep"', "update", {"on_destroy"}),
}


def test_a_stack_is_made_left_alone_refreshed_and_destroyed(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    protected_before = {protection["resource_id"] for protection in emulator.state()["protections"]}

    preview = stack.preview()
    assert preview.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}

    up = stack.up()
    assert up.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}
    outputs = stack.outputs()
    (org,) = (org for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042")
    assert {name: org[name] for name in SHOWN} == {name: outputs[f"org.{name}"] for name in SHOWN}
    assert str(outputs["org.invitation_url"]).startswith("https://")

    emulator.clear_requests()
    assert stack.up().steps == {}
    assert stack.refresh().steps == {}
    assert stack.preview().steps == {}
    assert emulator.writes() == [], "an unchanged program wrote"
    assert outputs == stack.outputs(), "a refresh changed outputs"

    destroy = stack.destroy()
    assert destroy.steps == {"fabrikam": "delete", "wei": "delete", "drive": "delete"}
    assert {"fabrikam"} == {*destroy.messages}
    state = emulator.state()
    assert protected_before == {protection["resource_id"] for protection in state["protections"]}
    assert sum(org["external_id"] == "crm-1042" for org in state["orgs"]) == 1

    again = stack.up()
    assert again.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}
    assert outputs["org.id"] == stack.outputs()["org.id"], "a second organization was made"
    for change, (old, new, step, properties) in CHANGES.items():
        stack.write(PROGRAM.replace(old, new))
        preview = stack.preview()
        assert ({"wei": step}, properties) == (preview.steps, preview.differing["wei"] - {"resource_id"}), change


READ = """
wei = Protection.get("wei", "tenant-contoso/{user}")
fabrikam = Org.get("fabrikam", "{org}")
run = BackupRun.get("run", "tenant-contoso/task-contoso-02")
pulumi.export("found", [wei.policy_id, fabrikam.name])
pulumi.export("run", pulumi.Output.all(run.status, run.wait, run.timeout, run.success_statuses))
"""


def test_a_resource_that_get_reads_exists_or_is_an_error(stack: Stack) -> None:
    there = {"user": "res-contoso-user-01", "org": "org-adatum"}
    up = stack.deploy(READ.format(**there))
    assert ["policy-contoso-silver", "Adatum"] == up.outputs["found"]
    assert ["warnings", False, 7200, ["done", "warnings"]] == up.outputs["run"]
    for outcome in (stack.refresh(), stack.up()):
        assert (False, []) == (outcome.failed, outcome.writes), outcome.text
    for name, missing in (("wei", {"user": "res-contoso-user-20"}), ("fabrikam", {"org": "org-nowhere"})):
        stack.write(READ.format(**{**there, **missing}))
        up = stack.up()
        assert up.failed
        assert all(id in up.messages[name] for id in missing.values())
        assert not traceback_in(up)
    stack.deploy(READ.format(**there))
    destroy = stack.destroy()
    assert (False, []) == (destroy.failed, destroy.writes)
