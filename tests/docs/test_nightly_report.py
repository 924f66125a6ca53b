"""The guide to a nightly report: the commands of both pipelines, run as a build machine runs them."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from support import HANG, Emulator
from support.cli.commands import COMMANDS, PYTHON, options
from support.cli.getting import settings
from support.pages import blocks
from support.shell import write_script

GITHUB, GITLAB = map(yaml.safe_load, blocks("guides/nightly-report.md", "yaml"))
STEPS: Sequence[Mapping[str, Any]] = GITHUB["jobs"]["report"]["steps"]
AT_GITHUB = [step["run"] for step in STEPS if "run" in step]
AT_GITLAB = [*GITLAB["report"]["script"], *GITLAB["report"]["after_script"]]
REPORT, COVERAGE = (script for script in AT_GITHUB if script.startswith("dataprotection "))


def commands(scripts: Sequence[str]) -> list[list[str]]:
    """Return the words of our commands."""
    return [script.split() for script in scripts if script.startswith("dataprotection ")]


@pytest.fixture
def machine(emulator: Emulator, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Return a checkout, and the variables of a build machine whose `gh` and `curl` keep what they post."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("gh", "curl"):
        write_script(tools / name, f'printf "%s\\n" "$@" > {name}.words; cp report.md posted.md')
    write_script(tools / "dataprotection", f'exec {shlex.join(PYTHON)} "$@"')
    (tmp_path / "ignore.csv").write_text("pattern,reason\n")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    of_gitlab = {"CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "1", "REPORT_TOKEN": "token"}
    ours = settings(emulator, emulator.read_only_key)
    return tmp_path, {**os.environ, **ours, **of_gitlab, "REPORT_ISSUE": "7", "PATH": path}


def run(machine: tuple[Path, dict[str, str]], script: str) -> int:
    """Run a script of a pipeline, and return its status."""
    folder, environment = machine
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, timeout=HANG, check=False).returncode


def test_both_pipelines_run_the_same_commands_which_exist() -> None:
    assert commands(AT_GITHUB) == commands(AT_GITLAB)
    for words in commands(AT_GITHUB):
        used = {word for word in words if word.startswith("--")}
        assert used <= options(COMMANDS[" ".join(words[:2])])


def test_versions_are_pinned_and_permissions_are_minimal() -> None:
    assert {"contents": "read", "issues": "write"} == GITHUB["permissions"]
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in STEPS if "uses" in step)
    assert re.fullmatch(r"[\w/.-]+:\d+\.\d+\.\d+", GITLAB["report"]["image"])


@pytest.mark.parametrize(("poster", "scripts"), [("gh", AT_GITHUB), ("curl", AT_GITLAB)])
def test_the_report_is_posted_and_the_next_night_compares(
    machine: tuple[Path, dict[str, str]], emulator: Emulator, poster: str, scripts: Sequence[str]
) -> None:
    folder, _ = machine
    post = next(script for script in scripts if f"{poster} " in script)
    assert 0 == run(machine, REPORT)
    protection = emulator.state()["protections"][0]
    emulator.patch({"protections": [{**protection, "deleted": True}]})
    assert (0, 0) == (run(machine, REPORT), run(machine, post))
    assert "unprotected items | 30 | 31" in (folder / "posted.md").read_text()
    assert "7" in re.findall(r"\d+", (folder / f"{poster}.words").read_text())
    assert 7 == run(machine, COVERAGE), "the seed has many unprotected items"
    assert [] == emulator.writes()


def test_an_incomplete_report_is_posted_and_fails_the_pipeline(
    machine: tuple[Path, dict[str, str]], emulator: Emulator
) -> None:
    with emulator.faults({"operation": "list_resources", "path": "*/tenant-adatum/*", "do": ["status:403"]}):
        assert 1 == run(machine, REPORT)
    assert {"report.html", "report.md", "report.json"} <= {path.name for path in machine[0].iterdir()}
    posting = [
        step for step in STEPS if re.search("gh issue|upload|cache/save", f"{step.get('run')} {step.get('uses')}")
    ]
    assert [True, True, True] == ["always()" in step["if"] for step in posting]
    assert ("always", "always") == (GITLAB["report"]["cache"]["when"], GITLAB["report"]["artifacts"]["when"])
