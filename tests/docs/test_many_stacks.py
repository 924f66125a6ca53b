"""The guide to many stacks in a pipeline: both files do the same, within the call budget, and their commands run."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_dataprotection.client import OPTIONS
from support import ROOT, Emulator, run_process
from support.engine.stack import Stack
from support.pages import blocks
from support.resources.contoso import JANE, unprotect

GUIDE = "guides/many-stacks.md"
GITHUB, GITLAB = map(yaml.safe_load, blocks(GUIDE, "yaml"))
(HUNDREDS,) = blocks(GUIDE, "sh")
EXAMPLE = ROOT / "examples/pipeline"
JOBS = ("preview", "up", "drift")
DRIFT = 7
DEFAULT = next(float(option.default) for option in OPTIONS if option.key == "callsPerSecond")


def github_commands(name: str) -> list[str]:
    return [step["run"] for step in GITHUB["jobs"][name]["steps"] if "run" in step]


@pytest.mark.parametrize("name", JOBS)
def test_both_files_run_the_commands_of_the_example_for_a_single_stack(name: str) -> None:
    example: Any = yaml.safe_load((EXAMPLE / ".github/workflows/backup.yaml").read_text())["jobs"][name]
    install, command = github_commands(name)
    assert [install, command] == [*GITLAB["default"]["before_script"][1:], *GITLAB[name]["script"]]
    single = [step["run"] for step in example["steps"] if "run" in step]
    assert single == [install, command.replace('"$STACK"', "prod").partition(" | tee")[0]]
    job = GITHUB["jobs"][name]
    assert (example["env"], example["container"]) == (
        {variable: value for variable, value in job["env"].items() if variable != "STACK"},
        job["container"],
    )
    assert job["container"] == GITLAB["default"]["image"]
    key = re.findall(r"secrets\.(\w+)", job["env"]["DATAPROTECTION_API_KEY"])
    assert [GITLAB[name]["variables"]["DATAPROTECTION_API_KEY"]] == [f"${one}" for one in key]


def test_all_jobs_of_a_run_together_keep_the_default_budget() -> None:
    rate = float(GITHUB["env"]["DATAPROTECTION_CALLS_PER_SECOND"])
    assert {DEFAULT} == {GITHUB["jobs"][name]["strategy"]["max-parallel"] * rate for name in JOBS}
    assert rate == float(GITLAB["variables"]["DATAPROTECTION_CALLS_PER_SECOND"])


@pytest.mark.parametrize("name", JOBS)
def test_a_failed_stack_stops_no_other_stack(name: str) -> None:
    job = GITHUB["jobs"][name]
    assert job["strategy"]["fail-fast"] is False
    assert GITLAB[name]["extends"] == ".stack"


def test_runs_of_up_wait_for_each_other_by_stack_and_actions_are_pinned() -> None:
    up = GITHUB["jobs"]["up"]
    assert {"group": "up-${{ matrix.stack }}", "cancel-in-progress": False} == up["concurrency"]
    assert "up-$STACK" == GITLAB["up"]["resource_group"]
    assert "production" == up["environment"] == GITLAB["up"]["environment"]
    used = [step["uses"] for job in GITHUB["jobs"].values() for step in job["steps"] if "uses" in step]
    assert [] == [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)]


def run(command: str, folder: Path, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command as both services do."""
    return run_process(["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=environment)


def test_the_list_has_each_stack_with_a_file(tmp_path: Path) -> None:
    for name in ("Pulumi.yaml", "Pulumi.crm-1001.yaml", "Pulumi.crm-1002.yaml"):
        (tmp_path / name).touch()
    output = tmp_path / "output"
    (command,) = github_commands("list")
    ended = run(command, tmp_path, {**os.environ, "GITHUB_OUTPUT": str(output)})
    assert 0 == ended.returncode, ended.stderr
    name, _, stacks = output.read_text().partition("=")
    assert ("stacks", ["crm-1001", "crm-1002"]) == (name, json.loads(stacks))


def test_few_jobs_together_run_each_of_many_stacks_once(tmp_path: Path) -> None:
    names = [f"crm-{number}" for number in range(1001, 1014)]
    for name in names:
        (tmp_path / f"Pulumi.{name}.yaml").touch()
    command = HUNDREDS.replace("timeout 3600 pulumi up", "echo")
    ran = [
        run(command, tmp_path, {**os.environ, "CI_NODE_TOTAL": "5", "CI_NODE_INDEX": str(index)}).stdout
        for index in range(1, 6)
    ]
    assert 5 == len([output for output in ran if output])
    assert names == sorted(re.findall(r"crm-\d+", "".join(ran)))


@pytest.mark.engine
def test_the_commands_preview_protect_and_find_drift_with_the_code_of_pulumi(
    emulator: Emulator, tmp_path: Path
) -> None:
    stack = Stack(tmp_path, emulator, "crm-1002")
    _, program = blocks("guides/stack-per-customer.md", "python")
    stack.write(program)

    def code(name: str, key: str) -> int:
        environment = {**stack.environment, "STACK": "crm-1002", "DATAPROTECTION_API_KEY": key}
        return run(github_commands(name)[1], tmp_path, environment).returncode

    read_only = emulator.read_only_key
    assert (0, []) == (code("preview", read_only), emulator.writes())
    assert "+ 3 to create" in (tmp_path / "preview-crm-1002.txt").read_text()
    assert 1 == code("preview", "key-of-nobody"), "the code of tee"
    assert (0, 0) == (code("up", emulator.api_key), code("drift", read_only))
    unprotect(emulator, JANE)
    assert DRIFT == code("drift", read_only)
    assert [DRIFT] == GITLAB["drift"]["allow_failure"]["exit_codes"]
