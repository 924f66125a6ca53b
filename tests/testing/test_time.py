"""Waits of a program under test: on driven time nobody waits, and the emulator's clock goes on."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pulumi_dataprotection.testing import Emulator, StackFactory

PROTECT = """
    from pulumi_dataprotection import ProtectionSet
    ProtectionSet("people", tenant_id="tenant-contoso", resources=["res-contoso-user-09"], policy="Gold")
    """


def wait(seconds: int) -> dict[str, object]:
    return {"operation": "protect_resource", "do": [{"status": 429, "headers": {"Retry-After": str(seconds)}}]}


def test_a_wait_is_over_at_once_and_the_emulators_clock_goes_on(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(PROTECT)
    with dataprotection_emulator.faults(wait(500)):
        up = stack.up()
    assert (False, {"people": "create"}) == (up.failed, up.steps), up.text
    ahead = (dataprotection_emulator.now() - datetime.now(UTC)).total_seconds()
    # A little is added to what the service asks for, so that not all come back at once.
    assert 499 < ahead < 502
    refused, done = (datetime.fromisoformat(write["at"]) for write in up.writes)
    assert (done - refused).total_seconds() >= 500


def test_a_look_up_of_the_program_does_not_wait_either(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack("import pulumi_dataprotection; pulumi_dataprotection.get_installations()")
    with dataprotection_emulator.faults({**wait(500), "operation": "list_installations"}):
        preview = stack.preview()
    assert not preview.failed, preview.text
    assert (dataprotection_emulator.now() - datetime.now(UTC)).total_seconds() > 499


def test_on_real_time_the_clock_is_left_alone(
    dataprotection_stack: StackFactory, dataprotection_emulator: Emulator
) -> None:
    stack = dataprotection_stack(PROTECT, real_time=True)
    with dataprotection_emulator.faults(wait(1)):
        up = stack.up()
    assert not up.failed, up.text
    assert abs((dataprotection_emulator.now() - datetime.now(UTC)).total_seconds()) < 0.5
    refused, done = (datetime.fromisoformat(write["at"]) for write in up.writes)
    assert (done - refused).total_seconds() >= 1


LOOK = """
import os
from pulumi_dataprotection.client import _clock, interrupt
from pulumi_dataprotection.client.errors import CanceledError

print(type(_clock.CLOCK).__name__, os.environ.get("OWN"))
before = _clock.CLOCK.time(), _clock.CLOCK.monotonic()
_clock.CLOCK.sleep(1000)
print(_clock.CLOCK.time() - before[0] >= 1000, _clock.CLOCK.monotonic() - before[1] >= 1000)
interrupt()
try:
    _clock.CLOCK.sleep(1000)
except CanceledError as error:
    print(error)
with _clock.CLOCK.shield():
    _clock.CLOCK.sleep(1000)
"""


def test_a_process_of_a_run_keeps_its_own_customization_and_can_be_interrupted(
    dataprotection_stack: StackFactory,
    dataprotection_emulator: Emulator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os\nos.environ['OWN'] = 'own'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    ended = subprocess.run(
        [sys.executable, "-c", LOOK],
        env=dataprotection_stack("").environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ("", ["DrivenClock own", "True True", "interrupted: nothing more was sent"]) == (
        ended.stderr,
        ended.stdout.splitlines(),
    )
    assert 1999 < (dataprotection_emulator.now() - datetime.now(UTC)).total_seconds() < 2001
