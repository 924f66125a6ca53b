"""What importing the package costs beyond importing pulumi."""

import statistics
import subprocess
import sys

from rich.table import Table

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
        times = [float(_run(MEASURE.format(statement=statement))) for _ in range(RUNS)]
        table.add_row(statement, f"{statistics.median(times):.0f}", goal)
    return table


def _run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    ).stdout
