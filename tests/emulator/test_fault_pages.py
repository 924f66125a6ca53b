"""Faults of listings: wrong tokens, empty pages, doubled items, and deletions between pages."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from support import Emulator
from support.wire import LISTINGS

RESOURCES = "tenants/tenant-0001/resources"


@pytest.fixture
def five(service: httpx.Client, emulator: Emulator) -> httpx.Client:
    """A client of a service with one tenant, of five resources."""
    emulator.reset("large:1x5")
    return service


def read(client: httpx.Client, token: str | None = None, limit: int = 2) -> dict[str, Any]:
    parameters = {"limit": limit} | ({} if token is None else {"page_token": token})
    response = client.get(RESOURCES, params=parameters)
    response.raise_for_status()
    page: dict[str, Any] = response.json()
    return page


def walk(client: httpx.Client, requests: int) -> list[dict[str, Any]]:
    """Read page after page until the last page, in any dialect, or up to a number of requests."""
    pages = [read(client)]
    while (token := pages[-1].get("next_page_token")) and len(pages) < requests:
        pages.append(read(client, token))
    return pages


def numbers(page: dict[str, Any]) -> list[int]:
    items: list[dict[str, str]] = page.get("items") or []
    return [int(item["id"].removeprefix("res-")) for item in items]


def walked(client: httpx.Client, requests: int = 20) -> list[list[int]]:
    return [numbers(page) for page in walk(client, requests)]


def tokens(pages: Sequence[dict[str, Any]]) -> list[str]:
    return [page["next_page_token"] for page in pages]


def at(nth: int, *faults: str) -> dict[str, Any]:
    return {"operation": "list_resources", "nth": nth, "do": list(faults)}


# The rules and the numbers of the items on each page, for a number of requests.
PAGES: dict[str, tuple[list[dict[str, Any]], list[list[int]]]] = {
    "a repeated token": ([at(2, "repeat_token")], [[1, 2], [3, 4], [3, 4], [5]]),
    "a repeated token of the last page": ([at(3, "repeat_token")], [[1, 2], [3, 4], [5], [5]]),
    "an empty first page": ([at(1, "empty_page")], [[], [1, 2], [3, 4], [5]]),
    "an empty second page": ([at(2, "empty_page")], [[1, 2], [], [3, 4], [5]]),
    "three empty first pages": ([at(1, *["empty_page"] * 3)], [[], [], [], [1, 2], [3, 4], [5]]),
    "three empty second pages": ([at(2, *["empty_page"] * 3)], [[1, 2], [], [], [], [3, 4], [5]]),
    "an empty page before the last": ([at(3, "empty_page")], [[1, 2], [3, 4], [], [5]]),
    "the last item of the page before": ([at(2, "doubled_item")], [[1, 2], [2, 3, 4], [5]]),
    "the first item of the first page": ([at(1, "doubled_item")], [[1, 1, 2], [3, 4], [5]]),
    "a short list without items": ([at(1, "short_list:0")], [[]]),
    "a short list of an item": ([at(1, "short_list:1")], [[1]]),
    "a short list of a whole page": ([at(1, "short_list:9")], [[1, 2]]),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_that_a_fault_makes(five: httpx.Client, emulator: Emulator, name: str) -> None:
    rules, expected = PAGES[name]
    with emulator.faults(*rules):
        pages = walk(five, 10)
    assert expected == [numbers(page) for page in pages]
    empty = [page["next_page_token"] for page in pages if not page["items"]]
    assert len(set(empty)) == len(empty)
    assert [[1, 2], [3, 4], [5]] == walked(five)


@pytest.mark.parametrize("status", [400, 404, 410])
def test_an_expired_token_is_refused_on_later_pages_only(five: httpx.Client, emulator: Emulator, status: int) -> None:
    later = {"limit": 2, "page_token": read(five)["next_page_token"]}
    with emulator.faults(at(1, *[f"expired_token:{status}"] * 2)):
        answered = [five.get(RESOURCES, params=query).status_code for query in ({}, later, {}, later, {}, later)]
    assert [200, status, 200, status, 200, 200] == answered


@pytest.mark.parametrize(
    ("nth", "faults", "expected"),
    [
        ([2], ["repeat_token"], [[1, 2], [3, 4]]),
        ([1], ["repeat_token"] * 3, [[1, 2]] * 3),
        ([1], ["token_cycle"] * 3, [[1, 2]] * 3),
        ([2, 4, 6], ["token_cycle"], [[1, 2], [3, 4]] * 3),
    ],
)
def test_a_token_that_leads_back_is_the_token_of_before(
    five: httpx.Client, emulator: Emulator, nth: list[int], faults: list[str], expected: list[list[int]]
) -> None:
    with emulator.faults(*(at(number, *faults) for number in nth)):
        pages = walk(five, len(expected))
    assert expected == [numbers(page) for page in pages]
    period = 2 if len(nth) > 1 else 1
    assert tokens(pages)[:period] * (len(pages) // period) == tokens(pages)


@pytest.mark.parametrize(
    ("limit", "deleted", "expected"), [(3, None, [3, 4, 5]), (2, "res-0000002", [1, 3, 4])], ids=["size", "deletion"]
)
def test_a_doubled_item_is_the_last_of_the_page_before(
    five: httpx.Client, emulator: Emulator, limit: int, deleted: str | None, expected: list[int]
) -> None:
    with emulator.faults(at(2, "doubled_item")):
        token = read(five, limit=limit)["next_page_token"]
        if deleted:
            emulator.patch({"resources": [{"tenant_id": "tenant-0001", "id": deleted, "deleted": True}]})
        assert expected == numbers(read(five, token))


@pytest.mark.parametrize(
    ("variant", "times", "expected"),
    [
        ("position", 1, [[1, 2], [3, 4], [5]]),
        ("position", 3, [[1, 2], [3, 4], [5]]),
        ("offset", 1, [[1, 2], [4, 5]]),
    ],
)
def test_a_list_that_shrinks_moves_under_tokens_that_count(
    five: httpx.Client, emulator: Emulator, variant: str, times: int, expected: list[list[int]]
) -> None:
    emulator.set_dialect(page_tokens=variant)
    with emulator.faults(at(1, *["shrink"] * times)):
        assert expected == walked(five)
    assert 5 - times == len(emulator.state()["resources"])


@pytest.mark.parametrize("operation", LISTINGS)
def test_every_listing_shrinks_by_the_row_behind_its_first_item(
    service: httpx.Client, emulator: Emulator, operation: str
) -> None:
    table = operation.removeprefix("list_")
    before = emulator.state()[table]
    with emulator.faults({"operation": operation, "do": ["shrink"]}):
        first = service.get(LISTINGS[operation]).json()["items"][0]
    after = emulator.state()[table]
    # The children of an organization are deleted with it.
    gone = next(record for record in before if record not in after)
    assert first.get("id", "installation-1") == gone["id"]


def test_a_list_shrinks_for_readers_that_lag_too(five: httpx.Client, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=3000)
    five.post("orgs").raise_for_status()
    with emulator.faults(at(1, "shrink")):
        read(five)
    assert numbers(read(five)) == [2, 3]


def test_a_shrinking_list_accepts_a_record_that_is_already_deleted(five: httpx.Client, emulator: Emulator) -> None:
    emulator.reset()
    emulator.set_dialect(read_lag=3000)
    protection = five.get("tenants/tenant-contoso/protections").json()["items"][0]
    five.delete(
        f"tenants/tenant-contoso/resources/{protection['resource_id']}/protect",
        params={"policy_id": protection["policy_id"]},
    ).raise_for_status()
    with emulator.faults({"do": ["shrink"]}):
        items = five.get("tenants/tenant-contoso/protections").json()["items"]
    assert protection == items[0]


@pytest.mark.parametrize("token", ["again-1~nonsense", "again-x~", "again~", "again-1"])
def test_a_token_that_nobody_gave_is_refused(five: httpx.Client, token: str) -> None:
    assert five.get(RESOURCES, params={"page_token": token}).status_code == 400


@pytest.mark.parametrize("preset", ["published", "strict", "terse", "late", "foreign"])
def test_an_empty_page_loses_nothing_in_any_dialect(five: httpx.Client, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset)
    whole = [ids for ids in walked(five) if ids]
    with emulator.faults(at(2, "empty_page")):
        pages = walked(five)
    assert ([], whole) == (pages[1], [ids for ids in pages if ids])


@pytest.mark.parametrize("variant", ["null", "absent"])
def test_the_dialect_writes_the_page_of_a_fault(five: httpx.Client, emulator: Emulator, variant: str) -> None:
    emulator.set_dialect(empty_list=variant)
    with emulator.faults(at(1, "empty_page")):
        page = read(five)
    assert (None, variant == "null") == (page.get("items"), "items" in page)


def test_an_unfiltered_list_is_the_whole_one(service: httpx.Client, emulator: Emulator) -> None:
    path, filtered = "tenants/tenant-contoso/protections", {"resource_id": "res-contoso-user-09"}
    whole = service.get(path).json()
    with emulator.faults({"operation": "list_protections", "do": ["unfiltered"]}):
        # There is nothing to leave out.
        assert whole == service.get(path).json()
        assert whole == service.get(path, params=filtered).json()
    assert [] == service.get(path, params=filtered).json()["items"]
