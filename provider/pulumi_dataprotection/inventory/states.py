"""The states of stacks: the resources of this package in them, and the protections that they declare."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.protection_set.inputs import SetInputs
from pulumi_dataprotection.core.protection_set.plan import SetState
from pulumi_dataprotection.resources._provider import split_id

__all__ = ["Declared", "StackState", "StateResource"]


@dataclass(frozen=True, slots=True)
class Declared:
    """A protection that a state declares.

    Attributes:
        policy_id: the policy; empty if the state does not show it.
        urn: the resource that declares it.
    """

    policy_id: str
    urn: str


@dataclass(frozen=True, slots=True)
class StateResource:
    """A resource of this package in a state.

    Attributes:
        urn: the resource.
        kind: its class, such as `ProtectionSet`.
        id: its id.
        inputs: its inputs.
        outputs: its outputs.
        secret: the properties that are secret; their names and values must not be shown.
        hidden: the properties of these that are encrypted. Inputs and outputs lack them.
    """

    urn: str
    kind: str
    id: str
    inputs: Mapping[str, object]
    outputs: Mapping[str, object]
    secret: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The resource's name in the program."""
        return self.urn.rsplit("::", 1)[-1]


@dataclass(frozen=True)  # Without slots, for what is made once.
class StackState:
    """The state of a stack, as far as it concerns this package.

    Attributes:
        name: the name of the stack.
        source: the folder of the project, or the file.
        resources: the resources of this package, without resources that `get` read or that are to be deleted. Empty for
            a stack of another program, or without a state.
        problem: the reason for which the state cannot be read; empty if it was read.
    """

    name: str
    source: str
    resources: Sequence[StateResource] = ()
    problem: str = ""

    @functools.cached_property
    def declared(self) -> Mapping[tuple[str, str], Declared]:
        """The protections that the state declares, by tenant and item; also of members that have no policy now."""
        found: dict[tuple[str, str], Declared] = {}
        for resource in self.resources:
            for key, policy_id in _declared_by(resource):
                found.setdefault(key, Declared(policy_id, resource.urn))
        return found


def _declared_by(resource: StateResource) -> Iterator[tuple[tuple[str, str], str]]:
    if resource.kind == "Protection":
        try:
            key = split_id(resource.id, "a protection")
        except errors.DataProtectionError:
            return
        yield key, str(resource.outputs.get("policy_id") or "")
    elif resource.kind == "ProtectionSet":
        tenant_id = str(resource.outputs.get("tenant_id") or resource.inputs.get("tenant_id") or "")
        members = {**SetInputs.of(resource.inputs).wanted(), **SetState.of(resource.outputs).policies}
        yield from (((tenant_id, item_id), policy_id) for item_id, policy_id in members.items() if tenant_id)
