"""The coverage of a tenant: how many of its items have a policy, by kind of item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass

from pulumi_dataprotection.client.records import Resource

__all__ = ["Counts", "count_by_kind"]


@dataclass(frozen=True, slots=True)
class Counts:
    """The items of one kind, counted by their protection. A sum of them is the coverage of several kinds or tenants.

    Attributes:
        count: the items that can be backed up: all items that are not archived.
        by_code: the items with a policy that a stack declares.
        in_portal: the items with a policy that no known stack declares.
        excluded: the items without a policy that need no policy.
        archived_protected: the archived items with a policy: nothing backs them up any more.
    """

    count: int = 0
    by_code: int = 0
    in_portal: int = 0
    excluded: int = 0
    archived_protected: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Add the items of another kind or tenant."""
        return Counts(
            self.count + other.count,
            self.by_code + other.by_code,
            self.in_portal + other.in_portal,
            self.excluded + other.excluded,
            self.archived_protected + other.archived_protected,
        )

    @property
    def protected(self) -> int:
        """The items with a policy."""
        return self.by_code + self.in_portal

    @property
    def unprotected(self) -> int:
        """The items that need a policy and have none."""
        return self.count - self.protected - self.excluded

    @property
    def percent(self) -> float:
        """The protected items among those that need a policy, rounded down to a tenth: 100 means all of them."""
        needed = self.count - self.excluded
        return self.protected * 1000 // needed / 10 if needed else 100.0

    def reaches(self, percent: float) -> bool:
        """Return whether at least a percentage of the items that need a policy have one."""
        # Exact: both sides are the floating-point number that is nearest to the same fraction.
        needed = self.count - self.excluded
        return not needed or 100 * self.protected / needed >= percent


def count_by_kind(
    items: Iterable[Resource],
    protected_ids: Container[str],
    declared_ids: Container[str] = (),
    excluded_ids: Container[str] = (),
) -> dict[str, Counts]:
    """Count the items of a tenant by kind.

    Args:
        items: the items, archived items too.
        protected_ids: the ids of the items with a policy.
        declared_ids: the ids of the items whose policy a stack declares.
        excluded_ids: the ids of the items that need no policy; an item with a policy counts as protected.

    Returns:
        The counts by kind, in the order of the kinds; the kind is empty if the service does not state it.
    """
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for item in items:
        is_protected, is_declared = item.id in protected_ids, item.id in declared_ids
        if item.archived:
            found = Counts(archived_protected=int(is_protected))
        elif is_protected:
            found = Counts(count=1, by_code=int(is_declared), in_portal=int(not is_declared))
        else:
            found = Counts(count=1, excluded=int(item.id in excluded_ids))
        counts[item.kind or ""] += found
    return {kind: counts[kind] for kind in sorted(counts)}
