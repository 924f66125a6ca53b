"""`dataprotection get` as a process: its terminal, a closed pipe, Ctrl-C, and what it loads."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence

import click
import pytest

from support import HANG, Emulator, until
from support.cli.getting import settings

PYTHON = (sys.executable, "-c", "from pulumi_dataprotection.cli import main; main()")
RESOURCES = ("get", "resources", "--tenant", "tenant-contoso")


def environment(emulator: Emulator, **variables: str) -> Mapping[str, str]:
    return {**os.environ, **settings(emulator), **variables}


def test_a_reader_that_has_seen_enough_is_no_error(emulator: Emulator) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*PYTHON, *RESOURCES],
            env=environment(emulator),
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=HANG,
            check=False,
        )
    finally:
        os.close(writer)
    assert (1, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("words", "operation"),
    [(RESOURCES, "list_resources"), (("get", "orgs", "--parent", "org-meridian"), "list_orgs")],
    ids=["one call", "calls on threads"],
)
def test_ctrl_c_ends_it_at_once_and_silently(emulator: Emulator, words: tuple[str, ...], operation: str) -> None:
    assert (130, b"", b"") == interrupted(emulator, [*PYTHON, *words], {"operation": operation, "do": ["stall:900"]})


def test_ctrl_c_is_ignored_where_it_was_before(emulator: Emulator) -> None:
    in_background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *PYTHON, *RESOURCES, "--name", "none"]
    status, _, told = interrupted(emulator, in_background, {"operation": "list_resources", "do": ["stall:1"]})
    assert (0, b"no resources\n") == (status, told)


def interrupted(emulator: Emulator, command: Sequence[str], fault: Mapping[str, object]) -> tuple[int, bytes, bytes]:
    """The status and the output of a command that meets Ctrl-C while it waits for an answer."""
    variables = environment(emulator, DATAPROTECTION_REQUEST_TIMEOUT="300")
    with (
        emulator.faults(fault),
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
    ):
        try:
            until(lambda: not emulator.remaining_faults(), process)
            process.send_signal(signal.SIGINT)
            out, told = process.communicate(timeout=HANG)
        finally:
            process.kill()
    return process.returncode, out, told


def test_a_table_is_as_wide_as_the_terminal_and_loses_nothing(emulator: Emulator) -> None:
    resource = ("get", "resource", "--tenant", "tenant-contoso", "--resource", "former.employee@contoso.example")
    lines = in_terminal(40, environment(emulator, TERM="xterm"), *resource).splitlines()
    assert 40 == max(map(len, lines))
    assert "former.employee@contoso.example" in "".join(line.strip() for line in lines).replace(" ", "")


def test_a_table_cuts_nothing_in_a_very_narrow_terminal(emulator: Emulator) -> None:
    text = in_terminal(16, environment(emulator, TERM="xterm"), "get", "org", "--id", "org-contoso")
    assert (True, False) == ("extern" in text, "…" in text)


def in_terminal(columns: int, variables: Mapping[str, str], *words: str) -> str:
    """Run the command in a terminal of its own, and return what it shows, without its colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in variables.items() if name != "COLUMNS"}
    try:
        subprocess.run([*PYTHON, *words], env=kept, stdin=its, stdout=its, stderr=its, timeout=HANG, check=True)
        return click.unstyle(os.read(ours, 4096).decode())
    finally:
        os.close(its)
        os.close(ours)


def test_the_command_loads_what_look_ups_need_only_for_one() -> None:
    heavy = {"pulumi", "grpc", "httpx", "pydantic", "rich"}
    program = f"import sys, pulumi_dataprotection.cli; print(*{heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG, check=True)
    assert "\n" == done.stdout
