"""`make up` and `make down` with the real emulator, and with a script in place of pulumi."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import HANG, ROOT, until

pytestmark = pytest.mark.thorough

Program = Callable[[str, str], Path]

SERVICE = {"DATAPROTECTION_BASE_URL": "https://service.example", "DATAPROTECTION_API_KEY": "key"}
UP_AND_DOWN = ["up", "down"]

# Stands in for pulumi: notes its arguments and what it reads, and knows no config.
PULUMI = """
if [ "$1" = version ]; then echo v3.999.0; exit; fi
echo "$@" >> pulumi.log
case "$*" in
  *--json*) echo "{}" ;;
  *--secret*) IFS= read -r line; echo "$line" >> secrets.log ;;
esac
"""


class Quickstart:
    """A checkout for the commands of the quickstart."""

    def __init__(self, root: Path, path_folder: Path) -> None:
        self.root = root
        self.path_folder = path_folder
        shutil.copytree(ROOT / "tools", root / "tools")

    def start(self, command: str, **settings: str) -> "subprocess.Popen[str]":
        """Start `up` or `down` with these settings of the service in the environment."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("DATAPROTECTION_", "PULUMI_"))
        }
        environment = {**kept, **settings, "PATH": f"{self.path_folder}{os.pathsep}{os.environ['PATH']}"}
        argv = [sys.executable, "-m", "tools.quickstart", command]
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, cwd=self.root, env=environment, stdout=pipe, stderr=pipe, text=True)

    def run(self, command: str, **settings: str) -> tuple[int, str, str]:
        """Run `up` or `down`; return the exit code, stdout and stderr."""
        with self.start(command, **settings) as process:
            stdout, stderr = process.communicate(timeout=HANG)
        return process.returncode, stdout, stderr

    def emulator(self) -> dict[str, object]:
        """Return the first line of the emulator."""
        record: dict[str, object] = json.loads((self.root / ".local" / "emulator.json").read_text(encoding="utf-8"))
        return record

    def address(self) -> tuple[str, int]:
        """Return the emulator's host and port."""
        parts = urlsplit(str(self.emulator()["url"]))
        return str(parts.hostname), parts.port or 0

    def kill_emulator(self) -> None:
        """Kill the emulator; a connection to it ends when it is gone."""
        with socket.create_connection(self.address(), timeout=HANG) as connection:
            os.kill(int(str(self.emulator()["pid"])), signal.SIGKILL)
            with suppress(ConnectionResetError):
                connection.recv(1)

    def hold_up(self, program: Program, then: str = ":") -> tuple[Path, Path]:
        """Let `pulumi up` write to the first of two pipes, and wait for the second."""
        pipes = self.root / "reached", self.root / "go-on"
        for pipe in pipes:
            os.mkfifo(pipe)
        program("pulumi", f'{PULUMI}\nif [ "$1" = up ]; then echo > reached; read -r line < go-on; {then}; fi')
        return pipes

    def log(self, name: str) -> list[str]:
        """Return a log of the stand-in for pulumi."""
        return (self.root / name).read_text(encoding="utf-8").splitlines()


@pytest.fixture
def quickstart(tmp_path: Path, path_folder: Path, program: Program) -> Generator[Quickstart]:
    program("pulumi", PULUMI)
    program("pulumi-language-python", "")
    quickstart = Quickstart(tmp_path / "check out", path_folder)
    yield quickstart
    quickstart.run("down")


def test_the_emulator_outlives_make_up_and_returns_at_its_address_after_a_kill(quickstart: Quickstart) -> None:
    first = quickstart.run("up")
    emulator = quickstart.emulator()
    key = str(emulator["api_key"])
    # Pulumi reads the key only from stdin.
    assert ([key], False) == (quickstart.log("secrets.log"), key in "\n".join(quickstart.log("pulumi.log")))
    second = quickstart.run("up")

    assert (0, 0) == (first[0], second[0]), (first, second)
    assert emulator == quickstart.emulator()
    assert f"{emulator['url']} (pid {emulator['pid']}" in second[1]
    assert "0 in this run, 0 of them writes" in second[1]

    quickstart.kill_emulator()
    code, _, stderr = quickstart.run("up")
    after = quickstart.emulator()
    assert (0, emulator["url"]) == (code, after["url"]), stderr
    assert emulator["pid"] != after["pid"]


def take(held: ExitStack, address: tuple[str, int]) -> socket.socket | None:
    with suppress(OSError):
        return held.enter_context(socket.create_server(address))
    return None


