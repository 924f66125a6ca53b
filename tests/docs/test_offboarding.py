"""The guide to offboarding: a customer leaves, step by step, on the real engine and on driven time."""

import re
from pathlib import Path

from pulumi_dataprotection.testing import Emulator, Outcome, StackFactory
from support.pages import blocks

FINAL_BACKUP, UNPROTECT, DELETE_ARCHIVES = blocks("guides/offboarding.md", "python")
MSP, CUSTOMER = blocks("guides/stack-per-customer.md", "python")
WEEK = 7 * 86_400
TENANT = "tenant-contoso"


def succeeded(outcome: Outcome) -> Outcome:
    assert not outcome.failed, outcome.text
    return outcome


def operations(outcome: Outcome) -> dict[str | None, int]:
    """Count the writes of a command by operation, without those that the call limit of the emulator refused."""
    names = [write["operation"] for write in succeeded(outcome).writes if write["status"] == 200]
    return {name: names.count(name) for name in names}


def count(emulator: Emulator, table: str) -> int:
    return sum(record["tenant_id"] == TENANT for record in emulator.state()[table])


def test_a_customer_leaves_without_a_trace_but_its_organization(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path
) -> None:
    emulator = dataprotection_emulator
    (tmp_path / "Pulumi.yaml").write_text("{name: offboarding, runtime: python}")
    program = tmp_path / "__main__.py"
    customer = dataprotection_stack(CUSTOMER, name="crm-1002")
    succeeded(customer.up())
    protected = count(emulator, "protections")

    # 1. Each job runs once.
    program.write_text(FINAL_BACKUP)
    offboarding = dataprotection_stack(tmp_path, name="crm-1002", config={"reason": "contract 1002 ended"})
    tasks = {task["id"] for task in emulator.state()["tasks"]}
    started = offboarding.up()
    assert {"trigger_job": protected} == operations(started)
    assert protected == len(re.findall("final-", str(started.outputs["not done"])))
    emulator.advance(3600)
    task = next(task for task in emulator.state()["tasks"] if task["id"] not in tasks)
    emulator.patch({"tasks": [{**task, "status": "failed"}]})
    run = f"final-{task['job_id']}"
    seen = succeeded(offboarding.up("--refresh"))
    assert [run] == re.findall(r"final-[\w-]+", str(seen.outputs["not done"]))
    urn = f"urn:pulumi:crm-1002::offboarding::pulumi-python:dynamic/dataprotection:BackupRun::{run}"
    assert {"trigger_job": 1} == operations(offboarding.up("--replace", urn))
    emulator.advance(3600)
    finished = succeeded(offboarding.up("--refresh"))
    assert ({"not done": {}}, []) == (finished.outputs, finished.writes)

    # 2. The set owns what it adopted, and takes it along.
    customer.write(UNPROTECT)
    owned = succeeded(customer.up())
    assert ({TENANT: "update"}, []) == (owned.steps, owned.writes)
    assert "8 to own" in owned.text
    assert (True, []) == ((kept := customer.destroy()).failed, kept.writes)
    customer.unprotect_state()
    kinds = {record["id"]: record["kind"] for record in emulator.state()["resources"]}
    assert {"unprotect_resource": 29} == operations(customer.destroy())
    left = [kinds[one["resource_id"]] for one in emulator.state()["protections"] if one["tenant_id"] == TENANT]
    assert left == ["office_teamdrive"] * (protected - 29)

    # 3. The archives go after a week.
    archives = count(emulator, "archives")
    program.write_text(DELETE_ARCHIVES)
    assert {"delete_archive": archives} == operations(offboarding.up())
    emulator.advance(WEEK)
    emptied = succeeded(offboarding.up())
    assert ({"archives left": 0}, []) == (emptied.outputs, emptied.writes)
    assert emptied.messages == {}

    # 4. and 5. The organization stays.
    msp = dataprotection_stack(MSP, name="prod")
    succeeded(msp.up())
    msp.unprotect_state()
    msp.write("")
    released = succeeded(msp.up())
    assert ({"contoso": "delete", "northwind": "delete"}, []) == (released.steps, released.writes)
    assert "stays in the service" in released.messages["contoso"]
