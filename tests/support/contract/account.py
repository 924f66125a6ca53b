"""The coverage of the contract suite; see `account`."""

from collections.abc import Iterable, Iterator, Mapping

from pulumi_dataprotection.emulator.faults.fault import NAMES
from pulumi_dataprotection.spec import OPERATIONS
from support.contract.matrix import DIALECTS, all_pairs, pairs_of
from support.notes import note

__all__ = ["missing_from_contract", "note_called", "note_met", "summary"]

_CALLED = "contract: called in "
_MET = "contract: faults"

Noted = Mapping[str, set[str]]


def note_called(dialect: str, operation_id: str) -> None:
    """Note that an operation was called in a dialect."""
    note(f"{_CALLED}{dialect}", [operation_id])


def note_met(faults: Iterable[object]) -> None:
    """Note the faults that requests have met, as they were posted."""
    note(_MET, map(str, faults))


def missing_from_contract(noted: Noted) -> Iterator[str]:
    """Yield a sentence for every dialect, operation and fault that the whole suite left out."""
    for operation in OPERATIONS:
        names = [name for name in DIALECTS if operation.id not in noted.get(f"{_CALLED}{name}", ())]
        if names:
            yield f"no test of the contract calls {operation.id} in these dialects: {', '.join(names)}"
    met = noted.get(_MET, set())
    if faults := {*NAMES} - {text.removeprefix("after:").partition(":")[0] for text in met}:
        yield f"no test of the contract meets these faults: {', '.join(sorted(faults))}"
    if not any(text.startswith("after:") for text in met):
        yield "no test of the contract meets a fault after the work"
    if not any(text.startswith("{") for text in met):
        yield "no test of the contract meets a fault with an answer of its own"


def summary(noted: Noted) -> str:
    """Say in one line what was covered."""
    called = {name: noted[f"{_CALLED}{name}"] for name in DIALECTS if f"{_CALLED}{name}" in noted}
    every = all_pairs()
    met = every & set[frozenset[tuple[str, object]]]().union(*(pairs_of(DIALECTS[name]) for name in called))
    pairs = f"all {len(every):,}" if met == every else f"{len(met):,} of {len(every):,}"
    operations = set[str]().union(*called.values())
    faults = len(noted.get(_MET, ()))
    return (
        f"contract: {len(called)} dialects ({pairs} pairs of variants), {faults} faults, {len(operations)} operations"
    )
