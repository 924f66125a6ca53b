"""The example of a pipeline: the commands in its files, run as a build machine runs them."""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_dataprotection.testing import Emulator, StackFactory
from support import ROOT, run_process

EXAMPLE = ROOT / "examples/pipeline"
GITHUB: dict[Any, Any] = yaml.safe_load((EXAMPLE / ".github/workflows/backup.yaml").read_text())
GITLAB: dict[Any, Any] = yaml.safe_load((EXAMPLE / ".gitlab-ci.yml").read_text())
JOBS = ("preview", "up", "drift")
DRIFT = 7  # the exit code of the engine for unexpected changes


@dataclass(frozen=True)
class Job:
    """The commands of a job, and the setting of its key."""

    commands: Sequence[str]
    key: str


def github_job(name: str) -> Job:
    job = GITHUB["jobs"][name]
    (key,) = re.findall(r"^\$\{\{ secrets\.(\w+) \}\}$", job["env"]["DATAPROTECTION_API_KEY"])
    return Job([step["run"] for step in job["steps"] if "run" in step], key)


def gitlab_job(name: str) -> Job:
    job = GITLAB[name]
    key = job["variables"]["DATAPROTECTION_API_KEY"].removeprefix("$")
    return Job([*GITLAB["default"]["before_script"], *job["script"]], key)


@pytest.mark.parametrize("name", JOBS)
def test_both_pipelines_do_the_same(name: str) -> None:
    assert github_job(name) == gitlab_job(name)
    assert GITHUB["jobs"][name]["container"] == GITLAB["default"]["image"]


def test_only_up_has_the_full_key_and_forks_have_no_key() -> None:
    keys = {name: github_job(name).key for name in JOBS}
    only_read = "DATAPROTECTION_READ_ONLY_KEY"
    assert {"preview": only_read, "up": "DATAPROTECTION_FULL_KEY", "drift": only_read} == keys
    assert "production" == GITHUB["jobs"]["up"]["environment"] == GITLAB["up"]["environment"]
    # YAML reads the word `on` as true.
    assert {"pull_request", "push", "schedule"} == set(GITHUB[True])
    same_repository = "github.event.pull_request.head.repo.full_name == github.repository"
    assert same_repository in GITHUB["jobs"]["preview"]["if"]


def test_versions_are_pinned_permissions_are_minimal_and_runs_of_up_are_sequential() -> None:
    assert {"contents": "read"} == GITHUB["permissions"]
    steps = [step for job in GITHUB["jobs"].values() for step in job["steps"]]
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
    assert re.fullmatch(r"[\w/.-]+:\d+\.\d+\.\d+", GITLAB["default"]["image"])
    turns = {"group": "backup-prod", "cancel-in-progress": False}
    assert (turns, turns["group"]) == (GITHUB["jobs"]["up"]["concurrency"], GITLAB["up"]["resource_group"])
    others = [GITHUB["jobs"][name].get("concurrency", {}).get("group") for name in ("preview", "drift")]
    assert turns["group"] not in others


Machine = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def machine(dataprotection_stack: StackFactory, dataprotection_emulator: Emulator, tmp_path: Path) -> Machine:
    """Return a function that runs a job in a checkout of the example, with the stack of its docstring."""
    checkout = shutil.copytree(EXAMPLE, tmp_path / "checkout")
    environment = dataprotection_stack("", name="unused").environment
    del environment["DATAPROTECTION_API_KEY"], environment["DATAPROTECTION_BASE_URL"]
    secrets = {
        "DATAPROTECTION_FULL_KEY": dataprotection_emulator.api_key,
        "DATAPROTECTION_READ_ONLY_KEY": dataprotection_emulator.read_only_key,
    }

    def run(command: str, more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return run_process(["bash", "-euo", "pipefail", "-c", command], cwd=checkout, env={**environment, **more})

    def run_job(name: str) -> subprocess.CompletedProcess[str]:
        job = github_job(name)
        install, command = job.commands
        assert install.startswith("pip install ")  # the package itself is what is under test
        return run(command, {"DATAPROTECTION_API_KEY": secrets[job.key]})

    docstring = (checkout / "__main__.py").read_text().split('"""')[1]
    once = re.findall(r"^    (pulumi .*)$", docstring, re.MULTILINE)
    assert 3 == len(once)
    for command in once:
        ended = run(command.replace("https://…", dataprotection_emulator.url), {})
        assert 0 == ended.returncode, ended.stderr
    return run_job


def test_the_jobs_preview_deploy_find_drift_and_fix_it(machine: Machine, dataprotection_emulator: Emulator) -> None:
    emulator = dataprotection_emulator
    preview = machine("preview")
    assert (0, []) == (preview.returncode, emulator.writes()), preview.stdout + preview.stderr
    assert "+ 3 to create" in preview.stdout, "the stack, its set, and the part that removes members"

    up = machine("up")
    assert 0 == up.returncode, up.stdout + up.stderr
    assert 21 * ["protect_resource"] == [write["operation"] for write in emulator.writes()]
    emulator.clear_requests()

    quiet = machine("drift")
    assert (0, []) == (quiet.returncode, emulator.writes()), quiet.stdout + quiet.stderr

    # A policy that the set assigned, and a policy that it adopted.
    people = {"res-contoso-user-20", "res-contoso-user-01"}
    taken_off = [{**one, "deleted": True} for one in emulator.state()["protections"] if one["resource_id"] in people]
    newcomer = {"tenant_id": "tenant-contoso", "id": "res-contoso-user-31", "name": "new.hire@contoso.example"}
    emulator.patch({"protections": taken_off, "resources": [newcomer]})
    alarm = machine("drift")
    assert DRIFT == alarm.returncode, alarm.stdout + alarm.stderr
    assert "3 to protect" in alarm.stdout
    assert [] == emulator.writes()

    fixed = machine("up")
    assert 0 == fixed.returncode, fixed.stdout + fixed.stderr
    assert 3 * ["protect_resource"] == [write["operation"] for write in emulator.writes()]
