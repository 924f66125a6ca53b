"""Backup archives (operations 10 and 11)."""

import httpx
import pytest

from support import Emulator
from support.emulator.cases import Case, case, each_case, ours

DAY = 24 * 60 * 60
FIRST = "GET /archives?resource_id=res-contoso-user-01"
SECOND = "GET /archives?resource_id=res-contoso-user-02"
DELETE = "DELETE /archives/archive-contoso-01?reason=left"
MAX = "18446744073709551615"
ID = ["archive-contoso-01"]


@each_case(
    {
        "the archives of a resource": case(SECOND, answer=["archive-contoso-02"]),
        "a resource without archives": case("GET /archives?resource_id=res-contoso-user-20", answer=[]),
        "archives outlive their resource": case(
            {"resources": [ours("res-contoso-user-01", deleted=True)]}, FIRST, answer=ID
        ),
        "the largest size of 64 bits": case(
            {"archives": [ours(ID[0], size=MAX)]}, FIRST, answer=[{"size": MAX}], field="stats"
        ),
        "still there before seven days": case(DELETE, 7 * DAY - 60, FIRST, answer=ID),
        "gone after seven days": case(DELETE, 7 * DAY, FIRST, answer=[]),
        "gone cannot be deleted again": case(DELETE, 7 * DAY, DELETE, status=404),
        "again does not prolong the delay": case(DELETE, 6 * DAY, DELETE, DAY, FIRST, answer=[]),
        "a cancelled deletion never happens": case(
            DELETE, {"archives": [ours(ID[0], delete_at=None)]}, 8 * DAY, FIRST, answer=[False], field="delete_pending"
        ),
        "an archive of another tenant": case("DELETE /archives/archive-adatum-01?reason=left", status=404),
    }
)
def test_an_answer_about_archives(service: httpx.Client, emulator: Emulator, case: Case) -> None:
    case.check(service, emulator)


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
    path = "tenants/tenant-contoso/archives/archive-contoso-01"
    assert status == service.delete(path, params={"reason": reason}).status_code
