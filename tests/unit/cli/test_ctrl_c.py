"""Ctrl-C in the commands about all customers: the result so far, marked as not complete, and nothing half-written."""

import os
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support import HANG, Emulator, until
from support.cli.commands import PYTHON
from support.cli.getting import settings
from support.inventory.states import CONTOSO, protection, write_state
from support.resources.contoso import SILVER, user
from support.shell import write_script

ADATUM = "tenant-adatum"
COMMANDS = {
    "coverage": (("coverage", "--format", "csv"), CONTOSO),
    "coverage of states": (("coverage", "--format", "csv", "--state", "."), CONTOSO),
    "drift": (("drift", "--format", "csv", "--state", "."), f"{ADATUM},,,,,interrupted"),
    "licences": (("licences", "--format", "csv"), CONTOSO),
    "report": (("report", "--out", "report.html", "--out", "report.md"), "`Contoso Workspace`"),
    "report of states": (("report", "--out", "report.md", "--state", "."), "| `south` | 0 | 0 | 0 | 0 | 1 |"),
}
"""The words of each command, and a part of its result after Ctrl-C during the second tenant."""
WRITING = {"report", "report of states"}


@contextmanager
def held(
    emulator: Emulator, folder: Path, words: tuple[str, ...], fault: Mapping[str, object]
) -> "Generator[subprocess.Popen[str]]":
    """Run a command in a folder with the states of two stacks, until it waits for an answer."""
    write_state(folder, protection(user(1), SILVER), stack="north")
    write_state(folder, protection("res-adatum-user-02", SILVER, tenant_id=ADATUM), stack="south")
    variables = {"DATAPROTECTION_REQUEST_TIMEOUT": "300", "DATAPROTECTION_CONCURRENCY": "1"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with (
        emulator.faults({**fault, "do": ["stall:900"]}),
        subprocess.Popen(
            [*PYTHON, *words], cwd=folder, env={**os.environ, **settings(emulator), **variables}, **pipes
        ) as process,
    ):
        try:
            until(lambda: not emulator.remaining_faults(), process)
            yield process
        finally:
            process.kill()


def interrupt(emulator: Emulator, process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Press Ctrl-C once, let the answer come, and return the output."""
    assert process.stderr
    process.send_signal(signal.SIGINT)
    assert "Interrupted" in process.stderr.readline()
    emulator.clear_faults()
    return process.communicate(timeout=HANG)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_result_so_far_is_kept_and_marked(emulator: Emulator, tmp_path: Path, name: str) -> None:
    words, part = COMMANDS[name]
    with held(emulator, tmp_path, words, {"path": f"*/{ADATUM}/*"}) as process:
        out, err = interrupt(emulator, process)
    assert (130, True, False) == (process.returncode, "is not complete" in err, "Traceback" in err), err
    result = (tmp_path / "report.md").read_text() if name in WRITING else out
    assert part in result
    assert (name in WRITING) == ("This report is not complete" in result)
    assert [] == [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "drift"])
def test_before_the_first_tenant_no_file_is_replaced(emulator: Emulator, tmp_path: Path, name: str) -> None:
    before = tmp_path / "report.md"
    before.write_text("yesterday")
    with held(emulator, tmp_path, COMMANDS[name][0], {"operation": "list_installations"}) as process:
        out, _ = interrupt(emulator, process)
    assert (130, "yesterday", 0) == (process.returncode, before.read_text(), out.count(CONTOSO))
    assert ["list_installations"] == [request["operation"] for request in emulator.requests()]


@pytest.mark.parametrize("name", ["drift", "licences"])
def test_ctrl_c_while_the_settings_are_read_ends_the_command(tmp_path: Path, name: str) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    write_script(tmp_path / "pulumi", f": > {tmp_path}/begun; read -r _ < {tmp_path}/held")
    os.mkfifo(tmp_path / "held")
    variables = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin"}
    with subprocess.Popen(
        [*PYTHON, *COMMANDS[name][0]], cwd=tmp_path, env=variables, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        until((tmp_path / "begun").exists, process)
        process.send_signal(signal.SIGINT)
        assert "Interrupted" in process.stderr.readline()
        (tmp_path / "held").write_text("\n")
        errors = process.communicate(timeout=HANG)[1]
    assert (130, False) == (process.returncode, "Traceback" in errors), errors


@pytest.mark.parametrize("name", COMMANDS)
def test_a_second_ctrl_c_ends_the_command_at_once(emulator: Emulator, tmp_path: Path, name: str) -> None:
    with held(emulator, tmp_path, COMMANDS[name][0], {"path": f"*/{ADATUM}/*"}) as process:

        def ended() -> bool:
            process.send_signal(signal.SIGINT)
            return process.poll() is not None

        until(ended)
        out, _ = process.communicate(timeout=HANG)
    assert (130, False) == (process.returncode, "south" in out)
    assert [] == [*tmp_path.glob("report*")]
