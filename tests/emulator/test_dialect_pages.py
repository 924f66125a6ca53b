"""How a dialect's lists are cut into pages (section 1 of the interface)."""

from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO
from support.emulator.variants import each_variant
from support.wire import LISTINGS, pages

RESOURCES = f"{CONTOSO}/resources"
POLICIES = f"{CONTOSO}/policies"
KINDS_OF_PAGES = [
    {"page_tokens": tokens, "page_fill": fill, "page_order": order}
    for tokens in ("position", "offset")
    for fill in ("full", "short")
    for order in ("ascending", "descending")
]


def whole(service: httpx.Client, listing: str, **parameters: int) -> list[dict[str, Any]]:
    return [item for page in pages(service, listing, **parameters) for item in page]


@each_variant("default_limit", {7: 7, 1500: 1500})
def test_a_page_where_no_limit_is_asked_for(
    service: httpx.Client, emulator: Emulator, variant: int, expected: int
) -> None:
    emulator.reset("large:1x1600")
    emulator.set_dialect(default_limit=variant)
    assert expected == len(service.get("tenants/tenant-0001/resources").json()["items"])


def test_tenants_come_by_the_hundred_as_the_interface_says(service: httpx.Client, emulator: Emulator) -> None:
    emulator.reset("large:120x0")
    emulator.set_dialect(default_limit=7)
    assert len(service.get("orgs/org-root/tenants").json()["items"]) == 100


@each_variant("largest_limit", {3: [3, 200], 1000: [41, 200]})
def test_the_largest_limit(service: httpx.Client, expected: list[int]) -> None:
    response = service.get(RESOURCES, params={"limit": 1000})
    assert expected == [len(response.json()["items"]), response.status_code]


@each_variant("larger_limit", clamped=200, invalid_argument=400)
def test_a_limit_above_the_largest(service: httpx.Client, emulator: Emulator, variant: str, expected: int) -> None:
    emulator.set_dialect(larger_limit=variant, largest_limit=20)
    statuses = [service.get(RESOURCES, params={"limit": limit}).status_code for limit in (20, 21)]
    assert [200, expected] == statuses


@each_variant("page_tokens", position=["03", "04"], offset=["04", "05"])
def test_a_deletion_between_two_pages(service: httpx.Client, emulator: Emulator, expected: list[str]) -> None:
    listing, limit = f"{CONTOSO}/archives", {"limit": 2}
    token = service.get(listing, params=limit).json()["next_page_token"]
    emulator.patch({"archives": [{"tenant_id": "tenant-contoso", "id": "archive-contoso-01", "deleted": True}]})
    items = service.get(listing, params={**limit, "page_token": token}).json()["items"]
    assert [f"archive-contoso-{number}" for number in expected] == [item["id"] for item in items]


@each_variant("page_fill", full=[2, 2, 2, 2, 2], short=[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
def test_the_lengths_of_pages(service: httpx.Client, expected: list[int]) -> None:
    assert expected == [len(page) for page in pages(service, f"{CONTOSO}/protections", limit=2)]


@each_variant("page_order", ascending=["Bronze", "Gold", "Silver"], descending=["Silver", "Gold", "Bronze"])
def test_the_order_of_a_list(service: httpx.Client, expected: list[str]) -> None:
    assert expected == [policy["name"] for policy in whole(service, POLICIES, limit=2)]


@pytest.mark.parametrize("listing", LISTINGS.values())
@pytest.mark.parametrize("kind", KINDS_OF_PAGES, ids=lambda kind: ", ".join(kind.values()))
def test_the_pages_of_every_kind_make_the_same_list(
    service: httpx.Client, emulator: Emulator, listing: str, kind: dict[str, str]
) -> None:
    expected = service.get(listing).json()["items"]
    emulator.set_dialect(**kind)
    found = whole(service, listing, limit=3)
    assert expected == (found if kind["page_order"] == "ascending" else found[::-1])


@pytest.mark.parametrize("kind", KINDS_OF_PAGES, ids=lambda kind: ", ".join(kind.values()))
def test_a_token_of_another_listing_is_refused_in_every_kind(
    service: httpx.Client, emulator: Emulator, kind: dict[str, str]
) -> None:
    emulator.set_dialect(**kind)
    token = service.get(RESOURCES, params={"limit": 1}).json()["next_page_token"]
    assert service.get("tenants/tenant-adatum/resources", params={"page_token": token}).status_code == 400


@pytest.mark.parametrize(
    "kind",
    [{"page_tokens": "offset"}, {"page_order": "descending"}],
    ids=["other tokens", "other order"],
)
def test_a_token_of_another_dialect_is_refused(service: httpx.Client, emulator: Emulator, kind: dict[str, str]) -> None:
    token = service.get(RESOURCES, params={"limit": 1}).json()["next_page_token"]
    emulator.set_dialect(**kind)
    assert service.get(RESOURCES, params={"page_token": token}).status_code == 400


@each_variant("last_page", empty={"next_page_token": ""}, null={"next_page_token": None}, absent={})
@pytest.mark.parametrize("empty_text", ["empty", "absent", "null"])
def test_the_token_of_the_last_page(
    service: httpx.Client, emulator: Emulator, variant: str, expected: dict[str, str | None], empty_text: str
) -> None:
    emulator.set_dialect(last_page=variant, empty_text=empty_text)
    page = service.get(POLICIES).json()
    assert expected == {name: value for name, value in page.items() if name != "items"}


@each_variant("empty_list", list={"items": []}, null={"items": None}, absent={})
def test_a_list_without_items(service: httpx.Client, expected: dict[str, list[object] | None]) -> None:
    page = service.get("orgs/org-contoso/orgs").json()
    assert expected == {name: value for name, value in page.items() if name != "next_page_token"}


@pytest.mark.parametrize(("variant", "expected"), [("list", []), ("null", None), ("absent", "absent")])
def test_a_list_without_items_within_a_record(
    service: httpx.Client, emulator: Emulator, variant: str, expected: object
) -> None:
    emulator.reset("large:1x0")
    emulator.set_dialect(empty_list=variant)
    (statistics,) = service.get("tenants/tenant-0001/resources/statistics/summary").json()["tenants"]
    assert expected == statistics.get("resource_details", "absent")
