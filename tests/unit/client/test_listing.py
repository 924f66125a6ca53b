"""A few items of a long list are read one by one, more with the whole list, and memory is limited."""

import gc
from collections.abc import Callable
from threading import Thread

import pytest

from pulumi_dataprotection.client import Account, Client, TenantCache, errors
from pulumi_dataprotection.client.cache import listing
from pulumi_dataprotection.client.cache.listing import POINT_READS
from pulumi_dataprotection.client.records import Resource
from support import Emulator, until
from support.client.examples import THREADS, at_the_same_time
from support.client.tenants import RESOURCES, Serve, item
from support.scripted import Connect, Reply, Scripted, page, told

TENANT = "tenant-contoso"
PAGE_SIZE = 5
"""Fewer items than the tenant has."""

ALL_PAGES = ["list_resources"] * -(-41 // PAGE_SIZE)


@pytest.fixture
def big(emulator: Emulator, connect: Connect) -> TenantCache:
    """A tenant whose resources and protections need several pages."""
    return Account(connect(emulator.url, api_key=emulator.api_key, page_size=PAGE_SIZE)).tenant(TENANT)


def user(number: int) -> str:
    return f"res-contoso-user-{number:02}"


def test_a_list_of_one_page_answers_all_reads(contoso: TenantCache, emulator: Emulator) -> None:
    for number in range(1, 20):
        contoso.items.find(user(number))
        contoso.protections.of(user(number))
    assert ["list_resources", "list_protections"] == emulator.operations()


def test_the_first_7_resources_of_a_big_tenant_are_read_one_by_one(big: TenantCache, emulator: Emulator) -> None:
    found = [big.items.find(user(number)).id for number in range(1, 30)]
    assert [user(number) for number in range(1, 30)] == found
    assert ["list_resources", *["get_resource"] * POINT_READS, *ALL_PAGES] == emulator.operations()


def test_the_first_7_protections_of_a_big_tenant_are_read_one_by_one(big: TenantCache, emulator: Emulator) -> None:
    protections = emulator.state()["protections"]
    protected = {protection["resource_id"] for protection in protections}
    for number in range(1, 29):
        assert (user(number) in protected) == bool(big.protections.of(user(number)))
    pages = -(-len([protection for protection in protections if protection["tenant_id"] == TENANT]) // PAGE_SIZE)
    expected = [None, *[user(number) for number in range(1, 1 + POINT_READS)], *[None] * pages]
    assert expected == [request["query"].get("resource_id") for request in emulator.requests()]


def test_a_single_item_is_not_read_again(big: TenantCache, emulator: Emulator) -> None:
    external_id = big.items.find(user(1)).external_id
    for _ in range(20):
        big.items.find("jane.doe@contoso.example", user(1))
        big.items.find(user(1))
        big.protections.of(user(1))
    assert 4 == len(emulator.requests())
    assert user(1) == big.items.find(f"ext${external_id}").id


def test_the_whole_list_knows_names_and_items_that_do_not_exist(big: TenantCache) -> None:
    assert user(1) == big.items.find("jane.doe@contoso.example", "res-gone").id
    with pytest.raises(errors.ReferenceNotFoundError):
        big.items.find("no such item")


@pytest.mark.parametrize(
    "single", [told({}, 400), told({}, 404), told({"id": "r-9", "external_id": "e-9"})], ids=["400", "404", "another"]
)
def test_the_list_decides_if_a_single_read_fails(account: Account, server: Scripted, single: Reply) -> None:
    server.script(page(following="2"), single, page({"id": "r-1", "name": "x y"}))
    assert Resource(id="r-1", name="x y") == account.tenant("t-1").items.find("x y")


def test_threads_with_different_references_share_the_read_of_the_list(big: TenantCache, emulator: Emulator) -> None:
    for number in range(1, 1 + POINT_READS):
        big.items.find(user(number))
    emulator.clear_requests()
    numbers = iter(range(8, 8 + THREADS))
    found = at_the_same_time(lambda: big.items.find(user(next(numbers))).id)
    assert [user(number) for number in range(8, 8 + THREADS)] == sorted(found)
    assert ALL_PAGES == emulator.operations()


@pytest.mark.parametrize(("max_records", "listings"), [(60, 3), (200, 2)], ids=["too many", "few"])
def test_the_oldest_list_is_dropped(live: Client, emulator: Emulator, max_records: int, listings: int) -> None:
    account = Account(live, max_records=max_records)
    for tenant in (TENANT, "tenant-adatum", TENANT):
        account.tenant(tenant).items.all()
    assert ["list_resources"] * listings == emulator.operations()


def test_a_few_items_of_a_dropped_list_are_read_one_by_one(live: Client, emulator: Emulator) -> None:
    account = Account(live, max_records=1)
    tenant = account.tenant(TENANT)
    first = tenant.items.find(user(1))
    account.tenant("tenant-adatum").items.all()
    assert first == tenant.items.find(user(1))
    assert ["list_resources", "list_resources", "get_resource"] == emulator.operations()


def test_a_write_outlives_a_dropped_list(live: Client, emulator: Emulator) -> None:
    account = Account(live, max_records=1)
    tenant = account.tenant(TENANT)
    (protection,) = tenant.protections.of(user(1))
    tenant.protections.remove(user(1), protection.policy_id)
    account.tenant("tenant-adatum").protections.all()
    assert ([], ["list_protections"] * 2) == (tenant.protections.of(user(1)), emulator.operations())


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_has_its_former_state_after_a_read(serve: Serve, *, enabled: bool) -> None:
    tenant, _ = serve({RESOURCES: [page(item(1))]})
    if not enabled:
        gc.disable()
    try:
        tenant.items.all()
        assert enabled == gc.isenabled()
    finally:
        gc.enable()


def test_many_expected_lookups_list_protections_ahead(contoso: TenantCache, emulator: Emulator) -> None:
    with emulator.faults({"operation": "list_protections", "do": ["stall:3600"]}):
        contoso.expect_lookups(POINT_READS + 1)
        until(lambda: ["list_protections"] == emulator.operations())
        assert user(1) == contoso.items.find(user(1)).id
        emulator.clear_faults()
    assert 10 == len(contoso.protections.all())
    assert ["list_protections", "list_resources"] == emulator.operations()


def test_a_list_that_a_reader_read_before_the_thread_began_is_read_once(
    contoso: TenantCache, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []

    def late(*, target: Callable[[], None], name: str, daemon: bool) -> Thread:
        waiting.append(target)
        return Thread(name=name, daemon=daemon)

    monkeypatch.setattr(listing, "Thread", late)
    contoso.expect_lookups(POINT_READS + 1)
    contoso.protections.all()
    waiting[0]()
    assert ["list_protections"] == emulator.operations()


def test_a_list_that_is_read_ahead_can_be_awaited(contoso: TenantCache, emulator: Emulator) -> None:
    protections = contoso.protections
    protections.end_read_ahead()
    with emulator.faults({"operation": "list_protections", "do": ["status:403"]}):
        protections.read_ahead()
        protections.end_read_ahead()
    assert ["list_protections"] == emulator.operations()


def test_the_next_reader_gets_the_error_of_a_read_ahead(contoso: TenantCache, emulator: Emulator) -> None:
    with emulator.faults({"operation": "list_protections", "do": ["status:403"]}):
        contoso.expect_lookups(POINT_READS + 1)
        until(lambda: ["list_protections"] == emulator.operations())
        with pytest.raises(errors.ForbiddenError):
            contoso.protections.all()
    assert 10 == len(contoso.protections.all())
