"""A stack's life on the real engine: created, unchanged, changed, destroyed."""

import pytest

from support import Emulator
from support.engine.stack import Stack, traceback_in

PROGRAM = """
    org = Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
    workspace = get_tenant(name="Contoso Workspace", org_id="org-contoso")
    wei = Protection("wei", tenant_id=workspace.id, resource="wei.zhang@contoso.example", policy="Gold")
    Protection("drive", tenant_id=workspace.id, resource="Marketing 🚀", policy=get_policy(workspace.id, "Silver").id)

    def show(name, resource, *properties):
        for property in ("id", *properties):
            pulumi.export(f"{name}.{property}", getattr(resource, property))

    show("org", org, "external_id", "name", "kind", "parent_org_id", "admin_email", "invitation_url")
    show("wei", wei, "tenant_id", "resource", "policy", "on_conflict", "on_destroy", "resource_id", "policy_id",
         "job_id", "protection_id", "own_policy_id")
"""


def org_outputs(emulator: Emulator) -> dict[str, object]:
    """What the emulator says about the program's organization."""
    org = next(org for org in emulator.state()["orgs"] if org["external_id"] == "crm-1042")
    return {f"org.{name}": org[name] for name in ("id", "external_id", "name", "kind", "parent_org_id")}


def protection_outputs(emulator: Emulator) -> dict[str, object]:
    """What the emulator says about the program's protection."""
    state = emulator.state()
    resource = next(item for item in state["resources"] if item["name"] == "wei.zhang@contoso.example")
    protection = next(item for item in state["protections"] if item["resource_id"] == resource["id"])
    return {
        "wei.id": f"{resource['tenant_id']}/{resource['id']}",
        "wei.tenant_id": resource["tenant_id"],
        "wei.resource_id": resource["id"],
        "wei.policy_id": protection["policy_id"],
        "wei.own_policy_id": protection["policy_id"],
        "wei.job_id": protection["job_id"],
        "wei.protection_id": protection["id"],
        "wei.resource": "wei.zhang@contoso.example",
        "wei.policy": "Gold",
        "wei.on_conflict": "fail",
        "wei.on_destroy": "unprotect",
    }


def test_a_stack_is_made_left_alone_refreshed_and_destroyed(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    protected_before = {protection["resource_id"] for protection in emulator.state()["protections"]}

    preview = stack.preview()
    assert preview.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}
    assert emulator.writes() == [], "a preview wrote"

    up = stack.up()
    assert up.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}
    outputs = stack.outputs()
    assert {**org_outputs(emulator), **protection_outputs(emulator)} == {
        name: value for name, value in outputs.items() if name not in {"org.admin_email", "org.invitation_url"}
    }
    assert str(outputs["org.invitation_url"]).startswith("https://")

    emulator.clear_requests()
    assert stack.up().steps == {}
    assert stack.refresh().steps == {}
    assert stack.preview().steps == {}
    assert emulator.writes() == [], "what changes nothing wrote"
    assert outputs == stack.outputs(), "a refresh changed outputs"

    destroy = stack.destroy()
    assert destroy.steps == {"fabrikam": "delete", "wei": "delete", "drive": "delete"}
    assert "stays in the service" in destroy.messages["fabrikam"]
    state = emulator.state()
    assert protected_before == {protection["resource_id"] for protection in state["protections"]}
    assert sum(org["external_id"] == "crm-1042" for org in state["orgs"]) == 1

    again = stack.up()
    assert again.steps == {"fabrikam": "create", "wei": "create", "drive": "create"}
    assert outputs["org.id"] == stack.outputs()["org.id"], "a second organization was made"


CHANGES: dict[str, tuple[str, str, dict[str, str], set[str]]] = {
    "another policy": ('policy="Gold"', 'policy="Bronze"', {"wei": "update"}, {"policy", "policy_id"}),
    "another resource": ("wei.zhang", "yuki.tanaka", {"wei": "replace"}, {"resource"}),
    "what happens on destroy": (
        'policy="Gold"',
        'policy="Gold", on_destroy="keep"',
        {"wei": "update"},
        {"on_destroy"},
    ),
    "the id in place of the name": ('"wei.zhang@contoso.example"', "WEI_ID", {}, set[str]()),
    "the external id in place of the name": ('"wei.zhang@contoso.example"', "WEI_EXTERNAL_ID", {}, set[str]()),
    "the name in capitals": ('"wei.zhang@contoso.example"', '"Wei.ZHANG@Contoso.Example"', {}, set[str]()),
    "the policy's id in place of its name": ('policy="Gold"', 'policy="policy-contoso-gold"', {}, set[str]()),
}


