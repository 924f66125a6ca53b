"""The licences of many tenants, from their quotas and their statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from pulumi_dataprotection.client import Account
from pulumi_dataprotection.client.records import Decimal, Record, Tenant
from pulumi_dataprotection.core.licences import licence_fields, read_quotas
from pulumi_dataprotection.inventory import LEFT_OUT, Report, tenant_label

__all__ = ["TenantLicence", "most_used_first", "read_licences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantLicence(Record):
    """The use and the limit of a tenant's licences for one kind of item.

    Attributes:
        tenant_id: the tenant.
        tenant_name: the tenant's name.
        kind: the kind of item.
        used: the number of units in use.
        limit: the number of units that are allowed.
        free: the number of units that are free; None without a limit, or if the use is unknown.
        units: MB or GB for storage, else empty.
        exceeded: whether the limit is exceeded.
        unlimited: whether the limit stands for no limit.
    """

    tenant_id: str
    tenant_name: str | None
    kind: str | None
    used: Decimal | None
    limit: Decimal | None
    free: Decimal | None
    units: str | None
    exceeded: bool | None
    unlimited: bool


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
        of_tenant = {"tenant_id": tenant.id, "tenant_name": tenant.name}
        try:
            quotas = read_quotas(account, tenant.id)
        except LEFT_OUT as error:
            report(tenant_label(tenant), error)
        else:
            yield [make({**of_tenant, **licence_fields(quota)}) for quota in quotas]
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
