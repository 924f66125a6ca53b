"""Pages and their tokens (section 1), for every listing."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support import Emulator
from support.wire import LISTINGS, message

TENANT = "tenants/tenant-contoso"
RESOURCES = f"{TENANT}/resources"
FILTERED = (
    "archives?resource_id=res-contoso-user-01",
    "policies?name=Gold",
    "protections?resource_id=res-contoso-user-01",
)
ALL = [*LISTINGS.values(), *(f"{TENANT}/{listing}" for listing in FILTERED)]

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


@pytest.fixture
def crowded(emulator: Emulator) -> None:
    """Make every listing have more than six items."""
    of_tenant = {"tenant_id": "tenant-contoso"}
    numbers = range(6)
    emulator.patch(
        {
            "orgs": [{"id": f"org-{number}", "parent_org_id": "org-alpine"} for number in numbers],
            "tenants": [{"id": f"tenant-{number}", "org_id": "org-contoso"} for number in numbers],
            "installations": [
                {"id": f"installation-9{number}", "key_name": "Full access", "org_id": f"org-{number}"}
                for number in numbers
            ],
            "subscriptions": [{"id": f"sub-{number}", "tenant_id": f"tenant-{number}"} for number in numbers],
            "policies": [{**of_tenant, "id": f"policy-{number}", "name": "Gold"} for number in numbers],
            "protections": [
                {
                    **of_tenant,
                    "id": f"prot-{number}",
                    "resource_id": "res-contoso-user-01",
                    "policy_id": f"policy-{number}",
                    "job_id": f"job-{number}",
                }
                for number in numbers
            ],
            "archives": [
                {**of_tenant, "id": f"archive-{number}", "resource_id": "res-contoso-user-01"} for number in numbers
            ],
        }
    )


def page(service: httpx.Client, listing: str, **parameters: str | int) -> dict[str, Any]:
    url = httpx.URL(listing).copy_merge_params(parameters)
    answer: dict[str, Any] = service.get(url).raise_for_status().json()
    return answer


def pages(
    service: httpx.Client, listing: str, limit: int, between: Callable[[], None] = lambda: None
) -> list[list[dict[str, Any]]]:
    answer = page(service, listing, limit=limit)
    result = [answer["items"]]
    while answer["next_page_token"]:
        between()
        answer = page(service, listing, limit=limit, page_token=answer["next_page_token"])
        result.append(answer["items"])
    return result


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize("listing", ALL)
def test_all_pages_together_are_the_whole_listing(service: httpx.Client, listing: str) -> None:
    whole = page(service, listing)["items"]
    found = pages(service, listing, limit=2)
    assert whole == [item for items in found for item in items]
    assert {2} == {len(items) for items in found[:-1]}


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize("listing", ALL)
def test_a_token_fits_only_its_own_listing(service: httpx.Client, listing: str) -> None:
    token = page(service, listing, limit=1)["next_page_token"]
    refused = [
        other
        for other in ALL
        if service.get(httpx.URL(other).copy_merge_params({"page_token": token})).status_code == 400
    ]
    assert [other for other in ALL if other != listing] == refused


def test_a_token_of_another_tenant_is_refused(service: httpx.Client) -> None:
    token = page(service, RESOURCES, limit=1)["next_page_token"]
    response = service.get("tenants/tenant-adatum/resources", params={"page_token": token})
    assert "not a token of this listing" in message(response)


def test_the_last_page_has_an_empty_token(service: httpx.Client) -> None:
    assert page(service, f"{TENANT}/policies", limit=3)["next_page_token"] == ""


def test_a_listing_that_fills_its_pages_has_no_empty_page(service: httpx.Client) -> None:
    assert [len(items) for items in pages(service, f"{TENANT}/protections", limit=2)] == [2, 2, 2, 2, 2]


def test_the_limit_may_change_from_page_to_page(service: httpx.Client) -> None:
    token = page(service, RESOURCES, limit=1)["next_page_token"]
    assert len(page(service, RESOURCES, limit=7, page_token=token)["items"]) == 7


def test_a_token_can_be_used_again(service: httpx.Client) -> None:
    token = page(service, RESOURCES, limit=1)["next_page_token"]
    assert page(service, RESOURCES, page_token=token) == page(service, RESOURCES, page_token=token)


def test_an_empty_token_is_the_first_page(service: httpx.Client) -> None:
    assert page(service, RESOURCES) == page(service, RESOURCES, page_token="")


def test_a_page_has_100_items_when_no_limit_is_given(service: httpx.Client, emulator: Emulator) -> None:
    emulator.reset("large:1x150")
    assert len(page(service, "tenants/tenant-0001/resources")["items"]) == 100


@pytest.mark.parametrize(("limit", "expected"), [(1000, 1000), (1001, 1000), (2**31 - 1, 1000)])
def test_a_page_has_at_most_1000_items(service: httpx.Client, emulator: Emulator, limit: int, expected: int) -> None:
    emulator.reset("large:1x1200")
    assert expected == len(page(service, "tenants/tenant-0001/resources", limit=limit)["items"])


@pytest.mark.parametrize("limit", ["", "ten", "1.0", "1e2", " 1", "+1", "0x1", "2147483648", "9" * 5000, "\u0661"])
def test_a_limit_that_is_not_a_32_bit_integer_is_refused(service: httpx.Client, limit: str) -> None:
    assert "must be a 32-bit integer" in message(service.get(RESOURCES, params={"limit": limit}))


@pytest.mark.parametrize("limit", ["0", "-1", "-2147483648"])
def test_a_limit_below_one_is_refused(service: httpx.Client, limit: str) -> None:
    expected = 'the query parameter "limit" must be at least 1'
    assert expected == message(service.get(RESOURCES, params={"limit": limit}))


@pytest.mark.parametrize("how", GARBLED)
def test_a_garbled_token_is_refused(service: httpx.Client, how: str) -> None:
    token = GARBLED[how](page(service, RESOURCES, limit=1)["next_page_token"])
    assert "not a token of this listing" in message(service.get(RESOURCES, params={"page_token": token}))


def test_nothing_is_skipped_when_listed_items_are_deleted(service: httpx.Client, emulator: Emulator) -> None:
    whole = [item["id"] for item in page(service, RESOURCES)["items"]]
    remaining = iter(whole)

    def delete_next() -> None:
        id = next(remaining)
        emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": id, "deleted": True}]})

    listed = [item["id"] for items in pages(service, RESOURCES, limit=4, between=delete_next) for item in items]
    assert whole == listed


def test_listing_goes_on_when_the_last_listed_item_is_deleted(service: httpx.Client, emulator: Emulator) -> None:
    whole = page(service, RESOURCES)["items"]
    token = page(service, RESOURCES, limit=5)["next_page_token"]
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": whole[4]["id"], "deleted": True}]})
    assert whole[5:] == page(service, RESOURCES, page_token=token)["items"]
