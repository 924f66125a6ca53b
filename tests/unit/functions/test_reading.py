"""What every look-up asks the service: what it needs, all pages of it, once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pulumi
import pytest

from pulumi_dataprotection import get_installations
from support import Emulator
from support.functions.look_ups import LISTS, PLAIN, look_up
from support.functions.program import Program

BILLING = ["get_subscription_history", "get_subscriptions"]


@pytest.mark.parametrize("name", PLAIN)
def test_nothing_is_asked_twice(shop: Program, emulator: Emulator, name: str) -> None:
    first, second = shop.run(lambda: [look_up(name)(**PLAIN[name]) for _ in range(2)])
    asked = Counter((request["path"], *sorted(request["query"].items())) for request in emulator.requests())
    assert (first, [1] * len(asked)) == (second, [*asked.values()])


def test_nothing_is_asked_twice_by_threads(shop: Program, emulator: Emulator) -> None:
    def ask_all() -> None:
        with ThreadPoolExecutor(8) as threads:
            for asked in [threads.submit(look_up(name), **PLAIN[name]) for name in PLAIN for _ in range(4)]:
                asked.result()

    shop.run(ask_all)
    asked = Counter((request["path"], *sorted(request["query"].items())) for request in emulator.requests())
    assert [] == [request for request, times in asked.items() if times > 1]


@pytest.mark.parametrize("name", PLAIN)
def test_a_look_up_that_failed_is_tried_again(shop: Program, emulator: Emulator, name: str) -> None:
    with emulator.faults({"do": ["status:403"]}), pytest.raises(pulumi.RunError, match=f"^{name}: .* 403 forbidden"):
        shop.run(lambda: look_up(name)(**PLAIN[name]))
    emulator.clear_requests()
    shop.run(lambda: look_up(name)(**PLAIN[name]))
    assert emulator.requests() != []


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_complete_over_all_pages(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    emulator.patch({"tenants": [{"id": "tenant-2", "org_id": "org-contoso", "name": "Second"}]})
    expected = shop.run(lambda: look_up(name)(**PLAIN[name]))
    monkeypatch.setenv("DATAPROTECTION_PAGE_SIZE", "1")
    assert expected == shop.run(lambda: look_up(name)(**PLAIN[name]))


@pytest.mark.parametrize("name", [name for name in PLAIN if name not in BILLING])
def test_a_key_that_may_only_read_is_enough(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    expected = shop.run(lambda: look_up(name)(**PLAIN[name]))
    emulator.patch({"keys": [{"name": "Read-only", "permissions": ["read"]}]})
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.read_only_key)
    assert expected == shop.run(lambda: look_up(name)(**PLAIN[name]))


@pytest.mark.parametrize("name", BILLING)
def test_a_key_that_may_not_read_billing_data_ends_the_program_saying_so(
    shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    emulator.set_dialect("terse")
    emulator.patch({"keys": [{"name": "Read-only", "permissions": ["read"]}]})
    monkeypatch.setenv("DATAPROTECTION_API_KEY", emulator.read_only_key)
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: look_up(name)(**PLAIN[name]))
    expected = (
        "The application of the API key from DATAPROTECTION_API_KEY lacks the permission to read billing data: "
        "use a key that has it, and that is installed where this belongs"
    )
    assert expected == str(raised.value).partition(". ")[2]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_belongs_to_the_program_that_got_it(shop: Program, name: str) -> None:
    first = shop.run(lambda: look_up(name)(**PLAIN[name]))
    expected = [*first.items]
    first.items.clear()
    assert expected == shop.run(lambda: look_up(name)(**PLAIN[name])).items


def test_another_profile_is_asked_by_itself(shop: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = f'{{"second": {{"apiKey": "{emulator.read_only_key}", "baseUrl": "{emulator.url}"}}}}'
    monkeypatch.setenv("DATAPROTECTION_PROFILES", profiles)
    shop.run(lambda: [get_installations(profile=profile) for profile in (None, "second", None, "second")])
    assert ["Full access", "Read-only"] == [request["key"] for request in emulator.requests()]
