"""Which quota covers an item, what is free of it, and the licences that the new protections of a run need."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import Account, errors
from pulumi_dataprotection.client.records import (
    UNLIMITED,
    Quota,
    ResourceStats,
    ResourceStatsDetailedEntry,
    ResourceTenantStats,
)
from pulumi_dataprotection.core.licences import (
    NewProtections,
    covering_quota,
    free_units,
    is_exceeded,
    read_quotas,
    with_use,
)
from support import Emulator
from support.resources.contoso import TENANT
from support.resources.scripted import NOT_THE_SERVICE, Reply, Serve, reply

Open = Callable[..., Account]
QUOTAS = f"GET /api/v1/tenants/{TENANT}/quotas"
STATISTICS = f"GET /api/v1/tenants/{TENANT}/resources/statistics/summary"


def statistics(**protected: int) -> ResourceStats:
    entries = [ResourceStatsDetailedEntry(kind=kind, count=99, protected_count=n) for kind, n in protected.items()]
    return ResourceStats(tenants=[ResourceTenantStats(tenant_id=TENANT, resource_details=entries)])


def quotas_of(*kinds: str) -> list[Quota]:
    return [Quota(kind=kind, limit=10, units="GB" if kind == "storage" else "") for kind in kinds]


@pytest.mark.parametrize(
    ("kind", "kinds", "expected"),
    [
        ("office_user", ["resource", "storage"], "resource"),
        ("office_teamdrive", ["resource", "storage"], "resource"),
        ("office_user", ["resource", "user"], "user"),
        ("office_user", ["resource", "user", "office_user"], "office_user"),
        ("office_user", ["resource", "Office_User"], "Office_User"),
        ("office_teamdrive", ["user"], None),
        ("office_user", ["node", "virtual machine"], None),
        ("office_user", ["resource", "resource"], None),
        ("office_user", ["resource", "user", "User"], None),
        ("storage", ["storage"], None),
        (None, ["resource", "user"], "resource"),
        ("", ["user"], None),
        ("", [""], None),
    ],
)
def test_the_nearest_quota_covers_an_item(kind: str | None, kinds: Sequence[str], expected: str | None) -> None:
    found = covering_quota(kind, quotas_of(*kinds))
    assert expected == (found and found.kind)


NUMBERS: dict[str, tuple[Quota, int | None, bool | None]] = {
    "enough": (Quota(limit=10, used=4), 6, False),
    "used up": (Quota(limit=10, used=10), 0, False),
    "exceeded": (Quota(limit=10, used=12), 0, True),
    "exceeded as the service says": (Quota(limit=10, used=9, exceeded=True), 1, True),
    "not exceeded as the service says": (Quota(limit=10, used=12, exceeded=False), 0, False),
    "nothing allowed": (Quota(limit=0, used=0), 0, False),
    "unlimited": (Quota(limit=UNLIMITED, used=9_999), None, False),
    "no limit": (Quota(used=4), None, None),
    "a limit below zero": (Quota(limit=-1, used=4), None, None),
    "unknown use": (Quota(limit=10), None, None),
}


@pytest.mark.parametrize(("quota", "free", "exceeded"), NUMBERS.values(), ids=NUMBERS)
def test_the_free_units_are_between_use_and_limit(quota: Quota, free: int | None, *, exceeded: bool | None) -> None:
    assert (free, exceeded) == (free_units(quota), is_exceeded(quota))


@given(limit=st.integers(0, UNLIMITED), used=st.integers(0, 2**63 - 1))
def test_a_quota_has_free_units_or_is_exceeded_or_is_just_used_up(limit: int, used: int) -> None:
    quota = Quota(limit=limit, used=used)
    free = free_units(quota)
    assert (free is None) == quota.unlimited
    if free is not None:
        assert used + free == max(limit, used)
        assert is_exceeded(quota) == (used > limit)


def test_a_use_that_the_service_does_not_state_is_counted() -> None:
    stated = [Quota(kind="resource", limit=50), Quota(kind="user", limit=9), Quota(kind="storage", limit=5, units="GB")]
    found = with_use([*stated, Quota(kind="node", limit=1)], statistics(office_user=8, office_teamdrive=2, group=3))
    assert [5, 8, None, None] == [quota.used for quota in found]
    assert [2] == [quota.used for quota in with_use([Quota(kind="user", limit=9, used=2)], statistics(office_user=8))]
    seats = [Quota(kind="user", limit=9)]
    assert [8] == [quota.used for quota in with_use(seats, statistics(office_user=8, office_teamdrive=2))]
    assert [None] == [quota.used for quota in with_use(quotas_of("resource"), ResourceStats())]


@pytest.mark.parametrize(
    ("preset", "expected"), [("published", 0), ("plain", 0), ("terse", 1), ("foreign", 0)], ids=str
)
def test_each_dialect_has_the_same_use(emulator: Emulator, open_account: Open, preset: str, expected: int) -> None:
    emulator.set_dialect(preset)
    resource, storage = read_quotas(open_account(), TENANT)
    assert ("resource", 10, 50, 40) == (resource.kind, resource.used, resource.limit, free_units(resource))
    assert ("storage", 2048, "GB") == (storage.kind, storage.limit, storage.units)
    assert ["get_tenant_quotas", *["get_resource_stats"] * expected] == emulator.operations()


@pytest.mark.parametrize("answer", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
def test_a_service_without_statistics_leaves_the_use_unknown(serve: Serve, answer: Reply) -> None:
    quotas = reply(200, {"quotas": [{"kind": "resource", "count": "59", "units": ""}]})
    _, account = serve({QUOTAS: [quotas], STATISTICS: [answer]})
    if answer.status == 401:
        with pytest.raises(errors.UnauthenticatedError):
            read_quotas(account, TENANT)
    else:
        (quota,) = read_quotas(account, TENANT)
        assert (None, 59, None) == (quota.used, quota.limit, free_units(quota))


# The new protections of a run.


def add(new: NewProtections, account: Account, **kinds: str) -> str:
    return new.add(account, TENANT, kinds)


def set_quota(emulator: Emulator, used: int, limit: int, kind: str = "resource", **fields: str) -> None:
    quota = {"tenant_id": TENANT, "kind": kind, "count": str(limit), "used": str(used), **fields}
    emulator.patch({"quotas": [quota]})


def users(*numbers: int) -> Mapping[str, str]:
    return {f"user-{number}": "office_user" for number in numbers}


def test_the_missing_licences_are_stated_with_all_numbers(emulator: Emulator, open_account: Open) -> None:
    set_quota(emulator, 1_054, 1_059)
    assert (
        f"Too few licences in tenant {TENANT}: 40 to protect, 5 licences free (1,054 of 1,059 used) for the kind "
        '"resource". Add licences, or protect fewer items.'
    ) == add(NewProtections(), open_account(), **users(*range(40)))
    set_quota(emulator, 58, 59)
    assert "2 to protect, 1 licence free (58 of 59 used)" in add(NewProtections(), open_account(), **users(1, 2))


@pytest.mark.parametrize(
    ("used", "limit", "short"), [(54, 59, False), (55, 59, True), (60, 59, True), (0, UNLIMITED, False), (9, 0, True)]
)
def test_licences_are_missing_if_more_items_are_new_than_licences_are_free(
    emulator: Emulator, open_account: Open, used: int, limit: int, *, short: bool
) -> None:
    set_quota(emulator, used, limit)
    assert short == bool(add(NewProtections(), open_account(), **users(1, 2, 3, 4, 5)))


def test_items_add_up_and_each_counts_once_and_the_quotas_are_read_once(emulator: Emulator, open_account: Open) -> None:
    set_quota(emulator, 57, 59)
    new, account = NewProtections(), open_account()
    assert ["", "", ""] == [add(new, account, **users(*numbers)) for numbers in ([1], [1], [2, 1])]
    assert "3 to protect, 2 licences free" in add(new, account, drive="office_teamdrive")
    assert "3 to protect" in add(new, account, **users(2))
    assert ["get_tenant_quotas"] == emulator.operations()


def test_tenants_do_not_add_up(emulator: Emulator, open_account: Open) -> None:
    set_quota(emulator, 58, 59)
    new, account = NewProtections(), open_account()
    assert ("", "") == (new.add(account, TENANT, users(1)), new.add(account, "tenant-adatum", users(2, 3)))


def test_each_kind_has_its_own_licences(emulator: Emulator, open_account: Open) -> None:
    set_quota(emulator, 8, 8, "office_user")
    set_quota(emulator, 2, 2, "teamdrive")
    text = add(NewProtections(), open_account(), **users(1, 2), drive="office_teamdrive", group="group")
    assert '2 to protect, 0 licences free (8 of 8 used) for the kind "office_user"; 1 to protect' in text
    assert '(2 of 2 used) for the kind "teamdrive"' in text
    assert '"resource"' not in text


def test_names_of_the_service_are_shown_safely(serve: Serve) -> None:
    kind = "user\x1b[31m\n::error::"
    _, account = serve({QUOTAS: [reply(200, {"quotas": [{"kind": kind, "limit": "1", "used": "1"}]})]})
    text = add(NewProtections(), account, jane=kind)
    assert ("\\u001b" in text, "\x1b" in text, "\n" in text) == (True, False, False)


NO_COMPARISON: dict[str, Sequence[object]] = {
    "no quota": [],
    "no covering quota": [{"kind": "node", "limit": "1", "used": "1"}],
    "two quotas": [{"kind": "resource", "limit": "1", "used": "1"}] * 2,
    "storage": [{"kind": "resource", "limit": "1", "used": "1", "units": "GB"}],
    "storage and seats": [
        {"kind": "resource", "limit": "1", "used": "1", "units": "GB"},
        {"kind": "resource", "limit": "9", "used": "1"},
    ],
    "no limit": [{"kind": "resource", "used": "1"}],
    "no use": [{"kind": "resource", "limit": "1"}],
}


@pytest.mark.parametrize("quotas", NO_COMPARISON.values(), ids=NO_COMPARISON)
def test_unclear_quotas_are_not_compared(serve: Serve, quotas: Sequence[object]) -> None:
    _, account = serve({QUOTAS: [reply(200, {"quotas": quotas})]})
    assert "" == add(NewProtections(), account, **users(1, 2))


@pytest.mark.parametrize("answer", [*NOT_THE_SERVICE.values(), reply(501), reply(200, {"quotas": "many"})])
def test_quotas_that_cannot_be_read_are_asked_for_once(serve: Serve, answer: Reply) -> None:
    server, account = serve({QUOTAS: [answer]})
    new = NewProtections()
    assert ["", ""] == [add(new, account, **users(number)) for number in (1, 2)]
    before = len(server.requests)
    assert "" == add(new, account, **users(3))
    assert before == len(server.requests)
