"""Functions for subscriptions and their history."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account
from pulumi_dataprotection.functions._time_range import history_window

__all__ = [
    "get_subscription_history",
    "get_subscription_history_output",
    "get_subscriptions",
    "get_subscriptions_output",
]


@data_source
def get_subscriptions(org_id: str, *, profile: str | None = None) -> ListResult[client.records.Subscription]:
    """List the licensing subscriptions of an organization, one for each of its tenants (operation 6).

    The key needs the permission to read billing data.

    Args:
        org_id: the organization's id.
        profile: the profile in the settings whose key is used.

    Returns:
        Subscriptions, each with `id`, `tenant_id`, `status`, `expires`, `licensed_items` by kind, and in `fields`
        everything that the service sent.

    Raises:
        pulumi.RunError: the subscriptions cannot be read; the text says why.
    """
    return ListResult([*open_program_account(profile).ask(client.calls.list_subscriptions(org_id))])


def get_subscriptions_output(
    org_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Subscription]]:
    """Call `get_subscriptions` as soon as its arguments are known."""
    return as_output(get_subscriptions, locals())


@data_source
def get_subscription_history(
    org_id: str,
    *,
    start: datetime | str | None = None,
    end: datetime | str | None = None,
    profile: str | None = None,
) -> client.records.SubscriptionHistory:
    """Get the use of an organization's post-pay subscriptions in a period (operation 7).

    The key needs the permission to read billing data.

    Args:
        org_id: the organization's id.
        start: the start of the period: RFC 3339 text such as 2026-11-01T00:00:00Z, or a datetime with a time zone.
        end: the end of the period, in the same form: 1 to 40 days later, and at least one hour before now.
        profile: the profile in the settings whose key is used.

    Returns:
        In `periods` the intervals, each with `subscription_id`, `tenant_id`, `kind`, `quantity`, `start`, `end` and
        `amount` in cents; in `fields` everything that the service sent.

    Raises:
        pulumi.RunError: the period is not possible, or the history cannot be read; the text says why.
    """
    account = open_program_account(profile)
    first, last = history_window(start, end, now=account.client.clock.time())
    return account.ask(client.calls.get_subscription_history(org_id, start=first, end=last))


def get_subscription_history_output(
    org_id: pulumi.Input[str],
    *,
    start: pulumi.Input[datetime | str] | None = None,
    end: pulumi.Input[datetime | str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[client.records.SubscriptionHistory]:
    """Call `get_subscription_history` as soon as its arguments are known."""
    return as_output(get_subscription_history, locals())
