"""Schedules the deletion of an archive, and sees what became of it."""

from __future__ import annotations

from collections.abc import Iterable

from pulumi_dataprotection import client
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.outcomes import SETTLED_BY_READING

__all__ = ["find_archive", "find_kept_archive", "schedule_deletion"]


def find_archive(account: client.Account, tenant_id: str, archive_id: str) -> client.records.Archive | None:
    """Return an archive of a tenant; None if the tenant does not have it.

    Raises:
        CallError: The tenant's archives cannot be read.
    """
    return _find(account.ask(client.calls.list_archives(tenant_id)), archive_id)


def find_kept_archive(account: client.Account, tenant_id: str, archive_id: str) -> client.records.Archive | None:
    """Return an archive whose deletion is not scheduled, after the lag of earlier writes; None if it is scheduled.

    Raises:
        CallError: The tenant's archives cannot be read.
    """
    archive = find_archive(account, tenant_id, archive_id)
    return None if _goes(archive) or _goes(archive := _find_again(account, tenant_id, archive_id)) else archive


def schedule_deletion(
    account: client.Account, tenant_id: str, archive_id: str, reason: str
) -> client.records.Archive | None:
    """Schedule the deletion of an archive (operation 11), unless it is scheduled already.

    Returns:
        The archive, as it was before; None if the service does not list it yet.

    Raises:
        CallError: The deletion is not scheduled.
    """
    archive = find_archive(account, tenant_id, archive_id)
    if archive and archive.delete_pending:
        return archive

    def goes() -> bool:
        return _goes(_read(account, tenant_id, archive_id))

    try:
        call = client.calls.delete_archive(tenant_id, archive_id, reason=reason)
        account.client.send_despite_conflicts(call, goes)
    except (*SETTLED_BY_READING, errors.NotFoundError) as error:
        now = _find_again(account, tenant_id, archive_id)
        # The absence from a list is not a proof.
        gone = archive is not None and now is None and isinstance(error, errors.NotFoundError)
        if not gone and not (archive is not None and now is not None and now.delete_pending):
            raise
    return archive


def _find_again(account: client.Account, tenant_id: str, archive_id: str) -> client.records.Archive | None:
    """Look for an archive again, until it goes or the lag of the service is over."""
    archive = None
    for _ in account.client.reads_within_lag():
        archive = _read(account, tenant_id, archive_id)
        if _goes(archive):
            break
    return archive


def _read(account: client.Account, tenant_id: str, archive_id: str) -> client.records.Archive | None:
    return _find(account.client.send(client.calls.list_archives(tenant_id)), archive_id)


def _find(archives: Iterable[client.records.Archive], archive_id: str) -> client.records.Archive | None:
    return next((archive for archive in archives if archive.id == archive_id), None)


def _goes(archive: client.records.Archive | None) -> bool:
    """Whether an archive is to be deleted, or is deleted already."""
    return archive is None or bool(archive.delete_pending)
