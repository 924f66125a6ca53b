"""Backup archives (operations 10 and 11)."""

from typing import Any

import httpx
import pytest

from support import Emulator

ARCHIVES = "tenants/tenant-contoso/archives"
DAY = 24 * 60 * 60


def ids(service: httpx.Client, **parameters: str) -> list[str]:
    return [archive["id"] for archive in service.get(ARCHIVES, params=parameters).json()["items"]]


def first(service: httpx.Client) -> dict[str, Any]:
    archive: dict[str, Any] = service.get(ARCHIVES).json()["items"][0]
    return archive


def delete(service: httpx.Client, id: str = "archive-contoso-01", reason: str = "left the company") -> httpx.Response:
    return service.delete(f"{ARCHIVES}/{id}", params={"reason": reason})


def test_an_archive_has_the_fields_of_the_interface(service: httpx.Client) -> None:
    archive = first(service)
    expected = {
        "id": "archive-contoso-01",
        "tenant_id": "tenant-contoso",
        "resource_id": "res-contoso-user-01",
        "delete_pending": False,
        "created_at": archive["created_at"],
        "stats": {"size": "1250000"},
    }
    assert expected == archive


def test_the_largest_size_of_64_bits_is_exact(service: httpx.Client, emulator: Emulator) -> None:
    largest = "18446744073709551615"
    emulator.patch({"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-01", "size": largest}]})
    assert largest == first(service)["stats"]["size"]


def test_archives_are_filtered_by_resource(service: httpx.Client) -> None:
    assert ids(service, resource_id="res-contoso-user-02") == ["archive-contoso-02"]


def test_a_resource_without_archives_lists_none(service: httpx.Client) -> None:
    assert ids(service, resource_id="res-contoso-user-20") == []


def test_archives_outlive_their_resource(service: httpx.Client, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-01", "deleted": True}]})
    assert ids(service, resource_id="res-contoso-user-01") == ["archive-contoso-01"]


def test_deleting_answers_an_empty_object(service: httpx.Client) -> None:
    response = delete(service)
    assert (response.status_code, response.json()) == (200, {})


def test_a_deleted_archive_is_pending_first(service: httpx.Client) -> None:
    delete(service)
    assert first(service)["delete_pending"] is True


def test_a_pending_archive_is_still_listed_just_before_seven_days(service: httpx.Client, emulator: Emulator) -> None:
    delete(service)
    emulator.advance(7 * DAY - 60)
    assert "archive-contoso-01" in ids(service)


def test_a_pending_archive_is_gone_after_seven_days(service: httpx.Client, emulator: Emulator) -> None:
    delete(service)
    emulator.advance(7 * DAY)
    assert "archive-contoso-01" not in ids(service)


def test_an_archive_that_is_gone_cannot_be_deleted_again(service: httpx.Client, emulator: Emulator) -> None:
    delete(service)
    emulator.advance(7 * DAY)
    assert delete(service).status_code == 404


def test_deleting_a_pending_archive_again_succeeds(service: httpx.Client) -> None:
    delete(service)
    assert delete(service).status_code == 200


def test_deleting_again_does_not_prolong_the_delay(service: httpx.Client, emulator: Emulator) -> None:
    delete(service)
    emulator.advance(6 * DAY)
    delete(service)
    emulator.advance(1 * DAY)
    assert "archive-contoso-01" not in ids(service)


def test_a_cancelled_deletion_never_happens(service: httpx.Client, emulator: Emulator) -> None:
    delete(service)
    emulator.patch({"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-01", "delete_at": None}]})
    emulator.advance(8 * DAY)
    assert first(service)["delete_pending"] is False


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("", 400),
        ("x", 200),
        ("x" * 128, 200),
        ("x" * 129, 400),
        ("ü" * 64, 200),
        ("ü" * 64 + "x", 400),
        ("🚀" * 32, 200),
        ("🚀" * 33, 400),
    ],
)
def test_a_reason_has_1_to_128_bytes(service: httpx.Client, reason: str, status: int) -> None:
    assert status == delete(service, reason=reason).status_code


def test_a_reason_is_required(service: httpx.Client) -> None:
    response = service.delete(f"{ARCHIVES}/archive-contoso-01")
    expected = {"message": 'the query parameter "reason" is required'}
    assert (400, expected) == (response.status_code, response.json())


@pytest.mark.parametrize("id", ["archive-nowhere", "archive-adatum-01"])
def test_an_archive_that_the_tenant_does_not_have_is_not_found(service: httpx.Client, id: str) -> None:
    assert delete(service, id).status_code == 404


def test_archives_of_a_tenant_that_does_not_exist_are_not_found(service: httpx.Client) -> None:
    assert service.get("tenants/tenant-nowhere/archives").status_code == 404
