"""Commands that are watched from outside: what they take of the clock, the processors and the memory."""

import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["TooLongError", "Usage", "watch"]

_INTERVAL = 100
"""Milliseconds between two looks at the processes; the kernel itself keeps the peak of each."""

_KINDS = {"provider": "\0pulumi.dynamic\0", "program": "pulumi-language-python-exec\0"}
"""What tells the processes that the engine starts."""


class TooLongError(Exception):
    """A command was killed, because it took longer than it may."""


@dataclass
class Usage:
    """What a command took, with all processes that it started.

    Attributes:
        seconds: on the clock.
        cpu: seconds of the processors, of user and system.
        peaks: the largest memory in bytes: of the "command" itself, and where that is the engine, of the processes of
            "provider" and "program".
        output: what it printed.
    """

    seconds: float = 0
    cpu: float = 0
    peaks: dict[str, int] = field(default_factory=dict[str, int])
    output: str = ""


def watch(command: Sequence[str], *, folder: Path, environment: Mapping[str, str], limit: float) -> Usage:
    """Run a command in a session of its own, and measure it.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        environment: its variables.
        limit: the seconds that it may take.

    Raises:
        RuntimeError: It failed; the text is what it printed.
        TooLongError: It took longer, and was killed.
    """
    usage = Usage()
    before = _cpu_of_children()
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        with subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        ) as process:
            _look(process.pid, started + limit, usage.peaks)
            usage.seconds = time.perf_counter() - started
        usage.cpu = _cpu_of_children() - before
        output.seek(0)
        usage.output = output.read().decode()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: {usage.output}")
    return usage


def _look(leader: int, latest: float, peaks: dict[str, int]) -> None:
    """Note the peaks of a command and of what it starts until it ends; kill all of them where it takes too long."""
    family = {leader}
    ending = os.pidfd_open(leader)
    try:
        ends = select.poll()
        ends.register(ending, select.POLLIN)
        while not ends.poll(_INTERVAL):
            family = _grown(family, leader)
            for pid in family:
                _note_peak(pid, leader, peaks)
            if time.perf_counter() > latest:
                raise TooLongError  # noqa: TRY301 - whatever ends the look before the command does kills it
    except BaseException:
        for pid in sorted(family):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(ending)


def _grown(family: set[int], leader: int) -> set[int]:
    """Return who is alive of a family, and who came: is in the leader's session, or was started by one of them."""
    found: set[int] = set()
    for name in os.listdir("/proc"):  # noqa: PTH208 - often, and names are all that is needed
        # A process may end at any time.
        with suppress(FileNotFoundError, ProcessLookupError):
            if name.isdigit():
                _, parent, _, session = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:4]
                if int(session) == leader or int(parent) in family or int(name) in family:
                    found.add(int(name))
    return found


def _note_peak(pid: int, leader: int, peaks: dict[str, int]) -> None:
    process = Path(f"/proc/{pid}")
    with suppress(FileNotFoundError, ProcessLookupError):
        command = (process / "cmdline").read_text()
        kinds = ["command"] if pid == leader else [kind for kind, name in _KINDS.items() if name in command]
        for line in (process / "status").read_text().splitlines():
            if line.startswith("VmHWM"):
                peaks.update({kind: max(peaks.get(kind, 0), int(line.split()[1]) * 1024) for kind in kinds})


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
