"""The function for archives."""

from collections.abc import Iterable

import pytest

from pulumi_dataprotection import get_archives
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"


@pytest.mark.parametrize(
    ("resource", "sent", "expected"),
    [
        (None, None, range(1, 11)),
        ("res-contoso-user-01", "res-contoso-user-01", [1]),
        ("ext$usr-1002", "res-contoso-user-02", [2]),
        ("Jane.Doe@contoso.example", "res-contoso-user-01", [1]),
        ("maria.papadopoulou@contoso.example", "res-contoso-user-27", []),
    ],
)
def test_archives_are_listed_by_resource(
    shop: Program, emulator: Emulator, resource: str | None, sent: str | None, expected: Iterable[int]
) -> None:
    found = shop.run(lambda: get_archives(TENANT, resource=resource)).items
    assert [f"archive-contoso-{number:02}" for number in expected] == [archive.id for archive in found]
    queries = [one["query"] for one in emulator.requests() if one["operation"] == "list_archives"]
    assert [sent] == [query.get("resource_id") for query in queries]


def test_the_size_of_an_archive_is_a_number_of_64_bits(shop: Program, emulator: Emulator) -> None:
    largest = 2**64 - 1
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": "archive-contoso-01", "size": str(largest)}]})
    archive = shop.run(lambda: get_archives(TENANT, resource="res-contoso-user-01")).items[0]
    assert archive.stats
    assert (largest, str(largest)) == (archive.stats.size, shop.export(archive)["stats"]["size"])
