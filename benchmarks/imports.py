"""What importing the package costs beyond importing pulumi."""

import statistics

from rich.table import Table

from benchmarks.running import run

__all__ = ["measure"]

RUNS = 9
GOAL = 250
MEASURE = """
import time, pulumi
started = time.perf_counter()
{statement}
print((time.perf_counter() - started) * 1000)
"""


def measure() -> Table:
    """Import in fresh processes, and take the median."""
    table = Table("statement", "ms", "goal", title=__doc__)
    for statement, goal in (
        ("from pulumi_dataprotection import *", f"<= {GOAL}"),
        ("from pulumi_dataprotection.client import Client", "none: loaded on first use"),
    ):
        times = [float(run(MEASURE.format(statement=statement))) for _ in range(RUNS)]
        table.add_row(statement, f"{statistics.median(times):.0f}", goal)
    return table
