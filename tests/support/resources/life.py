"""The life of a stack: programs, portal edits, wrong answers and kills in any order, and its invariants."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from support import Emulator
from support.resources.contoso import protect, unprotect
from support.resources.effects import policies_by_resource, replay
from support.resources.servicer import Properties

__all__ = ["PLAIN", "TENANT", "Command", "Life", "Program", "Subject", "Way"]

TENANT = "tenant-0001"
IDS = [f"res-{number:07}" for number in range(1, 9)]
FOREIGN = [f"res-{number:07}" for number in range(9, 12)]
POLICIES = ("Gold", "Silver")

FORBIDDEN: dict[str, Any] = {"status": 200, "body": {"error": {"code": 403, "message": "no"}}}
READS = ("list_protections", "list_resources", "list_policies", "get_tenant")
OF_READS: list[object] = [
    *("disguised:503", "success:202", "no_items", "status:503", "status:403", "reset", "truncated", FORBIDDEN),
]
OF_WRITES: list[object] = [
    *("disguised:403", "after:disguised:503", "success:202", "status:503", "reset", "after:reset", "after:status:400"),
    *("status:403", FORBIDDEN),
]
LIES_ABOUT_ALL = ("short_list:0", "short_list:2")
"""Faults that only a second witness reveals: a command can stand one of them."""

Fault = tuple[str, int, object]

lies = st.tuples(
    st.sampled_from(("list_protections", "list_resources")), st.integers(1, 2), st.sampled_from(LIES_ABOUT_ALL)
)
reads = st.tuples(st.sampled_from(READS), st.integers(1, 4), st.sampled_from(OF_READS))
writes = st.tuples(
    st.sampled_from(("protect_resource", "unprotect_resource")), st.integers(1, 3), st.sampled_from(OF_WRITES)
)
faults = st.lists(lies | reads | writes | writes, max_size=3)
programs = st.fixed_dictionaries(
    {id: st.tuples(st.sampled_from(["a", "b", "p", ""]), st.sampled_from(POLICIES)) for id in IDS}
)
"""The declaring resource of each item, if there is one, and its policy."""

Program = Mapping[str, tuple[str, str]]
"""By item the resource that declares it (a set `a` or `b`, a protection `p`, or none), and its policy."""

Command = Literal["up", "destroy"]
Style = Literal["plain", "blocking", "callbacks"]


@dataclass(frozen=True)
class Way:
    """How a program is carried out.

    Attributes:
        backwards: whether it declares its resources in the opposite order.
        style: whether a blocking function stands between two resources, or each is declared in a callback of the last.
        excluded: the resource that the command leaves out; none if empty.
        forced: the resource that the command replaces by force; none if empty.
    """

    backwards: bool = False
    style: Style = "plain"
    excluded: str = ""
    forced: str = ""


PLAIN = Way()
ways = st.builds(
    Way,
    st.booleans(),
    st.sampled_from(["plain", "blocking", "callbacks"]),
    st.sampled_from(["", "", "a", "b", *(f"p-{id}" for id in IDS[:3])]),
    st.sampled_from(["", "", "a", "b", *(f"p-{id}" for id in IDS[:3])]),
)


class Subject(Protocol):
    """A stack. A command returns its error, empty if it has none."""

    def up(self, program: Program, way: Way = PLAIN) -> str:
        """Carry out a program."""
        ...

    def preview(self, program: Program) -> tuple[str, bool]:
        """Preview a program, and return whether there is something to do, too."""
        ...

    def refresh(self) -> str:
        """Read the service."""
        ...

    def destroy(self) -> str:
        """Delete everything."""
        ...

    def kill(self, command: Command, program: Program, rule: Mapping[str, object]) -> None:
        """Kill a command while a request meets a fault, if one does."""
        ...

    def outputs(self) -> list[Properties]:
        """Return the outputs of each resource."""
        ...


class Life(RuleBasedStateMachine):
    """A machine that carries out any command.

    Args:
        emulator: the service, which starts afresh.
        subject: the stack, without resources.
    """

    def __init__(self, emulator: Emulator, subject: Subject) -> None:
        super().__init__()
        self._emulator = emulator
        self._subject = subject
        self._program: Program = {}
        self._second_policy = ""
        self._killed = False
        emulator.reset("large:1x30")
        protect(emulator, "policy-gold", *FOREIGN, tenant_id=TENANT)

    @property
    def _declared(self) -> dict[str, str]:
        return {id: policy for id, (by, policy) in self._program.items() if by}

    @initialize(second_policy=st.sampled_from(["invalid_argument", "replaces", "adds"]), of=programs)
    def begin(self, second_policy: str, of: Program) -> None:
        """Choose the service and the first program."""
        self._second_policy = second_policy
        self._emulator.set_dialect(second_policy=second_policy)
        self._program = of
        self._up(())

    @rule(of=programs, wrong=faults)
    def change_the_program(self, of: Program, wrong: list[Fault]) -> None:
        """Carry out another program."""
        self._program = of
        self._up(wrong)

    @rule(of=programs, way=ways, wrong=faults)
    def change_the_program_in_another_way(self, of: Program, way: Way, wrong: list[Fault]) -> None:
        """Carry out another program in parts, in another order, or by force: no declared item becomes bare."""
        before, old = self._on(), {*self._members()}
        self._program = of
        with self._going_wrong(wrong):
            error = self._subject.up(of, way)
        self._look_at(before, {id: policy for id, policy in self._declared.items() if id in old}, error)

    @rule(wrong=faults)
    def up(self, wrong: list[Fault]) -> None:
        """Carry out the same program again."""
        self._up(wrong)

    @rule(wrong=faults)
    def preview_and_refresh(self, wrong: list[Fault]) -> None:
        """Write nothing, and forget no policy."""
        before, ours = self._on(), self._ours()
        with self._going_wrong(wrong):
            self._subject.preview(self._program)
            self._subject.refresh()
        assert ([], before) == (self._emulator.writes(), self._on())
        still = {id: policy for id, policy in ours.items() if policy in before.get(id, set())}
        assert still == {id: policy for id, policy in self._ours().items() if id in still}, "forgot what is its own"

    @rule(wrong=faults)
    def destroy(self, wrong: list[Fault]) -> None:
        """Delete everything; the next `up` begins with an empty state."""
        before, ours = self._on(), self._ours()
        with self._going_wrong(wrong):
            error = self._subject.destroy()
        self._look_at(before, {}, error)
        if not error:
            self._see_that_they_are_off(ours)

    @rule(id=st.sampled_from(IDS), policy=st.sampled_from([*POLICIES, ""]))
    def edit_in_the_portal(self, id: str, policy: str) -> None:
        """Let somebody else assign a policy, or remove it."""
        unprotect(self._emulator, id)
        if policy:
            protect(self._emulator, f"policy-{policy.lower()}", id, tenant_id=TENANT)

    @rule(of=programs, nth=st.integers(1, 4), operation=st.sampled_from(["protect_resource", "unprotect_resource"]))
    def kill_an_up(self, of: Program, nth: int, operation: str) -> None:
        """Kill it in the middle of a write."""
        before, old = self._on(), self._declared
        self._program, self._killed = of, True
        self._emulator.clear_requests()
        self._subject.kill("up", of, {"operation": operation, "nth": nth, "do": ["stall:3600"]})
        self._look_at(before, {id: policy for id, policy in self._declared.items() if id in old}, "")

    @rule(nth=st.integers(1, 4))
    def kill_a_destroy(self, nth: int) -> None:
        """Kill it in the middle of a removal."""
        self._killed = True
        rule = {"operation": "unprotect_resource", "nth": nth, "do": ["stall:3600"]}
        self._subject.kill("destroy", self._program, rule)

    def teardown(self) -> None:
        """Without faults the service becomes as the program says, and stays so."""
        if not self._second_policy:
            return
        ends = [self._subject.refresh(), *(self._subject.up(self._program) for _ in range(2))]
        assert not any(ends), "\n\n".join(
            f"{step}:\n{text}" for step, text in zip(("refresh", "up", "up"), ends, strict=True)
        )
        self._emulator.clear_requests()
        assert (("", False), []) == (self._subject.preview(self._program), self._emulator.writes())
        wanted = {id: {f"policy-{policy.lower()}"} for id, policy in self._declared.items()}
        found = {id: policies for id, policies in self._on().items() if id in wanted}
        if self._killed and self._second_policy == "adds":
            # The owner of the second policy is unknown.
            found = {id: policies & wanted[id] for id, policies in found.items()}
        assert wanted == found

    def _up(self, wrong: object) -> None:
        before, old, ours = self._on(), {*self._members()}, self._ours()
        with self._going_wrong(wrong):
            error = self._subject.up(self._program)
        self._look_at(before, {id: policy for id, policy in self._declared.items() if id in old}, error)
        if not error:
            assert {*self._declared} == {*self._members()}
            self._see_that_they_are_off({id: policy for id, policy in ours.items() if id not in self._declared})

    def _members(self) -> Iterator[str]:
        """Yield the items of the state."""
        for outs in self._subject.outputs():
            yield from outs.get("protected", {})
            yield from outs.get("adopted", {})
            if "resource_id" in outs:
                yield outs["resource_id"]

    def _ours(self) -> dict[str, str]:
        """Return the policies that the resources assigned, by item."""
        found: dict[str, str] = {}
        for outs in self._subject.outputs():
            found |= outs.get("protected", {})
            if own := outs.get("own_policy_id"):
                found[outs["resource_id"]] = own
        return found

    def _see_that_they_are_off(self, ours: Mapping[str, str]) -> None:
        on = self._on()
        assert [] == [id for id, policy in ours.items() if policy in on.get(id, set())], "left behind"

    def _look_at(self, before: Mapping[str, set[str]], stay: Mapping[str, str], error: str) -> None:
        """Require that no declared item is bare after a write, but in the middle of a swap that the service needs."""
        writes = replay(self._emulator, {id: {*policies} for id, policies in before.items()}, self._second_policy)
        assert set() == {write.id for write in writes} & {*FOREIGN}
        unforced = [write.id for write in writes if write.bared and not write.refused]
        assert set() == {*unforced} & stay.keys(), "bare for a moment, and the service had not refused a second policy"
        refused, after = {write.id for write in writes if write.refused}, self._on()
        bare = {id for id in stay if id in before and id not in after} - refused
        assert not bare or "IS NOT PROTECTED" in error, f"{bare} are bare: {error}"

    def _on(self) -> dict[str, set[str]]:
        return policies_by_resource(self._emulator)

    @contextmanager
    def _going_wrong(self, wrong: Any) -> Generator[None]:  # noqa: ANN401 - a list of faults, or none
        self._emulator.clear_requests()
        lies = 0
        rules: list[dict[str, object]] = []
        for operation, nth, fault in wrong:
            lies += fault in LIES_ABOUT_ALL
            paged = operation.startswith("list_")
            if (fault in LIES_ABOUT_ALL and lies > 1) or (not paged and fault in ("no_items", *LIES_ABOUT_ALL)):
                continue
            rules.append({"operation": operation, "nth": nth, "do": [fault]})
        with self._emulator.possible_faults(*rules):
            yield
