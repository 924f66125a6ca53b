"""An emulator on a database file that is killed again and again, amid writes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import httpx
import pytest

from pulumi_dataprotection.emulator import FULL_KEY, open_store
from pulumi_dataprotection.emulator.store.document import read_document
from support import NIGHTLY, Emulator
from support.emulator.writers import Chance, Ledger, Writer, archive_of, client_of, differences

pytestmark = pytest.mark.thorough

KILLS = 50 if NIGHTLY else 12
WRITERS = 4
RESOURCES = 80

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


def write(chance: Chance, ledger: Ledger, url: str, fuse: Fuse) -> None:
    """Write to one process until it dies."""
    with client_of(url, FULL_KEY) as client, suppress(httpx.TransportError):
        writer = Writer(client, ledger)
        while True:
            chance.write(writer)
            fuse.burn()


def inspect(database: Path, ledger: Ledger) -> dict[str, set[Any]]:
    """Open the database, as the next process does; return its damage and its differences from the ledger, by kind."""
    with closing(open_store(str(database), {"seed": "empty"}, datetime.now(UTC))) as store:
        checks = [*store.all("PRAGMA integrity_check"), *store.all("PRAGMA foreign_key_check")]
        found = differences(read_document(store), ledger)
    # A write that was not acknowledged may be in the database.
    del found["unknown"]
    return {**found, "damage": {tuple(row) for row in checks if row[0] != "ok"}}


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


def test_kills_lose_nothing_and_leave_nothing_broken(tmp_path: Path) -> None:
    database = tmp_path / "estate.db"
    with Emulator(f"large:1x{RESOURCES}", str(database)) as emulator:
        emulator.patch({"archives": [archive_of(number) for number in range(1, RESOURCES + 1)]})
    ledger, logs = Ledger(), list[int]()
    chances = [Chance(number, WRITERS, RESOURCES, ledger) for number in range(WRITERS)]
    writes = Random(KILLS)  # noqa: S311 - the same numbers each time
    with forking(database) as parent, ThreadPoolExecutor(WRITERS) as pool:
        assert parent.stdin
        assert parent.stdout
        for _ in range(KILLS):
            print(file=parent.stdin, flush=True)
            line = json.loads(parent.stdout.readline())
            fuse = Fuse(line["pid"], writes.randint(1, 40))
            for done in [pool.submit(write, chance, ledger, line["url"], fuse) for chance in chances]:
                done.result()
            assert str(-signal.SIGKILL) == parent.stdout.readline().strip()
            logs.append(database.with_name(f"{database.name}-wal").stat().st_size)
            found = inspect(database, ledger)
            assert not any(found.values()), found
    # A process that has just moved its log into the database leaves none.
    assert sum(size > 0 for size in logs) > KILLS // 2
    assert ledger.refusals == []
    assert all((ledger.external_ids, ledger.tasks, ledger.deletions, ledger.jobs, ledger.removed))