def test_an_emulator_gets_another_address_if_its_address_is_in_use(quickstart: Quickstart) -> None:
    quickstart.run("up")
    before = quickstart.emulator()
    quickstart.kill_emulator()

    with ExitStack() as taken:
        # Another process of this machine may use the address for a moment.
        until(lambda: bool(take(taken, quickstart.address())))
        code, _, stderr = quickstart.run("up")

    after = quickstart.emulator()
    assert 0 == code, stderr
    assert before["url"] != after["url"]
    assert f"config set --stack dev dataprotection:baseUrl {after['url']}" in "\n".join(quickstart.log("pulumi.log"))


def test_an_emulator_that_does_not_start_is_an_error_with_its_reason(quickstart: Quickstart) -> None:
    local = quickstart.root / ".local"
    local.mkdir()
    (local / "emulator.db").write_text("not a database, " * 1000, encoding="utf-8")

    code, _, stderr = quickstart.run("up")

    assert 1 == code
    assert "make up: " in stderr
    assert "emulator.db" in stderr
    assert "Traceback" not in stderr
    shutil.rmtree(local)


def test_down_stops_the_emulator_and_removes_its_data(quickstart: Quickstart) -> None:
    quickstart.run("up")
    address = quickstart.address()

    code, stdout, _ = quickstart.run("down")

    assert 0 == code
    assert "destroy --yes --stack dev" == quickstart.log("pulumi.log")[-1]
    assert "The emulator is stopped and its data removed" in stdout
    assert [] == list((quickstart.root / ".local").glob("emulator.*"))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=HANG)
    assert (0, "Nothing is up.\n", "") == quickstart.run("down")


def test_a_service_in_the_environment_is_used_instead_of_the_emulator(quickstart: Quickstart) -> None:
    up = quickstart.run("up", **SERVICE)
    down = quickstart.run("down", **SERVICE)

    assert (0, 0) == (up[0], down[0]), (up, down)
    unprotected = "--non-interactive state unprotect --all --yes --stack dev"
    assert ["up --yes --stack dev", unprotected, "destroy --yes --stack dev"] == [
        line for line in quickstart.log("pulumi.log") if line.endswith("--yes --stack dev")
    ]
    assert [] == list((quickstart.root / ".local").glob("emulator.*"))


@pytest.mark.parametrize(("given", "missing"), [tuple(SERVICE), tuple(reversed(SERVICE))])
def test_half_of_a_service_is_refused(quickstart: Quickstart, given: str, missing: str) -> None:
    code, _, stderr = quickstart.run("up", **{given: SERVICE[given]})

    assert 1 == code
    assert stderr.startswith(f"make up: {missing} is not set")


@pytest.mark.parametrize("command", UP_AND_DOWN)
def test_a_stack_does_not_move_to_another_service(quickstart: Quickstart, command: str) -> None:
    quickstart.run("up", **SERVICE)

    code, _, stderr = quickstart.run(command)

    assert 1 == code
    assert f"make {command}: the stack is up on https://service.example, not on the emulator" in stderr
    quickstart.run("down", **SERVICE)


@pytest.mark.parametrize("command", UP_AND_DOWN)
def test_a_second_command_is_refused(quickstart: Quickstart, program: Program, command: str) -> None:
    reached, go_on = quickstart.hold_up(program)

    with quickstart.start("up", **SERVICE) as running:
        wait_for(reached)
        refused = quickstart.run(command, **SERVICE)
        go_on.write_text("\n", encoding="utf-8")
        running.communicate(timeout=HANG)

    expected = f"make {command}: another make up is running (pid {running.pid}); wait for its end\n"
    assert (1, "", expected) == refused
    assert 0 == running.returncode
    quickstart.run("down", **SERVICE)


def test_make_up_waits_for_pulumi_after_an_interrupt(quickstart: Quickstart, program: Program) -> None:
    reached, go_on = quickstart.hold_up(program, "exit 7")

    with quickstart.start("up", **SERVICE) as running:
        wait_for(reached)
        running.send_signal(signal.SIGINT)
        go_on.write_text("\n", encoding="utf-8")
        stdout, _ = running.communicate(timeout=HANG)

    assert 7 == running.returncode
    assert "`make up` goes on from here" in stdout
    quickstart.run("down", **SERVICE)


def wait_for(fifo: Path) -> None:
    """Wait until a process writes to a pipe."""
    reader = os.open(fifo, os.O_RDWR)
    try:
        ready, _, _ = select.select([reader], [], [], 20)
        assert [reader] == ready
    finally:
        os.close(reader)
