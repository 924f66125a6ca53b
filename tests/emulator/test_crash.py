"""An emulator on a database file that is killed again and again, amid writes."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import httpx
import pytest

from pulumi_dataprotection.emulator import FULL_KEY, open_store
from pulumi_dataprotection.emulator.store.document import read_document
from support import HANG, NIGHTLY, Emulator

pytestmark = pytest.mark.thorough

KILLS = 50 if NIGHTLY else 12
WRITERS = 4
RESOURCES = 80
TENANT = "tenants/tenant-0001"
POLICY = {"policy_id": "policy-gold"}

# One process per kill; it is forked, because loading what it runs takes far longer than all of its work.
PROGRAM = """
import os, sys
from pulumi_dataprotection.emulator import serve
for _ in sys.stdin:
    if not os.fork():
        serve(host="127.0.0.1", port=0, database=sys.argv[1], seed="empty")
    _, status = os.wait()
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


@dataclass
class Ledger:
    """What was acknowledged, of all processes together.

    Attributes:
        external_ids: of the organizations that were created.
        tasks: those that were triggered.
        deletions: the archives that were scheduled for deletion.
        jobs: those of the protections that were made and that nobody asked to remove, by resource.
        removed: the resources whose protection was removed and that nobody asked to protect again.
        refusals: what was answered with anything but 200.
    """

    external_ids: set[str] = field(default_factory=set[str])
    tasks: set[object] = field(default_factory=set[object])
    deletions: set[str] = field(default_factory=set[str])
    jobs: dict[str, object] = field(default_factory=dict[str, object])
    removed: set[str] = field(default_factory=set[str])
    refusals: list[str] = field(default_factory=list[str])


class Fuse:
    """Kills a process at a number of acknowledged writes."""

    def __init__(self, pid: int, writes: int) -> None:
        self._pid = pid
        self._left = writes
        self._lock = Lock()

    def burn(self) -> None:
        """Count one write."""
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(self._pid, signal.SIGKILL)


