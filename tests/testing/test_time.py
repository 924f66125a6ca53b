"""Waits of a program under test: on driven time they are over at once, and the clock of the emulator advances."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, StackFactory
from support import run_process

PROTECT = """
    from pulumi_dataprotection import ProtectionSet
    ProtectionSet("people", tenant_id="tenant-contoso", resources=["res-contoso-user-09"], policy="Gold")
    """


def wait(seconds: int) -> dict[str, object]:
    return {"operation": "protect_resource", "do": [{"status": 429, "headers": {"Retry-After": str(seconds)}}]}


def ahead(emulator: Emulator) -> float:
    """The seconds that the emulator's clock is ahead of this machine's."""
    return (emulator.now() - datetime.now(UTC)).total_seconds()


def test_a_wait_is_over_at_once_and_the_clock_of_the_emulator_advances(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(PROTECT)
    with dataprotection_emulator.faults(wait(500)):
        up = stack.up()
    assert (False, {"people": "create"}) == (up.failed, up.steps), up.text
    assert 490 < ahead(dataprotection_emulator) < 510
    refused, done = (datetime.fromisoformat(write["at"]) for write in up.writes)
    assert (done - refused).total_seconds() >= 500


def test_a_wait_of_a_function_is_over_at_once(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack("import pulumi_dataprotection; pulumi_dataprotection.get_installations()")
    with dataprotection_emulator.faults({**wait(500), "operation": "list_installations"}):
        preview = stack.preview()
    assert not preview.failed, preview.text
    assert 490 < ahead(dataprotection_emulator) < 510


OPEN = "from pulumi_dataprotection.client._transport.clock import process_clock\n"

LOOK = """
import os
from pulumi_dataprotection.client import interrupt
from pulumi_dataprotection.client._transport.clock import process_clock
from pulumi_dataprotection.client.errors import CanceledError

clock = process_clock()
before = clock.time(), clock.monotonic()
clock.sleep(1000)
print(os.environ["OWN"], clock.time() - before[0] >= 1000, clock.monotonic() - before[1] >= 1000)
interrupt()
try:
    clock.sleep(1000)
except CanceledError as error:
    print(type(error).__name__)
with clock.shield():
    clock.sleep(1000)
"""


def test_a_process_of_a_run_keeps_its_customization_and_can_be_interrupted(
    dataprotection_stack: StackFactory,
    dataprotection_emulator: Emulator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os\nos.environ['OWN'] = 'own'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    told = python(LOOK, dataprotection_stack("").environment)
    assert ["own True True", "CanceledError"] == told
    assert 1990 < ahead(dataprotection_emulator) < 2010


def test_a_stack_on_real_time_has_the_clock_of_the_machine(dataprotection_stack: StackFactory) -> None:
    program = f"{OPEN}print(type(process_clock()).__name__)"
    environments = [dataprotection_stack("", name=str(real), real_time=real).environment for real in (False, True)]
    assert [["DrivenClock"], ["Clock"]] == [python(program, environment) for environment in environments]


def python(program: str, environment: Mapping[str, str]) -> list[str]:
    """Run a program as one of the run's processes, and return the lines that it prints."""
    ended = run_process([sys.executable, "-c", program], env=environment)
    assert "" == ended.stderr
    return ended.stdout.splitlines()
