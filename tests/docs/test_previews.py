"""The steps of an `up`, as the page on previews describes them, on the real engine."""

import sys

from support import Emulator, run_process
from support.engine.stack import Stack
from support.pages import blocks
from support.resources.contoso import unprotect

MADE = """
    Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
    members = ["res-contoso-user-13", "res-contoso-user-14"]
    ProtectionSet("all", tenant_id="tenant-contoso", resources=members, policy="Gold")
"""
PROGRAM = """
    Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
    Org("northwind", external_id="crm-1001", name="Northwind Traders", parent_org_id="org-alpine")
    def protect(name, number, policy, **options):
        Protection(name, tenant_id="tenant-contoso", resource=f"res-contoso-user-{number}", policy=policy, **options)
    protect("wei", 12, "Gold")
    protect("jane", "01", "Silver")
    protect("own", "04", "Silver", adopt="own")
    protect("taken", "02", "Gold", on_conflict="take_over")
    members = {"res-contoso-user-14": "Silver", "res-contoso-user-15": "Gold", "res-contoso-user-03": "Gold"}
    ProtectionSet("all", tenant_id="tenant-contoso", assignments=members, on_conflict="accept")
"""
STEPS = """
all adopt 1
all protect 1
all unprotect 1
fabrikam create 1
jane adopt 1
northwind adopt 1
own own 1
taken change 1
wei protect again 1
"""


def test_the_program_of_the_page_reads_the_steps(stack: Stack, emulator: Emulator) -> None:
    (reader,) = blocks("previews.md", "python")
    stack.deploy(MADE)
    unprotect(emulator, "res-contoso-user-12")
    # A warning about licences is not a step.
    emulator.patch({"quotas": [{"tenant_id": "tenant-contoso", "kind": "resource", "count": "1"}]})
    stack.write(PROGRAM)
    read = run_process([sys.executable, "-c", reader], input=stack.preview_json(), check=True)
    assert STEPS.split("\n")[1:-1] == sorted(read.stdout.splitlines())
