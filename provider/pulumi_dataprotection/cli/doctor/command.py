"""The command `dataprotection doctor`."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client._secrets import hide

if TYPE_CHECKING:
    from pulumi_dataprotection.cli.doctor.checks import Finding

__all__ = ["doctor"]

_STYLES = {"ok": "green", "warning": "yellow", "failed": "bold red", "skipped": "dim"}
_WIDEST = 100_000
"""Characters of a line that is not on a terminal."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects: name, result, found, advice.")
@click.option("--profile", metavar="NAME", help="Take the key and the base URL from this profile.")
@click.option(
    "--stack", metavar="NAME", help="The stack whose config counts, after the environment; the selected stack."
)
def doctor(*, as_json: bool, profile: str | None, stack: str | None) -> None:
    """Find out why a set-up does not work: this machine, the project, the settings, the service.

    Nothing is written to the service. The exit status is 1 if a check failed.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.doctor.checks import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.doctor.machine import MACHINE  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.doctor.permissions import PERMISSIONS  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.doctor.project import PROJECT, Project  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.doctor.service import CLOCK, SERVICE, Service  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.doctor.settings import SETTINGS, Sources  # noqa: PLC0415 - see above

    sources = Sources(stack, profile)
    service = Service(sources)
    findings: dict[str, Finding] = {}
    with service.opened:
        run(MACHINE, None, findings)
        run(PROJECT, Project(Path.cwd()), findings)
        run(SETTINGS, sources, findings)
        run([*SERVICE, *PERMISSIONS, CLOCK], service, findings)
    keys = sources.keys()
    shown = {
        name: replace(finding, found=_in_a_line(finding.found, keys), advice=_in_a_line(finding.advice, keys))
        for name, finding in findings.items()
    }
    if as_json:
        click.echo(json.dumps([{"name": name, **asdict(finding)} for name, finding in shown.items()], indent=2))
    else:
        _print(shown)
    if any(finding.result == "failed" for finding in shown.values()):
        raise SystemExit(1)


def _in_a_line(text: str, keys: list[str]) -> str:
    """Return a text without line breaks, control characters and API keys."""
    return printable(" ".join(hide(text, dict.fromkeys(keys, "[the API key]")).split()), limit=None)


def _print(findings: dict[str, Finding]) -> None:
    from rich.console import Console  # noqa: PLC0415 - as slow as the checks
    from rich.table import Table  # noqa: PLC0415 - the same
    from rich.text import Text  # noqa: PLC0415 - the same

    console = Console(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        # A file has no edge: each check is one line of it.
        console.width = _WIDEST
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("check", "result", "found"):
        table.add_column(title, overflow="fold")
    for name, finding in findings.items():
        table.add_row(name, Text(finding.result, _STYLES[finding.result]), Text(finding.found))
    console.print(table)
    for name, finding in findings.items():
        if finding.result in {"warning", "failed"}:
            console.print(f"\n{name}: {finding.advice}.", soft_wrap=True)
