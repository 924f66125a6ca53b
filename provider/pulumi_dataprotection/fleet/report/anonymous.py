"""A report without names and ids: aliases, which stay the same from report to report, replace them."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.parts import Customer, Stack

__all__ = ["alias_of_scope", "anonymized"]

_UNREADABLE = "this part cannot be read"
"""The text in place of a reason, which may name anything."""


def anonymized(report: Report) -> Report:
    """Return a report with aliases in place of all names and ids, without its changes, and without texts.

    An alias is made from the id only. So it is the same in each report, and a person who knows an id finds its alias.
    """
    if report.anonymous:
        return report
    return replace(
        report,
        anonymous=True,
        scope=alias_of_scope(report.scope),
        customers=[_customer(customer) for customer in report.customers],
        unseen=[_UNREADABLE for _ in report.unseen],
        ended_early=_UNREADABLE if report.ended_early else "",
        stacks=None if report.stacks is None else [_stack(stack) for stack in report.stacks],
        changes=(),
    )


def alias_of_scope(scope: str) -> str:
    """Return the scope of an anonymous report."""
    return _alias("scope", scope)


def _alias(word: str, id: str) -> str:
    return f"{word}-{sha256(id.encode()).hexdigest()[:10]}" if id else ""


def _customer(customer: Customer) -> Customer:
    return replace(
        customer,
        tenant_id=_alias("customer", customer.tenant_id),
        tenant_name="",
        org_id=_alias("organization", customer.org_id),
        org_name="",
        stacks=[_alias("stack", name) for name in customer.stacks],
        unprotected=(),
        problems=[_UNREADABLE for _ in customer.problems],
    )


def _stack(stack: Stack) -> Stack:
    return replace(stack, name=_alias("stack", stack.name), findings=())
