"""The protections of a tenant: kept up with writes, and missing only with evidence."""

from itertools import repeat

import pytest

from pulumi_dataprotection.client import Account, Client, TenantCache, calls, errors
from pulumi_dataprotection.client._transport.retry import MAX_ATTEMPTS
from pulumi_dataprotection.client.cache.listing import MAX_PROOFS
from pulumi_dataprotection.client.records import Protection
from support import Emulator
from support.client.tenants import (
    EMPTY_OBJECT,
    FOUND_TENANT,
    GONE,
    PROTECTIONS,
    STATISTICS,
    Serve,
    last_parts,
    protection,
)
from support.resources.scripted import reply
from support.scripted import DrivenClock, Reply, Scripted, counted, html, page, told

LAG = 5
MANY = MAX_PROOFS + 5
OURS = Protection(id="p-1", resource_id="r-1", policy_id="gold", job_id="j-1")
GOLD = page(protection(1))
SEVENTY = page(*map(protection, range(70)))
MISSING = [f"gone-{number}" for number in range(MANY)]

PROTECTED = "res-contoso-user-01"
FREE = "res-contoso-user-20"
SILVER = "policy-contoso-silver"


@pytest.fixture
def tenant(account: Account) -> TenantCache:
    """A tenant of the scripted service."""
    return account.tenant("t-1")


def policies(protections: list[Protection]) -> list[str]:
    return [found.policy_id for found in protections]


def test_a_listed_protection_is_proven_by_one_read(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(GOLD)
    assert [OURS] == tenant.protections.proven("r-1")
    assert (["protections"], []) == (last_parts(server), clock.waits)


def test_an_unlisted_protection_is_read_after_a_lag(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(page(), FOUND_TENANT, GOLD)
    assert [OURS] == tenant.protections.proven("r-1") == tenant.protections.of("r-1")
    assert [] == tenant.protections.bare(["r-1"])
    assert (["protections", "t-1", "protections"], [LAG]) == (last_parts(server), clock.waits)


def test_a_few_missing_protections_are_read_each(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(GOLD, FOUND_TENANT, then=repeat(page()))
    for _ in range(2):
        assert [[]] * MAX_PROOFS == [tenant.protections.proven(f"gone-{number}") for number in range(MAX_PROOFS)]
    assert (2 + MAX_PROOFS, [LAG]) == (len(server.requests), clock.waits)


def test_many_missing_protections_are_listed_again(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(GOLD, FOUND_TENANT, *[page()] * MAX_PROOFS, GOLD, counted(1))
    assert [[]] * 100 == [tenant.protections.proven(f"gone-{number}") for number in range(100)]
    assert (4 + MAX_PROOFS, [LAG]) == (len(server.requests), clock.waits)


@pytest.mark.parametrize("reply", [html("404 page not found", 404), html("Log in", 200), told({})])
def test_a_protection_is_not_missing_for_another_service(tenant: TenantCache, server: Scripted, reply: Reply) -> None:
    server.script(page(), reply)
    with pytest.raises(errors.CallError):
        tenant.protections.proven("r-1")


def test_a_resource_of_a_long_list_is_read_alone(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(page(following="2"), page(), FOUND_TENANT, GOLD)
    assert (["gold"], [LAG]) == (policies(tenant.protections.proven("r-1")), clock.waits)


def test_a_late_first_read_needs_no_wait(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(page(following="2"), page(), page(), FOUND_TENANT, page())
    tenant.protections.of("r-1")
    clock.sleep(LAG)
    assert [] == tenant.protections.proven("r-2")
    assert (5, [LAG]) == (len(server.requests), clock.waits)


def test_an_empty_object_proves_nothing(serve: Serve) -> None:
    lists = [EMPTY_OBJECT, EMPTY_OBJECT, page(protection(1))]
    tenant, server = serve({PROTECTIONS: lists, STATISTICS: [counted(1)]})
    assert ["gold"] == policies(tenant.protections.proven("r-1"))
    assert ["protections", "t-1", "protections", "protections", "summary"] == last_parts(server)


@pytest.mark.parametrize(
    ("counts", "words"),
    [(counted(1), "0 of 1 "), (counted(60), "0 of 60 "), (reply(403), "no counts")],
    ids=["1", "60", "no counts"],
)
def test_an_empty_object_is_an_error_unless_the_counts_are_zero(serve: Serve, counts: Reply, words: str) -> None:
    tenant, _ = serve({PROTECTIONS: [EMPTY_OBJECT], STATISTICS: [counts]})
    with pytest.raises(errors.IncompleteListError, match=words):
        tenant.protections.proven("r-1")


def test_an_empty_object_is_an_empty_list_if_the_counts_confirm_it(serve: Serve) -> None:
    tenant, server = serve({PROTECTIONS: [EMPTY_OBJECT], STATISTICS: [counted(0)]})
    assert ["r-1", "r-2"] == tenant.protections.bare(["r-1", "r-2"])
    assert 1 == last_parts(server).count("summary")


def test_an_empty_object_does_not_show_the_effect_of_a_write(serve: Serve) -> None:
    tenant, _ = serve({PROTECTIONS: [page(protection(1)), EMPTY_OBJECT], STATISTICS: [counted(1)]})
    tenant.protections.of("r-1")
    assert ["gold"] == policies(tenant.protections.after_write("r-1"))


@pytest.mark.parametrize("counts", [counted(0), counted(70), counted(77), reply(403)])
def test_a_second_list_proves_many_missing_protections_unless_the_counts_differ(serve: Serve, counts: Reply) -> None:
    tenant, server = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counts]})
    assert MISSING == tenant.protections.bare(MISSING)
    assert ["protections", "t-1", "protections", "summary"] == last_parts(server)


@pytest.mark.parametrize("protected", [78, 100])
def test_a_second_list_is_an_error_if_the_counts_contradict_it(serve: Serve, protected: int) -> None:
    tenant, _ = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counted(protected)]})
    with pytest.raises(errors.IncompleteListError, match=f"70 of {protected} "):
        tenant.protections.bare(MISSING)


