"""What importing the package costs beyond importing pulumi."""

import statistics

from benchmarks.printing import Columns, report
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


def measure() -> Columns:
    """Import in fresh processes, and take the median."""
    rows: list[list[str]] = []
    for statement, goal in (
        ("from pulumi_dataprotection import *", f"<= {GOAL}"),
        ("from pulumi_dataprotection.client import Client", "none: loaded on first use"),
    ):
        report(statement)
        times = [float(run(MEASURE.format(statement=statement))) for _ in range(RUNS)]
        rows.append([statement, f"{statistics.median(times):.0f}", goal])
    return Columns(f"{__doc__}", ("statement", "ms", "goal"), rows)
