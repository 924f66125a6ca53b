"""How long `dataprotection adopt` takes for a whole estate, how many calls it makes, and how much memory it needs."""

import sys
import tempfile
from collections import Counter
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks.goals import Goal, goals_table
from benchmarks.printing import Columns, report
from benchmarks.running import compiling, running_emulator
from benchmarks.watching import Usage, watch
from pulumi_dataprotection.testing._control import send

__all__ = ["measure"]

SEED = "estate:100x200x20000"
PAGE_SIZE = 500
_MAX_SECONDS = 60
_MAX_MEGABYTES = 300
_COMMANDS = {
    "adopt": ("--layout", "stack-per-customer"),
    "adopt --check": ("--check",),
    "adopt --update": ("--update",),
    "adopt --as rules": ("--as", "rules"),
}


def measure() -> Columns:
    """Adopt an estate with the read-only key, without a call budget."""
    goals: list[Goal] = []
    with running_emulator("--seed", SEED) as started, tempfile.TemporaryDirectory() as folder:
        environment = {
            **compiling(Path(folder) / "bytecode"),
            "DATAPROTECTION_API_KEY": started["read_only_key"],
            "DATAPROTECTION_BASE_URL": started["url"],
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "DATAPROTECTION_PAGE_SIZE": str(PAGE_SIZE),
        }
        allowed = _allowed(send(started["url"], "GET", "state"))
        program = str(Path(sys.executable).with_name("dataprotection"))
        # The modules are compiled once, as in any installation.
        watch([program, "adopt", "--help"], folder=Path(folder), environment=environment, limit=_MAX_SECONDS)
        for name, options in _COMMANDS.items():
            report(name)
            send(started["url"], "DELETE", "requests")
            out = "rules" if "rules" in options else "estate"
            command = [program, "adopt", "--out", out, *options]
            usage = watch(command, folder=Path(folder), environment=environment, limit=600)
            assert "0 to write" in usage.output, usage.output[-1000:]
            goals += _goals(name, usage, send(started["url"], "GET", "requests"), allowed)
    return goals_table(goals, f"{__doc__} Seed {SEED}.", "Measured with the read-only key, without a call budget.")


def _allowed(state: dict[str, list[dict[str, Any]]]) -> int:
    """Return the number of calls that the goal allows: all pages, and the counts of each tenant as their witness."""
    pages = sum(
        ceil(count / PAGE_SIZE) - 1
        for section in ("resources", "protections", "policies")
        for count in Counter(record["tenant_id"] for record in state[section]).values()
    )
    return 1 + pages + 2 * len(state["orgs"]) + 4 * len(state["tenants"])


def _goals(name: str, usage: Usage, requests: list[dict[str, Any]], allowed: int) -> list[Goal]:
    writes = sum(request["method"] != "GET" for request in requests)
    basis = "2 per organization, 4 per tenant, further pages, installation"
    return [
        Goal(f"{name}: time", usage.seconds, _MAX_SECONDS, "s", "two cores"),
        Goal(f"{name}: calls", len(requests), allowed, "calls", basis),
        Goal(f"{name}: writes", writes, 0, "calls", "the command only reads"),
        Goal(f"{name}: memory", usage.peaks["command"] / 1e6, _MAX_MEGABYTES, "MB", "of the process"),
    ]
