"""Lives of stacks on the wire: no member loses its policy, and the end is as the program says."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from support import NIGHTLY, Emulator, until
from support.resources.arguments import assigned
from support.resources.life import PLAIN, TENANT, Command, Life, Program, Way
from support.resources.servicer import HURRIED, Engine, Properties, Servicer
from support.resources.sets import Sets

pytestmark = pytest.mark.thorough

OPTIONS = {"tenant_id": TENANT, "on_conflict": "take_over"}


class _Wire:
    """A stack on the wire; a new provider process follows a process that was killed."""

    def __init__(self, emulator: Emulator, start: Callable[[], Servicer]) -> None:
        self._emulator = emulator
        self._start = start
        self.servicer = start()
        self.sets = self._new_sets()

    def begin(self) -> None:
        self.sets = self._new_sets()

    def up(self, program: Program, way: Way = PLAIN) -> str:
        resources = _resources(program)
        if way.backwards:
            resources = dict(reversed(resources.items()))
        # The wire has no program: only the time differs at which the provider can read all declarations.
        known = way.style == "plain"
        return self.sets.up_in_part(resources, excluded=way.excluded, forced=way.forced, known=known).error

    def preview(self, program: Program) -> tuple[str, bool]:
        turn = self.sets.preview(**_resources(program))
        return turn.error, {*turn.steps.values()} - {"same"} != set()

    def refresh(self) -> str:
        return self.sets.refresh().error

    def destroy(self) -> str:
        return self.sets.destroy().error

    def kill(self, command: Command, program: Program, rule: Mapping[str, object]) -> None:
        with ThreadPoolExecutor(1) as thread, self._emulator.possible_faults(rule):
            running = thread.submit(self.destroy if command == "destroy" else lambda: self.up(program))
            until(lambda: running.done() or not self._emulator.remaining_faults())
            if running.done():
                return  # The command ended before the fault.
            self.servicer.kill()
        left = self.sets
        self.servicer.close()
        self.servicer = self._start()
        self.sets = self._new_sets()
        self.sets.take_over(left)

    def outputs(self) -> list[Properties]:
        return [kept.outs for kept in self.sets.kept.values()]

    def _new_sets(self) -> Sets:
        return Sets(self.servicer, self._emulator, concurrency="1")


def _resources(program: Program) -> dict[str, Properties]:
    sets = {
        name: {**assigned({id: policy for id, (by, policy) in program.items() if by == name}, max_removals="100%")}
        for name in "ab"
    }
    protections = {
        f"p-{id}": {"resource": id, "policy": policy, "on_destroy": "unprotect"}
        for id, (by, policy) in program.items()
        if by == "p"
    }
    return {name: {**inputs, **OPTIONS} for name, inputs in {**sets, **protections}.items()}


def test_no_member_is_lost_and_the_program_is_reached(emulator: Emulator, engine: Engine, tmp_path: Path) -> None:
    def start() -> Servicer:
        return Servicer(tmp_path / "log", engine.address, HURRIED, measured=False)

    wire = _Wire(emulator, start)

    class Bound(Life):
        def __init__(self) -> None:
            wire.begin()
            super().__init__(emulator, wire)

    run_state_machine_as_test(Bound, settings=settings(max_examples=200 if NIGHTLY else 20, stateful_step_count=12))
    wire.servicer.close()
