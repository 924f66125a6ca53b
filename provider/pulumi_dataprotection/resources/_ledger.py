"""What a process remembers of its own run: who declares what, and what the state says of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from threading import Lock

from pulumi_dataprotection import client

__all__ = ["Ledger", "declared_twice", "ledger_of", "name_of"]


class Ledger:
    """Who declares what in this run: so that nothing is declared twice, and nobody removes what another one wants.

    A thing is named by a tuple of ids, a declaring resource by its URN.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._program: dict[str, Collection[str]] = {}
        self._outputs: dict[str, Mapping[str, object]] = {}
        self._declared_by: dict[tuple[str, ...], str] = {}
        self._shown: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._made: dict[tuple[str, ...], tuple[str, ...]] = {}

    def note_program(self, urn: str, declared_elsewhere: Collection[str] = ()) -> None:
        """Note that the program of this run has a resource.

        Args:
            urn: the resource.
            declared_elsewhere: what other resources of the program name, as the program says.
        """
        with self._lock:
            self._program[urn] = declared_elsewhere

    def in_program(self, urn: str) -> bool:
        """Whether the program of this run has a resource, as far as it ran."""
        with self._lock:
            return urn in self._program

    def declared_elsewhere(self, urn: str) -> Collection[str]:
        """What other resources of the program than this one name, also those that the engine does not know yet."""
        with self._lock:
            return self._program.get(urn, ())

    def note_outputs(self, urn: str, outputs: Mapping[str, object]) -> None:
        """Note what the state has of a resource, for what takes its place."""
        with self._lock:
            self._outputs[urn] = outputs

    def outputs(self, urn: str) -> Mapping[str, object]:
        """What the state has of a resource; nothing where that is not known."""
        with self._lock:
            return self._outputs.get(urn, {})

    def declare(self, thing: tuple[str, ...], urn: str) -> str | None:
        """Note that a resource declares a thing.

        Returns:
            The URN of another resource that declared it before; None where there is none.
        """
        with self._lock:
            declared_by = self._declared_by.setdefault(thing, urn)
            return declared_by if declared_by != urn else None

    def declared_by(self, thing: tuple[str, ...]) -> str | None:
        """The URN of the resource that declares a thing in this run; None where none does."""
        with self._lock:
            return self._declared_by.get(thing)

    def note_state(self, thing: tuple[str, ...], *, shown: str | None, made: str | None) -> None:
        """Note which policy the state shows on a thing, and which one it says was put there by us."""
        policies = [policy for policy in (shown, made) if policy]
        with self._lock:
            self._shown[thing] = (*self._shown.get(thing, ()), *policies)
            self._made[thing] = (*self._made.get(thing, ()), *([made] if made else []))

    def own(self, thing: tuple[str, ...]) -> set[str]:
        """The policies that the state shows on a thing, which are ours to replace."""
        with self._lock:
            return {*self._shown.get(thing, ())}

    def made(self, thing: tuple[str, ...]) -> set[str]:
        """The policies that the state says we put on a thing, which are ours to take off."""
        with self._lock:
            return {*self._made.get(thing, ())}


_ledgers: dict[client.Settings, Ledger] = {}
_lock = Lock()


def ledger_of(estate: client.Estate) -> Ledger:
    """The ledger of all who use the same service, with whatever key."""
    any_key = replace(estate.client.settings, api_key="any", key_source="any")
    with _lock:
        return _ledgers.setdefault(any_key, Ledger())


def declared_twice(what: str, other: str) -> str:
    """Say of a thing that another resource, named by its URN, declares it too."""
    return f'{what} is declared twice, also by the resource "{name_of(other)}": keep one of them'


def name_of(urn: str) -> str:
    """The name that a resource has in the program."""
    return urn.rpartition("::")[2]
