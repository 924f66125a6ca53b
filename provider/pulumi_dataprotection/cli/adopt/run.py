"""A run of `dataprotection adopt`: its settings, its progress, its output and its errors."""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.adoption.adopt import adopt
from pulumi_dataprotection.adoption.check import check
from pulumi_dataprotection.adoption.project import Layout, Options, Style
from pulumi_dataprotection.adoption.proof import Proof
from pulumi_dataprotection.adoption.report import as_json, columns, proof_fields, rows, summary
from pulumi_dataprotection.adoption.staging import StagingError
from pulumi_dataprotection.adoption.tenant_file import OnConflict
from pulumi_dataprotection.adoption.update import update
from pulumi_dataprotection.cli.estate import Choice, Estate, open_estate
from pulumi_dataprotection.cli.get.formats import encodable
from pulumi_dataprotection.cli.get.tables import lines

__all__ = ["Run", "open_run"]

T = TypeVar("T")


class Run:
    """A run of the command.

    Args:
        estate: the account, and the progress.
        out: the folder of the project.
        as_json: whether to print JSON.
    """

    def __init__(self, estate: Estate, out: Path, *, as_json: bool) -> None:
        self._estate = estate
        self._account = estate.account
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
        self._estate.show("organizations")
        found = adopt(
            self._account,
            self._out,
            Options(layout, style, own, on_conflict, self._account.client.settings.base_url),
            org_ids=org_ids,
            tenant_ids=tenant_ids,
            report=self._estate.leave_out,
            progress=self._tenants,
        )
        if self._as_json:
            self._estate.echo(as_json(found))
        elif found.tenants:
            self._estate.echo(lines(columns(found), [*rows(found)]))
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
            report=self._estate.leave_out,
            progress=self._tenants,
        )
        for problem in changes.problems():
            self._estate.tell(f"Error: {problem}")
        if self._as_json:
            fields = {**json.loads(as_json(found)), "update": changes.fields()}
            self._estate.echo(json.dumps(fields, indent=2) + "\n")
        else:
            self._estate.echo(encodable("".join(f"{line}\n" for line in changes.lines())))
        self._end(found.orgs, found.sets, is_whole=not (found.unread or changes.is_open))

    def check(self) -> None:
        """Compare the project with the service.

        Raises:
            click.exceptions.Exit: The project would write, or something could not be read.
        """
        orgs, sets = check(self._account, self._out, self._tenants)
        if self._as_json:
            self._estate.echo(json.dumps(proof_fields(orgs, sets), indent=2) + "\n")
        self._end(orgs, sets, is_whole=True)

    def _tenants(self, tenants: Sequence[T]) -> Iterator[T]:
        return self._estate.track(tenants, "tenants")

    def _end(self, orgs: Proof, sets: Proof, *, is_whole: bool) -> None:
        for problem in (*orgs.problems, *sets.problems):
            self._estate.tell(f"Error: {problem}")
        if not self._as_json:
            self._estate.echo(f"{summary(orgs, sets)}\n")
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
    try:
        with open_estate(Choice(tenant_id=None, org_id=None, recursive=False, profile=None, stack=stack)) as estate:
            yield Run(estate, out, as_json=as_json)
    except StagingError as error:
        raise click.ClickException(encodable(str(error))) from None
    except OSError as error:
        raise click.ClickException(
            encodable(f"Cannot write {printable(out)}: {error}. Run the command again.")
        ) from None
