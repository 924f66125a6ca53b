"""A function for the coverage of a tenant: the number of its items with and without a policy."""

from __future__ import annotations

import pulumi
from pydantic.dataclasses import dataclass

from pulumi_dataprotection.client.records import Record
from pulumi_dataprotection.core.coverage import count_by_kind
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account

__all__ = ["Coverage", "get_coverage", "get_coverage_output"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage(Record):
    """The coverage of one kind of item in a tenant.

    Attributes:
        kind: the kind of item.
        count: the number of items that can be backed up: all items that are not archived.
        protected: the number of items with a policy.
        unprotected: the number of items without a policy.
        archived_protected: the number of archived items with a policy: nothing backs them up any more.
        percent: the protected items in percent of all items, rounded down to a tenth; 100 if the tenant has no item.
    """

    kind: str | None
    count: int
    protected: int
    unprotected: int
    archived_protected: int
    percent: float


@data_source
def get_coverage(tenant_id: str, *, kind: str | None = None, profile: str | None = None) -> ListResult[Coverage]:
    """Count the resources of a tenant with and without a policy, by kind (operations 15 to 17).

    Args:
        tenant_id: the tenant's id.
        kind: only resources of this kind, such as office_user or office_teamdrive.
        profile: the profile in the settings whose key is used.

    Returns:
        The coverage of each kind of which the tenant has a resource.

    Raises:
        pulumi.RunError: the resources cannot be read, or the list is incomplete; the text says why.
    """
    tenant = open_program_account(profile).tenant(tenant_id)
    items = tenant.complete_items()
    on = {protection.resource_id for protection in tenant.protections.complete()}
    return ListResult(
        [
            Coverage(
                kind=found,
                count=counts.count,
                protected=counts.protected,
                unprotected=counts.unprotected,
                archived_protected=counts.archived_protected,
                percent=counts.percent,
            )
            for found, counts in count_by_kind(items, on).items()
            if kind in {None, found}
        ]
    )


def get_coverage_output(
    tenant_id: pulumi.Input[str],
    *,
    kind: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[Coverage]]:
    """Call `get_coverage` as soon as its arguments are known."""
    return as_output(get_coverage, locals())
