"""Ctrl-C while a protection set is brought about: what was done is kept, and nothing more is begun."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty  # type: ignore[import-untyped]  # generated code without types

from support import Emulator, until
from support.history import moments_without_policy
from support.resources.contoso import GOLD, SILVER, policies, user
from support.resources.servicer import Properties, Servicer
from support.resources.sets import Sets, Turn, members

TEN = [user(number) for number in range(9, 19)]
LATER = {"status": 429, "headers": {"Retry-After": "120"}}
SOON = {"status": 429, "headers": {"Retry-After": "1"}}


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Servicer]:
    """A process of this test alone: once it is interrupted it sends nothing any more."""
    with Servicer(tmp_path / "mortal") as servicer:
        yield servicer


def interrupted(sets: Sets, servicer: Servicer, emulator: Emulator, fault: Properties, program: Properties) -> Turn:
    """Bring a set about, and press Ctrl-C when a request has met a fault."""
    with emulator.faults(fault), ThreadPoolExecutor(1) as thread:
        turn = thread.submit(sets.up, people=program)
        until(lambda: not emulator.remaining_faults() or turn.done())
        servicer.stub.Cancel(Empty())
        return turn.result(60)


def test_what_was_done_before_an_interruption_is_kept_and_the_next_run_does_the_rest(
    mortal: Servicer, hurried: Servicer, emulator: Emulator
) -> None:
    sets = Sets(mortal, emulator, concurrency="1")
    fault = {"operation": "protect_resource", "nth": 4, "do": [LATER]}
    turn = interrupted(sets, mortal, emulator, fault, members(*TEN))
    assert "interrupted: 3 done, 7 not\nWhat was done is kept, and the next `pulumi up` does the rest" == turn.error
    done = sets.kept["people"].outs["protected"]
    assert (3, 4, True) == (len(done), len(emulator.writes()), sets.kept["people"].half_done)

    later = Sets(hurried, emulator)
    later.kept = sets.kept
    emulator.clear_requests()
    assert {"people": "update"} == later.up(people=members(*TEN)).steps
    written = {request["path"].split("/")[-2] for request in emulator.writes()}
    assert ({*TEN} - {*done}, 7) == (written, len(emulator.writes()))


def test_an_interruption_before_anything_was_done_keeps_nothing(mortal: Servicer, emulator: Emulator) -> None:
    sets = Sets(mortal, emulator)
    turn = interrupted(sets, mortal, emulator, {"operation": "protect_resource", "do": [LATER]}, members(TEN[0]))
    assert ("interrupted: 0 done, 1 not" in turn.error, {}) == (True, sets.kept)


def test_an_interruption_while_all_is_read_changes_nothing(mortal: Servicer, emulator: Emulator) -> None:
    sets = Sets(mortal, emulator, previewChecks="false")
    turn = interrupted(sets, mortal, emulator, {"operation": "list_protections", "do": [LATER]}, members(*TEN))
    assert ("interrupted" in turn.error, []) == (True, emulator.writes())


def test_a_swap_that_has_begun_is_brought_to_its_end(mortal: Servicer, emulator: Emulator) -> None:
    sets = Sets(mortal, emulator, concurrency="1")
    sets.up(people=members(*TEN))
    emulator.clear_requests()
    # It is refused at first, the old policy is taken off, and then the new one has to wait.
    fault = {"operation": "protect_resource", "nth": 2, "do": [SOON]}
    turn = interrupted(sets, mortal, emulator, fault, members(*TEN, policy="Silver"))
    assert "interrupted: 1 done, 9 not" in turn.error
    on = policies(emulator)
    assert [[GOLD]] * 9 + [[SILVER]] == sorted(on[id] for id in TEN)
    (swapped,) = (id for id in TEN if on[id] == [SILVER])
    assert 1 == moments_without_policy(emulator, swapped, [GOLD], "invalid_argument")
    kept = {**dict.fromkeys(TEN, GOLD), swapped: SILVER}
    assert kept == sets.kept["people"].outs["protected"]


def test_removals_are_not_begun_after_an_interruption(mortal: Servicer, emulator: Emulator) -> None:
    sets = Sets(mortal, emulator, concurrency="1")
    sets.up(people=members(*TEN[:5]))
    fault = {"operation": "protect_resource", "nth": 2, "do": [LATER]}
    turn = interrupted(sets, mortal, emulator, fault, members(*TEN[3:], max_removals=3))
    assert "interrupted: 1 done, 4 not" in turn.error
    assert {*TEN[:5]} < {*sets.kept["people"].outs["protected"]}
    assert set() == {*TEN[:5]} - {*policies(emulator)}
