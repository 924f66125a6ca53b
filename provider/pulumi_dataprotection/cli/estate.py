"""A run of a command about all customers: its account, its progress, and its notes of unreadable parts."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.ctrl_c import keeping_result_at_ctrl_c
from pulumi_dataprotection.cli.get.formats import encodable
from pulumi_dataprotection.cli.stack_settings import NO_CONFIG, load_stack_config
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.client.records import Tenant
from pulumi_dataprotection.functions._data_source import open_program_account
from pulumi_dataprotection.inventory import Scope

__all__ = ["GATE_FAILED", "TEXT", "Choice", "Estate", "echo_to_stderr", "open_estate", "open_progress", "read_text"]

T = TypeVar("T")

GATE_FAILED = 7
"""The exit status if the result is complete, and a limit of the user is not kept."""


TEXT = TextColumn("{task.description}", markup=False)
"""The column of a progress with its description; no markup, because a name may contain it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The tenants and the settings that the user chose.

    Attributes:
        tenant_id: the only tenant; None for all tenants.
        org_id: the organization of the tenants; None for all organizations.
        recursive: whether the tenants of all organizations below are meant too.
        profile: the profile in the settings whose key is used.
        stack: the stack whose config has settings; None for the selected stack.
    """

    tenant_id: str | None
    org_id: str | None
    recursive: bool
    profile: str | None
    stack: str | None

    def check(self) -> None:
        """Raise a usage error if the options contradict each other."""
        if self.tenant_id is not None and self.org_id is not None:
            raise click.UsageError("Use only one of '--tenant' and '--org'.")
        if self.recursive and self.org_id is None:
            raise click.UsageError("Option '--recursive' needs '--org'.")
        for name, value in (("--tenant", self.tenant_id), ("--org", self.org_id)):
            if value is not None and not value.strip():
                raise click.UsageError(f"Option '{name}' must not be empty.")

    @property
    def scope(self) -> Scope:
        """The tenants, if there is not only one."""
        return Scope(self.org_id, self.recursive)


@dataclass
class Estate:
    """The account of a command, its progress, and its notes of unreadable parts.

    Attributes:
        account: the account of the key.
        progress: the progress on stderr.
        unseen: the parts that could not be read, each with its reason.
    """

    account: client.Account
    progress: Progress
    unseen: list[str] = field(default_factory=list[str])

    def leave_out(self, what: str, error: object) -> None:
        """Note a part that cannot be read, and show it; the command goes on."""
        self.unseen.append(f"{what}: {error}")
        self.tell(f"Error: left out {what}: {error}")

    def tell(self, text: str) -> None:
        """Show a message on stderr, in a terminal above the progress."""
        if self.progress.disable:
            echo_to_stderr(text)
        else:
            # No markup, because a name may contain it; the terminal breaks a long line.
            self.progress.console.print(encodable(text), markup=False, emoji=False, highlight=False, soft_wrap=True)

    def show(self, text: str) -> None:
        """Show a text in place of the last one."""
        self.progress.update(self.progress.task_ids[0], description=printable(text))

    def show_tenant(self, number: int, tenant: Tenant) -> None:
        """Show how many tenants are done or under way, and the last of them."""
        self.show(f"{number:,} tenants, {tenant.name or tenant.id}")

    def track(self, items: Sequence[T], text: str) -> Iterator[T]:
        """Yield items, and show how many are done, and how long the others take.

        Args:
            items: the items.
            text: the items, as people call them.
        """
        (task,) = self.progress.task_ids
        self.progress.columns = (TEXT, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.progress.reset(task, total=len(items), description=printable(text))
        for item in items:
            yield item
            self.progress.advance(task)

    def echo(self, text: str) -> None:
        """Print a part of the result on stdout."""
        if sys.stdout.isatty():
            self.progress.stop()
        click.echo(text, nl=False)


def echo_to_stderr(text: str) -> None:
    """Show a message on stderr."""
    click.echo(encodable(text), err=True)


@contextmanager
def open_estate(choice: Choice) -> Generator[Estate]:
    """Open the account of a command, keep its result at Ctrl-C, and turn an error of the service into its error.

    Args:
        choice: the tenants and the settings.

    Raises:
        click.ClickException: The account cannot be opened, or a call failed; the text says why.
    """
    choice.check()
    with keeping_result_at_ctrl_c():
        is_configured = load_stack_config(choice.stack)
        client.process_clock().check()
        progress = open_progress(SpinnerColumn(), TEXT, TimeElapsedColumn())
        progress.add_task("", total=None)
        try:
            with progress:
                yield Estate(open_program_account(choice.profile), progress)
        except errors.CanceledError:
            raise
        except errors.DataProtectionError as error:
            unread = isinstance(error, errors.ConfigurationError) and not is_configured
            raise click.ClickException(encodable(str(error) + (NO_CONFIG if unread else ""))) from None


def open_progress(*columns: ProgressColumn) -> Progress:
    """Return a progress on stderr, which only a terminal shows."""
    console = Console(stderr=True)
    # Without redirection of stdout, which the library would print on the console of the progress.
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal)


def read_text(path: Path) -> str:
    """Return the text of a file that an option names.

    Raises:
        click.ClickException: It cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise click.ClickException(f"{printable(path)} cannot be read: {reason}") from None
