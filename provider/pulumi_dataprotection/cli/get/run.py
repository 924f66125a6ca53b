"""A run of a command of `dataprotection get`: the calls for one tenant or for several, and their output."""

from __future__ import annotations

import inspect
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast, get_args, get_type_hints

import click
import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.get.formats import FORMATS, Block, encodable
from pulumi_dataprotection.cli.get.layout import Fields, Layout
from pulumi_dataprotection.cli.get.names import read_names
from pulumi_dataprotection.cli.stack_settings import NO_CONFIG, load_stack_config
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client.records import Record, Tenant
from pulumi_dataprotection.functions._data_source import ListResult, open_program_account
from pulumi_dataprotection.inventory import LEFT_OUT, Scope, find_tenants, tenant_label

__all__ = ["run"]


def run(
    function: Callable[..., object],
    output_format: str,
    stack: str | None,
    scope: Scope | None,
    arguments: Mapping[str, object],
) -> None:
    """Call a function for one tenant or for several, and print the results.

    Args:
        function: the function.
        output_format: a key of `FORMATS`.
        stack: the stack whose config has settings; None for the selected stack.
        scope: the tenants that the function is called for, one after the other; None for one call.
        arguments: the arguments of the function.

    Raises:
        click.ClickException: A call failed; the text says why.
        click.exceptions.Exit: A tenant was left out.
    """
    calls = _Calls(function, arguments, is_configured=load_stack_config(stack))
    blocks = calls.blocks(scope)
    first = next(blocks, None)
    if first or not calls.left_out:
        front = [] if scope is None else ["tenant_id", "tenant_name"]
        shown = calls.until_error(itertools.chain([first] if first else [], blocks))
        for text in FORMATS[output_format](calls.layout, front, shown):
            click.echo(text, nl=False)
        if not calls.records and output_format == "table":
            click.echo(f"no {calls.name.removeprefix('get_').replace('_', ' ')}", err=True)
    if calls.error:
        raise calls.error
    if calls.left_out:
        raise click.exceptions.Exit(1)


class _Calls:
    """The calls of a function.

    Args:
        function: the function.
        arguments: its arguments.
        is_configured: whether the config of a stack was read.

    Attributes:
        layout: the layout of the records.
        name: the name of the function.
        records: the number of records.
        left_out: whether a tenant or an organization could not be read, and the others were.
        error: the error that ended the calls after the first result.
    """

    def __init__(
        self, function: Callable[..., object], arguments: Mapping[str, object], *, is_configured: bool
    ) -> None:
        self._function = function
        self._arguments = dict(arguments)
        self._is_configured = is_configured
        self._warned: set[str] = set()
        returned = get_type_hints(function)["return"]
        record = cast("type[Record]", next(iter(get_args(returned)), returned))
        self._parameters = inspect.signature(function).parameters
        self.layout = Layout.of(record, self._parameters)
        self.name = cast("str", getattr(function, "__name__", "get"))
        self.records = 0
        self.left_out = False
        self.error: click.ClickException | None = None

    def blocks(self, scope: Scope | None) -> Iterator[Block]:
        """Yield the result of one call, or of a call for each tenant of a scope.

        Raises:
            click.ClickException: A call failed; the text says why.
        """
        try:
            yield from self._one() if scope is None else self._of_tenants(scope)
        except (pulumi.RunError, TypeError) as error:
            raise self._command_error(str(error), error.__cause__) from None
        except errors.DataProtectionError as error:
            raise self._command_error(f"{self.name}: {error}", error) from None

    def until_error(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks, and count their records. An error at their end is kept: the output before it gets its end."""
        try:
            for block in blocks:
                self.records += len(block.entries)
                yield block
        except click.ClickException as error:
            self.error = error

    def _one(self) -> Iterator[Block]:
        if "org_id" in self._arguments and self._parameters["org_id"].default is inspect.Parameter.empty:
            self._arguments["org_id"] = self._arguments["org_id"] or self._home_org_id()
        yield self._block(self._arguments, None)

    def _of_tenants(self, scope: Scope) -> Iterator[Block]:
        account = self._account()
        for tenant in find_tenants(account, scope, self._report):
            try:
                # The function would take an id that no request can carry for an option of the user.
                client.calls.get_tenant(tenant.id)
                yield self._block({**self._arguments, "tenant_id": tenant.id}, tenant)
            except (errors.InvalidIdError, pulumi.RunError) as error:
                if not isinstance(error.__cause__ or error, LEFT_OUT):
                    raise
                self._report(tenant_label(tenant), error)
            account.forget_tenants()

    def _account(self) -> client.Account:
        return open_program_account(cast("str | None", self._arguments.get("profile")))

    def _home_org_id(self) -> str:
        account = self._account()
        try:
            return account.home_org_id()
        except errors.UnresolvedReferenceError as error:
            several = any(installation.org_id for installation in account.installations())
            raise errors.UnresolvedReferenceError(f"{error} with --org" if several else str(error)) from error

    def _block(self, arguments: Mapping[str, object], tenant: Tenant | None) -> Block:
        found = self._function(**arguments)
        is_list = isinstance(found, ListResult)
        records = cast("list[Record]", cast("ListResult[Record]", found).items if is_list else [found])
        of_tenant: Fields = {} if tenant is None else {"tenant_id": tenant.id, "tenant_name": tenant.name}
        return Block(self._with_names(records, arguments), of_tenant, is_list=is_list or tenant is not None)

    def _with_names(self, records: Sequence[Record], arguments: Mapping[str, object]) -> list[dict[str, object]]:
        ids: defaultdict[str, set[str]] = defaultdict(set)
        for record in records:
            for field, id in self.layout.ids(record):
                ids[field].add(id)
        names = {field: read_names(self._account(), field, ids[field], arguments, self._warn) for field in ids}
        return [self.layout.with_names(record, names) for record in records]

    def _report(self, what: str, error: object) -> None:
        self.left_out = True
        click.echo(encodable(f"Error: left out {what}: {error}"), err=True)

    def _warn(self, kind: str, text: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            click.echo(encodable(f"Warning: {text}"), err=True)

    def _command_error(self, text: str, cause: BaseException | None) -> click.ClickException:
        unread = isinstance(cause, errors.ConfigurationError) and not self._is_configured
        return click.ClickException(encodable(text + (NO_CONFIG if unread else "")))
