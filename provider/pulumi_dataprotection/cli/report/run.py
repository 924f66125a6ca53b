"""A run of `dataprotection report`: the walk over the tenants, the comparison with an earlier report, and the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.coverage.run import active_exclusions, load_exclusions
from pulumi_dataprotection.cli.estate import Choice, Estate, echo_to_stderr, open_estate, read_text
from pulumi_dataprotection.cli.report.files import check_outs, write_outs
from pulumi_dataprotection.cli.states import load_states
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.client.records import rfc3339
from pulumi_dataprotection.fleet.coverage import TenantCoverage, read_coverage, stacks_by_item
from pulumi_dataprotection.fleet.drift import find_drift
from pulumi_dataprotection.fleet.estate import find_orgs
from pulumi_dataprotection.fleet.exclusions import Exclusion
from pulumi_dataprotection.fleet.report.anonymous import anonymized
from pulumi_dataprotection.fleet.report.changes import as_comparable, with_earlier
from pulumi_dataprotection.fleet.report.document import ReportFileError, parse_report
from pulumi_dataprotection.fleet.report.drift import stacks_of
from pulumi_dataprotection.fleet.report.gather import gather
from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Customer
from pulumi_dataprotection.functions._data_source import open_program_account
from pulumi_dataprotection.inventory import StateSelection

__all__ = ["Wish", "run"]


@dataclass(frozen=True, slots=True)
class Wish:
    """The options of a report.

    Attributes:
        outs: the files.
        states: the states of stacks; None if no state is read.
        ignore_file: the ignore file.
        days: the number of days whose tasks are counted.
        since_file: the earlier report.
        anonymous: whether aliases replace all names and ids.
    """

    outs: tuple[Path, ...]
    states: StateSelection | None
    ignore_file: Path | None
    days: int
    since_file: Path | None
    anonymous: bool


def run(choice: Choice, wish: Wish) -> None:
    """Read everything, and write the files.

    Args:
        choice: the tenants and the settings.
        wish: the options of the report.

    Raises:
        click.ClickException: An input or the service cannot be read, or a file cannot be written.
        click.exceptions.Exit: The report is written, and is not complete.
    """
    check_outs(wish.outs)
    exclusions = load_exclusions(wish.ignore_file)
    earlier = _load_earlier(wish, _scope(choice))
    with open_estate(choice) as estate:
        report = _read(estate, choice, wish, exclusions)
        if wish.anonymous:
            report = anonymized(report)
        if earlier:
            report = with_earlier(report, earlier)
        write_outs(report, wish.outs)
        counts = report.counts
        estate.tell(
            f"{counts.percent} % protected, {counts.unprotected:,} items unprotected, {report.failed:,} failed tasks; "
            f"tenants: {len(report.customers):,}"
        )
        if not report.is_complete:
            estate.account.client.clock.check()
            estate.tell("Error: the report is not complete; it names the unreadable parts")
            raise click.exceptions.Exit(1)


def _load_earlier(wish: Wish, scope: str) -> Report | None:
    if wish.since_file is None:
        return None
    if not wish.since_file.exists():
        echo_to_stderr(f"Warning: {printable(wish.since_file)} does not exist: the report has no changes")
        return None
    try:
        return as_comparable(parse_report(read_text(wish.since_file)), scope, anonymous=wish.anonymous)
    except ReportFileError as error:
        raise click.ClickException(f"{printable(wish.since_file)} cannot be used: {error}") from None


def _read(estate: Estate, choice: Choice, wish: Wish, exclusions: list[Exclusion]) -> Report:
    account = estate.account
    now = datetime.fromtimestamp(account.client.clock.time(), UTC).replace(microsecond=0)
    states = load_states(estate, wish.states)
    declared = None if states is None else stacks_by_item(states)
    orgs = find_orgs(account, choice.tenant_id, choice.scope, estate.leave_out)
    coverages = read_coverage(account, orgs, declared, active_exclusions(exclusions, estate))
    customers: list[Customer] = []
    ended_early = ""
    try:
        customers.extend(gather(account, _shown(estate, coverages), wish.days))
    except DataProtectionError as error:
        if not customers:
            raise
        ended_early = printable(error, limit=None)
        estate.tell(f"Error: {error}")
    stacks = None
    if states is not None:
        drift = find_drift(
            states, open_program_account, lambda done, count: estate.show(f"{done:,} of {count:,} drift")
        )
        stacks = stacks_of(drift)
    return Report(
        created_at=rfc3339(now),
        scope=_scope(choice),
        days=wish.days,
        with_states=declared is not None,
        anonymous=False,
        customers=customers,
        unseen=list(estate.unseen),
        ended_early=ended_early,
        stacks=stacks,
    )


def _shown(estate: Estate, coverages: Iterator[TenantCoverage]) -> Iterator[TenantCoverage]:
    for number, coverage in enumerate(coverages, 1):
        estate.show_tenant(number, coverage.tenant)
        yield coverage


def _scope(choice: Choice) -> str:
    """Return the options that choose the tenants; empty for all tenants."""
    if choice.tenant_id is not None:
        return f"--tenant {printable(choice.tenant_id)}"
    if choice.org_id is not None:
        return f"--org {printable(choice.org_id)}{' --recursive' if choice.recursive else ''}"
    return ""
