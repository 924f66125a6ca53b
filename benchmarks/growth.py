"""How the cost of one set of protections grows with its members."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from rich.console import Group, RenderableType

from benchmarks.contenders import PAGE, Setup, Stack, our_set
from benchmarks.goals import Goal, goals_table
from benchmarks.printing import Columns
from benchmarks.results import Results, Row
from benchmarks.running import install, running_emulator, sizes
from benchmarks.scripted import Script
from benchmarks.tenant import UNCHANGED, Tenant

__all__ = ["growth_table", "measure"]

LIMIT = 1800.0
RUNS = 3
RATIO, RATIO_OF_MANY, MANY = 1.4, 1.7, 100_000
"""How much longer than the engine alone an unchanged set may take, and from how many members on a bit more."""
CALLS = 5
"""How many calls a second `up` of a thousand members may make."""
MEGABYTES = 400
FACTOR = 1.1
"""How much faster than the members a cost may grow: ten times as many may cost about ten times as much."""
NOISE = {"s": 0.1, "MB": 3.0}
"""Smaller differences are no more than two runs of the same differ by."""

SET = "one ProtectionSet"
NOTHING = "one resource with such maps, whose provider does nothing"
LISTING = "  httpx alone: the listings that the set read"
MAP = """
from benchmarks.nothing import NothingSet
NothingSet("all", tenant_id="tenant-0001", assignments=wanted)
"""

COSTS: tuple[tuple[str, str, Callable[[Row], float]], ...] = (
    ("wall", "s", lambda row: row.seconds or 0),
    ("engine", "MB", lambda row: row.memory / 1e6),
    ("provider", "MB", lambda row: row.provider_memory / 1e6),
)


def measure() -> RenderableType:
    """Let the set and the engine alone do the same steps with ever more members."""
    results = Results("growth", LIMIT)
    with tempfile.TemporaryDirectory() as name, running_emulator("--seed", "empty") as started:
        folder = Path(name)
        programs = install(folder / "environment")
        setup = Setup(programs, folder / "bytecode", started["url"], started["api_key"], LIMIT)
        script = Script(LISTING, folder / "listing", setup)
        # With one member twice: the first time all modules are compiled.
        list(_measured(folder / "compiling", setup, 1, script))
        for size in (1, *(measured := sizes(1_000, 10_000, 100_000))):
            for row in _measured(folder / str(size), setup, size, script):
                results.note(row)
    caption = f"All numbers as JSON: {results.file}"
    goals = goals_table(_goals(results, measured), "What is promised of a set of any size.", caption)
    return Group(growth_table(results), goals)


def _measured(folder: Path, setup: Setup, size: int, script: Script) -> Iterator[Row]:
    folder.mkdir()
    tenant = Tenant(setup.url, size)
    ours = our_set(SET, folder / "ours", setup, tenant.spelled)
    nothing = Stack(NOTHING, folder / "nothing", setup, MAP, spelled=tenant.spelled, writes=False)
    first, *unchanged = tenant.steps()[: 1 + len(UNCHANGED)]
    yield tenant.let(nothing, first)
    yield tenant.let(ours, first)
    for step in unchanged * RUNS:
        yield tenant.let(nothing, step)
        yield (row := tenant.let(ours, step))
        yield tenant.list_like(row, script)


def growth_table(results: Results) -> Columns:
    """Return the table of all rows."""
    title = f"{__doc__} Pages of {PAGE}, no call budget; median of {RUNS}, but for a first up."
    memory = ("engine MB", "provider MB", "program MB")
    headings = ("members", "step", "who", "wall s", "CPU s", *memory, "calls", "state MB")
    rows: list[list[str]] = []
    caption = "Members have e-mail addresses or names of drives. Of httpx, its script stands for the engine."
    for size, step in dict.fromkeys((row.size, row.step) for row in results):
        found = (results.typical(size, who, step) for who in (NOTHING, SET, LISTING))
        rows += [[f"{size:,}", step, row.contender, *_numbers(row)] for row in found if row is not None]
        rows.append([])
    return Columns(title, headings, rows, ("state MB", "program MB", "engine MB", "CPU s", "calls"), caption)


def _numbers(row: Row) -> Iterator[str]:
    yield row.note or f"{row.seconds or 0:.1f}"
    yield f"{row.cpu or 0:.1f}"
    for size in (row.memory, row.provider_memory, row.program_memory):
        yield f"{size / 1e6:.0f}" if size else ""
    yield f"{sum(row.calls.values()):,}"
    yield "" if row.state is None else f"{row.state / 1e6:.2f} ({row.state / row.size:,.0f} bytes each)"


def _goals(results: Results, measured: Sequence[int]) -> Iterator[Goal]:
    for size in measured:
        for step in UNCHANGED:
            nothing, ratio = results.seconds(size, NOTHING, step), RATIO_OF_MANY if size >= MANY else RATIO
            most = None if nothing is None else ratio * nothing
            basis = f"{ratio} x the engine's own time for such maps"
            yield Goal(f"{size:,}: {step}", results.seconds(size, SET, step), most, "s", basis)
        if size == sizes(1_000)[0]:
            second = results.typical(size, SET, UNCHANGED[0])
            calls = None if second is None else sum(second.calls.values())
            yield Goal(f"{size:,}: {UNCHANGED[0]}, calls", calls, CALLS, "calls", "promised")
        peak = max(row.provider_memory for row in results if (row.size, row.contender) == (size, SET))
        yield Goal(f"{size:,}: provider's process", peak / 1e6, MEGABYTES, "MB", "promised")
    for fewer, more in pairwise(measured):
        for step in ("first up", *UNCHANGED):
            rows = [results.typical(size, SET, step) for size in (1, fewer, more)]
            for what, unit, cost in COSTS:
                name = f"{step}, {fewer:,} to {more:,}: {what}"
                yield _growth(name, unit, more / fewer, [cost(row) for row in rows if row is not None])


def _growth(what: str, unit: str, times: float, costs: Sequence[float]) -> Goal:
    start, small, large = costs
    beyond = max(small - start, NOISE[unit])
    factor = (large - start) / beyond
    basis = f"{start:.1f} at the start + {FACTOR} x {times:g} x the {beyond:.1f} beyond it; it is {factor:.1f} x"
    return Goal(what, large, start + FACTOR * times * beyond, unit, basis)
