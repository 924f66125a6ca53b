"""Deletions of archives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import cast

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, UpdateResult

from pulumi_dataprotection import client
from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client import errors
from pulumi_dataprotection.core.archives import find_archive, find_kept_archive, schedule_deletion
from pulumi_dataprotection.core.messages import declared_twice
from pulumi_dataprotection.core.outcomes import PurposeError
from pulumi_dataprotection.core.session import Context
from pulumi_dataprotection.resources._provider import (
    SCHEMA,
    Properties,
    Provider,
    changes_in,
    differing,
    inputs_among,
    is_managed,
    joined_id,
    optional_str,
    report_errors,
    split_id,
    text_failures,
    without_provider,
)
from pulumi_dataprotection.resources._resource import DeclaredResource
from pulumi_dataprotection.resources._sdk import info, warn

__all__ = ["ArchiveDeletion", "ArchiveDeletionProvider"]

_IDENTITY = ("tenant_id", "archive_id")
_INPUTS = (*_IDENTITY, "reason", "profile")
_FORM = "a deletion, which is TENANT_ID/ARCHIVE_ID"
_LONGEST_REASON = 128


class ArchiveDeletionProvider(Provider):
    """Schedules the deletion of an archive; the interface cannot cancel it."""

    names_in_id = _IDENTITY

    @report_errors
    def check(self, _olds: Properties, news: Properties) -> CheckResult:
        """Find in a preview what `up` would fail on."""
        olds, inputs = without_provider(_olds), without_provider(news)
        failures = [*text_failures(inputs, required=(*_IDENTITY, "reason"), optional=("profile",))]
        size = len((optional_str(inputs, "reason") or "").encode())
        if not failures and size > _LONGEST_REASON:
            failures = [CheckFailure("reason", f"must be at most {_LONGEST_REASON} bytes of UTF-8, and is {size}")]
        if not failures and self.online:
            new = bool(differing(olds, inputs, _IDENTITY))
            failures = [*_archive_failures(self.checked_context(inputs), inputs, new=new)]
        return CheckResult(inputs, failures)

    @report_errors
    def diff(self, _id: str, _olds: Properties, _news: Properties) -> DiffResult:
        """Replace the resource for another archive."""
        # A refresh compares the inputs of the state.
        olds, inputs = self.stored(_id, _olds), self.stored(_id, _news)
        replaces = differing(olds, inputs, _IDENTITY)
        return DiffResult(changes=True if replaces else changes_in(olds, inputs, _INPUTS), replaces=replaces)

    @report_errors
    def create(self, props: Properties) -> CreateResult:
        """Schedule the deletion, or adopt it if it is scheduled already."""
        inputs = without_provider(props)
        tenant_id, archive_id = cast("str", inputs["tenant_id"]), cast("str", inputs["archive_id"])
        try:
            archive = schedule_deletion(self.account(inputs), tenant_id, archive_id, cast("str", inputs["reason"]))
        except errors.DataProtectionError as error:
            purpose = f"cannot delete the archive {printable(archive_id)} in tenant {printable(tenant_id)}"
            raise PurposeError(purpose, error) from error
        return CreateResult(joined_id(tenant_id, archive_id), _state(inputs, archive))

    @report_errors
    def read(self, id_: str, props: Properties) -> ReadResult:
        """Read whether the deletion is still scheduled, or done."""
        state = self.stored(id_, props)
        managed = is_managed(props)
        tenant_id, archive_id = split_id(id_, _FORM)
        account = self.account(state)
        if managed:
            if find_kept_archive(account, tenant_id, archive_id):
                # Somebody canceled its deletion. An archive that is gone is a success.
                return ReadResult("", {})
        else:
            archive = find_archive(account, tenant_id, archive_id)
            if archive is None or not archive.delete_pending:
                raise errors.DataProtectionError(
                    f"no deletion of the archive {printable(archive_id)} in tenant {printable(tenant_id)} is scheduled"
                )
            state |= {"tenant_id": tenant_id, "archive_id": archive_id}
            state = _state(state, archive)
        return ReadResult(id_, state, inputs_among(state, _INPUTS))

    @report_errors
    def update(self, _id: str, _olds: Properties, _news: Properties) -> UpdateResult:
        """Keep another reason in the state; the service keeps the first reason."""
        resource_id = self.stored(_id, _olds).get("resource_id")
        return UpdateResult({**without_provider(_news), "resource_id": resource_id, "schema_version": SCHEMA})

    @report_errors
    def delete(self, _id: str, _props: Properties) -> None:
        """Forget the deletion."""
        tenant_id, archive_id = split_id(_id, _FORM)
        with suppress(errors.DataProtectionError):
            if find_archive(self.account(without_provider(_props)), tenant_id, archive_id) is None:
                return
        warn(
            f"The deletion of the archive {printable(archive_id)} in tenant {printable(tenant_id)} is not canceled: "
            "there is no operation for that, and Pulumi only forgets it. By default the archive goes 7 days after its "
            "deletion was scheduled; until then that can be canceled in the portal."
        )


def _archive_failures(context: Context, inputs: Properties, *, new: bool) -> Iterator[CheckFailure]:
    tenant_id, archive_id = optional_str(inputs, "tenant_id"), optional_str(inputs, "archive_id")
    if not tenant_id or not archive_id:
        return
    _, other = context.registry.declare(context.urn, "archive", tenant_id, archive_id)
    if other:
        yield CheckFailure("archive_id", declared_twice(archive_id, other))
    if not new:
        return
    try:
        archive = find_archive(context.account, tenant_id, archive_id)
    except errors.NotFoundError as error:
        yield CheckFailure("tenant_id", str(error))
        return
    if archive is None:
        yield CheckFailure(
            "archive_id",
            f'no archive "{printable(archive_id)}" in tenant {printable(tenant_id)}: get_archives lists those',
        )
    elif archive.delete_pending:
        info("its deletion is scheduled already: this takes it over, for the reason that was given then.")


def _state(inputs: Properties, archive: client.records.Archive | None) -> Properties:
    """Map a deletion to its outputs."""
    return {**inputs, "resource_id": archive.resource_id if archive else None, "schema_version": SCHEMA}


class ArchiveDeletion(DeclaredResource, module="dataprotection", name="ArchiveDeletion"):
    """The deletion of an archive, with all backups in it.

    The service deletes an archive some days, by default 7, after its deletion was scheduled. A deletion that is
    scheduled already is taken over. Once the archive is gone, all is as it should be. Destroying this resource cannot
    cancel the deletion: the interface has no operation for that.

    Example:
        ```python
        from pulumi_dataprotection import ArchiveDeletion, get_archives

        for archive in get_archives("tenant-contoso", resource="former.employee@contoso.example").items:
            ArchiveDeletion(archive.id, tenant_id="tenant-contoso", archive_id=archive.id, reason="left in 2024")
        ```

    Args:
        resource_name: the name in the program.
        tenant_id: the tenant that owns the archive.
        archive_id: the archive.
        reason: why, for the audit log: 1 to 128 bytes of UTF-8. A later change of it is kept only in the state.
        profile: the profile of the config whose key is used.
        opts: the usual options of a resource.
    """

    provider_class = ArchiveDeletionProvider
    outputs = (*_INPUTS, "resource_id")

    tenant_id: pulumi.Output[str]
    archive_id: pulumi.Output[str]
    reason: pulumi.Output[str]
    resource_id: pulumi.Output[str | None]
    """Whose backups are in the archive."""

    def __init__(
        self,
        resource_name: str,
        *,
        tenant_id: pulumi.Input[str],
        archive_id: pulumi.Input[str],
        reason: pulumi.Input[str],
        profile: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        inputs: dict[str, object] = {
            "tenant_id": tenant_id,
            "archive_id": archive_id,
            "reason": reason,
            "profile": profile,
        }
        super().__init__(resource_name, inputs, opts)
