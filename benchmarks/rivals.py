"""One set of protections, beside other ways to the same."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from benchmarks.contenders import PAGE, Contender, Setup, Stack, our_set
from benchmarks.goals import Goal, goals_table
from benchmarks.printing import Columns
from benchmarks.results import TOO_LONG, Results, Row
from benchmarks.running import install, running_emulator, sizes
from benchmarks.scripted import Playbook, Script, install_ansible
from benchmarks.tenant import UNCHANGED, Tenant

__all__ = ["measure", "rivals_table"]

LIMIT = 300.0
"""The seconds that a command may take; who needs more is not asked for anything else."""

MANY = 1_000
"""From so many on a set is to be faster than a resource each: with a few the engine's start is most of it."""

SET = "one ProtectionSet"
LISTING = "  httpx alone: the listings that the set read"
NOTHING = "a resource each: provider that does nothing"
HANDWRITTEN = "a resource each: provider by Pulumi's guide"
PLAYBOOK = "Ansible: its uri module in a loop"
SCRIPT = "httpx script: one call at a time"
SCRIPT_OF_4 = "httpx script: 4 calls at a time"

EACH = """
from benchmarks.nothing import Nothing
for resource, policy in wanted.items():
    Nothing(resource, tenant_id="tenant-0001", resource=resource, policy=policy)
"""
EACH_HANDWRITTEN = """
from benchmarks.handwritten import HandwrittenProtection
for resource_id, policy_id in wanted.items():
    HandwrittenProtection(resource_id, "tenant-0001", resource_id, policy_id)
"""


def measure() -> RenderableType:
    """Let each do the same steps in a tenant of each size, one after the other, against one emulator."""
    with tempfile.TemporaryDirectory() as name, running_emulator("--seed", "empty") as started:
        bench = _Bench(Path(name), started)
        # With one resource first: this tells the engine's start, and then all modules are compiled.
        for size in (1, *(measured := sizes(100, 1_000, 10_000))):
            bench.measure(size)
    tables = (rivals_table(size, [row for row in bench.results if row.size == size]) for size in measured)
    caption = f"All numbers as JSON: {bench.results.file}"
    goals = goals_table(_goals(bench.results, measured), "What is promised of one set.", caption)
    return Group(*tables, goals)


class _Bench:
    def __init__(self, folder: Path, started: Mapping[str, str]) -> None:
        self.results = Results("rivals", LIMIT)
        self._folder = folder
        self._given_up: set[str] = set()
        programs, ansible = install(folder / "environment"), install_ansible(folder / "ansible")
        self._setup = setup = Setup(programs, folder / "bytecode", started["url"], started["api_key"], LIMIT)
        self._script = Script(LISTING, folder / "listing", setup)
        self._builds: Sequence[tuple[str, Callable[[str, Path, Tenant], Contender]]] = (
            (SET, lambda name, at, tenant: our_set(name, at, setup, tenant.spelled)),
            (NOTHING, lambda name, at, _: Stack(name, at, setup, EACH, writes=False)),
            (HANDWRITTEN, lambda name, at, _: Stack(name, at, setup, EACH_HANDWRITTEN, setup.service)),
            (PLAYBOOK, lambda name, at, _: Playbook(name, at, setup, ansible)),
            (SCRIPT, lambda name, at, _: Script(name, at, setup)),
            (SCRIPT_OF_4, lambda name, at, _: Script(name, at, setup, 4)),
        )

    def measure(self, size: int) -> None:
        """Let each do all steps, as far as it gets in time."""
        for number, (name, build) in enumerate(self._builds):
            if name in self._given_up:
                self.results.note(Row(size, name, "all steps", "not tried, too long before"))
            else:
                tenant = Tenant(self._setup.url, size)
                self._measure(tenant, build(name, self._folder / f"{size}-{number}", tenant))

    def _measure(self, tenant: Tenant, contender: Contender) -> None:
        for step in tenant.steps():
            row = tenant.let(contender, step)
            self.results.note(row)
            if row.note == TOO_LONG:
                self._given_up.add(contender.name)
                return
            if contender.name == SET and step.name in UNCHANGED:
                self.results.note(tenant.list_like(row, self._script))


