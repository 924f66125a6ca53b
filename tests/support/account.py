"""The account of a run: what its tests did, in all of its processes, and what is missing in the end.

A pytest plugin. The workers of pytest-xdist send what they noted to the process that started them, which fails the run
if anything is missing.
"""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import coverage
import pytest

from pulumi_dataprotection.spec import OPERATIONS
from pulumi_dataprotection.testing._control import HANG
from support import TESTS
from support.notes import ANSWERED, NOTED, PROCESSES, SELECTED, note, note_process

__all__ = ["lost_coverage", "missing"]

_MISSING = pytest.StashKey[list[str]]()


def missing(noted: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield a sentence for everything that a run should have done and did not."""
    uncalled = {operation.id for operation in OPERATIONS} - noted.get("operations", set())
    if uncalled and TESTS.name in noted.get(SELECTED, ()):
        yield f"no test calls these operations: {', '.join(sorted(uncalled))}"
    untested = {operation.id for operation in OPERATIONS} - noted.get(ANSWERED, set())
    if untested and "emulator" in noted.get(SELECTED, ()):
        yield f"add to tests/emulator/test_*.py, in the file of the noun, tests of: {', '.join(sorted(untested))}"
    if "contract" in noted.get(SELECTED, ()):
        # Its dialects take a second to compute, which other runs save.
        from support.contract.account import missing_from_contract  # noqa: PLC0415

        yield from missing_from_contract(noted)
    if measuring := coverage.Coverage.current():
        yield from lost_coverage(measuring.get_data().base_filename(), noted.get(PROCESSES, ()))


def lost_coverage(data_file: str, processes: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each process that left no coverage data.

    Args:
        data_file: the file that the names of all data files begin with.
        processes: ids and names, as `note_process` notes them.
    """
    for process in sorted(processes):
        pid, _, name = process.partition(" ")
        if not glob.glob(f"{glob.escape(data_file)}.*.pid{pid}.*"):  # noqa: PTH207 - the start of a path, no folder
            yield f"the coverage data of {name} (process {pid}) is lost: the process was killed, or could not write"


def pytest_configure(config: pytest.Config) -> None:
    """Let workers take their time to write their coverage data; note them."""
    if manager := config.pluginmanager.get_plugin("xdist.workermanage"):
        manager.NodeManager.EXIT_TIMEOUT = HANG
    if worker := getattr(config, "workerinput", None):
        note_process(os.getpid(), f"the test worker {worker['workerid']}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker, send what was noted; else fail the run if anything is missing."""
    worker: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if worker is not None:
        worker["noted"] = {subject: sorted(names) for subject, names in NOTED.items()}
        return
    # A test that failed may have left out more.
    if session.exitstatus == pytest.ExitCode.OK and (sentences := [*missing(NOTED)]):
        session.config.stash[_MISSING] = sentences
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:  # noqa: ANN401 - a class of pytest-xdist, which has no types
    """Add what a worker noted."""
    del error
    noted = cast("Mapping[str, Sequence[str]]", getattr(node, "workeroutput", {}).get("noted", {}))
    for subject, names in noted.items():
        note(subject, names)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the contract suite covered, and what is missing."""
    if any(subject.startswith("contract: ") for subject in NOTED):
        from support.contract.account import summary  # noqa: PLC0415

        terminalreporter.write_line(summary(NOTED))
    for sentence in terminalreporter.config.stash.get(_MISSING, list[str]()):
        terminalreporter.write_line(f"MISSING: {sentence}", red=True)
