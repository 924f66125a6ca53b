"""Look-ups of archives."""

import pulumi
import pytest

from pulumi_dataprotection import get_archives
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        (None, [f"archive-contoso-{number:02}" for number in range(1, 11)]),
        ("res-contoso-user-01", ["archive-contoso-01"]),
        ("ext$usr-1002", ["archive-contoso-02"]),
        ("Jane.Doe@contoso.example", ["archive-contoso-01"]),
        ("maria.papadopoulou@contoso.example", []),
    ],
)
def test_archives_are_listed_by_resource(shop: Program, resource: str | None, expected: list[str]) -> None:
    assert expected == [archive.id for archive in shop.run(lambda: get_archives(TENANT, resource=resource)).items]


def test_only_the_archives_of_the_resource_are_asked_for(shop: Program, emulator: Emulator) -> None:
    shop.run(lambda: get_archives(TENANT, resource="jane.doe@contoso.example"))
    asked = [request["query"].get("resource_id") for request in emulator.requests()]
    assert [None, "res-contoso-user-01"] == asked


def test_an_archives_size_is_a_number_of_64_bits(shop: Program, emulator: Emulator) -> None:
    largest = 2**64 - 1
    emulator.patch({"archives": [{"tenant_id": TENANT, "id": "archive-contoso-01", "size": str(largest)}]})
    archive = shop.run(lambda: get_archives(TENANT, resource="res-contoso-user-01")).items[0]
    assert archive.stats
    assert (largest, str(largest)) == (archive.stats.size, shop.export(archive)["stats"]["size"])


@pytest.mark.parametrize("resource", ["nobody", "support@contoso.example", "archive-contoso-01"])
def test_a_resource_that_cannot_be_found_ends_the_program(shop: Program, emulator: Emulator, resource: str) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_archives: .* in tenant tenant-contoso: "):
        shop.run(lambda: get_archives(TENANT, resource=resource))
    assert "list_archives" not in {request["operation"] for request in emulator.requests()}


def test_archives_of_a_tenant_that_does_not_exist_end_the_program(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_archives: cannot list archives: 404 not found"):
        shop.run(lambda: get_archives("tenant-nowhere"))
