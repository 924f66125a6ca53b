"""Few look-ups are read by themselves, many with the whole list, and memory is bounded."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest

from pulumi_dataprotection.client import Account, Client, Settings, TenantCache, errors
from pulumi_dataprotection.client.cache.listing import POINT_READS
from pulumi_dataprotection.client.records import Resource
from support import HANG, Emulator
from support.scripted import DrivenClock, Scripted, page, told

TENANT = "tenant-contoso"
SMALL = 5
"""So many items has a page, and a tenant has more."""


@pytest.fixture
def big(emulator: Emulator, clock: DrivenClock) -> Iterator[TenantCache]:
    """A tenant whose resources and protections do not fit on a page."""
    settings = Settings(emulator.api_key, emulator.url, calls_per_second=0, page_size=SMALL)
    with closing(Client(settings, clock=clock)) as client:
        yield Account(client).tenant(TENANT)


def asked(emulator: Emulator) -> list[str]:
    return [request["operation"] for request in emulator.requests()]


def user(number: int) -> str:
    return f"res-contoso-user-{number:02}"


def test_the_first_page_is_the_whole_list_where_it_is_the_last(live: Client, emulator: Emulator) -> None:
    view = Account(live).tenant(TENANT)
    for number in range(1, 20):
        view.items.find(user(number))
        view.protections.of(user(number))
    assert ["list_resources", "list_protections"] == asked(emulator)


def test_few_resources_of_a_big_tenant_are_read_by_themselves(big: TenantCache, emulator: Emulator) -> None:
    found = [big.items.find(user(number)).id for number in range(1, 8)]
    assert [user(number) for number in range(1, 8)] == found
    assert ["list_resources", *["get_resource"] * POINT_READS] == asked(emulator)


def test_from_the_eighth_on_the_whole_list_answers(big: TenantCache, emulator: Emulator) -> None:
    for number in range(1, 8):
        big.items.find(user(number))
    emulator.clear_requests()
    for number in range(8, 30):
        big.items.find(user(number))
    pages = -(-41 // SMALL)
    assert ["list_resources"] * pages == asked(emulator)


def test_few_protections_of_a_big_tenant_are_read_by_themselves(big: TenantCache, emulator: Emulator) -> None:
    found = [len(big.protections.of(user(number))) for number in range(1, 8)]
    assert [1] * POINT_READS == found
    assert [None, *[user(number) for number in range(1, 8)]] == [
        request["query"].get("resource_id") for request in emulator.requests()
    ]


def test_many_protections_of_a_big_tenant_are_listed(big: TenantCache, emulator: Emulator) -> None:
    on = {protection["resource_id"] for protection in emulator.state()["protections"]}
    for number in range(1, 29):
        assert bool(big.protections.of(user(number))) == (user(number) in on)
    pages = -(-len([one for one in emulator.state()["protections"] if one["tenant_id"] == TENANT]) // SMALL)
    assert 1 + POINT_READS + pages == len(emulator.requests())


def test_what_was_read_by_itself_is_not_read_again(big: TenantCache, emulator: Emulator) -> None:
    external_id = big.items.find(user(1)).external_id
    for _ in range(20):
        big.items.find("jane.doe@contoso.example", user(1))
        big.items.find(user(1))
        big.protections.of(user(1))
    assert 4 == len(emulator.requests())
    assert user(1) == big.items.find(f"ext${external_id}").id


@pytest.mark.parametrize("reference", ["jane.doe@contoso.example", "Sales Europe", "no such thing"])
def test_only_the_whole_list_knows_names_and_what_does_not_exist(big: TenantCache, reference: str) -> None:
    if reference == "no such thing":
        with pytest.raises(errors.ReferenceNotFoundError):
            big.items.find(reference)
    else:
        assert big.items.find(reference).name == reference


def test_a_known_resource_that_is_gone_is_looked_for_in_the_whole_list(big: TenantCache) -> None:
    assert user(1) == big.items.find("jane.doe@contoso.example", "res-gone").id


@pytest.mark.parametrize("status", [400, 404])
def test_an_id_that_the_service_refuses_is_looked_for_in_the_whole_list(
    client: Client, server: Scripted, status: int
) -> None:
    server.script(page(following="2"), told({}, status), page({"id": "r-1", "name": "x y"}))
    assert Resource(id="r-1", name="x y") == Account(client).tenant("t-1").items.find("x y")


def test_an_answer_about_another_resource_is_not_taken(client: Client, server: Scripted) -> None:
    server.script(page(following="2"), told({"id": "r-9", "external_id": "e-9"}), page({"id": "r-1"}))
    assert Resource(id="r-1") == Account(client).tenant("t-1").items.find("r-1")


def test_the_list_is_read_once_by_threads_that_look_for_different_things(big: TenantCache, emulator: Emulator) -> None:
    for number in range(1, 8):
        big.items.find(user(number))
    emulator.clear_requests()
    together = Barrier(4, timeout=HANG)

    def look(number: int) -> str:
        together.wait()
        return big.items.find(user(number)).id

    with ThreadPoolExecutor(4) as pool:
        assert [user(number) for number in range(8, 12)] == list(pool.map(look, range(8, 12)))
    assert ["list_resources"] * -(-41 // SMALL) == asked(emulator)


def test_a_failed_first_page_is_read_again(client: Client, server: Scripted) -> None:
    server.script(told({}, 403), page({"id": "r-1"}))
    view = Account(client).tenant("t-1")
    with pytest.raises(errors.ForbiddenError):
        view.items.find("r-1")
    assert Resource(id="r-1") == view.items.find("r-1")


def test_a_second_look_is_at_the_resource_alone_where_the_tenant_was_not_listed(
    client: Client, server: Scripted, clock: DrivenClock
) -> None:
    ours = {"id": "p-1", "resource_id": "r-1", "policy_id": "gold", "job_id": "j-1"}
    server.script(page(following="2"), page(), told({"id": "t-1"}), page(ours))
    found = Account(client).tenant("t-1").protections.proven("r-1")
    assert (["gold"], [5]) == ([protection.policy_id for protection in found], clock.waits)


def test_a_first_look_that_comes_late_needs_no_wait(client: Client, server: Scripted, clock: DrivenClock) -> None:
    server.script(page(following="2"), page(), page(), told({"id": "t-1"}), page())
    view = Account(client).tenant("t-1")
    view.protections.of("r-1")
    clock.sleep(5)
    assert [] == view.protections.proven("r-2")
    assert (5, [5]) == (len(server.requests), clock.waits)


@pytest.mark.parametrize(("max_records", "listings"), [(60, 3), (200, 2)], ids=["too many", "enough"])
def test_lists_that_were_used_longest_ago_are_dropped_where_there_is_too_much(
    live: Client, emulator: Emulator, max_records: int, listings: int
) -> None:
    account = Account(live, max_records=max_records)
    for tenant in (TENANT, "tenant-adatum", TENANT):
        account.tenant(tenant).items.all()
    assert ["list_resources"] * listings == asked(emulator)


def test_of_what_was_dropped_few_are_read_by_themselves(live: Client, emulator: Emulator) -> None:
    account = Account(live, max_records=1)
    view = account.tenant(TENANT)
    first = view.items.find(user(1))
    account.tenant("tenant-adatum").items.all()
    assert first == view.items.find(user(1))
    assert ["list_resources", "list_resources", "get_resource"] == asked(emulator)


def test_what_we_wrote_is_kept_where_the_list_is_dropped(live: Client, emulator: Emulator) -> None:
    account = Account(live, max_records=1)
    view = account.tenant(TENANT)
    (protection,) = view.protections.of(user(1))
    view.protections.remove(user(1), protection.policy_id)
    account.tenant("tenant-adatum").protections.all()
    assert [] == view.protections.of(user(1))
    assert ["list_protections"] * 2 == asked(emulator)


def test_tenants_that_take_turns_are_not_listed_again_and_again(emulator: Emulator) -> None:
    settings = Settings(emulator.api_key, emulator.url, calls_per_second=0, page_size=SMALL)
    with closing(Client(settings)) as client:
        account = Account(client, max_records=50)
        for number in range(1, 21):
            for tenant in ("contoso", "adatum"):
                account.tenant(f"tenant-{tenant}").items.find(f"res-{tenant}-user-{number:02}")
    calls = len(emulator.requests())
    assert calls <= 40 * 2, calls
