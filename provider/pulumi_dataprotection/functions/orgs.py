"""Look-ups of organizations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.functions._data_source import ListResult, later, lookup, open_program_account

__all__ = ["get_org", "get_org_output", "get_orgs", "get_orgs_output"]


@lookup
def get_org(
    id: str | None = None,
    *,
    external_id: str | None = None,
    parent_org_id: str | None = None,
    profile: str | None = None,
) -> client.records.Org:
    """Look up one organization, by its id (operation 3) or by its external id (operation 4).

    Args:
        id: the organization's id.
        external_id: its exact external id, looked for among the children of `parent_org_id`.
        parent_org_id: by default the organization that the key is installed for.
        profile: the profile of the config whose key is used.

    Returns:
        The organization: `id`, `external_id`, `kind`, `name`.

    Raises:
        pulumi.RunError: there is none, or it cannot be read; the text says why.
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
    raise errors.ReferenceNotFoundError(f'no organization with the external_id "{external_id}" below {parent_org_id}')


def get_org_output(
    id: pulumi.Input[str] | None = None,
    *,
    external_id: pulumi.Input[str] | None = None,
    parent_org_id: pulumi.Input[str] | None = None,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[client.records.Org]:
    """As `get_org`, for arguments that are outputs."""
    return later(get_org, id=id, external_id=external_id, parent_org_id=parent_org_id, profile=profile)


@lookup
def get_orgs(
    parent_org_id: str | None = None, *, recursive: bool = False, profile: str | None = None
) -> ListResult[client.records.Org]:
    """List the organizations below another one (operation 4).

    Args:
        parent_org_id: by default the organization that the key is installed for.
        recursive: whether their children belong to the list, and theirs.
        profile: the profile of the config whose key is used.

    Returns:
        Organizations; where `recursive`, each before its children.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    account = open_program_account(profile)
    return ListResult(find_orgs_below(account, parent_org_id or account.home_org_id(), recursive=recursive))


def get_orgs_output(
    parent_org_id: pulumi.Input[str] | None = None,
    *,
    recursive: pulumi.Input[bool] = False,
    profile: pulumi.Input[str] | None = None,
) -> pulumi.Output[ListResult[client.records.Org]]:
    """As `get_orgs`, for arguments that are outputs."""
    return later(get_orgs, parent_org_id=parent_org_id, recursive=recursive, profile=profile)


def find_orgs_below(account: client.Account, org_id: str, *, recursive: bool) -> list[client.records.Org]:
    """The organizations below one, level by level; each once, even where the service's answers lead in a circle."""
    found: dict[str, client.records.Org] = {}
    level = [org_id]
    with ThreadPoolExecutor(account.client.settings.concurrency) as threads:
        while level:
            below = [org for children in threads.map(account.children, level) for org in children]
            new = {org.id: org for org in below if org.id != org_id and org.id not in found}
            found |= new
            level = [*new] if recursive else []
    return [*found.values()]
