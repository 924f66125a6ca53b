"""Runs the benchmarks that are named, or all. The tables are on stdout, the progress on stderr.

BENCHMARK_SIZES=100,1000 lets `rivals` and `growth` measure these sizes in place of theirs.
"""

import argparse
from collections.abc import Callable

from rich.console import RenderableType

from benchmarks import adopt, budget, client, drift, emulator, growth, imports, protections, rivals
from benchmarks.printing import output, report

BENCHMARKS: dict[str, tuple[str | None, Callable[[], RenderableType]]] = {
    module.__name__.rpartition(".")[2]: (module.__doc__, module.measure)
    for module in (imports, emulator, client, budget, protections, adopt, drift, rivals, growth)
}

parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; default: all")
names: list[str] = parser.parse_args().names
if unknown := set(names) - set(BENCHMARKS):
    parser.error(f"there is no {', '.join(unknown)}")

console = output()
for name in names or BENCHMARKS:
    description, measure = BENCHMARKS[name]
    report(f"{name}: {description}")
    console.print(measure())
