"""What a process remembers of its own run: who declares what, and what the state says of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from pulumi_dataprotection import client
from pulumi_dataprotection.core.handover import Handover, read_handover

__all__ = ["Leavers", "Registry", "declared_twice", "leavers_since", "name_of", "registry_of", "resource_key"]


@dataclass(frozen=True, slots=True)
class Leavers:
    """The items that left a set, as its `MemberRemoval` needs them.

    Attributes:
        tenant_id: the tenant.
        generation: the number of the set's last update with leavers.
        removed: policies of the set to remove, by the update in which the item left, and by the item's id.
        adopted: items whose policies stay, since the set had adopted them.
        passed_on: policies of items whose references in the program mean other items now, by the item's id.
        stay: the number of members that the set still has.
        limit: the argument `max_removals`.
    """

    tenant_id: str
    generation: int
    removed: Mapping[int, Mapping[str, str]] = field(default_factory=dict[int, Mapping[str, str]])
    adopted: Collection[str] = ()
    passed_on: Mapping[str, str] = field(default_factory=dict[str, str])
    stay: int = 0
    limit: object = None

    def since(self, generation: int) -> dict[str, str]:
        """Return the policies to remove from the items that left in an update, or after it."""
        return leavers_since(self.removed, generation)


def leavers_since(removed: Mapping[int, Mapping[str, str]], generation: int) -> dict[str, str]:
    """Return the policies of the items that left in an update, or after it, by the item's id."""
    found: dict[str, str] = {}
    for left_in, policies in removed.items():
        if left_in >= generation:
            found |= policies
    return found


class Registry:
    """Who declares what in this run: so that nothing is declared twice, and nobody removes what another one wants.

    A thing is named by a tuple of ids, a declaring resource by its URN.

    Args:
        engine: the address of the engine.
    """

    def __init__(self, engine: str) -> None:
        self._engine = engine
        self._lock = Lock()
        self._checked: dict[str, bool] = {}
        self._compared: set[str] = set()
        self._outputs: dict[str, Mapping[str, object]] = {}
        self._leavers: dict[str, Leavers] = {}
        self._generations: dict[str, int] = {}
        self._passed_on: dict[str, Collection[str]] = {}
        self._declared_by: dict[tuple[str, ...], str] = {}
        self._wanted: dict[tuple[str, ...], str] = {}
        self._shown: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._made: dict[tuple[str, ...], tuple[str, ...]] = {}

    def handover(self) -> Handover | None:
        """Return what the program has handed over; None if no program runs that does."""
        return read_handover(self._engine)

    def note_check(self, urn: str, *, exists: bool) -> None:
        """Note that the program of this run has a resource.

        Args:
            urn: the resource.
            exists: whether the state has it.
        """
        with self._lock:
            self._checked[urn] = exists or self._checked.get(urn, False)

    def note_diff(self, urn: str) -> None:
        """Note that the engine compared a resource with its state."""
        with self._lock:
            self._compared.add(urn)

    def in_program(self, urn: str) -> bool:
        """Return whether the program of this run has a resource, as far as it ran."""
        with self._lock:
            return urn in self._checked

    def is_compared(self, urn: str) -> bool:
        """Return whether the engine compared a resource with its state: a resource that it creates now replaces it."""
        with self._lock:
            return urn in self._compared

    def exists_uncompared(self, urn: str) -> bool:
        """Return whether the state has a resource that the engine did not compare: it replaces it by force."""
        with self._lock:
            return self._checked.get(urn, False) and urn not in self._compared

    def note_leavers(self, urn: str, leavers: Leavers) -> None:
        """Note the items that left a set."""
        with self._lock:
            self._leavers[urn] = leavers

    def leavers(self, urn: str) -> Leavers | None:
        """Return the items that left a set; None if the program of this run does not have the set."""
        with self._lock:
            return self._leavers.get(urn)

    def note_passed_on(self, urn: str, resource_ids: Collection[str]) -> None:
        """Note the items of a set whose references in the program mean other items now."""
        with self._lock:
            self._passed_on[urn] = resource_ids

    def passed_on(self, urn: str) -> Collection[str]:
        """Return the items of a set whose references in the program mean other items now."""
        with self._lock:
            return self._passed_on.get(urn, ())

    def note_generation(self, urn: str, generation: int) -> None:
        """Note a generation of a set whose leavers were not removed before this run."""
        with self._lock:
            self._generations[urn] = min(generation, self._generations.get(urn, generation))

    def generation(self, urn: str) -> int | None:
        """Return the first generation of a set whose leavers were not removed before this run; None if unknown."""
        with self._lock:
            return self._generations.get(urn)

    def note_outputs(self, urn: str, outputs: Mapping[str, object]) -> None:
        """Note what the state has of a resource, for what takes its place."""
        with self._lock:
            self._outputs[urn] = outputs

    def outputs(self, urn: str) -> Mapping[str, object]:
        """What the state has of a resource; nothing where that is not known."""
        with self._lock:
            return self._outputs.get(urn, {})

    def declare(self, key: tuple[str, ...], urn: str) -> str | None:
        """Note that a resource declares a thing.

        Returns:
            The URN of another resource that declared it before; None where there is none.
        """
        with self._lock:
            declared_by = self._declared_by.setdefault(key, urn)
            return declared_by if declared_by != urn else None

    def declared_by(self, key: tuple[str, ...]) -> str | None:
        """The URN of the resource that declares a thing in this run; None where none does."""
        with self._lock:
            return self._declared_by.get(key)

    def note_wanted(self, key: tuple[str, ...], policy_id: str) -> None:
        """Note the only policy that the declaring resource wants on a thing."""
        with self._lock:
            self._wanted[key] = policy_id

    def wanted(self, key: tuple[str, ...]) -> str | None:
        """Return the only policy that the declaring resource wants on a thing; None if it is unknown."""
        with self._lock:
            return self._wanted.get(key)

    def note_state(self, key: tuple[str, ...], *, shown: str | None, made: str | None) -> None:
        """Note which policy the state shows on a thing, and which one it says was put there by us."""
        policies = [policy for policy in (shown, made) if policy]
        with self._lock:
            self._shown[key] = (*self._shown.get(key, ()), *policies)
            self._made[key] = (*self._made.get(key, ()), *([made] if made else []))

    def own(self, key: tuple[str, ...]) -> set[str]:
        """The policies that the state shows on a thing, which are ours to replace."""
        with self._lock:
            return {*self._shown.get(key, ())}

    def made(self, key: tuple[str, ...]) -> set[str]:
        """The policies that the state says we put on a thing, which are ours to take off."""
        with self._lock:
            return {*self._made.get(key, ())}


_registries: dict[client.Settings, Registry] = {}
_lock = Lock()


def registry_of(account: client.Account, engine: str) -> Registry:
    """The ledger of all who use the same service of an engine, with whatever key."""
    any_key = replace(account.client.settings, api_key="any", key_source="any")
    with _lock:
        return _registries.setdefault(any_key, Registry(engine))


def declared_twice(what: str, other: str) -> str:
    """Say of a thing that another resource, named by its URN, declares it too."""
    return f'{what} is declared twice, also by the resource "{name_of(other)}": keep one of them'


def name_of(urn: str) -> str:
    """The name that a resource has in the program."""
    return urn.rpartition("::")[2]


def resource_key(tenant_id: str, resource_id: str) -> tuple[str, ...]:
    """A resource, as the ledger names it."""
    return "protection", tenant_id, resource_id
