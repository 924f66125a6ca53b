"""Ctrl-C during a run of a protection set: finished work is kept, and nothing more begins."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types

from support import Emulator, until
from support.resources.arguments import members
from support.resources.contoso import policies, user
from support.resources.servicer import Properties, Servicer, assert_names
from support.resources.sets import Outcome, Sets

TEN = [user(number) for number in range(9, 19)]
LATER = {"status": 429, "headers": {"Retry-After": "120"}}


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Servicer]:
    """A process of this test only: after an interruption it sends nothing any more."""
    with Servicer(tmp_path / "mortal") as servicer:
        yield servicer


def interrupted(sets: Sets, servicer: Servicer, emulator: Emulator, fault: Properties, program: Properties) -> Outcome:
    """Carry out a set, and press Ctrl-C when a request has met a fault."""
    with emulator.faults(fault), ThreadPoolExecutor(1) as thread:
        pending = thread.submit(sets.up, people=program)
        until(lambda: not emulator.remaining_faults() or pending.done())
        servicer.stub.Cancel(Empty())
        return pending.result(60)


@pytest.mark.parametrize(
    ("operation", "checks", "count", "names"),
    [("protect_resource", "true", 1, ["0 done, 1 not"]), ("list_protections", "false", 10, [])],
)
def test_an_interruption_before_the_first_write_keeps_nothing(
    mortal: Servicer, emulator: Emulator, *, operation: str, checks: str, count: int, names: list[str]
) -> None:
    sets = Sets(mortal, emulator, previewChecks=checks)
    outcome = interrupted(sets, mortal, emulator, {"operation": operation, "do": [LATER]}, members(*TEN[:count]))
    assert_names(outcome.error, "interrupted", *names)
    assert ({}, operation == "list_protections") == (sets.kept, outcome.written == [])


def test_removals_do_not_begin_after_an_interruption(mortal: Servicer, emulator: Emulator) -> None:
    sets = Sets(mortal, emulator, concurrency="1")
    sets.up(people=members(*TEN[:5]))
    fault = {"operation": "protect_resource", "nth": 2, "do": [LATER]}
    outcome = interrupted(sets, mortal, emulator, fault, members(*TEN[3:], max_removals=3))
    assert_names(outcome.error, "interrupted: 1 done, 4 not")
    assert {*TEN[:5]} < {*sets.protected()}
    assert set() == {*TEN[:5]} - {*policies(emulator)}
