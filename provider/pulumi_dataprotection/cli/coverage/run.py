"""A run of `dataprotection coverage`: the walk over the tenants, its output, and the gates at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.cli.estate import GATE_FAILED, Choice, Estate, echo_to_stderr, open_estate, read_text
from pulumi_dataprotection.cli.get.formats import FORMATS, Block
from pulumi_dataprotection.cli.get.layout import Layout
from pulumi_dataprotection.cli.states import load_states
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.core.coverage import Counts
from pulumi_dataprotection.fleet.coverage import CoverageRow, Declared, TenantCoverage, read_coverage, stacks_by_item
from pulumi_dataprotection.fleet.estate import find_orgs
from pulumi_dataprotection.fleet.exclusions import Exclusion, IgnoreFileError, parse_exclusions
from pulumi_dataprotection.inventory import StateSelection, tenant_label

__all__ = ["Gates", "active_exclusions", "load_exclusions", "run"]


_MAX_SHARED = 10
"""The items of a warning: enough to find the stacks."""


@dataclass(frozen=True, slots=True)
class Gates:
    """The limits of the user.

    Attributes:
        fail_under: the minimum of the percentage of protected items.
        max_unprotected: the maximum of the number of unprotected items.
    """

    fail_under: float | None
    max_unprotected: int | None

    def failures(self, total: Counts) -> Iterator[str]:
        """Yield the limits that the counts do not keep."""
        if self.fail_under is not None and not total.reaches(self.fail_under):
            yield f"{total.percent} % of the items have a policy, less than {self.fail_under:g} % (--fail-under)"
        if self.max_unprotected is not None and total.unprotected > self.max_unprotected:
            yield (
                f"{total.unprotected:,} items have no policy, more than {self.max_unprotected:,} (--max-unprotected)"
            )


class _Walk:
    """The walk over the tenants, and its sums.

    Attributes:
        total: the sum of the counts.
        tenants: the number of tenants that were read.
        error: the error that ended the walk; the output before it gets its end.
    """

    def __init__(
        self, estate: Estate, choice: Choice, declared: Declared | None, exclusions: Sequence[Exclusion]
    ) -> None:
        self._estate = estate
        orgs = find_orgs(estate.account, choice.tenant_id, choice.scope, estate.leave_out)
        self._coverages = read_coverage(estate.account, orgs, declared, exclusions)
        self.total = Counts()
        self.tenants = 0
        self.error: DataProtectionError | None = None

    def blocks(self) -> Iterator[Block]:
        """Yield the rows of each tenant."""
        try:
            for coverage in self._coverages:
                self._add(coverage)
                yield Block(coverage.rows(), {}, is_list=True)
        except DataProtectionError as error:
            self.error = error

    def _add(self, coverage: TenantCoverage) -> None:
        tenant = coverage.tenant
        if coverage.error:
            self._estate.leave_out(tenant_label(tenant), coverage.error)
            return
        self.tenants += 1
        self._estate.show_tenant(self.tenants, tenant)
        self.total = sum(coverage.kinds.values(), self.total)
        if coverage.shared:
            named = ", ".join(map(printable, coverage.shared[:_MAX_SHARED]))
            more = ", …" if len(coverage.shared) > _MAX_SHARED else ""
            self._estate.tell(
                f"Warning: several stacks declare the same items of tenant {printable(tenant.id)}: {named}{more}"
            )


def run(
    choice: Choice, states: StateSelection | None, ignore_file: Path | None, gates: Gates, output_format: str
) -> None:
    """Read the coverage, print it, and check the gates.

    Args:
        choice: the tenants and the settings.
        states: the states of stacks; None if no state is read.
        ignore_file: the ignore file.
        gates: the limits of the user.
        output_format: a key of `FORMATS`.

    Raises:
        click.ClickException: An input or the service cannot be read.
        click.exceptions.Exit: A tenant was left out, or a gate failed.
    """
    exclusions = load_exclusions(ignore_file)
    with open_estate(choice) as estate:
        loaded = load_states(estate, states)
        declared = None if loaded is None else stacks_by_item(loaded)
        walk = _Walk(estate, choice, declared, active_exclusions(exclusions, estate))
        for text in FORMATS[output_format](Layout.of(CoverageRow), (), walk.blocks()):
            estate.echo(text)
        if walk.error:
            raise walk.error
    if walk.tenants:
        echo_to_stderr(_summary(walk))
    failures = [*gates.failures(walk.total)]
    for failure in failures:
        echo_to_stderr(f"Error: {failure}")
    if estate.unseen:
        raise click.exceptions.Exit(1)
    if failures:
        raise click.exceptions.Exit(GATE_FAILED)


def load_exclusions(path: Path | None) -> list[Exclusion]:
    """Read an ignore file.

    Raises:
        click.ClickException: It cannot be read; the text has the number of the line.
    """
    if path is None:
        return []
    try:
        return parse_exclusions(read_text(path))
    except IgnoreFileError as error:
        raise click.ClickException(f"{printable(path)}: {error}") from None


def active_exclusions(exclusions: Sequence[Exclusion], estate: Estate) -> list[Exclusion]:
    """Return the lines of an ignore file that count today, and warn of the others."""
    today = datetime.fromtimestamp(estate.account.client.clock.time(), UTC).date()
    for exclusion in exclusions:
        if not exclusion.counts_on(today):
            estate.tell(f"Warning: line {exclusion.line} of the ignore file counted only until {exclusion.until}")
    return [exclusion for exclusion in exclusions if exclusion.counts_on(today)]


def _summary(walk: _Walk) -> str:
    total = walk.total
    excluded = f", {total.excluded:,} excluded" if total.excluded else ""
    archived = f", {total.archived_protected:,} archived with a policy" if total.archived_protected else ""
    return (
        f"{total.percent} % protected: {total.protected:,} of {total.count:,} items, {total.unprotected:,} unprotected"
        f"{excluded}{archived}; tenants: {walk.tenants:,}"
    )
