"""What the program of a run declares, seen from inside it: who gives a thing up, and who takes it over.

The engine brings each resource up to date as soon as it hears of it. One that gives a thing up must know that another
one is about to take it over, and one that takes it over must know that it was the other's. The SDK sends resources to
the engine only once the program has run to its end, so that each of them can say what the others name; and in any
order, so that a resource waits for those that were declared before it.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

import pulumi

__all__ = ["Claim", "after_earlier_ones", "claim", "named_by_others"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class Claim:
    """What one resource of the program names.

    Attributes:
        resource: the resource.
        tenant_id: where; None where that is an output.
        references: how it names what it protects.
        earlier: those that were declared before it, as far as they matter to it.
        others: all of the program.
    """

    resource: pulumi.Resource
    tenant_id: str | None
    references: Collection[str]
    earlier: Collection[Claim]
    others: Collection[Claim]

    def may_meet(self, other: Claim) -> bool:
        """Whether both may name the same thing."""
        return self is not other and (None in {self.tenant_id, other.tenant_id} or self.tenant_id == other.tenant_id)


@dataclass(frozen=True, eq=False)
class _Program:
    """The claims of one program, of sets apart: only they give a thing up and go on."""

    all: list[Claim] = field(default_factory=list[Claim])
    sets: list[Claim] = field(default_factory=list[Claim])


class _Nothing:
    """Stands for the stack where there is none."""


_NOTHING = _Nothing()

# One process may run several programs, one after the other or at once.
_programs: WeakKeyDictionary[object, _Program] = WeakKeyDictionary()


def claim(resource: pulumi.Resource, tenant_id: object, references: Collection[str], *, is_set: bool) -> Claim:
    """Note what a resource of the program names, as far as that is known while the program runs."""
    program = _programs.setdefault(pulumi.runtime.get_root_resource() or _NOTHING, _Program())
    earlier = [*(program.all if is_set else program.sets)]
    made = Claim(resource, tenant_id if isinstance(tenant_id, str) else None, references, earlier, program.all)
    program.all.append(made)
    if is_set:
        program.sets.append(made)
    return made


def named_by_others(own: Claim) -> pulumi.Output[str]:
    """What the others of the program name in the same tenant, as a JSON list that is made when the program is over."""

    def collect(_: str) -> str:
        return json.dumps([name for other in own.others if own.may_meet(other) for name in other.references])

    return pulumi.Output.from_input("").apply(collect)


def after_earlier_ones(own: Claim, value: pulumi.Input[T]) -> pulumi.Input[T]:
    """Let a resource's input be known only when those are up to date that were declared before it and may meet it.

    The engine does not take that for a dependency: none is in the other's way when they are destroyed.
    """
    earlier = [other.resource for other in own.earlier if own.may_meet(other)]
    if not earlier:
        return value

    async def wait() -> object:
        for resource in earlier:
            # One that failed has said so itself.
            with suppress(Exception):
                await resource.urn.future()
        return None

    return pulumi.Output.all(cast("pulumi.Input[object]", wait()), value).apply(lambda both: cast("T", both[1]))