@pytest.mark.parametrize("protected", [0, 70, 77])
def test_a_complete_list_has_the_counts_as_its_witness(serve: Serve, protected: int) -> None:
    tenant, server = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counted(protected)]})
    assert 70 == len(tenant.protections.complete())
    assert ["protections", "summary"] == last_parts(server)


@pytest.mark.parametrize("first", [page(), EMPTY_OBJECT, page(*map(protection, range(3)))])
def test_a_list_that_lacks_protections_is_read_again_or_an_error(serve: Serve, first: Reply) -> None:
    tenant, _ = serve({PROTECTIONS: [first, SEVENTY], STATISTICS: [counted(70)]})
    assert 70 == len(tenant.protections.complete())
    tenant, _ = serve({PROTECTIONS: [first], STATISTICS: [counted(70)]})
    with pytest.raises(errors.IncompleteListError):
        tenant.protections.complete()


def test_an_empty_object_without_counts_is_not_a_complete_list(serve: Serve) -> None:
    tenant, _ = serve({PROTECTIONS: [EMPTY_OBJECT], STATISTICS: [reply(403)]})
    with pytest.raises(errors.IncompleteListError):
        tenant.protections.complete()
    tenant, _ = serve({PROTECTIONS: [page()], STATISTICS: [reply(403)]})
    assert [] == tenant.protections.complete()


def test_counts_that_lag_behind_the_list_are_read_once_more_after_the_lag(serve: Serve) -> None:
    tenant, server = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counted(100), counted(70)]})
    assert MISSING == tenant.protections.bare(MISSING)
    assert ["protections", "t-1", "protections", "summary", "protections", "summary"] == last_parts(server)


def test_a_second_list_with_the_protections_wins(serve: Serve) -> None:
    lists = [page(), page(*map(protection, range(MANY)))]
    tenant, _ = serve({PROTECTIONS: lists, STATISTICS: [counted(MANY)]})
    assert [] == tenant.protections.bare([f"r-{number}" for number in range(MANY)])


