"""The lock of a project's folder."""

import subprocess
import sys
from pathlib import Path

from support import HANG

HOLD = """
import os, sys
from pathlib import Path
from pulumi_dataprotection.adoption.staging import StagingError, exclusive

out, held = Path(sys.argv[1]), 0
while held < 400:
    try:
        with exclusive(out):
            os.close(os.open(f"{out}.held", os.O_CREAT | os.O_EXCL))
            os.unlink(f"{out}.held")
            held += 1
    except StagingError:
        pass
"""
"""Holds the lock again and again, and fails if another process holds it at the same time."""


def test_processes_that_take_the_lock_again_and_again_never_share_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "estate")]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [0] * 4 == [process.wait(timeout=HANG) for process in processes]
    assert [] == [*tmp_path.iterdir()]
