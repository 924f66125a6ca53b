"""A stack's life on the real engine: created, unchanged, changed, destroyed."""

from support import Emulator
from support.engine.stack import Stack, traceback_in
from support.resources.contoso import GOLD, SILVER, policies, user

PROGRAM = """
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
    workspace = get_tenant(name="Contoso Workspace", org_id="org-contoso")
    wei = Protection("wei", tenant_id=workspace.id, resource="wei.zhang@contoso.example", policy="Gold")
    Protection("drive", tenant_id=workspace.id, resource="Marketing 🚀", policy=get_policy(workspace.id, "Silver").id)
    members = {"res-contoso-user-01": "Silver", "res-contoso-user-09": "Gold", "yuki.tanaka@contoso.example": "Silver"}
    people = ProtectionSet("people", tenant_id=workspace.id, assignments=members, max_removals="50%")

    for name in ("id", "external_id", "name", "kind", "parent_org_id", "admin_email", "invitation_url"):
        pulumi.export(f"org.{name}", getattr(org, name))
    pulumi.export("people", {name: getattr(people, name) for name in ("id", "protected", "adopted", "max_removals")})
    pulumi.export("policy", people.protected["res-contoso-user-13"])
"""
SHOWN = ("id", "external_id", "name", "kind", "parent_org_id")
PEOPLE = {
    "id": "tenant-contoso",
    "protected": {user(9): GOLD, user(13): SILVER},
    "adopted": {user(1): SILVER},
    "max_removals": "50%",
}
RESOURCES = ("fabrikam", "wei", "drive", "people")
CREATED = dict.fromkeys(RESOURCES, "create")


def test_a_stack_is_made_left_alone_refreshed_and_destroyed(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    before = policies(emulator)

    preview = stack.preview()
    assert (preview.steps, True) == (CREATED, "2 to protect" in preview.notes["people"])

    up = stack.up()
    assert (up.steps, True) == (CREATED, "2 protected, 1 adopted." in up.notes["people"])
    outputs = stack.outputs()
    (org,) = (org for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042")
    assert {name: org[name] for name in SHOWN} == {name: outputs[f"org.{name}"] for name in SHOWN}
    assert str(outputs["org.invitation_url"]).startswith("https://")
    assert (PEOPLE, SILVER) == (outputs["people"], outputs["policy"])

    emulator.clear_requests()
    again = stack.up()
    assert ({}, {}, {""}) == (again.steps, again.messages, {*again.notes})
    assert stack.refresh("--run-program").refreshed == {}
    assert not stack.preview("--expect-no-changes").failed
    assert emulator.writes() == [], "an unchanged program wrote"
    assert outputs == stack.outputs(), "a refresh changed outputs"

    destroy = stack.destroy()
    assert destroy.steps == dict.fromkeys(RESOURCES, "delete")
    assert {"fabrikam", "people"} == {*destroy.messages}
    assert user(1) in destroy.messages["people"]
    assert before == policies(emulator)

    assert CREATED == stack.up().steps
    assert outputs["org.id"] == stack.outputs()["org.id"], "a second organization was made"


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
