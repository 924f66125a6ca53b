"""What 500 protections cost, beside 500 resources of a provider that does nothing."""

import json
import statistics
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.printing import Columns, report
from benchmarks.running import Project, install, running_emulator
from pulumi_dataprotection.testing._control import send

__all__ = ["measure"]

COUNT = 500
PAGE = 500
RUNS = 3
BIG = 10_000
"""The resources of a tenant of which 500 are protected."""

RATIO = 1.3

RESULTS = Path(__file__).parents[1] / ".local/benchmarks/protections.json"

COMMANDS = {
    "second up": ("up", "--yes", "--skip-preview"),
    "preview": ("preview",),
    "refresh": ("refresh", "--yes", "--skip-preview"),
}
# Each tenth resource of the seed is a drive, and all others have an e-mail address for a name. A program names them in
# no order of the service's.
REFERENCES = {
    "name": 'f"user-{number}@tenant-0001.example" if number % 10 else f"Drive {number}"',
    "id": 'f"res-{number:07}"',
    "external id": 'f"ext$ext-{number:07}"',
}
PROGRAM = """
from {module} import {name} as Protection
for number in sorted(range(1, {count} + 1), key=lambda number: number * 7919 % 1000):
    Protection(f"user-{{number}}", tenant_id="tenant-0001", resource={reference}, policy="Gold")
"""
# The engine rewrites its whole state at each step of a first `up`; what is measured here does not depend on it.
QUICKLY = {"PULUMI_EXPERIMENTAL": "1", "PULUMI_SKIP_CHECKPOINTS": "true"}


@dataclass
class Row:
    """What one command took and called; the seconds are medians.

    Attributes:
        what: the command.
        nothing: the seconds of the provider that does nothing, where it was measured too.
        seconds: the seconds of ours.
        calls: how often each operation was called.
        writes: how many of the calls were no reading.
        max_calls: the goal for calls.
        max_writes: the goal for writes.
    """

    what: str
    nothing: float | None
    seconds: float
    calls: dict[str, int]
    writes: int
    max_calls: int | None = None
    max_writes: int = 0

    @property
    def met(self) -> bool:
        """Whether all goals are met."""
        slow = self.nothing is not None and self.max_calls and self.seconds > RATIO * self.nothing
        many = self.max_calls is not None and sum(self.calls.values()) > self.max_calls
        return not slow and not many and self.writes <= self.max_writes


def measure() -> Columns:
    """Run both by turns against one emulator, in stacks of the same shape; then ours in a big tenant."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = install(folder / "environment")
        with running_emulator("--seed", f"large:1x{COUNT}") as started:
            rows = _Bench(folder / "small", programs, started, COUNT).rows()
        with running_emulator("--seed", f"large:1x{BIG}") as started:
            rows += _Bench(folder / "big", programs, started, BIG).rows_of_ours(f"tenant of {BIG:,}")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=1) + "\n")
    title = f"{__doc__} A tenant of {COUNT}, pages of {PAGE}, no call budget; median of {RUNS}."
    times = ("nothing", "protections", "time goal")
    headings = ("command", *times, "calls", "calls goal", "writes", "writes goal", "met")
    cells: list[list[str]] = []
    for row in rows:
        calls = ", ".join(f"{count} {operation}" for operation, count in row.calls.items())
        cells.append(
            [
                row.what,
                "" if row.nothing is None else f"{row.nothing:.1f} s",
                f"{row.seconds:.1f} s" + ("" if row.nothing is None else f" ({row.seconds / row.nothing:.2f} x)"),
                f"<= {RATIO} x" if row.nothing is not None and row.max_calls else "",
                f"{sum(row.calls.values())}: {calls}" if row.max_calls else f"{sum(row.calls.values())}",
                f"<= {row.max_calls}" if row.max_calls else "",
                str(row.writes),
                f"<= {row.max_writes}",
                "yes" if row.met else "NO",
            ]
        )
    least = ("time goal", "calls goal", "writes goal", "writes", "calls")
    return Columns(title, headings, cells, least, f"The same as JSON: {RESULTS}")


class _Bench:
    def __init__(self, folder: Path, programs: Path, started: dict[str, str], resources: int) -> None:
        folder.mkdir()
        self._url = started["url"]
        # The pages of resources, and one of protections.
        self._max_calls = -(-resources // PAGE) + COUNT // PAGE + 3
        settings = {
            "DATAPROTECTION_BASE_URL": self._url,
            "DATAPROTECTION_API_KEY": started["api_key"],
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "DATAPROTECTION_PAGE_SIZE": str(PAGE),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        self._nothing = Project(folder / "nothing", programs, _program("benchmarks.nothing", "Nothing"), settings)
        self._ours = Project(folder / "ours", programs, _program("pulumi_dataprotection", "Protection"), settings)

    def rows(self) -> list[Row]:
        """Measure all."""
        rows = [
            self._first("first up, without checkpoints", "dev", max_writes=COUNT),
            self._first("first up of another stack, which adopts all", "another", max_writes=0),
        ]
        rows += [self._by_turns(what, command) for what, command in COMMANDS.items()]
        for kind in ("id", "external id"):
            # The engine alone takes twice the time where inputs differ and the provider knows that nothing does.
            self._ours.write(_program("pulumi_dataprotection", "Protection", kind))
            rows.append(self._once(f"preview, each by {kind} from now on", ("preview", "--expect-no-changes")))
        self._ours.write(_program("pulumi_dataprotection", "Protection"))
        rows += [self._once(f"{what}, default readLag", command, lag=None) for what, command in COMMANDS.items()]
        return rows

    def rows_of_ours(self, where: str) -> list[Row]:
        """Measure ours alone."""
        self._ours.pulumi("stack", "init")
        self._once("first up", COMMANDS["second up"], **QUICKLY)
        return [self._once(f"{what}, {where}", command) for what, command in COMMANDS.items()]

    def _first(self, what: str, stack: str, max_writes: int) -> Row:
        for project in (self._nothing, self._ours):
            project.pulumi("stack", "init", stack=stack)
        nothing = self._nothing.pulumi(*COMMANDS["second up"], stack=stack, **QUICKLY).seconds
        row = self._once(what, COMMANDS["second up"], stack=stack, **QUICKLY)
        return Row(what, nothing, row.seconds, row.calls, row.writes, None, max_writes)

    def _by_turns(self, what: str, command: tuple[str, ...]) -> Row:
        nothing: list[float] = []
        ours: list[Row] = []
        for _ in range(RUNS):
            nothing.append(self._nothing.pulumi(*command).seconds)
            ours.append(self._once(what, command))
        worst = max(ours, key=lambda row: sum(row.calls.values()))
        seconds = statistics.median(row.seconds for row in ours)
        writes = max(row.writes for row in ours)
        return Row(what, statistics.median(nothing), seconds, worst.calls, writes, self._max_calls)

    def _once(
        self, what: str, command: tuple[str, ...], *, stack: str = "dev", lag: str | None = "0", **variables: str
    ) -> Row:
        report(what)
        send(self._url, "DELETE", "requests")
        if lag is not None:
            variables["DATAPROTECTION_READ_LAG"] = lag
        seconds = self._ours.pulumi(*command, stack=stack, **variables).seconds
        requests = send(self._url, "GET", "requests")
        calls = Counter(request["operation"] for request in requests)
        writes = sum(request["method"] != "GET" for request in requests)
        return Row(what, None, seconds, dict(calls), writes, self._max_calls)


def _program(module: str, name: str, reference: str = "name") -> str:
    return PROGRAM.format(module=module, name=name, reference=REFERENCES[reference], count=COUNT)
