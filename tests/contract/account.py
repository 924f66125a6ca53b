"""What the tests of this run have covered, counted from what they did."""

from contract.matrix import DIALECTS, all_pairs, pairs_of
from contract.service import CALLED

__all__ = ["MET", "summary"]

MET: set[str] = set()
"""The faults that requests have met, as they were asked for."""


def summary() -> str:
    """Say in one line what was covered; nothing where no test of the contract ran."""
    called = {name: operations for name, operations in CALLED.items() if name in DIALECTS}
    if not called:
        return ""
    every = all_pairs()
    met = every & set[frozenset[tuple[str, object]]]().union(*(pairs_of(DIALECTS[name]) for name in called))
    pairs = f"all {len(every):,}" if met == every else f"{len(met):,} of {len(every):,}"
    operations = set[str]().union(*called.values())
    return (
        f"contract: {len(called)} dialects ({pairs} pairs of readings), {len(MET)} faults, {len(operations)} operations"
    )
