"""Forked Python processes are like those that the real Python starts."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import run_process, until
from support.forking import with_forking

SCRIPT = """
import json, os, sys

sys.stdout.buffer.write(b"first\\n")
print(json.dumps([__name__, sys.argv, os.getcwd(), os.environ["COLOUR"], "GONE" in os.environ, input(), sys.path]))
print("an error", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
ENDS = """
import atexit, sys, threading

atexit.register(print, "at exit")
threading.Timer(0.01, print, ["in a thread"]).start()
sys.exit("the reason")
"""
WAITS = """
import os, pathlib, time

pathlib.Path("pid").write_text(str(os.getpid()))
time.sleep(3600)
"""
FORMS = {"a script": ["-u", "program.py"], "a module": ["-u", "-m", "program"], "other options": ["-B", "program.py"]}


@pytest.fixture
def forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The `python3` that forks, for the programs of the test's folder."""
    monkeypatch.setattr("support.forking.NIGHTLY", False)
    monkeypatch.chdir(tmp_path)
    return f"{with_forking('').split(os.pathsep)[0]}/python3"


def run(python: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {"COLOUR": "rot", "PYTHONPATH": f"{Path.cwd()}/library", "PATH": os.environ["PATH"]}
    command = [python, *arguments]
    return run_process(command, input="text\n", env=environment)


def told(ended: "subprocess.CompletedProcess[str]") -> tuple[Any, ...]:
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("code", ["0", "3"])
def test_a_program_has_the_same_input_and_output(
    forked: str, monkeypatch: pytest.MonkeyPatch, form: str, code: str
) -> None:
    monkeypatch.setenv("GONE", "1")
    Path("program.py").write_text(SCRIPT)
    assert told(run(sys.executable, *FORMS[form], code)) == told(run(forked, *FORMS[form], code))


def test_a_program_ends_after_its_threads_and_its_exit_handlers_or_with_its_error(forked: str) -> None:
    Path("program.py").write_text(ENDS)
    assert told(run(sys.executable, "program.py")) == told(run(forked, "program.py"))
    Path("program.py").write_text('raise ValueError("broken")')
    ended = run(forked, "-u", "program.py")
    assert (1, "ValueError: broken") == (ended.returncode, ended.stderr.splitlines()[-1])


def test_a_module_for_all_processes_is_loaded(forked: str) -> None:
    Path("library").mkdir()
    Path("library/sitecustomize.py").write_text("print('loaded')")
    Path("program.py").write_text("print('run')")
    assert run(forked, "-u", "program.py").stdout == "loaded\nrun\n"


def test_a_process_ends_with_the_command_that_stands_for_it(forked: str) -> None:
    Path("program.py").write_text(WAITS)
    with subprocess.Popen([forked, "-u", "program.py"]) as command:
        until(lambda: Path("pid").exists() and bool(Path("pid").read_text()), command)
        command.send_signal(signal.SIGKILL)
    process = Path("/proc") / Path("pid").read_text()
    until(lambda: not process.exists())
