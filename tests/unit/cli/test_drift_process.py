"""`dataprotection drift` as a process: its progress, its end at Ctrl-C, its clock, and the settings of a project."""

import json
import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import click
import pytest

from support import HANG, Emulator, until
from support.cli.commands import PYTHON, in_terminal
from support.cli.drifting import hurried
from support.cli.getting import settings
from support.engine.stack import Stack
from support.inventory.states import CONTOSO, protection, write_state
from support.resources.contoso import SILVER, unprotect, user
from support.shell import write_script

ADATUM = "tenant-adatum"


def environment(emulator: Emulator, **variables: str) -> dict[str, str]:
    """Return the variables of a process with the settings for an emulator."""
    return {**os.environ, **settings(emulator, emulator.read_only_key), **variables}


def two_tenants(folder: Path) -> None:
    """Write the state of a stack of two tenants, which is in step."""
    write_state(folder, protection(user(1), SILVER), stack="north")
    write_state(folder, protection("res-adatum-user-01", "policy-adatum-silver", tenant_id=ADATUM), stack="south")


def test_a_terminal_shows_the_progress_and_a_pipe_does_not(emulator: Emulator, tmp_path: Path) -> None:
    two_tenants(tmp_path)
    status, text = in_terminal(120, environment(emulator), "drift", "--state", str(tmp_path))
    assert (0, True) == (status, bool(re.search(r"tenants .*2/2", click.unstyle(text))))
    command = [*PYTHON, "drift", "--state", str(tmp_path)]
    piped = subprocess.run(command, env=environment(emulator), capture_output=True, text=True, timeout=HANG, check=True)
    assert ("", False) == (piped.stderr, "\x1b" in piped.stdout)


def test_ctrl_c_keeps_the_result_so_far_and_marks_the_rest(emulator: Emulator, tmp_path: Path) -> None:
    two_tenants(tmp_path)
    command = [*PYTHON, "drift", "--state", str(tmp_path), "--format", "json"]
    variables = environment(emulator, DATAPROTECTION_REQUEST_TIMEOUT="300", DATAPROTECTION_CONCURRENCY="1")
    with (
        emulator.faults({"path": f"*/{CONTOSO}/*", "do": ["stall:900"]}),
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
    ):
        assert process.stderr
        until(lambda: not emulator.remaining_faults(), process)
        process.send_signal(signal.SIGINT)
        assert "Interrupted" in process.stderr.readline()
        emulator.clear_faults()
        out, err = process.communicate(timeout=HANG)
    found = json.loads(out)
    assert (130, False) == (process.returncode, "Traceback" in err)
    assert [(1, 0), (0, 1)] == [(stack["in_step"], stack["unreadable"]) for stack in found["stacks"]]
    assert [] == [request for request in emulator.requests() if ADATUM in request["path"]]


@pytest.mark.parametrize("skip", [-86_400, 86_400])
def test_a_clock_that_jumps_changes_nothing(emulator: Emulator, tmp_path: Path, skip: int) -> None:
    unprotect(emulator, user(1))
    two_tenants(tmp_path)
    clock = {"DATAPROTECTION_DRIVEN_CLOCK": "support.cli.clocks:JumpingClock", "TEST_JUMP": str(skip)}
    status, found = hurried(emulator, tmp_path, DATAPROTECTION_READ_LAG="5", **clock)
    assert (7, [("bare", user(1))]) == (status, [(one["status"], one["id"]) for one in found["findings"]])


def test_the_stacks_and_the_settings_are_by_default_those_of_the_current_folder(
    stack: Stack, emulator: Emulator, tmp_path: Path
) -> None:
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.configure("baseUrl", emulator.url)
    program = f'Protection("jane", tenant_id="{CONTOSO}", resource="{user(9)}", policy="Gold")'
    stack.deploy(program)
    unprotect(emulator, user(9))
    variables = {name: value for name, value in stack.environment.items() if not name.startswith("DATAPROTECTION_")}
    for words in (("--stack", "dev"), ("--stack", "dev", "--project", str(tmp_path), "--stacks", "d?v")):
        ended = subprocess.run(
            [*PYTHON, "drift", "--format", "json", *words],
            cwd=tmp_path,
            env={**variables, "DATAPROTECTION_READ_LAG": "0"},
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )
        found = json.loads(ended.stdout)
        assert (7, [("dev", "bare", user(9))]) == (
            ended.returncode,
            [(one["stack"], one["status"], one["id"]) for one in found["findings"]],
        )


SECRETS = """
    hidden = pulumi.Output.secret({name: "Gold" for name in ("res-contoso-user-10", "res-contoso-user-11")})
    ProtectionSet("hidden", tenant_id="tenant-contoso", assignments=hidden)
    gold = pulumi.Output.secret("Gold")
    Protection("secret", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy=gold)
"""


@pytest.mark.parametrize("has_passphrase", [True, False])
def test_an_encrypted_state_is_compared_without_its_names_and_without_its_passphrase(
    stack: Stack, emulator: Emulator, tmp_path: Path, *, has_passphrase: bool
) -> None:
    stack.deploy(SECRETS)
    unprotect(emulator, user(10))
    variables = {**stack.environment, "DATAPROTECTION_READ_LAG": "0"}
    if not has_passphrase:
        del variables["VAULT_SERVER_URL"]
    command = [*PYTHON, "drift", "--project", str(tmp_path), "--format", "json"]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=HANG, check=False)
    found = json.loads(ended.stdout)
    (counts,) = ((one["in_step"], one["bare"], one["unreadable"]) for one in found["stacks"])
    assert (7, (2, 1, 0)) == (ended.returncode, counts)
    assert [(user(10), "")] == [(one["id"], one["name"]) for one in found["findings"]]


def test_ctrl_c_while_states_are_read_is_marked_too(emulator: Emulator, tmp_path: Path) -> None:
    listed = json.dumps([{"name": f"stack-{number}"} for number in range(50)])
    script = f"""case "$2" in
      ls) echo '{listed}' ;;
      export) : > {tmp_path}/begun; read -r _ < {tmp_path}/held ;;
    esac
    """
    write_script(tmp_path / "pulumi", script)
    os.mkfifo(tmp_path / "held")
    path = f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin"
    command = [*PYTHON, "drift", "--project", str(tmp_path), "--format", "json"]
    variables = environment(emulator, PATH=path)
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        until((tmp_path / "begun").exists, process)
        process.send_signal(signal.SIGINT)
        assert "Interrupted" in process.stderr.readline()
        # Each export that has begun ends when somebody writes to it.
        until(lambda: _release(tmp_path / "held", process))
        out, _ = process.communicate(timeout=HANG)
    # The exports that are left end, too.
    os.close(os.open(tmp_path / "held", os.O_RDWR))
    found = json.loads(out)
    assert (130, False) == (process.returncode, found["complete"])
    assert len(found["stacks"]) < 50


def _release(held: Path, process: subprocess.Popen[str]) -> bool:
    with suppress(OSError):
        os.close(os.open(held, os.O_WRONLY | os.O_NONBLOCK))
    return process.poll() is not None


def test_a_folder_without_a_project_is_an_error(emulator: Emulator, tmp_path: Path) -> None:
    command = [*PYTHON, "drift", "--format", "json"]
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment(emulator), capture_output=True, text=True, timeout=HANG, check=False
    )
    assert (1, False) == (ended.returncode, json.loads(ended.stdout)["complete"])
