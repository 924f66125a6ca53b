"""The licences of many tenants, from their quotas and their statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import TypeAdapter

from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.records import Tenant
from pulumi_dataprotection.core.licences import read_quotas
from pulumi_dataprotection.core.tenant_licence import TenantLicence, licence_fields
from pulumi_dataprotection.inventory import LEFT_OUT, Report, tenant_label

__all__ = ["most_used_first", "read_licences"]


def read_licences(account: Account, tenants: Iterable[Tenant], report: Report) -> Iterator[list[TenantLicence]]:
    """Yield the licences of each tenant, and forget what the account knows of it.

    Args:
        account: the account of the key.
        tenants: the tenants.
        report: shows a tenant that cannot be read, which is left out.

    Raises:
        DataProtectionError: A call failed with another error than `LEFT_OUT`.
    """
    make = TypeAdapter(TenantLicence).validate_python
    for tenant in tenants:
        try:
            quotas = read_quotas(account, tenant.id)
        except LEFT_OUT as error:
            report(tenant_label(tenant), error)
        else:
            yield [make(licence_fields(tenant, quota)) for quota in quotas]
        finally:
            account.forget_tenants()


def most_used_first(licences: Iterable[TenantLicence]) -> list[TenantLicence]:
    """Sort licences by the used share of their limits, exceeded limits first, unknown shares at the end."""

    def rank(licence: TenantLicence) -> tuple[bool, float]:
        if licence.free is None or licence.used is None:
            share = -1.0
        else:
            # A limit of zero is used up.
            share = licence.used / licence.limit if licence.limit else 1.0 + licence.used
        return not licence.exceeded, -share

    return sorted(licences, key=rank)
