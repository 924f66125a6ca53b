"""Runs all benchmarks, and prints a table for each."""

from rich.console import Console

from benchmarks import budget, client, emulator, imports, protections

console = Console()
for benchmark in (imports, emulator, client, budget, protections):
    with console.status(f"{benchmark.__doc__}"):
        table = benchmark.measure()
    console.print(table)
