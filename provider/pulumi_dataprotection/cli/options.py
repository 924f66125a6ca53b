"""The options of commands about all customers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
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


def estate_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that choose tenants and settings, by default all tenants. The command gets them as `choice`."""

    @functools.wraps(command)
    def with_choice(
        *,
        tenant_id: str | None,
        org_id: str | None,
        recursive: bool,
        profile: str | None,
        stack: str | None,
        **rest: object,
    ) -> object:
        # Imported here, because it takes half a second, which other commands need not wait for.
        from pulumi_dataprotection.cli.estate import Choice  # noqa: PLC0415 - see above

        choice = Choice(tenant_id=tenant_id, org_id=org_id, recursive=recursive, profile=profile, stack=stack)
        return command(choice=choice, **rest)

    return _with(_OPTIONS, with_choice)


def state_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that choose states. The command gets them as `states`, which is None without an option."""

    @functools.wraps(command)
    def with_states(*, stacks: Sequence[str], projects: Sequence[Path], files: Sequence[str], **rest: object) -> object:
        from pulumi_dataprotection.cli.states import select_states  # noqa: PLC0415 - as above

        chosen = stacks or projects or files
        return command(states=select_states(stacks, projects, files) if chosen else None, **rest)

    return _with(_STATES, with_states)


def format_options(command: F) -> F:
    """Add the options that choose one of `cli.get.formats.FORMATS`."""
    return _with(_FORMATS, command)


def _with(options: Sequence[Callable[[F], F]], command: F) -> F:
    for option in reversed(options):
        command = option(command)
    return command
