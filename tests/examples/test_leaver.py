"""The example of leavers, on the real engine and on driven time."""

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, Outcome, Stack, StackFactory
from support import ROOT

EXAMPLE = ROOT / "examples/leaver"
TENANT = "tenant-contoso"

Leaving = Callable[..., Outcome]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the example without leavers."""
    return shutil.copytree(EXAMPLE, tmp_path / "leaver")


@pytest.fixture
def staff(folder: Path, dataprotection_stack: StackFactory) -> Stack:
    """Return a stack of the example that protects all people."""
    stack = dataprotection_stack(folder, config={"tenantId": TENANT})
    assert {"people": "create"} == stack.up().steps
    return stack


def write_leavers(folder: Path, *lines: str) -> None:
    (folder / "leavers.txt").write_text("\n".join(["# who leaves", *lines, ""]))


def archive(emulator: Emulator, number: str) -> None:
    """Archive the mailbox of a person, so that its backups fail."""
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": f"res-contoso-user-{number}", "archived": True}]})


def writes(outcome: Outcome) -> list[str]:
    """Return the writes as "run" with the job, and "unprotect" with the person."""
    names = {"trigger_job": "run", "unprotect_resource": "unprotect"}
    return sorted(
        names[write["operation"] or ""] + " " + write["path"].split("/")[-2].removeprefix("res-contoso-user-")
        for write in outcome.writes
    )


def jobs(emulator: Emulator) -> dict[object, object]:
    """The job of each protected resource."""
    return {one["resource_id"]: one["job_id"] for one in emulator.state()["protections"]}


def test_each_leaver_is_backed_up_once_and_then_unprotected(
    staff: Stack, folder: Path, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    job = {number: jobs(emulator)[f"res-contoso-user-{number}"] for number in ("09", "10", "11")}

    write_leavers(folder, "Łukasz.Nowak@contoso.example", "ext$usr-1010", "nobody@contoso.example")
    steps = {"final-res-contoso-user-09": "create", "final-res-contoso-user-10": "create", "people": "update"}
    preview = staff.preview()
    assert (steps, []) == (preview.steps, preview.writes), "a preview runs nothing"
    left = staff.up()
    assert steps == left.steps, left.text
    assert sorted(["unprotect 09", "unprotect 10", f"run {job['09']}", f"run {job['10']}"]) == writes(left)
    assert {"leavers": 2, "unknown in leavers.txt": ["nobody@contoso.example"]} == left.outputs
    ended = {task["job_id"]: task for task in emulator.state()["tasks"]}
    last = max(datetime.fromisoformat(str(ended[job[number]]["finished_at"])) for number in ("09", "10"))
    off = [datetime.fromisoformat(one["at"]) for one in left.requests if one["operation"] == "unprotect_resource"]
    assert last <= min(off), "a person was unprotected before all final backups had ended"

    archive(emulator, "09")
    again = staff.up()
    assert ({}, []) == (again.steps, again.writes), again.text

    write_leavers(folder, "Łukasz.Nowak@contoso.example", "ext$usr-1010", "res-contoso-user-11")
    one_more = staff.up()
    assert {"final-res-contoso-user-11": "create", "people": "update"} == one_more.steps, one_more.text
    assert sorted(["unprotect 11", f"run {job['11']}"]) == writes(one_more)

    staff.unprotect_state()
    gone = staff.destroy()
    assert not gone.failed, gone.text
    assert {"unprotect_resource"} == {write["operation"] for write in gone.writes}, "a destroy runs no job"
    assert {f"res-contoso-user-{number:02}" for number in range(1, 9)} == {
        one for one in jobs(emulator) if str(one).startswith("res-contoso-user-")
    }


def test_a_leaver_whose_final_backup_fails_stays_protected(
    staff: Stack, folder: Path, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    before = jobs(emulator)
    archive(emulator, "09")
    write_leavers(folder, "res-contoso-user-09", "res-contoso-user-10")
    for _ in range(2):
        failed = staff.up()
        assert failed.failed
        assert "is failed" in failed.messages["final-res-contoso-user-09"]
        assert before == jobs(emulator)

    write_leavers(folder, "res-contoso-user-10")
    fixed = staff.up()
    assert not fixed.failed, fixed.text
    assert ["unprotect 09", "unprotect 10"] == writes(fixed), "a second final backup ran"
