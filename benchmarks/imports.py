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
import {module}
print((time.perf_counter() - started) * 1000)
"""


def measure() -> Table:
    """Import in fresh processes, and take the median."""
    table = Table("module", "ms beyond `import pulumi`", "goal", title=__doc__)
    for module, goal in (
        ("pulumi_dataprotection", f"<= {GOAL}"),
        ("pulumi_dataprotection.client._client", "with the client, on first use"),
    ):
        times = [float(_run(MEASURE.format(module=module))) for _ in range(RUNS)]
        table.add_row(module, f"{statistics.median(times):.0f}", goal)
    return table


def _run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    ).stdout
