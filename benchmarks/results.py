"""What was measured of each step."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

__all__ = ["NONE", "TOO_LONG", "Results", "Row"]

TOO_LONG = "too long"
NONE = "n/a"

_FOLDER = Path(__file__).parents[1] / ".local/benchmarks"


@dataclass
class Row:
    """What one step took.

    Attributes:
        size: the resources of the tenant.
        contender: who did it.
        step: what was to be done.
        note: why there are no numbers.
        seconds: on the clock.
        cpu: seconds of the processors.
        memory: the largest memory of the command itself in bytes, which is the engine, the script or the playbook.
        provider_memory: that of the provider's process.
        program_memory: that of the program's process.
        calls: how often each operation was called.
        writes: how many of the calls were no reading.
        state: bytes of what is kept, in compact JSON.
    """

    size: int
    contender: str
    step: str
    note: str = ""
    seconds: float | None = None
    cpu: float | None = None
    memory: int = 0
    provider_memory: int = 0
    program_memory: int = 0
    calls: dict[str, int] = field(default_factory=dict[str, int])
    writes: int = 0
    state: int | None = None


class Results:
    """All rows of a benchmark, which are in a file from the first one on.

    Args:
        name: the file's.
        limit: the seconds that a command may take.
    """

    def __init__(self, name: str, limit: float) -> None:
        self.file = _FOLDER / f"{name}.json"
        self.limit = limit
        self._rows: list[Row] = []

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def note(self, row: Row) -> None:
        """Add a row."""
        self._rows.append(row)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps([asdict(row) for row in self._rows], indent=1) + "\n")

    def typical(self, size: int, contender: str, step: str) -> Row | None:
        """Return the row of a step, and of more than one that of the median time."""
        found = [row for row in self._rows if (row.size, row.contender, row.step) == (size, contender, step)]
        found.sort(key=lambda row: self.limit if row.seconds is None else row.seconds)
        return found[len(found) // 2] if found else None

    def seconds(self, size: int, contender: str, step: str) -> float | None:
        """Return the time of a step; who took too long needs the limit at least."""
        row = self.typical(size, contender, step)
        if row is None:
            return None
        return self.limit if row.note == TOO_LONG else row.seconds
