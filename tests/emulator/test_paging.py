"""Pages and their tokens (section 1), for every listing."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support import Emulator
from support.emulator.cases import ours
from support.wire import LISTINGS, message, pages

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
    url = httpx.URL(listing).copy_merge_params(parameters)
    answer: dict[str, Any] = service.get(url).raise_for_status().json()
    return answer


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


@pytest.mark.parametrize(
    ("limit", "expected"), [({}, 100), ({"limit": 1000}, 1000), ({"limit": 1001}, 1000), ({"limit": 2**31 - 1}, 1000)]
)
def test_a_page_has_100_items_or_as_many_as_its_limit_up_to_1000(
    service: httpx.Client, emulator: Emulator, limit: dict[str, int], expected: int
) -> None:
    emulator.reset("large:1x1200")
    assert expected == len(page(service, "tenants/tenant-0001/resources", **limit)["items"])


INVALID = {
    "must be a 32-bit integer": ["", "ten", "1.0", "1e2", " 1", "+1", "0x1", "2147483648", "9" * 5000, "\u0661"],
    'the query parameter "limit" must be at least 1': ["0", "-1", "-2147483648"],
}


@pytest.mark.parametrize("listing", LISTINGS.values())
@pytest.mark.parametrize(
    ("limit", "reason"), [(limit, reason) for reason, limits in INVALID.items() for limit in limits]
)
def test_an_invalid_limit_is_refused(service: httpx.Client, listing: str, limit: str, reason: str) -> None:
    assert reason in message(service.get(listing, params={"limit": limit}))


@pytest.mark.parametrize("how", GARBLED)
def test_a_garbled_token_is_refused(service: httpx.Client, how: str) -> None:
    token = GARBLED[how](page(service, RESOURCES, limit=1)["next_page_token"])
    assert "not a token of this listing" in message(service.get(RESOURCES, params={"page_token": token}))


def test_a_token_can_be_used_again_with_another_limit_after_its_item_was_deleted(
    service: httpx.Client, emulator: Emulator
) -> None:
    whole = page(service, RESOURCES, page_token="")["items"]
    token = page(service, RESOURCES, limit=5)["next_page_token"]
    for number in range(5):
        emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": whole[number]["id"], "deleted": True}]})
        assert whole[5:] == page(service, RESOURCES, page_token=token)["items"]
    assert whole[5:12] == page(service, RESOURCES, limit=7, page_token=token)["items"]
