"""What the program of a run declares, seen from inside it.

A resource that gives a thing up may be brought up to date before the engine has heard of the one that takes the thing
over. But the SDK sends resources to the engine only once the program has run to its end, so that each of them can say
what the others name.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import pulumi

__all__ = ["Claim", "claim", "named_by_others"]


@dataclass(frozen=True, eq=False)
class Claim:
    """What one resource of the program names.

    Attributes:
        tenant_id: where; None where that is an output.
        references: how it names what it protects.
    """

    tenant_id: str | None
    references: Collection[str]


class _Nothing:
    """Stands for the stack where there is none."""


_NOTHING = _Nothing()

# One process may run several programs, one after the other or at once.
_claims: WeakKeyDictionary[object, list[Claim]] = WeakKeyDictionary()


def claim(tenant_id: object, references: Collection[str]) -> Claim:
    """Note what a resource of the program names, as far as that is known while the program runs."""
    made = Claim(tenant_id if isinstance(tenant_id, str) else None, references)
    _claims.setdefault(pulumi.runtime.get_root_resource() or _NOTHING, []).append(made)
    return made


def named_by_others(own: Claim) -> pulumi.Output[str]:
    """What the others of the program name in the same tenant, as a JSON list that is made when the program is over."""
    claims = _claims[pulumi.runtime.get_root_resource() or _NOTHING]

    def collect(_: str) -> str:
        others = (other for other in claims if other is not own and _may_be_same(own.tenant_id, other.tenant_id))
        return json.dumps([reference for other in others for reference in other.references])

    return pulumi.Output.from_input("").apply(collect)


def _may_be_same(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other