def test_a_preview_names_what_a_change_of_the_program_changes(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    resource_id = str(stack.outputs()["wei.resource_id"])
    external_id = next(item["external_id"] for item in emulator.state()["resources"] if item["id"] == resource_id)
    emulator.clear_requests()
    for change, (old, new, steps, properties) in CHANGES.items():
        new = new.replace("WEI_ID", repr(resource_id)).replace("WEI_EXTERNAL_ID", repr(f"ext${external_id}"))  # noqa: PLW2901
        stack.write(PROGRAM.replace(old, new))
        preview = stack.preview()
        assert (steps, properties) == (preview.steps, preview.differing.get("wei", set()) - {"resource_id"}), change
    assert emulator.writes() == [], "a preview wrote"


REFUSED_CHANGES = {
    "name": ('name="Fabrikam"', 'name="Fabrikam AG"', "rename it in the portal"),
    "external_id": ("crm-1042", "crm-2042", "declare another resource"),
    "parent_org_id": ('name="Fabrikam"', 'name="Fabrikam", parent_org_id="org-alpine"', "declare another resource"),
    "admin_email": ("it@fabrikam", "boss@fabrikam", "ignore_changes"),
}


def test_a_change_that_the_service_cannot_make_fails_in_the_preview(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.clear_requests()
    for property_, (old, new, advice) in REFUSED_CHANGES.items():
        stack.write(PROGRAM.replace(old, new))
        preview = stack.preview()
        assert preview.failed, property_
        assert property_ in preview.messages["fabrikam"]
        assert advice in preview.messages["fabrikam"]
    assert emulator.writes() == [], "a preview wrote"


def test_a_changed_policy_is_swapped_in_place(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    stack.write(PROGRAM.replace('policy="Gold"', 'policy="Bronze"'))
    assert stack.up().steps == {"wei": "update"}
    resource_id = stack.outputs()["wei.resource_id"]
    on = [item["policy_id"] for item in emulator.state()["protections"] if item["resource_id"] == resource_id]
    assert on == ["policy-contoso-bronze"]
    assert stack.up().steps == {}


def test_another_resource_is_protected_before_the_old_one_is_not(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.clear_requests()
    stack.write(PROGRAM.replace("wei.zhang", "yuki.tanaka"))
    stack.up()
    assert [write["operation"] for write in emulator.writes()] == ["protect_resource", "unprotect_resource"]


def test_a_resource_renamed_in_the_program_stays_protected(stack: Stack, emulator: Emulator) -> None:
    stack.write(PROGRAM)
    stack.up()
    emulator.clear_requests()
    stack.write(PROGRAM.replace('Protection("wei"', 'Protection("mr-zhang"'))
    assert stack.up().steps == {"mr-zhang": "create", "wei": "delete"}
    assert emulator.writes() == []


@pytest.mark.parametrize("name", ["wei", "fabrikam"])
def test_what_is_read_and_not_managed_is_there_or_an_error(stack: Stack, emulator: Emulator, name: str) -> None:
    existing, missing = {
        "wei": ("Protection.get('wei', 'tenant-contoso/res-contoso-user-01')", "tenant-contoso/res-contoso-user-20"),
        "fabrikam": ("Org.get('fabrikam', 'org-adatum')", "org-nowhere"),
    }[name]
    show = f"\npulumi.export('found', {name}.{'policy_id' if name == 'wei' else 'name'})"
    stack.write(f"{name} = {existing}{show}")
    assert not stack.up().failed
    on = {item["resource_id"]: item["policy_id"] for item in emulator.state()["protections"]}
    assert {"wei": on["res-contoso-user-01"], "fabrikam": "Adatum"}[name] == stack.outputs()["found"]

    id_ = existing.split("'")[3]
    stack.write(f"{name} = {existing.replace(id_, missing)}{show}")
    up = stack.up()
    assert up.failed
    assert missing.rsplit("/", 1)[-1] in up.messages[name]
    assert not traceback_in(up)
