"""Commands that are killed while they write files, or that find a full disk."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import HANG, Emulator, run_process
from support.cli.adopting import adopt, files
from support.cli.commands import PYTHON
from support.cli.getting import settings

TENANTS = 12


def run_on_full_disk(emulator: Emulator, blocks: int, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that can write files up to a number of blocks of 512 bytes."""
    variables = {**os.environ, **settings(emulator, emulator.read_only_key)}
    # Python would write a part of its bytecode, and use it in the next run.
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    limited = ("sh", "-c", 'ulimit -f "$0"; exec "$@"', str(blocks))
    return run_process([*limited, *PYTHON, *words], env=variables)


def swap_all(emulator: Emulator, number: int) -> None:
    """Swap the policy of one protected item of each tenant, and of another item with each number."""
    state = emulator.state()
    swapped: list[dict[str, object]] = []
    for tenant_id in sorted({one["tenant_id"] for one in state["protections"]}):
        protections = [one for one in state["protections"] if one["tenant_id"] == tenant_id]
        policies = sorted(one["id"] for one in state["policies"] if one["tenant_id"] == tenant_id)
        one = protections[number % len(protections)]
        other = policies[(policies.index(one["policy_id"]) + 1) % len(policies)]
        swapped.append({**one, "policy_id": other})
    emulator.patch({"protections": swapped})


def killed_update(emulator: Emulator, folder: Path, changed: int) -> None:
    """Kill an update as soon as a number of data files changed."""
    before = files(folder)
    command: Sequence[str] = [*PYTHON, "adopt", "--out", str(folder), "--update"]
    with subprocess.Popen(
        command,
        env={**os.environ, **settings(emulator, emulator.read_only_key)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        paths = [path for path in before if re.fullmatch(r".*tenants/.*\.yaml", path)]
        while process.poll() is None:
            if sum(before[path] != (folder / path).read_text("utf-8") for path in paths) >= changed:
                process.kill()


@pytest.mark.parametrize("style", ["names", "rules"])
def test_a_killed_update_is_finished_by_the_next(emulator: Emulator, tmp_path: Path, style: str) -> None:
    emulator.reset(f"estate:4x{TENANTS}x96")
    folder, whole = tmp_path / "estate", tmp_path / "whole"
    assert 0 == adopt(emulator, folder, "--as", style).exit_code
    shutil.copytree(folder, whole)
    for changed in (1, 4, TENANTS):
        # The service goes on to change between the updates.
        swap_all(emulator, changed)
        killed_update(emulator, folder, changed)
    for project in (folder, whole):
        result = adopt(emulator, project, "--update")
        assert (0, "") == (result.exit_code, result.stderr), result.output
    assert files(whole) == files(folder)


def test_an_update_on_a_full_disk_leaves_whole_files_and_the_next_finishes_it(
    emulator: Emulator, tmp_path: Path
) -> None:
    folder, whole = tmp_path / "estate", tmp_path / "whole"
    adopt(emulator, folder)
    shutil.copytree(folder, whole)
    swap_all(emulator, 1)
    before = files(folder)
    ended = run_on_full_disk(emulator, 2, "adopt", "--out", str(folder), "--update")
    assert (1, True) == (ended.returncode, ended.stderr.startswith("Error: Cannot write ")), ended
    assert before.keys() == files(folder).keys()
    for project in (folder, whole):
        assert 0 == adopt(emulator, project, "--update").exit_code
    assert files(whole) == files(folder)


def test_an_adoption_on_a_full_disk_leaves_no_project_and_the_next_run_goes_on(
    emulator: Emulator, tmp_path: Path
) -> None:
    folder = tmp_path / "estate"
    ended = run_on_full_disk(emulator, 8, "adopt", "--out", str(folder))
    assert (1, False) == (ended.returncode, folder.exists()), ended
    assert ended.stderr.startswith("Error: Cannot write ")
    assert 0 == adopt(emulator, folder).exit_code
    assert [folder] == [*tmp_path.iterdir()]


def test_a_report_on_a_full_disk_leaves_the_last_report(emulator: Emulator, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("yesterday")
    ended = run_on_full_disk(emulator, 2, "report", "--out", str(out))
    assert (1, "yesterday", [out]) == (ended.returncode, out.read_text(), [*tmp_path.iterdir()])
    assert "report.html cannot be written" in ended.stderr


def test_two_reports_at_once_leave_one_whole_report(emulator: Emulator, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    command = [*PYTHON, "report", "--out", str(out)]
    processes = [subprocess.Popen(command, env={**os.environ, **settings(emulator)}) for _ in range(3)]
    assert [0, 0, 0] == [process.wait(timeout=HANG) for process in processes]
    assert 2 == len(json.loads(out.read_text())["customers"])
    assert [out] == [*tmp_path.iterdir()]