@pytest.mark.parametrize("counts", [counted(0), counted(70)])
def test_a_resource_without_a_policy_is_confirmed_by_the_counts_once(serve: Serve, counts: Reply) -> None:
    tenant, server = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counts]})
    for id in (*MISSING, *MISSING):
        tenant.protections.confirmed(id)
        assert [] == tenant.protections.of(id)
    assert ["protections", "summary"] == last_parts(server)


@pytest.mark.parametrize("short", [page(), page(*map(protection, range(3))), page(*map(protection, range(69)))])
def test_the_first_resources_that_a_short_list_lacks_are_read_alone(serve: Serve, short: Reply) -> None:
    tenant, server = serve({PROTECTIONS: [short, page(protection(69)), page()], STATISTICS: [counted(70)]})
    for id in ("r-69", "r-70"):
        tenant.protections.confirmed(id)
    assert (["gold"], []) == (policies(tenant.protections.of("r-69")), tenant.protections.of("r-70"))
    assert ["protections", "summary", "protections", "protections"] == last_parts(server)


def test_a_short_list_is_read_a_second_time_for_many_resources_and_then_counts(serve: Serve) -> None:
    alone = [page()] * MAX_PROOFS
    tenant, server = serve({PROTECTIONS: [page(), *alone, page(protection(69))], STATISTICS: [counted(70)]})
    for id in (*MISSING[:MAX_PROOFS], "r-69", "r-70", "r-71"):
        tenant.protections.confirmed(id)
    assert (["gold"], []) == (policies(tenant.protections.of("r-69")), tenant.protections.of("r-70"))
    assert ["protections", "summary", *["protections"] * (MAX_PROOFS + 1)] == last_parts(server)


def test_a_resource_of_a_long_list_is_confirmed_by_a_second_read(tenant: TenantCache, server: Scripted) -> None:
    server.script(page(following="2"), page(), GOLD)
    assert [] == tenant.protections.of("r-1")
    tenant.protections.confirmed("r-1")
    assert ["gold"] == policies(tenant.protections.of("r-1"))


@pytest.mark.parametrize("counts", [reply(403), reply(501), reply(502), html("Welcome", 200)])
@pytest.mark.parametrize("short", [page(), EMPTY_OBJECT])
def test_a_second_list_confirms_a_resource_without_a_policy_if_there_are_no_counts(
    serve: Serve, short: Reply, counts: Reply
) -> None:
    tenant, server = serve({PROTECTIONS: [short, SEVENTY], STATISTICS: [counts]})
    for id in ("r-69", "r-70", "r-71"):
        tenant.protections.confirmed(id)
    assert (["gold"], []) == (policies(tenant.protections.of("r-69")), tenant.protections.of("r-70"))
    # A failure is retried once only for all resources.
    asked = MAX_ATTEMPTS if counts.status == 502 else 1
    assert ["protections", *["summary"] * asked, "protections"] == last_parts(server)


def test_policies_that_many_lists_lack_are_read_alone_as_long_as_such_reads_find_more(serve: Serve) -> None:
    ids = [f"r-{number}" for number in range(MANY)]
    alone = [page(protection(number)) for number in range(MANY)]
    lists = [page(), *alone[:MAX_PROOFS], page(), *alone[MAX_PROOFS:]]
    tenant, _ = serve({PROTECTIONS: lists, STATISTICS: [counted(MANY)]})
    for id in ids:
        tenant.protections.confirmed(id)
        assert ["gold"] == policies(tenant.protections.of(id))


def test_a_proven_list_needs_no_other_witness(serve: Serve) -> None:
    tenant, server = serve({PROTECTIONS: [SEVENTY], STATISTICS: [counted(72)]})
    tenant.protections.bare(MISSING)
    proven_with = last_parts(server)
    tenant.protections.confirmed("r-70")
    assert proven_with == last_parts(server)


