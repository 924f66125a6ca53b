"""The account of a run fails the run if an operation was never called, or if the coverage data of a process is lost."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pulumi_dataprotection.spec import OPERATIONS
from support import TESTS, run_process
from support.account import lost_coverage, missing
from support.notes import ANSWERED, SELECTED

pytestmark = pytest.mark.thorough

EVERY = {operation.id for operation in OPERATIONS}

SETTINGS = """
[run]
parallel = true
patch = subprocess
sigterm = true
"""
SUITE = """
import subprocess, sys

from support.notes import note_process


def test_one_process_ends_and_another_one_is_killed():
    for name, ending in (("ended", "terminate"), ("killed", "kill")):
        process = subprocess.Popen(
            [sys.executable, "-c", "print(flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        note_process(process.pid, f"the process that was {name}")
        process.stdout.readline()
        getattr(process, ending)()
        process.communicate()
"""


@pytest.mark.parametrize(
    ("noted", "expected"),
    [
        ({SELECTED: {"tests"}, "operations": EVERY}, []),
        ({SELECTED: {"tests"}, "operations": EVERY - {"get_task"}}, ["no test calls these operations: get_task"]),
        ({SELECTED: {"engine"}, "operations": EVERY - {"get_task"}}, []),
        ({SELECTED: {"emulator"}, ANSWERED: EVERY}, []),
        (
            {SELECTED: {"emulator"}, ANSWERED: EVERY - {"get_task"}},
            ["add to tests/emulator/test_*.py, in the file of the noun, tests of: get_task"],
        ),
    ],
    ids=["all called", "one not called", "a part of the suite", "all answered", "one not answered"],
)
def test_an_operation_that_the_whole_suite_does_not_call_is_missing(
    noted: Mapping[str, set[str]], expected: list[str]
) -> None:
    assert expected == [sentence for sentence in missing(noted) if "coverage" not in sentence]


def test_a_contract_suite_that_leaves_everything_out_names_dialects_operations_and_faults() -> None:
    sentences = "\n".join(missing({SELECTED: {"contract"}}))
    assert "no test of the contract calls create_org in these dialects: published, plain, " in sentences
    assert "no test of the contract meets these faults: cut, disguised, doubled_item, " in sentences


def test_a_process_without_a_data_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".coverage.machine.pid17.Xabcx").touch()
    lost = [*lost_coverage(str(tmp_path / ".coverage"), ["17 the first", "7 the second"])]
    assert [True] == ["the second (process 7)" in sentence for sentence in lost]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_run_that_loses_coverage_data_fails_and_names_the_process(tmp_path: Path, workers: int) -> None:
    (tmp_path / ".coveragerc").write_text(SETTINGS)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["support.account"]\n')
    (tmp_path / "test_suite.py").write_text(SUITE)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTEST_"))}
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", f"--numprocesses={workers}"]
    ended = run_process(
        [*command, "-p", "no:schemathesis", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(TESTS)},
    )
    named = [line for line in ended.stdout.splitlines() if line.startswith("MISSING: ")]
    assert (pytest.ExitCode.TESTS_FAILED, 1) == (ended.returncode, len(named)), ended.stdout + ended.stderr
    assert "the process that was killed" in named[0]
