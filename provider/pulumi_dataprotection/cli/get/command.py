"""The command group `dataprotection get`: each look-up of a program, from the shell."""

from __future__ import annotations

import dataclasses
import functools
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol, cast, get_args, get_type_hints

import click

if TYPE_CHECKING:
    from pulumi_dataprotection.client.records import Record

__all__ = ["get"]

_INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""


class _List(Protocol):
    @property
    def items(self) -> list[Record]: ...


def _text(name: str, argument: str, meaning: str, *, required: bool = False) -> click.Option:
    return click.Option([f"--{name}", argument], required=required, help=meaning)


def _flag(names: str, argument: str, meaning: str, *, default: bool | None = None) -> click.Option:
    return click.Option([names, argument], is_flag=True, default=default, help=meaning)


_ID = _text("id", "id", "Its id.")
_ORG = _text("org", "org_id", "The organization's id.", required=True)
_PARENT = _text("parent", "parent_org_id", "The organization above; by default the one that the key is installed for.")
_TENANT = _text("tenant", "tenant_id", "The tenant's id.", required=True)
_RESOURCE = _text("resource", "resource", "Its id, ext$ and its external id, or its name.", required=True)
_RECURSIVE = _flag("--recursive", "recursive", "Go down to the last organization below.", default=False)

# A new look-up is a row here: the function, what it does, and an option for each of its arguments.
_LOOKUPS: dict[str, tuple[str, list[click.Option]]] = {
    "get_installations": ("List where the key's application is installed.", []),
    "get_org": (
        "Show one organization, by --id or by --external-id.",
        [_ID, _text("external-id", "external_id", "Its exact external id, below --parent."), _PARENT],
    ),
    "get_orgs": ("List the organizations below another one.", [_PARENT, _RECURSIVE]),
    "get_tenant": (
        "Show one tenant, by --id, or by --name and --org.",
        [_ID, _text("name", "name", "Its exact name."), _text("org", "org_id", "The organization that owns it.")],
    ),
    "get_tenants": ("List the tenants of an organization.", [_ORG, _RECURSIVE]),
    "get_tenant_quotas": ("Show what a tenant may use, and what it uses.", [_TENANT]),
    "get_subscriptions": ("List the licensing subscriptions of an organization.", [_ORG]),
    "get_subscription_history": (
        "Show how an organization's post-pay subscriptions were used in a period.",
        [
            _ORG,
            _text("start", "start", "The start of the period: RFC 3339, such as 2026-11-01T00:00:00Z."),
            _text("end", "end", "Its end: 1 to 40 days later, and at least one hour ago."),
        ],
    ),
    "get_resource": ("Show one user, shared drive or other resource.", [_TENANT, _RESOURCE]),
    "get_resources": (
        "List the resources of a tenant.",
        [
            _TENANT,
            _text("kind", "kind", "Only this kind, such as office_user or office_teamdrive."),
            _text("name", "name", "Only names of this pattern, such as '*@contoso.example'."),
            _flag("--archived/--not-archived", "archived", "Only those that can no longer be backed up, or that can."),
            _flag("--protected/--unprotected", "protected", "Only those that have a policy, or that have none."),
        ],
    ),
    "get_resource_stats": ("Show how many resources of each kind are protected.", [_TENANT]),
    "get_policy": ("Show one policy.", [_TENANT, _text("policy", "policy", "Its id or exact name.", required=True)]),
    "get_policies": ("List the policies of a tenant.", [_TENANT, _text("name", "name", "Only this exact name.")]),
    "get_protection": ("Show what protects one resource.", [_TENANT, _RESOURCE]),
    "get_protections": ("List which policy is on which resource.", [_TENANT]),
    "get_archives": (
        "List the backup archives of a tenant.",
        [_TENANT, _text("resource", "resource", "Only those of this resource: its id, ext$ and external id, or name.")],
    ),
    "get_audit_events": (
        "List what was done in a tenant.",
        [
            _TENANT,
            _text("start-time", "start_time", "Only from then on: RFC 3339, such as 2026-11-01T00:00:00Z."),
            _text("end-time", "end_time", "Only before then."),
        ],
    ),
    "get_task": ("Show one run of a job.", [_TENANT, _text("task", "task_id", "The task's id.", required=True)]),
    "get_task_stats": (
        "Show how many tasks of a period ended in which way.",
        [
            _TENANT,
            _text("start-time", "start_time", "The start: RFC 3339, within the last 35 days.", required=True),
            _text("end-time", "end_time", "The end: at most 31 days later, and not in the future.", required=True),
        ],
    ),
}

_COMMON = [
    click.Option(
        ["--format", "output_format"],
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="A table for eyes, JSON or CSV for programs.",
    ),
    _text("profile", "profile", "The profile of the settings whose key is used."),
    _text("stack", "stack", "Read the settings of this stack of the current folder's project too."),
]


@click.group()
def get() -> None:
    """Look something up in the service, as the get_x functions of a program do.

    The settings are those of a program: environment variables first, then, with --stack, the stack's config.
    """


def _look_up(function: str, output_format: str, stack: str | None, **arguments: object) -> None:
    with _ending_at_ctrl_c():
        click.echo(_found(function, output_format, stack, arguments), nl=False)


@contextmanager
def _ending_at_ctrl_c() -> Generator[None]:
    """End at once, whatever other threads wait for: they only read. Where Ctrl-C is ignored, it stays so."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)


def _found(function: str, output_format: str, stack: str | None, arguments: dict[str, object]) -> str:
    # Half a second, which neither `--help` nor the other commands have to wait.
    import pulumi  # noqa: PLC0415 - see above

    from pulumi_dataprotection import functions  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.get.formats import printable, render  # noqa: PLC0415 - see above
    from pulumi_dataprotection.cli.stack_settings import read_stack_config  # noqa: PLC0415 - see above
    from pulumi_dataprotection.client import errors, records  # noqa: PLC0415 - see above

    look_up = cast("Callable[..., Record | _List]", getattr(functions, function))
    if stack is not None:
        config = read_stack_config(stack)
        pulumi.runtime.set_all_config({f"dataprotection:{key}": value for key, value in config.items()})
    try:
        found = look_up(**{name: value for name, value in arguments.items() if value is not None})
    except (pulumi.RunError, TypeError) as error:
        unread = isinstance(error.__cause__, errors.ConfigurationError) and stack is None
        note = " (without --stack no stack's config was read)" if unread else ""
        raise click.ClickException(printable(f"{error}{note}")) from None
    if isinstance(found, records.Record):
        return render(found, _names(look_up), output_format)
    if not found.items and output_format == "table":
        click.echo(f"no {_noun(function)}".replace("-", " "), err=True)
    return render(found.items, _names(look_up), output_format)


def _names(look_up: Callable[..., object]) -> list[str]:
    """The fields of the records that a look-up returns; what holds them all once more is the last one."""
    returned = get_type_hints(look_up)["return"]
    names = [field.name for field in dataclasses.fields(next(iter(get_args(returned)), returned))]
    return sorted(names, key="fields".__eq__)


def _noun(function: str) -> str:
    return function.removeprefix("get_").replace("_", "-")


for _function, (_meaning, _options) in _LOOKUPS.items():
    get.add_command(
        click.Command(
            _noun(_function),
            params=[*_options, *_COMMON],
            callback=functools.partial(_look_up, _function),
            help=_meaning,
        )
    )