def test_an_assigned_policy_is_added_beside_others_and_only_once(tenant: TenantCache, server: Scripted) -> None:
    server.script(GOLD)
    silver = Protection(id="", resource_id="r-1", policy_id="silver")
    assert (silver, silver) == (tenant.protections.add(silver), tenant.protections.add(silver))
    assert OURS == tenant.protections.add(Protection(id="", resource_id="r-1", policy_id="gold"))
    assert ([OURS, silver], 1) == (tenant.protections.of("r-1"), len(server.requests))


def test_our_own_removal_needs_no_confirmation(tenant: TenantCache, server: Scripted) -> None:
    server.script(GOLD)
    tenant.protections.remove("r-1", "gold")
    tenant.protections.confirmed("r-1")
    assert ([], 1) == (tenant.protections.of("r-1"), len(server.requests))


def test_a_resource_that_does_not_exist_has_no_protections(tenant: TenantCache, server: Scripted) -> None:
    server.script(GONE, FOUND_TENANT, page())
    assert [] == tenant.protections.after_write("r-1")


def test_a_tenant_that_does_not_exist_is_an_error(tenant: TenantCache, server: Scripted) -> None:
    server.script(GONE, GONE)
    with pytest.raises(errors.NotFoundError):
        tenant.protections.after_write("r-1")


@pytest.mark.parametrize(
    ("lists", "expected", "queries"),
    [
        ([page(), page(protection(1))], ["gold"], [False, False]),
        ([page(protection(1)), page()], [], [False, False, True]),
        ([page(protection(1)), page(), page(protection(1))], ["gold"], [False, False, True]),
        ([page(protection(2), following="2"), page(), page(protection(1))], ["gold"], [False, True, True]),
    ],
    ids=["assigned", "removed", "short list", "long list"],
)
def test_an_early_read_is_repeated_after_the_lag(
    serve: Serve, clock: DrivenClock, lists: list[Reply], expected: list[str], queries: list[bool]
) -> None:
    tenant, server = serve({PROTECTIONS: [*lists]})
    tenant.protections.of("r-1")
    for _ in range(2):
        assert expected == policies(tenant.protections.after_lag("r-1"))
    assert expected == tenant.protections.policy_ids_on("r-1")
    assert (queries, [LAG]) == (["resource_id=r-1" in request.target for request in server.requests], clock.waits)


def test_a_write_counts_before_it_shows(tenant: TenantCache, server: Scripted, clock: DrivenClock) -> None:
    server.script(page())
    tenant.protections.add(OURS)
    assert ["gold"] == tenant.protections.policy_ids_on("r-1")
    assert [OURS] == tenant.protections.after_lag("r-1")
    assert (1, []) == (len(server.requests), clock.waits)


def test_a_fresh_read_replaces_listed_protections(contoso: TenantCache, live: Client, emulator: Emulator) -> None:
    contoso.protections.all()
    live.send(calls.protect_resource("tenant-contoso", FREE, policy_id=SILVER))
    live.send(calls.unprotect_resource("tenant-contoso", PROTECTED, policy_id=SILVER))
    emulator.clear_requests()
    assert ([SILVER], []) == tuple(policies(contoso.protections.after_write(id)) for id in (FREE, PROTECTED))
    assert ([SILVER], []) == tuple(policies(contoso.protections.of(id)) for id in (FREE, PROTECTED))
    assert [FREE, PROTECTED] == [request["query"].get("resource_id") for request in emulator.requests()]
    assert 10 == len(contoso.protections.all())


@pytest.mark.parametrize(
    ("resource_id", "policy_id", "left"), [(PROTECTED, SILVER, 9), (PROTECTED, "another", 10), (FREE, SILVER, 10)]
)
def test_a_removed_policy_is_forgotten_without_a_read(
    contoso: TenantCache, emulator: Emulator, resource_id: str, policy_id: str, left: int
) -> None:
    contoso.protections.remove(resource_id, policy_id)
    expected = 1 if (resource_id, policy_id) == (PROTECTED, "another") else 0
    assert (expected, left) == (len(contoso.protections.of(resource_id)), len(contoso.protections.all()))
    assert ["list_protections"] == emulator.operations()
