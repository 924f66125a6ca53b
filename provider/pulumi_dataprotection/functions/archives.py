"""Functions for archives."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account

__all__ = ["get_archives", "get_archives_output"]


@data_source
def get_archives(
    tenant_id: str, *, resource: str | None = None, profile: str | None = None
) -> ListResult[client.records.Archive]:
    """List the backup archives of a tenant, or of one of its resources (operation 10).

    Args:
        tenant_id: the tenant's id.
        resource: only archives of this resource: its exact id, else ext$ and its exact external id, else its name
            without regard to case.
        profile: the profile in the settings whose key is used.

    Returns:
        Archives, each with `id`, `resource_id`, `delete_pending`, `created_at`, and in `stats` its `size` in KB.

    Raises:
        pulumi.RunError: the archives cannot be read, or the resource does not exist; the text says why.
    """
    account = open_program_account(profile)
    resource_id = None if resource is None else account.tenant(tenant_id).items.find(resource).id
    return ListResult([*account.ask(client.calls.list_archives(tenant_id, resource_id=resource_id))])


def get_archives_output(
    tenant_id: pulumi.Input[str],
    *,
    resource: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Archive]]:
    """Call `get_archives` as soon as its arguments are known."""
    return as_output(get_archives, locals())
