"""A `pulumi up` that is held, and then interrupted, terminated or killed."""

import os
import signal
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from support import HANG, Emulator, run_process, until
from support.engine.stack import Stack

__all__ = ["HELD", "LATER", "Run", "hold_up"]

HELD = "stall:3600"
"""The work is done, and the answer waits until the test releases it."""

LATER: dict[str, Any] = {"status": 503, "headers": {"Retry-After": "300"}}
"""The work is not done, and its retry comes after the end of the test."""


class Run:
    """A command of the engine, with all processes that it started.

    Args:
        process: the engine, which leads a session of its own.
        calls: the file in which it notes its gRPC calls.

    Attributes:
        text: its output so far.
    """

    def __init__(self, process: subprocess.Popen[str], calls: Path) -> None:
        self._process = process
        self._calls = calls
        self.text = ""

    def press_ctrl_c(self) -> None:
        """Interrupt the command as a terminal does, and wait for the reaction of the engine and the provider."""
        os.killpg(self._process.pid, signal.SIGINT)
        assert self._process.stdout
        for line in self._process.stdout:
            self.text += line
            if "^C received" in line:
                break
        self._wait_for_cancel()

    def terminate(self) -> None:
        """Terminate the command as a build machine does, and wait for the reaction of the provider."""
        self._process.terminate()
        self._wait_for_cancel()

    def _wait_for_cancel(self) -> None:
        def canceled(call: str) -> bool:
            return "ResourceProvider/Cancel" in call and "response_completed" in call

        self.until(lambda: any(map(canceled, self._calls.read_text().splitlines())))

    def kill(self) -> None:
        """Kill only the engine."""
        self._process.kill()

    def kill_provider(self) -> None:
        """Kill only the process of the provider."""
        (provider,) = self.providers()
        os.kill(provider, signal.SIGKILL)

    def shows_traceback(self) -> bool:
        """Whether a resource shows a traceback; `traceback_in` finds the tracebacks of the program."""
        return any("/dataprotection:" in line and "Traceback" in line for line in self.text.splitlines())

    def end(self) -> int:
        """Wait for the end of the engine, and return its status."""
        status = self._process.wait(HANG)
        assert self._process.stdout
        self.text += self._process.stdout.read()
        return status

    def providers(self) -> list[int]:
        """The ids of the providers' processes that still run."""
        return [pid for pid, command in self.processes().items() if "-m pulumi.dynamic" in command]

    def processes(self) -> dict[int, str]:
        """The processes that still run, the engine and all that it started, with their command lines."""
        listed = run_process(["ps", "-wweo", "pid=,args="], check=True)
        found: dict[int, str] = {}
        for line in listed.stdout.splitlines():
            pid, command = line.split(maxsplit=1)
            with suppress(ProcessLookupError):
                if os.getsid(int(pid)) == self._process.pid and "<defunct>" not in command:
                    found[int(pid)] = command
        return found

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until a state is reached.

        Raises:
            TimeoutError: The state was not reached; a note names the processes that still run.
        """
        try:
            until(done)
        except TimeoutError as error:
            error.add_note(f"{self.processes()}")
            raise

    def clean_up(self) -> None:
        """Kill all processes that still run."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait(HANG)
        if self._process.stdout:
            self._process.stdout.close()


@contextmanager
def hold_up(stack: Stack, emulator: Emulator, *rules: Mapping[str, Any], command: str = "up") -> Generator[Run]:
    """Start a command; the block begins when requests have met all faults, and nothing runs any more after it.

    Args:
        stack: the stack.
        emulator: its service.
        rules: which requests are held, see docs/faults.md.
        command: the command, `up` or `destroy`.
    """
    with emulator.faults(*rules):
        run = Run(stack.start(command, "--yes", "--skip-preview"), stack.calls)
        try:
            run.until(lambda: not emulator.remaining_faults())
            yield run
        finally:
            run.clean_up()
