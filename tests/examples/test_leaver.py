"""The example of people who leave, on the real engine, with waits that are over at once."""

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
    """A copy of the example, in which nobody has left yet."""
    return shutil.copytree(EXAMPLE, tmp_path / "leaver")


@pytest.fixture
def staff(folder: Path, dataprotection_stack: StackFactory) -> Stack:
    """A stack of the example with everybody protected."""
    stack = dataprotection_stack(folder, config={"tenantId": TENANT})
    assert {"people": "create"} == stack.up().steps
    return stack


def write_leavers(folder: Path, *lines: str) -> None:
    (folder / "leavers.txt").write_text("\n".join(["# who leaves", *lines, ""]))


def archive(emulator: Emulator, number: str) -> None:
    """Let somebody's mailbox be archived, so that it can no longer be backed up."""
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": f"res-contoso-user-{number}", "archived": True}]})


def writes(outcome: Outcome) -> list[str]:
    """What was written, as "run" and "unprotect" with whose it is."""
    names = {"trigger_job": "run", "unprotect_resource": "unprotect"}
    return sorted(
        names[write["operation"] or ""] + " " + write["path"].split("/")[-2].removeprefix("res-contoso-user-")
        for write in outcome.writes
    )


def jobs(emulator: Emulator) -> dict[object, object]:
    """The job of each protected resource."""
    return {one["resource_id"]: one["job_id"] for one in emulator.state()["protections"]}


def test_each_leaver_is_backed_up_once_and_then_not_protected_any_more(
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
    assert last <= min(off), "somebody was unprotected before all final backups had ended"

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
    assert {"unprotect_resource"} == {write["operation"] for write in gone.writes}, "nothing runs when it is destroyed"
    assert {f"res-contoso-user-{number:02}" for number in range(1, 9)} == {
        one for one in jobs(emulator) if str(one).startswith("res-contoso-user-")
    }


def test_whose_final_backup_fails_stays_protected(
    staff: Stack, folder: Path, dataprotection_emulator: Emulator
) -> None:
    emulator = dataprotection_emulator
    before = jobs(emulator)
    archive(emulator, "09")
    write_leavers(folder, "res-contoso-user-09", "res-contoso-user-10")
    for _ in range(2):
        failed = staff.up()
        assert failed.failed
        assert "the resource can no longer be backed up" in failed.messages["final-res-contoso-user-09"]
        assert before == jobs(emulator)

    write_leavers(folder, "res-contoso-user-10")
    mended = staff.up()
    assert not mended.failed, mended.text
    assert ["unprotect 09", "unprotect 10"] == writes(mended), "who had a final backup needs no other"
