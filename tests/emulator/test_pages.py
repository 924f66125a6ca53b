"""Pages and their tokens (section 1 of the interface), for every listing and in every dialect."""

from collections.abc import Callable
from itertools import product
from typing import Any, cast

import httpx
import pytest

from support import Emulator
from support.emulator.cases import CONTOSO, ours, pairs
from support.emulator.variants import each_variant
from support.wire import LISTINGS, message, pages

RESOURCES, POLICIES = f"{CONTOSO}/resources", f"{CONTOSO}/policies"
FILTERED = (
    "archives?resource_id=res-contoso-user-01",
    "policies?name=Gold",
    "protections?resource_id=res-contoso-user-01",
)
ALL = [*LISTINGS.values(), *(f"{CONTOSO}/{listing}" for listing in FILTERED)]
KINDS = [
    dict(zip(("page_tokens", "page_fill", "page_order"), kind, strict=True))
    for kind in product(("position", "offset"), ("full", "short"), ("ascending", "descending"))
]
USUAL, *_ = KINDS

GARBLED: dict[str, Callable[[str], str]] = {
    "cut": lambda token: token[:-1],
    "longer": lambda token: token + "A",
    "other case": str.swapcase,
    "changed": lambda token: token[:12] + ("A" if token[12] != "A" else "B") + token[13:],
    "with a space": lambda token: f" {token}",
    "with a line break": lambda token: f"{token[:4]}\n{token[4:]}",
    "not a token": lambda _: "garbage",
    "not ASCII": lambda _: "ünï",
    "huge": lambda token: token * 500,
}
INVALID = {
    "must be a 32-bit integer": ["", "ten", "1.0", "1e2", " 1", "+1", "0x1", "2147483648", "9" * 5000, "\u0661"],
    'the query parameter "limit" must be at least 1': ["0", "-1", "-2147483648"],
}


def named(kind: object) -> str | None:
    return ", ".join(cast("dict[str, str]", kind).values()) if isinstance(kind, dict) else None


@pytest.fixture
def crowded(emulator: Emulator) -> None:
    """Make every listing have more than six items."""
    key, resource = {"key_name": "Full access"}, {"resource_id": "res-contoso-user-01"}
    for number in range(6):
        policy, org = {"policy_id": f"policy-{number}"}, {"org_id": f"org-{number}"}
        records: dict[str, dict[str, object]] = {
            "orgs": {"id": f"org-{number}", "parent_org_id": "org-alpine"},
            "tenants": {"id": f"tenant-{number}", "org_id": "org-contoso"},
            "installations": {"id": f"installation-9{number}", **key, **org},
            "subscriptions": {"id": f"sub-{number}", "tenant_id": f"tenant-{number}"},
            "policies": ours(f"policy-{number}", name="Gold"),
            "protections": ours(f"prot-{number}", job_id=f"job-{number}", **resource, **policy),
            "archives": ours(f"archive-{number}", **resource),
        }
        emulator.patch({table: [record] for table, record in records.items()})


def page(service: httpx.Client, listing: str, **parameters: str | int) -> dict[str, Any]:
    answer: dict[str, Any] = service.get(httpx.URL(listing).copy_merge_params(parameters)).raise_for_status().json()
    return answer


def token_of(service: httpx.Client, listing: str = RESOURCES, limit: int = 1) -> str:
    token: str = page(service, listing, limit=limit)["next_page_token"]
    return token


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize("listing", ALL)
@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_all_pages_together_are_the_whole_listing(
    service: httpx.Client, emulator: Emulator, listing: str, kind: dict[str, str]
) -> None:
    whole = page(service, listing)["items"]
    emulator.set_dialect(**kind)
    found = pages(service, listing, limit=2)
    items = [item for items in found for item in items]
    assert whole == (items if kind["page_order"] == "ascending" else items[::-1])
    assert kind["page_fill"] == "short" or {2} == {len(items) for items in found[:-1]}


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize(
    ("listing", "kind"),
    [*((listing, USUAL) for listing in ALL), *((RESOURCES, kind) for kind in KINDS[1:])],
    ids=named,
)
def test_a_token_fits_only_its_own_listing(
    service: httpx.Client, emulator: Emulator, listing: str, kind: dict[str, str]
) -> None:
    emulator.set_dialect(**kind)
    token = token_of(service, listing)
    urls = {other: httpx.URL(other).copy_merge_params({"page_token": token}) for other in ALL}
    refused = [other for other, url in urls.items() if service.get(url).status_code == 400]
    assert [other for other in ALL if other != listing] == refused


@pytest.mark.parametrize("kind", [{"page_tokens": "offset"}, {"page_order": "descending"}], ids=named)
def test_a_token_of_another_dialect_is_refused(service: httpx.Client, emulator: Emulator, kind: dict[str, str]) -> None:
    token = token_of(service)
    emulator.set_dialect(**kind)
    assert service.get(RESOURCES, params={"page_token": token}).status_code == 400


