"""The example with a stack for each customer, on the real engine: three stacks of two projects in one backend."""

from pulumi_dataprotection.testing import Emulator, StackFactory
from support import ROOT

EXAMPLE = ROOT / "examples/stack-per-customer"
PARENT = {"parentOrgId": "org-alpine"}
CONTOSO, NORTHWIND, BRANCH = "tenant-contoso", "tenant-northwind", "tenant-a-branch"


def connect(emulator: Emulator, tenant_id: str, org_id: str) -> None:
    """Give a customer a workspace with two people."""
    emulator.patch(
        {
            "tenants": [{"id": tenant_id, "org_id": org_id, "name": "New", "created_at": "2026-01-01T00:00:00Z"}],
            "policies": [{"tenant_id": tenant_id, "id": f"silver-{tenant_id}", "name": "Silver"}],
            "resources": [
                {"tenant_id": tenant_id, "id": f"{tenant_id}-{number}", "name": f"person-{number}"} for number in (1, 2)
            ],
        }
    )


def protections(emulator: Emulator, tenant_id: str) -> int:
    return sum(one["tenant_id"] == tenant_id for one in emulator.state()["protections"])


def test_the_stack_of_each_customer_finds_its_organization_by_its_number(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    connect(emulator, NORTHWIND, "org-northwind")
    before = protections(emulator, CONTOSO)
    msp = dataprotection_stack(EXAMPLE / "msp", name="prod", config=PARENT)
    contoso = dataprotection_stack(EXAMPLE / "customer", name="contoso", config={**PARENT, "externalId": "crm-1002"})
    northwind = dataprotection_stack(
        EXAMPLE / "customer", name="northwind", config={**PARENT, "externalId": "crm-1001", "policy": "Silver"}
    )

    declared = msp.up()
    assert {"contoso": "create", "northwind": "create"} == declared.steps, declared.text
    assert ({"contoso": "org-contoso", "northwind": "org-northwind"}, []) == (declared.outputs["orgs"], declared.writes)

    for stack, tenant_id, people in ((contoso, CONTOSO, 29), (northwind, NORTHWIND, 2)):
        first = stack.up()
        assert ({tenant_id: "create"}, people) == (first.steps, first.outputs.get("protected")), first.text
    assert 2 == protections(emulator, NORTHWIND)

    again = contoso.up()
    assert ({}, []) == (again.steps, again.writes)
    # A new workspace that comes first in the list is protected too.
    connect(emulator, BRANCH, "org-northwind")
    second = northwind.up()
    assert ({BRANCH: "create"}, 4) == (second.steps, second.outputs["protected"]), second.text
    assert (2, 2) == (protections(emulator, NORTHWIND), protections(emulator, BRANCH))

    kept = contoso.destroy()
    assert (True, []) == (kept.failed, kept.writes)
    contoso.unprotect_state()
    assert not contoso.destroy().failed
    assert (before, 2) == (protections(emulator, CONTOSO), protections(emulator, NORTHWIND))


def test_a_customer_without_an_organization_or_a_workspace_is_an_error(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    said = {
        "crm-9": '"crm-9" below org-alpine',
        "crm-1001": "Northwind Traders has no workspace",
    }
    for number, text in said.items():
        stack = dataprotection_stack(EXAMPLE / "customer", name=number, config={**PARENT, "externalId": number})
        preview = stack.preview()
        assert preview.failed
        assert text in preview.text
        assert "Traceback" not in preview.text
    assert [] == dataprotection_emulator.writes()
