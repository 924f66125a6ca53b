"""A run of `dataprotection doctor`: all checks, and their findings as a table or as JSON."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.doctor.checks import Finding, run_checks
from pulumi_dataprotection.cli.doctor.machine import MACHINE
from pulumi_dataprotection.cli.doctor.permissions import PERMISSIONS
from pulumi_dataprotection.cli.doctor.project import PROJECT, Project
from pulumi_dataprotection.cli.doctor.service import CLOCK, SERVICE, Service
from pulumi_dataprotection.cli.doctor.settings import SETTINGS, Sources
from pulumi_dataprotection.client._secrets import hide

__all__ = ["run"]

_STYLES = {"ok": "green", "warning": "yellow", "failed": "bold red", "skipped": "dim"}
_WIDEST = 100_000
"""Characters of a line that is not on a terminal."""


def run(stack: str | None, profile: str | None, *, as_json: bool) -> None:
    """Run all checks, and print their findings.

    Args:
        stack: the stack whose config has settings; None for the selected stack.
        profile: the profile in the settings whose key is used.
        as_json: whether the findings are printed as JSON.

    Raises:
        SystemExit: A check failed.
    """
    sources = Sources(stack, profile)
    service = Service(sources)
    findings: dict[str, Finding] = {}
    with service.opened:
        run_checks(MACHINE, None, findings)
        run_checks(PROJECT, Project(Path.cwd()), findings)
        run_checks(SETTINGS, sources, findings)
        run_checks([*SERVICE, *PERMISSIONS, CLOCK], service, findings)
    keys = sources.keys()
    rows = [
        {
            "name": name,
            "result": finding.result,
            "found": _shown(finding.found, keys),
            "advice": _shown(finding.advice, keys),
        }
        for name, finding in findings.items()
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        _print(rows)
    if any(finding.result == "failed" for finding in findings.values()):
        raise SystemExit(1)


def _shown(text: str, keys: list[str]) -> str:
    """Return a text without line breaks, control characters and API keys."""
    return printable(" ".join(hide(text, dict.fromkeys(keys, "[the API key]")).split()), limit=None)


def _print(rows: list[dict[str, str]]) -> None:
    console = Console(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        # A file has no edge: each check is one line of it.
        console.width = _WIDEST
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("check", "result", "found"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(row["name"], Text(row["result"], _STYLES[row["result"]]), Text(row["found"]))
    console.print(table)
    for row in rows:
        if row["result"] in {"warning", "failed"}:
            console.print(f"\n{row['name']}: {row['advice']}.", soft_wrap=True)
