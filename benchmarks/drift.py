"""The cost of `dataprotection drift` over many stacks, beside `pulumi preview --refresh` in each of them."""

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.printing import Columns, report
from benchmarks.running import Project, install, running_emulator, sizes
from benchmarks.watching import Usage
from pulumi_dataprotection.testing._control import send

__all__ = ["drift_table", "measure"]

PROTECTIONS = 20
PREVIEWED = 5
"""The stacks that are previewed; the time of all stacks is a multiple of theirs."""
SHARE = 0.1
"""The share of the CPU time of the previews that a comparison of all stacks may take."""
FIRST = "tenant-0001"

PROGRAM = f"""
import pulumi
from pulumi_dataprotection import Protection
tenant_id = pulumi.get_stack()
for number in range(1, {PROTECTIONS} + 1):
    Protection(f"user-{{number}}", tenant_id=tenant_id, resource=f"res-{{number:07}}", policy="Gold")
"""

Row = tuple[str, Usage, Counter[str], float]


def measure() -> Columns:
    """Let one stack protect its tenant, give all tenants the same protections and states, and compare."""
    (stacks,) = sizes(1_000)
    with tempfile.TemporaryDirectory() as name, running_emulator("--seed", f"large:{stacks}x{PROTECTIONS}") as started:
        folder, url = Path(name), started["url"]
        programs = install(folder / "environment")
        settings = {
            "DATAPROTECTION_BASE_URL": url,
            "DATAPROTECTION_API_KEY": started["api_key"],
            "DATAPROTECTION_CALLS_PER_SECOND": "0",
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        project = Project(folder / "project", programs, PROGRAM, settings, 1800)
        project.pulumi("stack", "init", stack=FIRST)
        project.pulumi("up", "--yes", "--skip-preview", stack=FIRST)
        tenants = [f"tenant-{number:04}" for number in range(1, stacks + 1)]
        _copy_stack(folder / "project", tenants)
        _protect_all(url, tenants)
        # The first command compiles the modules.
        command = (str(programs / "dataprotection"), "drift")
        project.run(*command, "--stacks", FIRST)
        previews = Counter[str]()
        preview = Usage()
        for tenant in tenants[:PREVIEWED]:
            report(f"preview --refresh: {tenant}")
            send(url, "DELETE", "requests")
            usage = project.pulumi("preview", "--refresh", "--expect-no-changes", stack=tenant)
            preview.seconds += usage.seconds
            preview.cpu += usage.cpu
            previews += _calls(url)
        rows: list[Row] = [("preview --refresh", preview, previews, stacks / len(tenants[:PREVIEWED]))]
        for way, options in {"drift": (), "drift --state": ("--state", str(folder / "project"))}.items():
            report(f"{way}: {stacks:,} stacks")
            send(url, "DELETE", "requests")
            rows.append((way, project.run(*command, *options, "--format", "csv"), _calls(url), 1))
    return drift_table(stacks, rows)


def drift_table(stacks: int, rows: Sequence[Row]) -> Columns:
    """Return the table of all commands.

    Args:
        stacks: the number of stacks.
        rows: each command with its cost, its calls, and the factor for all stacks. The first is the measure.
    """
    limit = SHARE * rows[0][1].cpu * rows[0][3]
    cells = [
        [
            name,
            f"{usage.seconds * factor:,.1f}",
            f"{usage.cpu * factor:,.1f}",
            f"{usage.peaks['command'] / 1e6:.0f}" if "command" in usage.peaks else "",
            f"{sum(calls.values()) * factor:,.0f}",
            "" if number == 0 else f"{limit:,.1f}",
            "" if number == 0 else "yes" if usage.cpu <= limit and sum(calls.values()) <= stacks else "NO",
        ]
        for number, (name, usage, calls, factor) in enumerate(rows)
    ]
    title = f"{__doc__} {stacks:,} stacks with {PROTECTIONS} protections each, no call budget."
    headings = ("command", "wall s", "CPU s", "MB", "calls", "CPU s goal", "met")
    caption = f"The previews of {PREVIEWED} stacks, one after the other, are multiplied. Goal for calls: one a stack."
    return Columns(title, headings, cells, ("MB", "CPU s goal"), caption)


def _copy_stack(folder: Path, tenants: Sequence[str]) -> None:
    """Write the state of the first stack for the other tenants."""
    (state,) = folder.rglob(f"stacks/*/{FIRST}.json")
    text, config = state.read_text(), folder / f"Pulumi.{FIRST}.yaml"
    for tenant in tenants:
        state.with_name(f"{tenant}.json").write_text(text.replace(FIRST, tenant))
        if config.exists():
            (folder / f"Pulumi.{tenant}.yaml").write_text(config.read_text())


def _protect_all(url: str, tenants: Sequence[str]) -> None:
    found = [one for one in send(url, "GET", "state")["protections"] if one["tenant_id"] == FIRST]
    for tenant in tenants[1:]:
        copies = [json.loads(json.dumps(one).replace(FIRST, tenant)) for one in found]
        send(url, "PATCH", "state", {"protections": copies})


def _calls(url: str) -> Counter[str]:
    return Counter(request["operation"] for request in send(url, "GET", "requests"))
