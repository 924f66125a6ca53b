"""What a process remembers of its own run: who declares what, and what the state says of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Lock

from pulumi_dataprotection import client

__all__ = ["Ledger", "declared_twice", "ledger_of", "name_of"]


@dataclass
class _Entry:
    declared_by: str | None = None
    shown: set[str] = field(default_factory=set[str])
    made: set[str] = field(default_factory=set[str])


class Ledger:
    """Who declares what in this run: so that nothing is declared twice, and nobody removes what another one wants.

    A thing is named by a tuple of ids, a declaring resource by its URN.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._entries: dict[tuple[str, ...], _Entry] = {}
        self._program: set[str] = set()

    def note_program(self, urn: str) -> None:
        """Note that the program of this run has a resource."""
        with self._lock:
            self._program.add(urn)

    def in_program(self, urn: str) -> bool:
        """Whether the program of this run has a resource, as far as it ran."""
        with self._lock:
            return urn in self._program

    def declare(self, thing: tuple[str, ...], urn: str) -> str | None:
        """Note that a resource declares a thing.

        Returns:
            The URN of another resource that declared it before; None where there is none.
        """
        with self._lock:
            entry = self._entries.setdefault(thing, _Entry())
            if entry.declared_by is None:
                entry.declared_by = urn
            return entry.declared_by if entry.declared_by != urn else None

    def declared_by(self, thing: tuple[str, ...]) -> str | None:
        """The URN of the resource that declares a thing in this run; None where none does."""
        return self._entry(thing).declared_by

    def note_state(self, thing: tuple[str, ...], *, shown: str | None, made: str | None) -> None:
        """Note which policy the state shows on a thing, and which one it says was put there by us."""
        with self._lock:
            entry = self._entries.setdefault(thing, _Entry())
            entry.shown |= {policy for policy in (shown, made) if policy}
            entry.made |= {made} if made else set()

    def own(self, thing: tuple[str, ...]) -> set[str]:
        """The policies that the state shows on a thing, which are ours to replace."""
        return self._entry(thing).shown

    def made(self, thing: tuple[str, ...]) -> set[str]:
        """The policies that the state says we put on a thing, which are ours to take off."""
        return self._entry(thing).made

    def _entry(self, thing: tuple[str, ...]) -> _Entry:
        with self._lock:
            return self._entries.get(thing, _Entry())


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
