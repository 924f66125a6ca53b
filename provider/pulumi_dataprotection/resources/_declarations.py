"""The protections and sets that a program declares: their order, and the end of the program.

The engine updates each resource as soon as the program registers it. A set that releases an item must know whether
another resource of the program takes it, and the resource that takes it must know that the set had it. Therefore a
resource waits for the resources that were declared before it, and a set removes policies only after the program has
declared everything, callbacks included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any, TypeVar, cast

import pulumi

from pulumi_dataprotection.core.handover import Declaration
from pulumi_dataprotection.resources._sdk import (
    has_main_ended,
    has_program_failed,
    is_task_of_sdk,
    of_program,
    program_handover,
)

__all__ = ["Entry", "after_earlier_ones", "declare", "wait_for_all_tasks"]

T = TypeVar("T")

_MAIN_SECONDS = 0.05
"""How often to check whether an asynchronous main function has ended that waits for something foreign to Pulumi."""

# https://github.com/pulumi/pulumi/blob/v3.272.0/sdk/python/lib/pulumi/runtime/resource.py#L1348
_FAILURE_SECONDS = 5.0
"""How often to check whether the program has failed: the SDK gives the resource that failed no URN if its engine is
gone, and whatever waits for it would wait for ever."""


@dataclass(eq=False, slots=True)
class Entry:
    """A protection or a set of the program.

    Attributes:
        resource: the resource.
        name: its name.
        tenant_id: the tenant; None as long as it is unknown.
        references: the items that it names; None as long as they are unknown.
        earlier: the entries before it that can release an item.
        at_end: declares what has to wait for the end of the program.
        urn: the URN; empty before the registration.
    """

    resource: pulumi.Resource
    name: str
    tenant_id: str | None
    references: Collection[str] | None
    earlier: Collection[Entry]
    at_end: Callable[[], object] | None
    urn: str = ""

    def may_meet(self, other: Entry) -> bool:
        """Return whether both may name the same item."""
        return None in {self.tenant_id, other.tenant_id} or self.tenant_id == other.tenant_id

    async def find_urn(self) -> None:
        """Read the URN, after the registration; a resource that failed has none."""
        with suppress(Exception):
            self.urn = await self.resource.urn.future() or ""

    def declaration(self) -> Declaration:
        """Return the entry as the provider reads it."""
        return Declaration(self.name, self.urn, self.tenant_id, self.references)


@dataclass(eq=False, slots=True)
class _Program:
    entries: list[Entry] = field(default_factory=list[Entry])
    # Only sets go on after they have released an item.
    sets: list[Entry] = field(default_factory=list[Entry])
    ending: Collection[asyncio.Task[object]] = ()
    ended: int = 0

    def end_later(self) -> None:
        """Schedule the end of the program, which waits for all tasks of the SDK but its own."""
        if any(not task.done() for task in self.ending):
            return
        try:
            before = asyncio.all_tasks()
        except RuntimeError:
            # Mocks run programs without an event loop, and without an engine.
            return
        pulumi.Output.all(self._end())
        self.ending = asyncio.all_tasks() - before

    async def _end(self) -> None:
        handover = program_handover()
        if handover:
            # This task is older than any registration: a usual program has declared everything by now.
            handover.declare(entry.declaration() for entry in self.entries)
        # Resources that are declared while this waits belong to the same end.
        await wait_for_all_tasks(self.ending)
        if has_program_failed():
            return
        if handover:
            for entry in self.entries:
                await entry.find_urn()
            handover.declare((entry.declaration() for entry in self.entries), complete=True)
        new, self.ended = self.entries[self.ended :], len(self.entries)
        for entry in new:
            if entry.at_end:
                entry.at_end()


def declare(
    resource: pulumi.Resource,
    name: str,
    tenant_id: pulumi.Input[str],
    references: Collection[str] | pulumi.Output[Collection[str]],
    *,
    at_end: Callable[[], object] | None = None,
) -> Entry:
    """Add a protection or a set to the program that declares it.

    Args:
        resource: the resource.
        name: its name in the program.
        tenant_id: the tenant.
        references: the items that it names.
        at_end: of a set, declares what has to wait for the end of the program.
    """
    program = of_program(_Program)
    earlier = [*(program.entries if at_end else program.sets)]
    entry = Entry(resource, name, None, None, earlier, at_end)
    program.entries.append(entry)
    if at_end:
        program.sets.append(entry)
    _when_known(tenant_id, lambda known: setattr(entry, "tenant_id", known if isinstance(known, str) else None))
    _when_known(references, lambda known: setattr(entry, "references", [one for one in known if isinstance(one, str)]))
    program.end_later()
    return entry


def _when_known(value: object, note: Callable[[Any], None]) -> None:
    """Note an argument at once, or as soon as it is known; a wrong one is refused elsewhere."""
    if isinstance(value, pulumi.Output) or isawaitable(value):
        pulumi.Output.all(cast("pulumi.Input[object]", value)).apply(lambda known: note(known[0]))
    else:
        note(value)


def after_earlier_ones(entry: Entry, value: pulumi.Input[T]) -> pulumi.Input[T]:
    """Make an input of a resource known only when the earlier resources that may meet it are up to date.

    The engine does not see a dependency: the resources can be destroyed in any order.
    """
    earlier = [other.resource for other in entry.earlier if entry.may_meet(other)]
    if not earlier:
        return value

    async def wait() -> object:
        for resource in earlier:
            await _registration_of(resource)
        return None

    return pulumi.Output.all(cast("pulumi.Input[object]", wait()), value).apply(lambda both: cast("T", both[1]))


async def _registration_of(resource: pulumi.Resource) -> None:
    """Wait until a resource is registered, or has failed, which it has reported itself, or the program has."""
    with suppress(Exception):
        urn = asyncio.ensure_future(resource.urn.future())
        while not (urn.done() or has_program_failed()):
            await asyncio.wait([urn], timeout=_FAILURE_SECONDS)
        urn.result()


async def wait_for_all_tasks(own: Collection[asyncio.Task[object]]) -> None:
    """Wait until the main function and all callbacks have ended, and all registrations have an answer.

    Args:
        own: tasks of the SDK that wait for this one.
    """
    while not has_program_failed():
        if running := [task for task in asyncio.all_tasks() if task not in own and is_task_of_sdk(task)]:
            await asyncio.wait(running, timeout=_FAILURE_SECONDS)
        elif has_main_ended():
            return
        else:
            await asyncio.sleep(_MAIN_SECONDS)
