"""The order of a report's customers and stacks, and the use of their licences in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Customer, Licence, Stack

__all__ = ["LicenceUse", "customers_by_need", "licence_use", "short_customers", "stacks_with_drift"]


@dataclass(frozen=True, slots=True)
class LicenceUse:
    """The use of the scarcest licences of a customer.

    Attributes:
        text: such as `54 of 59`; empty if the service states no number.
        share: the used licences in percent; -1 without a number.
        is_short: whether no licence is free.
    """

    text: str
    share: float
    is_short: bool


def customers_by_need(customers: Sequence[Customer]) -> list[Customer]:
    """Return customers with the most unprotected items first, and before them those that cannot be read."""
    return sorted(customers, key=lambda one: (one.kinds is not None, -one.counts.unprotected, one.label.casefold()))


def short_customers(report: Report) -> list[Customer]:
    """Return the customers without a free licence of some kind."""
    return [customer for customer in report.customers if licence_use(customer).is_short]


def stacks_with_drift(report: Report) -> list[Stack]:
    """Return the stacks with items that are not in step, or cannot be read; the stack with the most items first."""
    return sorted(
        (stack for stack in report.stacks or () if stack.differing), key=lambda one: (-one.differing, one.name)
    )


def licence_use(customer: Customer) -> LicenceUse:
    """Return the use of the scarcest licences of a customer; licences for storage count, too."""
    if customer.licences is None:
        return LicenceUse("unknown", -1, is_short=False)
    uses = [_use(licence) for licence in customer.licences]
    return max(uses, key=lambda use: (use.is_short, use.share), default=LicenceUse("", -1, is_short=False))


def _use(licence: Licence) -> LicenceUse:
    if licence.used is None:
        return LicenceUse("", -1, licence.is_short)
    units = f" {licence.units}" if licence.units else ""
    if licence.unlimited or licence.limit is None:
        return LicenceUse(f"{licence.used:,}{units}", 0, licence.is_short)
    share = 100 * licence.used / licence.limit if licence.limit else 100.0
    return LicenceUse(
        f"{licence.used:,} of {licence.limit:,}{units} ({licence.kind})", round(share, 1), licence.is_short
    )
