"""The tests of a real service, tried on an emulator in another process that they know nothing of."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest

from support import HANG, ROOT, Emulator
from support.contract.content import additions
from support.contract.service import Content

pytestmark = pytest.mark.thorough


@pytest.fixture
def served(tmp_path: Path, emulator: Emulator) -> Iterator[dict[str, str]]:
    """The address and the keys that `dataprotection emulator serve` prints."""
    emulator.patch(additions(emulator.now()))
    seed, dialect = tmp_path / "seed.json", tmp_path / "dialect.json"
    seed.write_text(json.dumps(emulator.state()), encoding="utf-8")
    # No run of a job ends while the tests take their time.
    dialect.write_text(json.dumps({"preset": "strict", "task_progress": "polls"}), encoding="utf-8")
    command = ["dataprotection", "emulator", "serve", "--seed", str(seed), "--dialect", str(dialect)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        yield json.loads(process.stdout.readline())
        process.terminate()


def state(url: str) -> Content:
    """Return all that there is, but for what only grows: what was done, and the runs of jobs."""
    content: Content = httpx.get(f"{url}/_emulator/state", timeout=HANG).raise_for_status().json()
    return {table: rows for table, rows in content.items() if table not in {"audit_events", "tasks"}}


def run(tmp_path: Path, served: Mapping[str, str], *names: str) -> tuple[Counter[tuple[str, str]], set[str]]:
    """Run the tests of a real service.

    Args:
        tmp_path: a folder for the report.
        served: the service.
        names: the further variables to set, each with what is in the scene.

    Returns:
        The outcomes, counted by the file of the test; and the reasons of those that were skipped.
    """
    report = tmp_path / "report.xml"
    environment = {
        "DATAPROTECTION_CONTRACT_BASE_URL": served["url"],
        "DATAPROTECTION_CONTRACT_API_KEY": served["api_key"],
        "DATAPROTECTION_CALLS_PER_SECOND": "0",
        **dict(name.split("=") for name in names),
    }
    command = [sys.executable, "-m", "pytest", "tests/contract", "-m", "verified", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*command, f"--junitxml={report}"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == result.returncode, result.stdout
    outcomes: Counter[tuple[str, str]] = Counter()
    reasons: set[str] = set()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own report
        assert "real" in case.attrib["name"]
        skipped = case.find("skipped")
        reasons |= set() if skipped is None else {skipped.attrib["message"]}
        outcomes[case.attrib["classname"].rpartition(".")[2], "passed" if skipped is None else "skipped"] += 1
    return outcomes, reasons


def test_the_tests_leave_a_real_service_as_it_was(tmp_path: Path, served: Mapping[str, str]) -> None:
    before = state(served["url"])
    outcomes, reasons = run(tmp_path, served, "DATAPROTECTION_CONTRACT_TENANT=tenant-contoso")
    assert before == state(served["url"])
    assert {"test_lists", "test_records", "test_refusals", "test_protections", "test_tasks", "test_executor"} == {
        module for module, outcome in outcomes if outcome == "passed"
    }
    assert {"nothing could undo it: no operation deletes an organization, or keeps an archive after all"} == reasons


def test_nothing_is_written_where_no_tenant_is_named_for_it(tmp_path: Path, served: Mapping[str, str]) -> None:
    before = httpx.get(f"{served['url']}/_emulator/state", timeout=HANG).json()
    outcomes, reasons = run(tmp_path, served)
    assert before == httpx.get(f"{served['url']}/_emulator/state", timeout=HANG).json()
    assert {"test_lists", "test_records", "test_refusals"} == {
        module for module, outcome in outcomes if outcome == "passed"
    }
    assert any("DATAPROTECTION_CONTRACT_TENANT does not name a tenant" in reason for reason in reasons)
