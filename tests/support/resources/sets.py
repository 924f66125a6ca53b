"""The engine's commands on a stack of protection sets and protections, and the state between two commands."""

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from pulumi_dataprotection.core.handover import Declaration, HandoverFile
from support import Emulator
from support.resources.contoso import written
from support.resources.servicer import UNKNOWN, OperationError, Properties, Run, Servicer, Wire

Program = Mapping[str, Properties]


@dataclass(frozen=True)
class Kept:
    """The state of one resource.

    Attributes:
        id: its id.
        inputs: the checked inputs of the program, or the inputs that a refresh read.
        outs: its outputs.
        half_done: whether the last operation failed half-way.
    """

    id: str
    inputs: Properties
    outs: Properties
    half_done: bool = False


@dataclass
class Outcome:
    """The outcome of a command.

    Attributes:
        steps: the step of each resource: "create", "update", "replace", "delete" or "same".
        error: the text that the user reads if it failed.
        operations: the operations that it called.
        written: the resources of its writes, sorted.
        warnings: its warnings, each after the name of its resource.
        notes: its other messages but progress, each after the name of its resource.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    error: str = ""
    operations: Sequence[str] = ()
    written: Sequence[str] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


class Sets:
    """A stack of protection sets, and of protections.

    Args:
        servicer: the process in which their providers run.
        emulator: the service.
        config: the stack's config beside the key and the address.

    Attributes:
        kept: the state, by the resource's name.
        removals: the state of the `MemberRemoval` of each set, by the set's name.
        condemned: the resources that a run replaced and did not delete.
        condemned_removals: the removals that a run replaced and did not delete.
    """

    def __init__(self, servicer: Servicer, emulator: Emulator, **config: str) -> None:
        self.kept: dict[str, Kept] = {}
        self.removals: dict[str, Kept] = {}
        self.condemned: list[tuple[str, Kept]] = []
        self.condemned_removals: list[tuple[str, Kept]] = []
        self._servicer = servicer
        self._emulator = emulator
        self._config = config

    def wire(self, inputs: Properties) -> Wire:
        """Return the provider of a resource, in a new command of the engine."""
        return _wire(self._servicer.run(self._emulator, **self._config), "one", inputs)

    def protected(self, name: str = "people") -> dict[str, str]:
        """Return the policies that a set assigned, by resource."""
        found: dict[str, str] = self.kept[name].outs["protected"]
        return found

    def adopted(self, name: str = "people") -> dict[str, str]:
        """Return the policies that a set adopted, by resource."""
        found: dict[str, str] = self.kept[name].outs["adopted"]
        return found

    def preview(self, **program: Properties) -> Outcome:
        """Preview a program; nothing may be written."""
        return self._carry_out(partial(self._command, program, writes=False), writes=False)

    def up(self, **program: Properties) -> Outcome:
        """Carry out a program, one resource after the other: check, diff and write of each, then the next resource."""
        return self.up_in_part(program)

    def up_in_part(self, program: Program, *, excluded: str = "", forced: str = "", known: bool = True) -> Outcome:
        """Carry out a part of a program, or replace a resource by force.

        Args:
            program: the program.
            excluded: the resource that the engine leaves out.
            forced: the resource that it replaces without a comparison.
            known: whether the program hands its declarations over before it has ended.
        """
        act = partial(self._command, program, writes=True, excluded=excluded, forced=forced, known=known)
        return self._carry_out(act)

    def converge(self, **program: Properties) -> Outcome:
        """Carry out a program, which must not fail; after that nothing may be left to do."""
        outcome, again = self.up(**program), self.up(**program)
        assert ("", "") == (outcome.error, again.error)
        assert (dict.fromkeys(program, "same"), []) == (again.steps, again.written)
        return outcome

    def take_over(self, other: "Sets") -> None:
        """Go on with the state of another stack."""
        self.kept, self.removals = other.kept, other.removals
        self.condemned, self.condemned_removals = other.condemned, other.condemned_removals

    def refresh(self) -> Outcome:
        """Read all resources side by side; nothing may be written."""
        return self._carry_out(
            lambda run, outcome: self._at_once(self._refresh, run, outcome, [*self.kept]), writes=False
        )

    def destroy(self) -> Outcome:
        """Delete all resources side by side, and each set after its `MemberRemoval`."""
        return self._carry_out(lambda run, outcome: self._delete_all(run, outcome, [*self.kept]))

    def _carry_out(self, act: Callable[[Run, Outcome], None], *, writes: bool = True) -> Outcome:
        run, outcome = self._servicer.run(self._emulator, **self._config), Outcome()
        run.stub()  # From now on several threads may call.
        engine = self._servicer.engine
        if engine:
            engine.messages.clear()
        self._emulator.clear_requests()
        act(run, outcome)
        outcome.operations, outcome.written = self._emulator.operations(), written(self._emulator)
        assert writes or not outcome.written
        if engine:
            outcome.warnings, outcome.notes = engine.warnings, engine.notes
        return outcome

    def _command(
        self,
        program: Program,
        run: Run,
        outcome: Outcome,
        *,
        writes: bool,
        excluded: str = "",
        forced: str = "",
        known: bool = True,
    ) -> None:
        handover = HandoverFile(self._servicer.address, preview=not writes)
        declarations = [_declaration(name, inputs) for name, inputs in program.items()]
        included = {name: inputs for name, inputs in program.items() if name != excluded}
        if known:
            handover.declare(declarations)
        try:
            for name, inputs in included.items():
                wire, kept = _wire(run, name, inputs), self.kept.get(name)
                outcome.steps[name] = self._declare(wire, name, inputs, writes=writes, forced=name == forced)
                if writes and kept and outcome.steps[name] == "replace":
                    self.condemned.append((name, kept))
            handover.declare(declarations, complete=True)
            for name, inputs in included.items():
                if "resource" not in inputs:
                    self._declare_removal(run, name, writes=writes)
            if writes:
                self._delete_all(run, outcome, [name for name in self.kept if name not in program])
        except (CheckError, OperationError) as error:
            outcome.error = str(error)
        finally:
            handover.remove()

    def _declare_removal(self, run: Run, name: str, *, writes: bool) -> None:
        """Declare the `MemberRemoval` of a set, after everything else in the program."""
        wire, kept = _removal(run, name), self.removals.get(name)
        news: Properties = {"set_urn": run.protection_set.named(name).urn}
        inputs = _checked(wire, kept.inputs if kept else {}, news)
        if kept:
            changes, replaces = wire.diff(kept.id, kept.outs, inputs)
            assert replaces in ([], ["generation"])
            if not replaces:
                if writes and changes == "some":
                    self.removals[name] = Kept(kept.id, inputs, wire.update(kept.id, kept.outs, inputs))
                return
            inputs = _checked(wire, {}, news)
        if writes:
            made = wire.create(inputs)
            if kept:
                self.condemned_removals.append((name, kept))
            self.removals[name] = Kept(made.id, inputs, made.outs)

    def _delete_all(self, run: Run, outcome: Outcome, gone: Sequence[str]) -> None:
        """Delete the resources that were replaced, and those that the program does not have."""
        for name, kept in [*self.condemned_removals]:
            if _succeeds(partial(_removal(run, name).delete, kept.id, kept.outs), outcome):
                self.condemned_removals.remove((name, kept))
        for name, kept in [(name, self.removals[name]) for name in gone if name in self.removals]:
            if _succeeds(partial(_removal(run, name).delete, kept.id, kept.outs), outcome):
                del self.removals[name]
        for name, kept in [*self.condemned]:
            if _succeeds(partial(_wire(run, name, kept.inputs).delete, kept.id, kept.outs), outcome):
                self.condemned.remove((name, kept))
        self._at_once(self._delete, run, outcome, gone)

    def _declare(self, wire: Wire, name: str, news: Properties, *, writes: bool, forced: bool) -> str:
        kept = self.kept.get(name)
        if kept and not forced:
            inputs = _checked(wire, kept.inputs, news)
            changes, replaces = wire.diff(kept.id, kept.outs, inputs)
            if not replaces:
                # If the provider leaves the comparison to the engine, the engine compares the inputs.
                differs = kept.half_done or changes == "some" or (changes == "unknown" and inputs != kept.inputs)
                if writes and differs:
                    with self._half_done(name, inputs):
                        self.kept[name] = Kept(kept.id, inputs, wire.update(kept.id, kept.outs, inputs))
                elif writes:
                    self.kept[name] = replace(kept, inputs=inputs)
                return "update" if differs else "same"
        inputs = _checked(wire, {}, news)
        if writes:
            with self._half_done(name, inputs):
                made = wire.create(inputs)
                self.kept[name] = Kept(made.id, inputs, made.outs)
        return "replace" if kept else "create"

    @contextmanager
    def _half_done(self, name: str, inputs: Properties) -> Generator[None]:
        """Keep the outputs of an operation that fails half-way."""
        try:
            yield
        except OperationError as error:
            if error.half_done:
                self.kept[name] = Kept(error.half_done.id, inputs, error.half_done.outs, half_done=True)
            raise

    def _refresh(self, run: Run, outcome: Outcome, name: str) -> None:
        kept = self.kept[name]
        wire = _wire(run, name, kept.inputs)
        found = wire.read(kept.id, kept.outs, kept.inputs)
        if not found.id:
            outcome.steps[name] = "delete"
            del self.kept[name]
            return
        # The engine shows how the old inputs differ from what was read.
        wire.diff(kept.id, found.outs, kept.inputs)
        same = (kept.inputs, kept.outs) == (found.inputs, found.outs)
        outcome.steps[name] = "same" if same else "update"
        self.kept[name] = Kept(found.id, found.inputs, found.outs)

    def _delete(self, run: Run, outcome: Outcome, name: str) -> None:
        kept = self.kept[name]
        _wire(run, name, kept.inputs).delete(kept.id, kept.outs)
        outcome.steps[name] = "delete"
        del self.kept[name]

    def _at_once(
        self, act: Callable[[Run, Outcome, str], None], run: Run, outcome: Outcome, names: Sequence[str]
    ) -> None:
        with ThreadPoolExecutor(4) as threads:
            running = [threads.submit(act, run, outcome, name) for name in names]
        for one in running:
            _succeeds(one.result, outcome)


class CheckError(Exception):
    """The failures of a check, as text."""


def _succeeds(act: Callable[[], None], outcome: Outcome) -> bool:
    """Act, and add the error to the outcome if there is one."""
    try:
        act()
    except OperationError as error:
        outcome.error += f"{error}\n"
        return False
    return True


def _wire(run: Run, name: str, inputs: Properties) -> Wire:
    return (run.protection if "resource" in inputs else run.protection_set).named(name)


def _removal(run: Run, name: str) -> Wire:
    return run.member_removal.named(f"{name}-removal")


def _checked(wire: Wire, olds: Properties, news: Properties) -> Properties:
    inputs, failures = wire.check(olds, news)
    if failures:
        raise CheckError("\n".join(f"{name}: {reason}" if name else reason for name, reason in failures))
    return inputs


def _declaration(name: str, inputs: Properties) -> Declaration:
    """Return the declaration that the program hands over."""
    named = [inputs["resource"]] if "resource" in inputs else inputs["assignments"]
    known = named != UNKNOWN and UNKNOWN not in named
    tenant_id = None if inputs["tenant_id"] == UNKNOWN else inputs["tenant_id"]
    return Declaration(name, "", tenant_id, [*named] if known else None)