class Writer:
    """Writes at random, until nobody answers; its resources are its own."""

    def __init__(self, number: int, ledger: Ledger) -> None:
        self._random = Random(number)  # noqa: S311 - the same choices each time
        self._resources = [f"res-{place:07}" for place in range(1, RESOURCES + 1) if place % WRITERS == number]
        self._ledger = ledger
        self._number = number
        self._orgs = 0

    def write(self, url: str, fuse: Fuse) -> None:
        """Write to one process."""
        headers = {"Authorization": FULL_KEY}
        with httpx.Client(base_url=f"{url}/api/v1/", headers=headers, timeout=HANG, verify=False) as client:  # noqa: S501 - plain HTTP
            try:
                while True:
                    self._write_something(client)
                    fuse.burn()
            except httpx.TransportError:
                return

    def _write_something(self, client: httpx.Client) -> None:
        resource_id = self._random.choice(self._resources)
        protect = f"{TENANT}/resources/{resource_id}/protect"
        archive_id = resource_id.replace("res", "archive")
        job_id = self._ledger.jobs.get(resource_id)
        match self._random.choice(("org", "archive", "job", "protection", "protection")):
            case "org":
                self._orgs += 1
                external_id = f"crm-{self._number}-{self._orgs}"
                self._ask(client, "POST", "orgs", params={"external_id": external_id})
                self._ledger.external_ids.add(external_id)
            case "archive":
                self._ask(client, "DELETE", f"{TENANT}/archives/{archive_id}", params={"reason": "a test"})
                self._ledger.deletions.add(archive_id)
            case "job" if job_id:
                self._ledger.tasks.add(self._ask(client, "PUT", f"{TENANT}/jobs/{job_id}/trigger").get("task_id"))
            case _ if job_id:
                del self._ledger.jobs[resource_id]
                self._ask(client, "DELETE", protect, params=POLICY)
                self._ledger.removed.add(resource_id)
            case _:
                self._ledger.removed.discard(resource_id)
                self._ledger.jobs[resource_id] = self._ask(client, "POST", protect, params=POLICY, json={}).get(
                    "job_id"
                )

    def _ask(self, client: httpx.Client, method: str, path: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - httpx knows which
        response = client.request(method, path, **arguments)
        if response.status_code != 200:
            self._ledger.refusals.append(f"{method} {path}: {response.status_code} {response.text}")
        answer: dict[str, Any] = response.json()
        return answer


@dataclass
class Findings:
    """What the kills have left behind.

    Attributes:
        exits: how each process ended.
        unfinished: the sizes of the logs that were left to the next process.
        damage: what the database itself finds wrong with its file.
        lost: what was acknowledged, and is not in it.
        halves: what is in it without its audit event, or the other way round.
        doubles: the organizations that are in it more than once.
    """

    exits: list[str] = field(default_factory=list[str])
    unfinished: list[int] = field(default_factory=list[int])
    damage: list[str] = field(default_factory=list[str])
    lost: set[object] = field(default_factory=set[object])
    halves: set[object] = field(default_factory=set[object])
    doubles: set[str] = field(default_factory=set[str])

    def add(self, database: Path, ledger: Ledger) -> None:
        """Open the database, as the next process does, and hold what is in it against the ledger."""
        self.unfinished.append(database.with_name(f"{database.name}-wal").stat().st_size)
        with closing(open_store(str(database), {"seed": "empty"}, datetime.now(UTC))) as store:
            checks = [*store.all("PRAGMA integrity_check"), *store.all("PRAGMA foreign_key_check")]
            self.damage += [str(tuple(row)) for row in checks if row[0] != "ok"]
            self._compare(read_document(store), ledger)

    def _compare(self, state: Mapping[str, Sequence[Mapping[str, Any]]], ledger: Ledger) -> None:
        orgs = Counter(org["external_id"] for org in state["orgs"] if org["external_id"])
        tasks = {task["id"] for task in state["tasks"]}
        jobs = {row["resource_id"]: row["job_id"] for row in state["protections"]}
        deletions = {archive["id"] for archive in state["archives"] if archive["delete_at"]}
        self.doubles |= {external_id for external_id, count in orgs.items() if count > 1}
        self.lost |= ledger.external_ids - orgs.keys()
        self.lost |= ledger.tasks - tasks
        self.lost |= ledger.deletions - deletions
        self.lost |= ledger.jobs.items() - jobs.items()
        self.lost |= ledger.removed & jobs.keys()
        events = [(event["action"], event["subject"], json.loads(event["details"])) for event in state["audit_events"]]
        added = Counter(details["resource_id"] for action, _, details in events if action == "resource.protect")
        removed = Counter(details["resource_id"] for action, _, details in events if action == "resource.unprotect")
        self.halves |= (added - removed).items() ^ Counter(jobs.keys()).items()
        self.halves |= tasks ^ {details["task_id"] for action, _, details in events if action == "job.trigger"}
        self.halves |= deletions ^ {subject for action, subject, _ in events if action == "archive.delete"}


@contextmanager
def forking(database: Path) -> Generator[subprocess.Popen[str]]:
    """Run the program that starts a process per line; nothing of it is left in the end."""
    command = [sys.executable, "-c", PROGRAM, str(database)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        try:
            yield parent
        finally:
            os.killpg(parent.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> tuple[Findings, Ledger]:
    """What was found and what was acknowledged, all kills together."""
    database = tmp_path_factory.mktemp("crash") / "estate.db"
    archives = [
        {"tenant_id": "tenant-0001", "id": f"archive-{number:07}", "resource_id": f"res-{number:07}"}
        for number in range(1, RESOURCES + 1)
    ]
    with Emulator(f"large:1x{RESOURCES}", str(database)) as emulator:
        emulator.patch({"archives": archives})
    findings, ledger = Findings(), Ledger()
    writers = [Writer(number, ledger) for number in range(WRITERS)]
    writes = Random(KILLS)  # noqa: S311 - the same numbers each time
    with forking(database) as parent, ThreadPoolExecutor(WRITERS) as pool:
        assert parent.stdin
        assert parent.stdout
        for _ in range(KILLS):
            print(file=parent.stdin, flush=True)
            line = json.loads(parent.stdout.readline())
            fuse = Fuse(line["pid"], writes.randint(1, 40))
            for done in [pool.submit(writer.write, line["url"], fuse) for writer in writers]:
                done.result()
            findings.exits.append(parent.stdout.readline().strip())
            findings.add(database, ledger)
    return findings, ledger


def test_each_process_was_killed_with_its_log_left_to_the_next_one(aftermath: tuple[Findings, Ledger]) -> None:
    findings, _ = aftermath
    assert [str(-signal.SIGKILL)] * KILLS == findings.exits
    # A process that has just moved its log into the database leaves none.
    assert sum(size > 0 for size in findings.unfinished) > KILLS // 2


def test_every_write_to_a_process_that_is_alive_succeeds(aftermath: tuple[Findings, Ledger]) -> None:
    assert aftermath[1].refusals == []


def test_all_kinds_of_writes_were_acknowledged(aftermath: tuple[Findings, Ledger]) -> None:
    _, ledger = aftermath
    assert all((ledger.external_ids, ledger.tasks, ledger.deletions, ledger.jobs, ledger.removed))


def test_no_kill_damages_the_database(aftermath: tuple[Findings, Ledger]) -> None:
    assert aftermath[0].damage == []


def test_nothing_that_was_acknowledged_is_lost_by_a_kill(aftermath: tuple[Findings, Ledger]) -> None:
    assert set() == aftermath[0].lost


def test_what_was_not_acknowledged_is_whole_or_absent_after_a_kill(aftermath: tuple[Findings, Ledger]) -> None:
    assert set() == aftermath[0].halves


def test_no_organization_is_doubled_by_a_kill(aftermath: tuple[Findings, Ledger]) -> None:
    assert set() == aftermath[0].doubles