@pytest.mark.parametrize("how", GARBLED)
def test_a_garbled_token_is_refused(service: httpx.Client, how: str) -> None:
    token = GARBLED[how](token_of(service))
    assert "not a token of this listing" in message(service.get(RESOURCES, params={"page_token": token}))


def test_a_token_can_be_used_again_with_another_limit_after_its_item_was_deleted(
    service: httpx.Client, emulator: Emulator
) -> None:
    whole = page(service, RESOURCES, page_token="")["items"]
    token = token_of(service, limit=5)
    for number in range(5):
        emulator.patch({"resources": [ours(whole[number]["id"], deleted=True)]})
        assert whole[5:] == page(service, RESOURCES, page_token=token)["items"]
    assert whole[5:12] == page(service, RESOURCES, limit=7, page_token=token)["items"]


@pytest.mark.parametrize(
    ("limit", "expected"), [({}, 100), ({"limit": 1000}, 1000), ({"limit": 1001}, 1000), ({"limit": 2**31 - 1}, 1000)]
)
def test_a_page_has_100_items_or_as_many_as_its_limit_up_to_1000(
    service: httpx.Client, emulator: Emulator, limit: dict[str, int], expected: int
) -> None:
    emulator.reset("large:1x1200")
    assert expected == len(page(service, "tenants/tenant-0001/resources", **limit)["items"])


@pytest.mark.parametrize("listing", LISTINGS.values())
@pytest.mark.parametrize(("reason", "limit"), pairs(INVALID))
def test_an_invalid_limit_is_refused(service: httpx.Client, listing: str, limit: str, reason: str) -> None:
    assert reason in message(service.get(listing, params={"limit": limit}))


@each_variant("default_limit", {7: [7, 100], 15: [15, 100]})
def test_a_page_without_a_limit_but_tenants_come_by_the_hundred(
    service: httpx.Client, emulator: Emulator, variant: int, expected: list[int]
) -> None:
    emulator.reset("large:120x20")
    emulator.set_dialect(default_limit=variant, largest_limit=10)
    paths = ("tenants/tenant-0001/resources", "orgs/org-root/tenants")
    assert expected == [len(page(service, path)["items"]) for path in paths]


@each_variant("largest_limit", {3: 3, 1000: 41})
def test_the_largest_limit(service: httpx.Client, expected: int) -> None:
    assert expected == len(page(service, RESOURCES, limit=1000)["items"])


@each_variant("larger_limit", clamped=200, invalid_argument=400)
def test_a_limit_above_the_largest(service: httpx.Client, emulator: Emulator, variant: str, expected: int) -> None:
    emulator.set_dialect(larger_limit=variant, largest_limit=20)
    assert [200, expected] == [service.get(RESOURCES, params={"limit": limit}).status_code for limit in (20, 21)]


@each_variant("page_tokens", position=["03", "04"], offset=["04", "05"])
def test_a_deletion_between_two_pages(service: httpx.Client, emulator: Emulator, expected: list[str]) -> None:
    token = token_of(service, f"{CONTOSO}/archives", limit=2)
    emulator.patch({"archives": [ours("archive-contoso-01", deleted=True)]})
    items = page(service, f"{CONTOSO}/archives", limit=2, page_token=token)["items"]
    assert [f"archive-contoso-{number}" for number in expected] == [item["id"] for item in items]


@each_variant("page_fill", full=[2, 2, 2, 2, 2], short=[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
def test_the_lengths_of_pages(service: httpx.Client, expected: list[int]) -> None:
    assert expected == [len(items) for items in pages(service, f"{CONTOSO}/protections", limit=2)]


@each_variant("page_order", ascending=["Bronze", "Gold", "Silver"], descending=["Silver", "Gold", "Bronze"])
def test_the_order_of_a_list(service: httpx.Client, expected: list[str]) -> None:
    assert expected == [policy["name"] for policy in page(service, POLICIES)["items"]]


@each_variant("last_page", empty={"next_page_token": ""}, null={"next_page_token": None}, absent={})
@pytest.mark.parametrize("empty_text", ["empty", "absent", "null"])
def test_the_token_of_the_last_page(
    service: httpx.Client, emulator: Emulator, variant: str, expected: dict[str, str | None], empty_text: str
) -> None:
    emulator.set_dialect(last_page=variant, empty_text=empty_text)
    assert expected == {name: value for name, value in page(service, POLICIES).items() if name != "items"}


@each_variant("empty_list", list=(list[str](), list[str]()), null=(None, None), absent=("absent", "absent"))
def test_a_list_without_items(
    service: httpx.Client, emulator: Emulator, variant: str, expected: tuple[object, object]
) -> None:
    emulator.reset("large:1x0")
    emulator.set_dialect(empty_list=variant)
    (statistics,) = page(service, "tenants/tenant-0001/resources/statistics/summary")["tenants"]
    children = page(service, "orgs/org-root/orgs")
    assert expected == (children.get("items", "absent"), statistics.get("resource_details", "absent"))
