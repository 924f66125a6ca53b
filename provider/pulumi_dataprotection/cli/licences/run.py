"""A run of `dataprotection licences`: the walk over the tenants, its output, and its exit status."""

from __future__ import annotations

from collections.abc import Iterable

import click
import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.get.formats import FORMATS, Block, encodable
from pulumi_dataprotection.cli.get.layout import Layout
from pulumi_dataprotection.cli.stack_settings import load_stack_config
from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client.records import Tenant
from pulumi_dataprotection.fleet.licences import TenantLicence, most_used_first, read_licences
from pulumi_dataprotection.functions._data_source import open_program_account
from pulumi_dataprotection.inventory import LEFT_OUT, Report, Scope, find_tenants

__all__ = ["run"]

_OVER_LIMIT = 7
"""The exit status if everything was read, and a limit is exceeded."""

_INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended."""


def run(tenants: str | Scope, output_format: str, *, profile: str | None, stack: str | None) -> None:
    """Read the licences of tenants one tenant after the other, and print them at the end.

    Args:
        tenants: the id of the only tenant, or a scope.
        output_format: a key of `FORMATS`.
        profile: the profile in the settings whose key is used.
        stack: the stack whose config has settings; None for the selected stack.

    Raises:
        click.ClickException: A call failed; what was read before it is printed.
        click.exceptions.Exit: A tenant was left out, a limit is exceeded, or Ctrl-C was pressed.
    """
    is_configured = load_stack_config(stack)
    left_out: list[str] = []
    found: list[list[TenantLicence]] = []
    failure: errors.DataProtectionError | None = None

    def report(what: str, error: object) -> None:
        left_out.append(what)
        _echo_to_stderr(f"Error: left out {what}: {error}")

    try:
        with client.show_waits(lambda text: pulumi.log.info(text, ephemeral=True)):
            account = open_program_account(profile)
            found.extend(read_licences(account, _tenants(account, tenants, report), report))
    except errors.DataProtectionError as error:
        failure = error
    except KeyboardInterrupt:
        raise click.exceptions.Exit(_INTERRUPTED) from None
    licences = most_used_first(licence for of_tenant in found for licence in of_tenant)
    if found or not (left_out or failure):
        _print(licences, output_format, tenants=len(found))
    if failure:
        unread = isinstance(failure, errors.ConfigurationError) and not is_configured
        note = " (no config of a stack was read: select a stack in the project's folder, or use --stack)"
        raise click.ClickException(encodable(str(failure) + (note if unread else "")))
    if left_out:
        raise click.exceptions.Exit(1)
    if any(licence.exceeded for licence in licences):
        raise click.exceptions.Exit(_OVER_LIMIT)


def _tenants(account: client.Account, chosen: str | Scope, report: Report) -> Iterable[Tenant]:
    if isinstance(chosen, Scope):
        return find_tenants(account, chosen, report)
    try:
        return [account.ask(calls.get_tenant(chosen))]
    except LEFT_OUT as error:
        report(f"tenant {printable(chosen)}", error)
        return []


def _print(licences: list[TenantLicence], output_format: str, *, tenants: int) -> None:
    for text in FORMATS[output_format](Layout.of(TenantLicence), (), [Block(licences, {}, is_list=True)]):
        click.echo(text, nl=False)
    exceeded = sum(bool(licence.exceeded) for licence in licences)
    used_up = sum(licence.free == 0 and not licence.exceeded for licence in licences)
    _echo_to_stderr(f"tenants: {tenants:,}, licences: {len(licences):,}, exceeded: {exceeded:,}, used up: {used_up:,}")


def _echo_to_stderr(text: str) -> None:
    click.echo(encodable(text), err=True)
