"""Plays the engine for the protection sets of a stack: its commands, and what it keeps from one to the next."""

import copy
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from pulumi_dataprotection.core.handover import Declaration, HandoverFile
from support import Emulator
from support.resources.contoso import TENANT
from support.resources.servicer import UNKNOWN, OperationError, Properties, Run, Servicer, Wire

__all__ = ["Kept", "Sets", "Turn", "assigned", "members"]

Program = Mapping[str, Properties]


def members(*references: str, policy: object = "Gold", **others: object) -> Properties:
    """What the program says of a set whose members all have one policy."""
    return assigned(dict.fromkeys(references, policy), **others)


def assigned(assignments: Mapping[str, object], **others: object) -> Properties:
    """What the program says of a set."""
    choices = {"on_conflict": "fail", "on_destroy": "unprotect", **others}
    return {"tenant_id": TENANT, "assignments": dict(assignments), **choices}


@dataclass(frozen=True)
class Kept:
    """What the state has of one resource.

    Attributes:
        id: its id.
        inputs: what check made of the program's inputs, or what a refresh read.
        outs: its outputs.
        half_done: whether the last operation was not brought to its end.
    """

    id: str
    inputs: Properties
    outs: Properties
    half_done: bool = False


@dataclass
class Turn:
    """What a command came to.

    Attributes:
        steps: what was done to each resource: "create", "update", "replace", "delete" or "same".
        error: what the user reads where it failed.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    error: str = ""


class Sets:
    """A stack of protection sets, and of protections.

    Args:
        servicer: the process in which their providers run.
        emulator: the service.
        config: the stack's config beside the key and the address.

    Attributes:
        kept: what the state has, by the resource's name.
        removals: what the state has of the `MemberRemoval` of each set, by the set's name.
        condemned: what a run replaced and did not delete.
        condemned_removals: the same of removals.
    """

    def __init__(self, servicer: Servicer, emulator: Emulator, **config: str) -> None:
        self.kept: dict[str, Kept] = {}
        self.removals: dict[str, Kept] = {}
        self.condemned: list[tuple[str, Kept]] = []
        self.condemned_removals: list[tuple[str, Kept]] = []
        self._servicer = servicer
        self._config = {"apiKey": emulator.api_key, "baseUrl": emulator.url, **config}

    def preview(self, **program: Properties) -> Turn:
        """Say what an `up` would do."""
        return self._command(program, writes=False)

    def up(self, **program: Properties) -> Turn:
        """Bring everything about, one resource after the other: each is done before the next one is asked about."""
        return self._command(program, writes=True)

    def up_in_part(self, program: Program, *, excluded: str = "", forced: str = "", known: bool = True) -> Turn:
        """Bring a part of a program about, or a resource by force.

        Args:
            program: the program.
            excluded: the resource that the engine leaves out.
            forced: the resource that it replaces without a comparison.
            known: whether the program hands its declarations over before it has ended.
        """
        return self._command(program, writes=True, excluded=excluded, forced=forced, known=known)

    def take_over(self, other: "Sets") -> None:
        """Go on with the state of another stack."""
        self.kept, self.removals = other.kept, other.removals
        self.condemned, self.condemned_removals = other.condemned, other.condemned_removals

    def refresh(self) -> Turn:
        """Read everything, all at once."""
        run, turn = self._run(), Turn()
        self._at_once(lambda name: self._refresh(run, turn, name), [*self.kept], turn)
        return turn

    def destroy(self) -> Turn:
        """Delete everything, all at once, and each set after its `MemberRemoval`."""
        run, turn = self._run(), Turn()
        self._delete_removals(run, turn, [*self.kept])
        self._delete_condemned(run, turn)
        self._at_once(lambda name: self._delete(run, turn, name), [*self.kept], turn)
        return turn

    def _run(self) -> Run:
        run = self._servicer.run(self._config)
        run.stub()  # From now on several may call.
        return run

    def _command(
        self, program: Program, *, writes: bool, excluded: str = "", forced: str = "", known: bool = True
    ) -> Turn:
        run, turn = self._run(), Turn()
        handover = HandoverFile(self._servicer.address)
        declarations = [_declaration(name, inputs) for name, inputs in program.items()]
        if known:
            handover.declare(declarations)
        try:
            for name, inputs in program.items():
                if name == excluded:
                    continue
                wire, kept = _wire(run, name, inputs), self.kept.get(name)
                turn.steps[name] = self._declare(wire, name, inputs, writes=writes, forced=name == forced)
                if writes and kept and turn.steps[name] == "replace":
                    self.condemned.append((name, kept))
            handover.declare(declarations, complete=True)
            for name, inputs in program.items():
                if "resource" not in inputs and name != excluded:
                    self._declare_removal(run, name, writes=writes)
            if writes:
                gone = [name for name in self.kept if name not in program]
                self._delete_removals(run, turn, gone)
                self._delete_condemned(run, turn)
                self._at_once(lambda name: self._delete(run, turn, name), gone, turn)
        except (CheckError, OperationError) as error:
            turn.error = str(error)
        finally:
            handover.remove()
        return turn

    def _declare_removal(self, run: Run, name: str, *, writes: bool) -> None:
        """Declare the `MemberRemoval` of a set, after everything else in the program."""
        wire, kept = _removal(run, name), self.removals.get(name)
        news: Properties = {"set_urn": _set_urn(run, name)}
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

    def _delete_removals(self, run: Run, turn: Turn, gone: Sequence[str]) -> None:
        """Delete what was replaced, and what goes with its set."""
        going = [*self.condemned_removals, *((name, self.removals[name]) for name in gone if name in self.removals)]
        for name, kept in going:
            try:
                _removal(run, name).delete(kept.id, kept.outs)
            except OperationError as error:
                turn.error += f"{error}\n"
            else:
                if (name, kept) in self.condemned_removals:
                    self.condemned_removals.remove((name, kept))
                else:
                    del self.removals[name]

    def _delete_condemned(self, run: Run, turn: Turn) -> None:
        for name, kept in [*self.condemned]:
            try:
                _wire(run, name, kept.inputs).delete(kept.id, kept.outs)
            except OperationError as error:
                turn.error += f"{error}\n"
            else:
                self.condemned.remove((name, kept))

    def _declare(self, wire: Wire, name: str, news: Properties, *, writes: bool, forced: bool = False) -> str:
        kept = self.kept.get(name)
        if kept and forced:
            self._create(wire, name, _checked(wire, {}, news))
            return "replace"
        inputs = _checked(wire, kept.inputs if kept else {}, news)
        if kept is None:
            if writes:
                self._create(wire, name, inputs)
            return "create"
        changes, replaces = wire.diff(kept.id, kept.outs, inputs)
        if replaces:
            inputs = _checked(wire, {}, news)
            if writes:
                self._create(wire, name, inputs)
            return "replace"
        # Where the provider does not say, the engine compares the inputs.
        differs = changes == "some" or (changes == "unknown" and inputs != kept.inputs)
        if writes and (differs or kept.half_done):
            self._update(wire, name, kept, inputs)
        elif writes:
            self.kept[name] = replace(kept, inputs=inputs)
        return "update" if differs or kept.half_done else "same"

    def _create(self, wire: Wire, name: str, inputs: Properties) -> None:
        try:
            made = wire.create(inputs)
        except OperationError as error:
            if error.half_done:
                self.kept[name] = Kept(error.half_done.id, inputs, error.half_done.outs, half_done=True)
            raise
        self.kept[name] = Kept(made.id, inputs, made.outs)

    def _update(self, wire: Wire, name: str, kept: Kept, inputs: Properties) -> None:
        try:
            self.kept[name] = Kept(kept.id, inputs, wire.update(kept.id, kept.outs, inputs))
        except OperationError as error:
            if error.half_done:
                self.kept[name] = Kept(kept.id, inputs, error.half_done.outs, half_done=True)
            raise

    def _refresh(self, run: Run, turn: Turn, name: str) -> None:
        kept = self.kept[name]
        wire = _wire(run, name, kept.inputs)
        found = wire.read(kept.id, kept.outs, kept.inputs)
        if not found.id:
            turn.steps[name] = "delete"
            del self.kept[name]
            return
        # The engine shows how the old inputs differ from what was read.
        wire.diff(kept.id, found.outs, kept.inputs)
        same = (kept.inputs, kept.outs) == (found.inputs, found.outs)
        turn.steps[name] = "same" if same else "update"
        self.kept[name] = Kept(found.id, found.inputs, found.outs)

    def _delete(self, run: Run, turn: Turn, name: str) -> None:
        kept = self.kept[name]
        _wire(run, name, kept.inputs).delete(kept.id, kept.outs)
        turn.steps[name] = "delete"
        del self.kept[name]

    def _at_once(self, act: Callable[[str], None], names: Sequence[str], turn: Turn) -> None:
        with ThreadPoolExecutor(4) as threads:
            running = [threads.submit(act, name) for name in names]
        for one in running:
            try:
                one.result()
            except OperationError as error:
                turn.error += f"{error}\n"


class CheckError(Exception):
    """The inputs of a resource are no good; the text is what check said of them."""


def _wire(run: Run, name: str, inputs: Properties) -> Wire:
    wire = copy.copy(run.protection if "resource" in inputs else run.protection_set)
    wire.urn = f"{wire.urn.rpartition('::')[0]}::{name}"
    return wire


def _checked(wire: Wire, olds: Properties, news: Properties) -> Properties:
    inputs, failures = wire.check(olds, news)
    if failures:
        raise CheckError("\n".join(f"{name}: {reason}" if name else reason for name, reason in failures))
    return inputs


def _removal(run: Run, name: str) -> Wire:
    wire = copy.copy(run.member_removal)
    wire.urn = f"{wire.urn.rpartition('::')[0]}::{name}-removal"
    return wire


def _set_urn(run: Run, name: str) -> str:
    return f"{run.protection_set.urn.rpartition('::')[0]}::{name}"


def _declaration(name: str, inputs: Properties) -> Declaration:
    """What the program hands over of a resource."""
    named = [inputs["resource"]] if "resource" in inputs else inputs["assignments"]
    known = named != UNKNOWN and UNKNOWN not in named
    tenant_id = None if inputs["tenant_id"] == UNKNOWN else inputs["tenant_id"]
    return Declaration(name, "", tenant_id, [*named] if known else None)
