"""The options of commands about all customers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

__all__ = ["estate_options", "format_options", "ignore_option", "state_options"]

F = TypeVar("F", bound=Callable[..., object])

_OPTIONS = (
    click.option("--tenant", "tenant_id", metavar="ID", help="Only this tenant."),
    click.option("--org", "org_id", metavar="ID", help="Only the tenants of this organization."),
    click.option("--recursive", is_flag=True, help="Include the tenants of all organizations below --org."),
    click.option("--profile", metavar="NAME", help="The profile in the settings whose key is used."),
    click.option(
        "--stack",
        metavar="NAME",
        help="The stack of the current folder's project whose settings count; the selected stack.",
    ),
)


_FORMATS = (
    click.option(
        "--format",
        "output_format",
        type=click.Choice(["table", "json", "csv", "md"]),
        default="table",
        show_default=True,
        help="A table for people, JSON or CSV for programs, Markdown for a pull request.",
    ),
    click.option("--json", "output_format", flag_value="json", help="The same as --format json."),
)

_STATES = (
    click.option("--stacks", multiple=True, metavar="GLOB", help="Read only the states of stacks with such names."),
    click.option(
        "--project",
        "projects",
        multiple=True,
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Read the states of the stacks of the project in this folder.",
    ),
    click.option(
        "--state",
        "files",
        multiple=True,
        metavar="FILE",
        help="Read this state: a file, a glob, or a backend's folder.",
    ),
)


ignore_option = click.option(
    "--ignore",
    "ignore_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A CSV file with patterns of items that need no policy, each with a reason.",
)


def state_options(command: F) -> F:
    """Add the options that choose states."""
    for option in reversed(_STATES):
        command = option(command)
    return command


def format_options(command: F) -> F:
    """Add the options that choose one of `cli.get.formats.FORMATS`."""
    for option in reversed(_FORMATS):
        command = option(command)
    return command


def estate_options(command: F) -> F:
    """Add the options that choose tenants and settings; by default, a command is about all tenants."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
