"""Functions for organizations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account

__all__ = ["get_org", "get_org_output", "get_orgs", "get_orgs_output"]


@data_source
def get_org(
    id: str | None = None,
    *,
    external_id: str | None = None,
    parent_org_id: str | None = None,
    profile: str | None = None,
) -> client.records.Org:
    """Get one organization, by its id (operation 3) or by its external id (operation 4).

    Args:
        id: the organization's id.
        external_id: the exact external id of a child of the parent organization.
        parent_org_id: the parent organization; by default the organization that the key is installed for.
        profile: the profile in the settings whose key is used.

    Returns:
        The organization: `id`, `external_id`, `kind`, `name`.

    Raises:
        pulumi.RunError: the organization does not exist or cannot be read; the text says why.
    """
    if (id is None) == (external_id is None):
        raise errors.DataProtectionError("give either id or external_id")
    account = open_program_account(profile)
    if id is not None:
        return account.ask(client.calls.get_org(id))
    parent_org_id = parent_org_id or account.home_org_id()
    for org in account.children(parent_org_id):
        if org.external_id == external_id:
            return org
    raise errors.ReferenceNotFoundError(
        f'no organization with the external_id "{printable(external_id)}" below {printable(parent_org_id)}'
    )


def get_org_output(
    id: pulumi.Input[str] | None = None,
    *,
    external_id: pulumi.Input[str] | None = None,
    parent_org_id: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[client.records.Org]:
    """Call `get_org` as soon as its arguments are known."""
    return as_output(get_org, locals())


@data_source
def get_orgs(
    parent_org_id: str | None = None, *, recursive: bool = False, profile: str | None = None
) -> ListResult[client.records.Org]:
    """List the organizations below an organization (operation 4).

    Args:
        parent_org_id: the parent organization; by default the organization that the key is installed for.
        recursive: include all levels below, not only the children.
        profile: the profile in the settings whose key is used.

    Returns:
        Organizations, each before its children.

    Raises:
        pulumi.RunError: the organizations cannot be read; the text says why.
    """
    account = open_program_account(profile)
    return ListResult(find_orgs_below(account, parent_org_id or account.home_org_id(), recursive=recursive))


def get_orgs_output(
    parent_org_id: pulumi.Input[str] | None = None,
    *,
    recursive: pulumi.Input[bool] = False,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Org]]:
    """Call `get_orgs` as soon as its arguments are known."""
    return as_output(get_orgs, locals())


def find_orgs_below(account: client.Account, org_id: str, *, recursive: bool) -> list[client.records.Org]:
    """Return the organizations below an organization by level, each once, even if the service answers with a cycle."""
    found: dict[str, client.records.Org] = {}
    level = [org_id]
    with ThreadPoolExecutor(account.client.settings.concurrency) as threads:
        while level:
            below = [org for children in threads.map(client.in_context(account.children), level) for org in children]
            new = {org.id: org for org in below if org.id != org_id and org.id not in found}
            found |= new
            level = [*new] if recursive else []
    return [*found.values()]
