"""Look-ups of the application's installations."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, later, lookup, open_program_account

__all__ = ["get_installations", "get_installations_output"]


@lookup
def get_installations(*, profile: str | None = None) -> ListResult[client.records.Installation]:
    """List the installations of the application that the key identifies (operation 1).

    Args:
        profile: the profile of the config whose key is used.

    Returns:
        Installations, each with a `tenant_id` or an `org_id`.

    Raises:
        pulumi.RunError: they cannot be read; the text says why.
    """
    return ListResult([*open_program_account(profile).installations()])


def get_installations_output(
    *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Installation]]:
    """As `get_installations`, for arguments that are outputs."""
    return later(get_installations, profile=profile)
