"""A function for the licences of tenants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

import pulumi
from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from pulumi_dataprotection import client
from pulumi_dataprotection.client.records import (
    Decimal,
    Quota,
    Subscription,
    SubscriptionItem,
    Tenant,
    Timestamp,
)
from pulumi_dataprotection.core.licences import read_quotas
from pulumi_dataprotection.core.tenant_licence import TenantLicence, licence_fields
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account
from pulumi_dataprotection.functions.tenants import find_tenants

__all__ = ["Licence", "get_licences", "get_licences_output"]

_ENDED = {"canceled", "expired", "trial_expired"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence(TenantLicence):
    """The licence of a tenant for one kind of item: its use, its limit, and the subscription that it comes from.

    Attributes:
        tenant_id: the tenant.
        tenant_name: the tenant's name.
        kind: the kind of item.
        used: the number of units in use.
        limit: the number of units that are allowed; None if the tenant has no quota of the kind.
        free: the number of units that are free; None without a limit, or if the use is unknown.
        units: MB or GB for storage, else empty.
        exceeded: whether the limit is exceeded: the service is restricted, and backups may fail.
        unlimited: whether the limit stands for no limit.
        quantity: the number of licences in the subscription.
        auto_license: whether licences are added automatically as they are needed.
        auto_license_max: the maximum of the automatically added licences.
        status: the status of the subscription: trial, trial_expired, active, expired or canceled.
        expires: the time of the end or the renewal of the subscription.
    """

    quantity: Decimal | None
    auto_license: bool | None
    auto_license_max: Decimal | None
    status: str | None
    expires: Timestamp | None


@data_source
def get_licences(org_id: str, *, recursive: bool = False, profile: str | None = None) -> ListResult[Licence]:
    """List the licences of an organization's tenants, with their use (operations 5, 6 and 9).

    If the service does not state the use, operation 17 counts it. Deleted tenants are left out. The key needs the
    permission to read billing data.

    Args:
        org_id: the organization's id.
        recursive: include the tenants of all organizations below.
        profile: the profile in the settings whose key is used.

    Returns:
        Licences, one for each tenant and kind of item.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    account = open_program_account(profile)
    org_tenants = {
        id: [tenant for tenant in found if not tenant.deleted]
        for id, found in find_tenants(account, org_id, recursive=recursive)
    }
    tenants = [tenant for found in org_tenants.values() for tenant in found]

    def subscriptions_of(id: str) -> list[Subscription]:
        return account.ask(client.calls.list_subscriptions(id))

    with ThreadPoolExecutor(account.client.settings.concurrency) as threads:
        # First, because a key without the permission for them fails then at once. An organization without a tenant has
        # no subscription.
        owners = [id for id, found in org_tenants.items() if found]
        subscriptions = [*chain.from_iterable(threads.map(client.in_context(subscriptions_of), owners))]
        quotas = [*threads.map(client.in_context(partial(read_quotas, account)), (tenant.id for tenant in tenants))]
    found = zip(tenants, quotas, strict=True)
    return ListResult([licence for tenant, limits in found for licence in _licences(tenant, limits, subscriptions)])


def get_licences_output(
    org_id: pulumi.Input[str], *, recursive: pulumi.Input[bool] = False, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[Licence]]:
    """Call `get_licences` as soon as its arguments are known."""
    return as_output(get_licences, locals())


def _licences(tenant: Tenant, quotas: Iterable[Quota], subscriptions: Iterable[Subscription]) -> Iterator[Licence]:
    of_tenant = [subscription for subscription in subscriptions if subscription.tenant_id == tenant.id]
    current = min(of_tenant, key=lambda subscription: subscription.status in _ENDED, default=Subscription(fields={}))
    items = {item.kind: item for item in current.licensed_items}
    pairs = [(quota, items.pop(quota.kind, SubscriptionItem())) for quota in quotas]
    known = {"status": current.status, "expires": current.expires}
    for quota, item in [*pairs, *((Quota(kind=kind), item) for kind, item in items.items())]:
        yield TypeAdapter(Licence).validate_python({**known, **item, **licence_fields(tenant, quota)})
