"""Functions for the application's installations."""

from __future__ import annotations

import pulumi

from pulumi_dataprotection import client
from pulumi_dataprotection.functions._data_source import ListResult, as_output, data_source, open_program_account

__all__ = ["get_installations", "get_installations_output"]


@data_source
def get_installations(*, profile: str | None = None) -> ListResult[client.records.Installation]:
    """List the installations of the application that the key identifies (operation 1).

    Args:
        profile: the profile in the settings whose key is used.

    Returns:
        Installations, each with a `tenant_id` or an `org_id`.

    Raises:
        pulumi.RunError: the installations cannot be read; the text says why.
    """
    return ListResult([*open_program_account(profile).installations()])


def get_installations_output(
    *, profile: pulumi.Input[str] | None = None
) -> pulumi.Output[ListResult[client.records.Installation]]:
    """Call `get_installations` as soon as its arguments are known."""
    return as_output(get_installations, locals())
