"""`dataprotection adopt --update` as a process that is killed while it writes, or that finds a full disk."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import Emulator, run_process
from support.cli.adopting import adopt, files
from support.cli.commands import PYTHON
from support.cli.getting import settings

TENANTS = 12
FULL_DISK = ("sh", "-c", 'ulimit -f "$0"; exec "$@"')
"""Runs a command that can write files up to a number of kilobytes."""


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
        paths = [path for path in before if "tenants/" in path]
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
    command = [*FULL_DISK, "2", *PYTHON, "adopt", "--out", str(folder), "--update"]
    ended = run_process(command, env={**os.environ, **settings(emulator, emulator.read_only_key)})
    assert (1, True) == (ended.returncode, ended.stderr.startswith("Error: Cannot write ")), ended
    assert before.keys() == files(folder).keys()
    for project in (folder, whole):
        assert 0 == adopt(emulator, project, "--update").exit_code
    assert files(whole) == files(folder)
