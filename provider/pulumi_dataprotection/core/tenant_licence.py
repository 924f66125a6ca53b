"""The record of a tenant's licences for one kind of item, which functions and commands show."""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from pulumi_dataprotection.client.records import Decimal, Quota, Record, Tenant
from pulumi_dataprotection.core.licences import free_units, is_exceeded

__all__ = ["TenantLicence", "licence_fields"]


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


def licence_fields(tenant: Tenant, quota: Quota) -> dict[str, object]:
    """Return the fields of `TenantLicence` for a quota of a tenant."""
    of_tenant = {"tenant_id": tenant.id, "tenant_name": tenant.name}
    return {**of_tenant, **quota, "free": free_units(quota), "exceeded": is_exceeded(quota)}
