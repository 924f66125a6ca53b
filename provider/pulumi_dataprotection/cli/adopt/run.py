"""A run of `dataprotection adopt`: its settings, its progress, its output and its errors."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption import changes_report
from pulumi_dataprotection.adoption.adopt import adopt
from pulumi_dataprotection.adoption.check import check
from pulumi_dataprotection.adoption.project import Layout, Options, Style
from pulumi_dataprotection.adoption.proof import Proof
from pulumi_dataprotection.adoption.report import as_json, columns, proof_fields, rows, summary
from pulumi_dataprotection.adoption.staging import StagingError
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.adoption.update import update
from pulumi_dataprotection.cli.get.formats import encodable
from pulumi_dataprotection.cli.get.tables import lines
from pulumi_dataprotection.cli.stack_settings import load_stack_config
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import open_program_account

__all__ = ["Run", "open_run"]

T = TypeVar("T")


class Run:
    """A run of the command.

    Args:
        account: the account of the key.
        out: the folder of the project.
        as_json: whether to print JSON.
    """

    def __init__(self, account: client.Account, out: Path, *, as_json: bool) -> None:
        self._account = account
        self._out = out
        self._as_json = as_json

    def adopt(
        self,
        layout: Layout,
        org_ids: Collection[str],
        tenant_ids: Collection[str],
        *,
        style: Style,
        on_conflict: OnConflict,
        own: bool,
    ) -> None:
        """Write the project; arguments as in `adoption.adopt`.

        Raises:
            click.exceptions.Exit: The project would write, or something could not be read.
        """
        if sys.stderr.isatty():
            click.echo("Reading organizations", err=True)
        found = adopt(
            self._account,
            self._out,
            Options(layout, style, own, on_conflict, self._account.client.settings.base_url),
            org_ids=org_ids,
            tenant_ids=tenant_ids,
            report=_report,
            progress=_progress,
        )
        if self._as_json:
            click.echo(as_json(found), nl=False)
        elif found.tenants:
            click.echo(encodable(lines(columns(found), [*rows(found)])), nl=False)
        self._end(found.orgs, found.sets, is_whole=not found.unread)

    def update(
        self,
        org_ids: Collection[str],
        tenant_ids: Collection[str],
        *,
        style: Style,
        on_conflict: OnConflict,
        force: bool,
    ) -> None:
        """Merge the service into the project; arguments as in `adoption.update`.

        Raises:
            click.exceptions.Exit: Something has to be decided or could not be read, or an `up` would fail.
        """
        found, changes = update(
            self._account,
            self._out,
            Options("stack-per-customer", style, False, on_conflict, self._account.client.settings.base_url),
            org_ids=org_ids,
            tenant_ids=tenant_ids,
            force=force,
            report=_report,
            progress=_progress,
        )
        for problem in changes_report.problems(changes):
            click.echo(encodable(f"Error: {problem}"), err=True)
        if self._as_json:
            fields = {**json.loads(as_json(found)), "update": changes_report.fields(changes)}
            click.echo(json.dumps(fields, indent=2))
        else:
            click.echo(encodable("".join(f"{line}\n" for line in changes_report.lines(changes))), nl=False)
        self._end(found.orgs, found.sets, is_whole=not (found.unread or changes_report.is_open(changes)))

    def check(self) -> None:
        """Compare the project with the service.

        Raises:
            click.exceptions.Exit: The project would write, or something could not be read.
        """
        orgs, sets = check(self._account, self._out, _progress)
        if self._as_json:
            click.echo(json.dumps(proof_fields(orgs, sets), indent=2))
        self._end(orgs, sets, is_whole=True)

    def _end(self, orgs: Proof, sets: Proof, *, is_whole: bool) -> None:
        for problem in (*orgs.problems, *sets.problems):
            click.echo(encodable(f"Error: {problem}"), err=True)
        if not self._as_json:
            click.echo(summary(orgs, sets))
        if orgs.problems or sets.problems or not is_whole:
            raise click.exceptions.Exit(1)


@contextmanager
def open_run(out: Path, stack: str | None, *, as_json: bool) -> Generator[Run]:
    """Open a run, and turn its errors into errors of the command.

    Args:
        out: the folder of the project.
        stack: the stack whose config has settings; None for the selected stack.
        as_json: whether to print JSON.

    Raises:
        click.ClickException: The run failed; the text says why.
    """
    is_configured = load_stack_config(stack)
    try:
        with client.show_waits(lambda text: pulumi.log.info(text, ephemeral=True)):
            yield Run(open_program_account(None), out, as_json=as_json)
    except errors.ConfigurationError as error:
        note = "" if is_configured else " (no config of a stack was read: select a stack, or use --stack)"
        raise click.ClickException(encodable(f"{error}{note}")) from None
    except (errors.DataProtectionError, StagingError) as error:
        raise click.ClickException(encodable(str(error))) from None
    except OSError as error:
        raise click.ClickException(
            encodable(f"Cannot write {printable(out)}: {error}. Run the command again.")
        ) from None


def _report(what: str, error: object) -> None:
    if sys.stderr.isatty():
        # The cursor stands behind the progress bar.
        click.echo(err=True)
    click.echo(encodable(f"Error: left out {what}: {error}"), err=True)


def _progress(tasks: list[T]) -> Iterable[T]:
    with click.progressbar(tasks, label="Reading tenants", file=sys.stderr, show_pos=True) as bar:
        yield from bar
