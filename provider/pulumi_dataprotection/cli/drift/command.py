"""The options of `dataprotection drift`."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["drift"]


@click.command()
@click.option("--stacks", multiple=True, metavar="GLOB", help="Only stacks with such names.")
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="All stacks of the project in this folder; by default of the project in the current folder.",
)
@click.option(
    "--state",
    "files",
    multiple=True,
    metavar="FILE",
    help="The state in this file, in the files of this glob, or in the folder of a backend.",
)
@click.option("--stack", help="The stack of the current folder's project whose settings count; the selected stack.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "csv", "md"]),
    default="table",
    show_default=True,
    help="Tables for people, JSON or CSV for programs, Markdown for a pull request.",
)
def drift(
    *,
    stacks: tuple[str, ...],
    projects: tuple[Path, ...],
    files: tuple[str, ...],
    stack: str | None,
    output_format: str,
) -> None:
    """Compare the states of stacks with the service, without a program and without an engine.

    The command changes neither the service nor a state. It exits with 0 if each state is in step, with 7 if a refresh
    would change a state, and with 1 if anything could not be read.
    """
    if not all(word.strip() for word in (*stacks, *map(str, projects), *files)):
        raise click.UsageError("Options '--stacks', '--project' and '--state' must not be empty.")
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.drift.run import run  # noqa: PLC0415 - see above
    from pulumi_dataprotection.inventory import StateSelection  # noqa: PLC0415 - see above

    folders = projects or (() if files else (Path.cwd(),))
    run(StateSelection(folders, files, stacks or ("*",)), stack, output_format)