def rivals_table(size: int, rows: Sequence[Row]) -> Columns:
    """Return the table of all rows of one size."""
    headings = ("step", "who", "wall s", "CPU s", "memory MB", "provider MB", "calls", "writes", "state bytes")
    title = f"{__doc__} A tenant of {size:,}, pages of {PAGE}, no call budget."
    cells: list[list[str]] = []
    caption = (
        f"A command that takes more than {LIMIT:.0f} s is killed, and its owner not asked for more. Memory is the "
        "largest of the engine, the script or the playbook; CPU that of all its processes, without the service's."
    )
    steps = list(dict.fromkeys(row.step for row in rows))
    for step in steps:
        cells += [[step, row.contender, *_numbers(row)] for row in rows if row.step == step]
        cells.append([])
    return Columns(title, headings, cells, ("state bytes", "provider MB", "CPU s", "memory MB"), caption)


def _numbers(row: Row) -> Iterator[str]:
    if row.seconds is None or row.cpu is None:
        yield f"> {LIMIT:.0f}" if row.note == TOO_LONG else row.note
        yield from [""] * 6
        return
    yield f"{row.seconds:.1f}"
    yield f"{row.cpu:.1f}"
    yield f"{row.memory / 1e6:.0f}"
    yield f"{row.provider_memory / 1e6:.0f}" if row.provider_memory else ""
    yield f"{sum(row.calls.values()):,}"
    yield f"{row.writes:,}"
    yield "" if row.state is None else f"{row.state:,} ({row.state / row.size:,.0f} each)"


def _goals(results: Results, measured: Sequence[int]) -> Iterator[Goal]:
    for size in measured:
        if size >= MANY:
            yield from _first_up_goals(results, size)
        for step in ("second up", "preview"):
            start, listing = results.seconds(1, NOTHING, step), results.seconds(size, LISTING, step)
            most = None if start is None or listing is None else start + listing + 1.5
            basis = "the engine's time for one resource + the listings by httpx + 1.5 s"
            yield Goal(f"{size:,}: {step}", results.seconds(size, SET, step), most, "s", basis)
        if refreshed := results.typical(size, SET, "refresh"):
            calls, pages = sum(refreshed.calls.values()), 2 * -(-size // PAGE)
            yield Goal(f"{size:,}: refresh", calls, pages + 3, "calls", "pages of resources and of protections + 3")
        first = results.typical(size, SET, "first up")
        if first and first.state:
            yield Goal(f"{size:,}: state of a member", first.state / size, 250, "bytes", "promised")


def _first_up_goals(results: Results, size: int) -> Iterator[Goal]:
    ours, start = results.seconds(size, SET, "first up"), results.seconds(1, NOTHING, "first up")
    beyond = None if ours is None or start is None else ours - start
    what, what_beyond = f"{size:,}: first up", f"{size:,}: first up, beyond the engine's time for one resource"
    for who, factor, times in ((NOTHING, 1 / 8, "1/8 of"), (HANDWRITTEN, 1 / 10, "1/10 of")):
        theirs = results.seconds(size, who, "first up")
        at_least = ", which takes longer still" if theirs == LIMIT else ""
        yield Goal(what, ours, theirs and factor * theirs, "s", f"{times} {who}{at_least}")
    for who in (SCRIPT, SCRIPT_OF_4):
        theirs = results.seconds(size, who, "first up")
        yield Goal(what, ours, theirs and 1.5 * theirs, "s", f"1.5 x {who}")
        yield Goal(what_beyond, beyond, theirs and 1.5 * theirs, "s", f"1.5 x {who}")
