"""Look-ups of subscriptions and of their history."""

from __future__ import annotations

from datetime import datetime

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, later, lookup, open_program_account
from pulumi_dataprotection.functions._time_range import history_window

__all__ = [
    "get_subscription_history",
    "get_subscription_history_output",
    "get_subscriptions",
    "get_subscriptions_output",
]


@lookup
def get_subscriptions(org_id: str, *, profile: str | None = None) -> ListResult[client.records.Subscription]:
    """List the licensing subscriptions of an organization, one for each of its tenants (operation 6).

    The key needs the permission to read billing data.

    Args:
        org_id: the organization.
        profile: the profile of the config whose key is used.

    Returns:
        Subscriptions, each with `id`, and in `fields` all that the service sent.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    return ListResult([*open_program_account(profile).ask(client.calls.list_subscriptions(org_id))])


def get_subscriptions_output(
    org_id: pulumi.Input[str], *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Subscription]]:
    """As `get_subscriptions`, for arguments that are outputs."""
    return later(get_subscriptions, org_id=org_id, profile=profile)


@lookup
def get_subscription_history(
    org_id: str,
    *,
    start: datetime | str | None = None,
    end: datetime | str | None = None,
    profile: str | None = None,
) -> client.records.SubscriptionHistory:
    """Look up what an organization's post-pay subscriptions were used for in a period (operation 7).

    The key needs the permission to read billing data.

    Args:
        org_id: the organization.
        start: the start of the period: a datetime with a time zone, or RFC 3339 text.
        end: its end, in the same form: 1 to 40 days later, and at least one hour before now.
        profile: the profile of the config whose key is used.

    Returns:
        In `fields` all that the service sent.

    Raises:
        pulumi.RunError: the period is not possible, or it cannot be read; the text says why.
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
    """As `get_subscription_history`, for arguments that are outputs."""
    return later(get_subscription_history, org_id=org_id, start=start, end=end, profile=profile)
