"""The example with a stack for each customer, on the real engine: three stacks of two projects in one backend."""

from pathlib import Path

from pulumi_dataprotection.testing import Emulator, StackFactory

EXAMPLE = Path(__file__).parents[2] / "examples/stack-per-customer"
NORTHWIND = "tenant-northwind"


def connect_northwind(emulator: Emulator) -> None:
    """Give the second customer a workspace with two people."""
    emulator.patch(
        {
            "tenants": [
                {"id": NORTHWIND, "org_id": "org-northwind", "name": "Northwind", "created_at": "2026-01-01T00:00:00Z"}
            ],
            "policies": [{"tenant_id": NORTHWIND, "id": "silver", "name": "Silver"}],
            "resources": [{"tenant_id": NORTHWIND, "id": f"nw-{number}", "name": f"nw-{number}"} for number in (1, 2)],
        }
    )


def protections(emulator: Emulator, tenant_id: str) -> int:
    return sum(one["tenant_id"] == tenant_id for one in emulator.state()["protections"])


def test_each_customer_has_a_stack_that_finds_its_organization_in_the_stack_of_all(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    connect_northwind(emulator)
    before = protections(emulator, "tenant-contoso")
    msp = dataprotection_stack(EXAMPLE / "msp", name="prod", config={"parentOrgId": "org-alpine"})
    contoso = dataprotection_stack(EXAMPLE / "customer", name="contoso", config={"customer": "contoso"})
    northwind = dataprotection_stack(
        EXAMPLE / "customer", name="northwind", config={"customer": "northwind", "policy": "Silver"}
    )

    declared = msp.up()
    assert {"contoso": "create", "northwind": "create"} == declared.steps, declared.text
    assert ({"contoso": "org-contoso", "northwind": "org-northwind"}, []) == (declared.outputs["orgs"], declared.writes)

    for stack, people in ((contoso, 29), (northwind, 2)):
        first = stack.up()
        assert ({"people": "create"}, people) == (first.steps, first.outputs.get("protected")), first.text
    assert 2 == protections(emulator, NORTHWIND)

    again = contoso.up()
    assert ({}, []) == (again.steps, again.writes)

    kept = contoso.destroy()
    assert (True, []) == (kept.failed, kept.writes)
    contoso.unprotect_state()
    assert not contoso.destroy().failed
    assert (before, 2) == (protections(emulator, "tenant-contoso"), protections(emulator, NORTHWIND))


def test_a_customer_who_is_not_in_the_stack_of_all_is_an_error(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    msp = dataprotection_stack(EXAMPLE / "msp", name="prod", config={"parentOrgId": "org-alpine"})
    tailspin = dataprotection_stack(EXAMPLE / "customer", name="tailspin", config={"customer": "tailspin"})
    msp.up()
    preview = tailspin.preview()
    assert preview.failed
    assert 'the stack of all customers has no "tailspin"' in preview.text
    assert [] == dataprotection_emulator.writes()
