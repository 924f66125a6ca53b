"""What tests of all parts share: a running emulator that tells what was asked of it."""

import subprocess
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pulumi_dataprotection.testing import Emulator as PublicEmulator
from pulumi_dataprotection.testing._control import HANG
from support.forking import NIGHTLY
from support.notes import note

__all__ = ["HANG", "NIGHTLY", "ROOT", "TESTS", "Emulator", "run_process", "until"]

TESTS = Path(__file__).parents[1]
"""The folder of all tests, which their processes have in `PYTHONPATH`."""

ROOT = TESTS.parent
"""The folder of the project."""

_POLL = 0.02


def until(done: Callable[[], bool], process: "subprocess.Popen[Any] | None" = None) -> None:
    """Wait for another process.

    Args:
        done: whether the awaited state is reached.
        process: the process that brings it about, which must not end before.

    Raises:
        TimeoutError: The state was not reached.
        AssertionError: The process ended.
    """
    deadline = time.monotonic() + HANG
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not reached within {HANG:.0f} s")
        assert process is None or process.poll() is None, "the process ended too early"
        time.sleep(_POLL)


def run_process(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,
    check: bool = False,
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, as `subprocess.run` does; return its status and its output as text.

    Raises:
        subprocess.TimeoutExpired: It hangs.
        subprocess.CalledProcessError: It failed, and `check` is set.
    """
    return subprocess.run(
        command, cwd=cwd, env=env, input=input, check=check, capture_output=True, text=True, timeout=HANG
    )


class Emulator(PublicEmulator):
    """The emulator of the plugin; the operations that it was asked for are noted in the account."""

    @contextmanager
    def possible_faults(self, *rules: Mapping[str, object]) -> Generator[None]:
        """As `faults`, for a block whose requests need not meet all of them."""
        with self.faults(*rules):
            yield
            self.clear_faults()

    def operations(self) -> list[str]:
        """Return the operation of each request since they were cleared, in order; the path if the service has none."""
        return [request["operation"] or request["path"] for request in self.requests()]

    def close(self) -> None:
        """Stop the server."""
        self.note_operations()
        super().close()

    def clear_requests(self) -> None:
        """Forget the requests so far."""
        self.note_operations()
        super().clear_requests()

    def note_operations(self) -> None:
        """Note the operations that were asked for."""
        note("operations", {request["operation"] for request in self.requests() if request["operation"]})

    def requests(self) -> list[Any]:
        """Return the requests since they were cleared; our tests know which fields each of them has."""
        return list[Any](super().requests())

    def writes(self) -> list[Any]:
        """Return those that were no reading."""
        return list[Any](super().writes())

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Return all content, by table; our tests know the types of its fields."""
        return super().state()
