"""Archives: one whose deletion was asked for is pending, however often that was done."""

import pytest

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import Archive
from support.contract.outcomes import attempt
from support.contract.service import Service

# 128 bytes of UTF-8: as many as there may be.
REASON = "é" * 64


def deletion(service: Service) -> Call[None]:
    return calls.delete_archive(service.scene.tenant_id, service.scene.archive_id, reason=REASON)


def pending(archives: list[Archive]) -> set[str]:
    return {archive.id for archive in archives if archive.delete_pending}


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
def test_an_archive_that_was_deleted_is_pending_and_no_other_is(forgetful: Service, *, twice: bool) -> None:
    listing = calls.list_archives(forgetful.scene.tenant_id)
    before = pending(forgetful.read(listing))
    answer: object = forgetful.send(deletion(forgetful))
    assert answer is None
    if twice:
        attempt(forgetful, deletion(forgetful), "repeated_deletion", otherwise=None)
    forgetful.wait_out_lag()
    assert before | {forgetful.scene.archive_id} == pending(forgetful.send(listing))
