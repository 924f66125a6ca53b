"""The registry of a run: the resources of the program, the items that they declare, and their state of before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.handover import Handover, read_handover
from pulumi_dataprotection.core.licences import NewProtections
from pulumi_dataprotection.core.messages import name_of

if TYPE_CHECKING:
    from pulumi_dataprotection.core.protection_set.plan import Leavers

__all__ = ["DeclaredItems", "Registry", "RunItem", "RunResource"]


@dataclass(slots=True)
class RunResource:
    """A resource in this run of the engine.

    Attributes:
        in_program: whether the program has it, as far as the engine has checked the program.
        exists: whether the state has it.
        compared: whether the engine compared it with its state. If it exists and is not compared, a replacement is
            forced.
        outputs: the outputs that the state has, for a resource that takes its place.
        resolved: the result of its check, for its other operations.
        hides_names: of a set, whether its members are secret: notes have no names then.
        leavers: of a set, the items that left; None if the program does not have the set.
        passed_on: of a set, the items whose references in the program mean other items now.
        generation: of a set, the first generation whose leavers were not removed before this run; None if unknown.
    """

    in_program: bool = False
    exists: bool = False
    compared: bool = False
    outputs: Mapping[str, object] = field(default_factory=dict[str, object])
    resolved: object = None
    hides_names: bool = False
    leavers: Leavers | None = None
    passed_on: Collection[str] = ()
    generation: int | None = None


@dataclass(slots=True)
class RunItem:
    """An item in this run of the engine.

    Attributes:
        declared_by: the URN of the resource that declares it; empty if none does.
        wanted: the only policy that this resource wants on it; empty if unknown.
        own: policies that the state shows on it, which are ours to replace.
        made: policies of these that we assigned, which are ours to remove.
    """

    declared_by: str = ""
    wanted: str = ""
    own: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()


class Registry:
    """The resources and items of a run.

    No item is declared twice, and no resource removes a policy that another resource wants.

    Args:
        engine: the address of the engine.

    Attributes:
        new_protections: the items that get their first policy.
    """

    def __init__(self, engine: str) -> None:
        self.new_protections = NewProtections()
        self._engine = engine
        self._lock = Lock()
        self._resources: dict[str, RunResource] = {}
        self._items: dict[tuple[str, ...], RunItem] = {}
        self._told: set[tuple[str, ...]] = set()

    def handover(self) -> Handover | None:
        """Return the declarations of the whole program; None if no program runs that hands them over."""
        return read_handover(self._engine)

    def resource(self, urn: str) -> RunResource:
        """Return the notes on a resource."""
        with self._lock:
            return self._resources.setdefault(urn, RunResource())

    def item(self, *key: str) -> RunItem:
        """Return the notes on an item.

        Args:
            key: the kind of the item, and its ids.
        """
        with self._lock:
            return self._items.setdefault(key, RunItem())

    def declare(self, urn: str, *key: str) -> tuple[RunItem, str]:
        """Note that a resource declares an item.

        Args:
            urn: the resource.
            key: the kind of the item, and its ids.

        Returns:
            The notes on the item, and the URN of another resource that declared it before; empty if none did.
        """
        with self._lock:
            item = self._items.setdefault(key, RunItem())
            item.declared_by = item.declared_by or urn
            return item, item.declared_by if item.declared_by != urn else ""

    def is_first(self, *message: str) -> bool:
        """Return whether no other resource of the run had this message for the user."""
        with self._lock:
            before = len(self._told)
            self._told.add(message)
            return len(self._told) > before

    def note_state(self, *key: str, shown: str | None, made: str | None) -> None:
        """Note the policy that the state shows on an item, and the policy that we assigned."""
        item = self.item(*key)
        with self._lock:
            item.own |= {policy for policy in (shown, made) if policy}
            item.made |= {made} if made else frozenset()


class DeclaredItems:
    """The items that the program of this run declares in a tenant, as far as it is known now.

    Args:
        tenant: the tenant.
        registry: the resources that the engine asked this process about.
        deleted: the URN of the resource that is deleted, if one is. If the program declares that resource, then the
            command is `destroy --run-program`, and only the registry counts.
    """

    def __init__(self, tenant: client.TenantCache, registry: Registry, deleted: str = "") -> None:
        self._tenant = tenant
        self._registry = registry
        handover = registry.handover()
        destroys = handover and deleted and handover.has_urn(deleted) and not registry.resource(deleted).in_program
        self._handover = None if handover is None or destroys or not handover.in_tenant(tenant.id) else handover

    def declared_by(
        self, item_id: str, *, known_as: Collection[str] = (), own: str | None = None, by_name: bool = True
    ) -> str | None:
        """Return the name of the resource that declares an item; None if no resource does.

        Args:
            item_id: the id of the item.
            known_as: references that mean the item in the state.
            own: the policy that is to be removed. If the declaring resource wants another policy, and the item has
                both, nobody declares this one: some accounts allow several policies.
            by_name: whether to read the name of the item from the service.
        """
        tenant, item = self._tenant, self._registry.item("protection", self._tenant.id, item_id)
        if item.declared_by:
            both = own and item.wanted and own != item.wanted
            both = both and {own, item.wanted} <= {*tenant.protections.policy_ids_on(item_id)}
            return None if both else name_of(item.declared_by)
        if self._handover is None:
            return None
        name = self._handover.declared_by(tenant.id, [item_id])
        if name is None and by_name:
            try:
                found = tenant.items.find(item_id, item_id)
            except (errors.UnresolvedReferenceError, errors.NotFoundError):
                return None
            references = [f"{client.EXTERNAL_ID_PREFIX}{found.external_id}", found.name or "", *known_as]
            name = self._handover.declared_by(tenant.id, references)
        return name

    def still_on(self, passed_on: Mapping[str, str]) -> dict[str, str]:
        """Return the policies that are still on items, and that nobody declares, by the item's id."""
        return {
            id: policy
            for id, policy in passed_on.items()
            if policy in self._tenant.protections.policy_ids_on(id) and self.declared_by(id) is None
        }
