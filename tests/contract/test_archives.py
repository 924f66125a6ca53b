"""Archives: one whose deletion was asked for is pending, however often that was done."""

from pulumi_dataprotection.client import Call, calls
from support.contract.outcomes import attempt
from support.contract.service import Service

# 128 bytes of UTF-8: as many as there may be.
REASON = "é" * 64


def deletion(service: Service) -> Call[None]:
    return calls.delete_archive(service.scene.tenant_id, service.scene.archive_id, reason=REASON)


def pending(service: Service) -> set[str]:
    """Return the archives that are pending, once reads show it."""
    service.wait_out_lag()
    archives = service.send(calls.list_archives(service.scene.tenant_id))
    return {archive.id for archive in archives if archive.delete_pending}


def pending_before(service: Service) -> set[str]:
    archives = service.read(calls.list_archives(service.scene.tenant_id))
    return {archive.id for archive in archives if archive.delete_pending}


def test_a_deletion_brings_nothing_but_success(forgetful: Service) -> None:
    answer: object = forgetful.send(deletion(forgetful))
    assert answer is None


def test_an_archive_that_was_deleted_is_pending_and_no_other_is(forgetful: Service) -> None:
    before = pending_before(forgetful)
    forgetful.send(deletion(forgetful))
    assert before | {forgetful.scene.archive_id} == pending(forgetful)


def test_deleting_twice_is_a_success_or_a_refusal_and_leaves_it_pending(forgetful: Service) -> None:
    before = pending_before(forgetful)
    forgetful.send(deletion(forgetful))
    attempt(forgetful, deletion(forgetful), "repeated_deletion", otherwise=None)
    assert before | {forgetful.scene.archive_id} == pending(forgetful)
