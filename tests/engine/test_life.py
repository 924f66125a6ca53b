"""Random lives of a stack on the real engine: no policy is lost, and the end matches the program."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from support import NIGHTLY, Emulator
from support.engine.held import Run
from support.engine.stack import Outcome, Stack
from support.resources.life import PLAIN, TENANT, Command, Life, Program, Way
from support.resources.servicer import Properties

pytestmark = pytest.mark.thorough

# The program drops unlisted items: a short list must not have that effect.
DECLARE = f"""
tenant_id, options = "{TENANT}", {{"on_conflict": "take_over"}}
listed = [resource.id for resource in get_resources(tenant_id).items]
declared = {{id: of for id, of in declared.items() if id in listed}}


def declare_set(name):
    assignments = {{id: policy for id, (by, policy) in declared.items() if by == name}}
    return ProtectionSet(name, tenant_id=tenant_id, assignments=assignments, max_removals="100%", **options)


def declare_protection(id):
    return Protection(f"p-{{id}}", tenant_id=tenant_id, resource=id, policy=declared[id][1], **options)


steps = [lambda name=name: declare_set(name) for name in "ab"]
steps += [lambda id=id: declare_protection(id) for id, (by, _) in declared.items() if by == "p"]


def declare_next(left):
    if left:
        made = left[0]()
        if style == "blocking":
            from pulumi.runtime.sync_await import _sync_await

            _sync_await(made.id.future())
        if style == "callbacks":
            made.id.apply(lambda _: declare_next(left[1:]))
        else:
            declare_next(left[1:])


declare_next(steps[::-1] if backwards else steps)
"""


class _Engine:
    """An adapter of the lives to a stack of the real engine."""

    def __init__(self, stack: Stack, emulator: Emulator) -> None:
        self._stack = stack
        self._emulator = emulator

    def up(self, program: Program, way: Way = PLAIN) -> str:
        self._write(program, way)
        there = self._stack.resources()
        options = [f"--exclude=**::{way.excluded}*"] if way.excluded in there else []
        if way.forced in there and way.forced != way.excluded:
            options += ["--replace", f"**::{way.forced}"]
        return _error(self._stack.up("--skip-preview", *options))

    def preview(self, program: Program) -> tuple[str, bool]:
        self._write(program)
        outcome = self._stack.preview()
        return _error(outcome), bool(outcome.steps)

    def refresh(self) -> str:
        return _error(self._stack.refresh())

    def destroy(self) -> str:
        return _error(self._stack.destroy())

    def kill(self, command: Command, program: Program, rule: Mapping[str, object]) -> None:
        self._write(program)
        with self._emulator.possible_faults(rule):
            run = Run(self._stack.start(command, "--yes", "--skip-preview"), self._stack.calls)
            try:
                run.until(lambda: not run.processes() or not self._emulator.remaining_faults())
                if self._emulator.remaining_faults():
                    return  # The fault was not reached.
                run.kill()
                self._emulator.clear_faults()
                run.until(lambda: not run.providers())
            finally:
                run.clean_up()
        self._stack.cancel()

    def outputs(self) -> list[Properties]:
        return [resource["outputs"] for resource in self._stack.resources().values()]

    def _write(self, program: Program, way: Way = PLAIN) -> None:
        self._stack.write(f"declared, backwards, style = {dict(program)}, {way.backwards}, {way.style!r}\n{DECLARE}")


def _error(outcome: Outcome) -> str:
    return outcome.text if outcome.failed else ""


def test_no_policy_is_lost_and_the_end_matches_the_program(
    tmp_path_factory: pytest.TempPathFactory, emulator: Emulator, cache: Path
) -> None:
    class Bound(Life):
        def __init__(self) -> None:
            shutil.rmtree(cache, ignore_errors=True)
            super().__init__(emulator, _Engine(Stack(tmp_path_factory.mktemp("life"), emulator), emulator))

    run_state_machine_as_test(Bound, settings=settings(max_examples=20 if NIGHTLY else 3, stateful_step_count=6))
