"""A refresh of a protection set: it sees what drifted, and takes nothing for gone that it cannot see."""

from collections import Counter
from collections.abc import Callable

import pytest

from support import Emulator
from support.resources.contoso import BRONZE, GOLD, SILVER, TENANT, name_of, policies, protect, unprotect, user
from support.resources.scripted import NOT_THE_SERVICE, Reply, ScriptedServer
from support.resources.servicer import OperationError, Servicer
from support.resources.sets import Sets, assigned, members

TEN = [user(number) for number in range(9, 19)]
LARGE = "tenant-0001"
EVERYONE = [f"res-{number:07}" for number in range(1, 101)]


def test_a_refresh_without_a_drift_changes_nothing(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=assigned({name_of(emulator, 9): "Gold", user(10): "Silver", user(1): SILVER}))
    assert {"people": "same"} == sets.refresh().steps


@pytest.mark.parametrize("page_size", ["1", "3", "500"])
def test_a_refresh_changes_exactly_what_drifted(hurried: Servicer, emulator: Emulator, page_size: str) -> None:
    sets = Sets(hurried, emulator, pageSize=page_size)
    by_name = name_of(emulator, 9)
    program = assigned({by_name: "Gold", **dict.fromkeys(TEN[1:], "Gold"), user(1): "Silver"})
    sets.up(people=program)
    inputs = sets.kept["people"].inputs
    unprotect(emulator, user(9), user(10))
    protect(emulator, BRONZE, user(11), user(1))
    protect(emulator, GOLD, user(20))
    assert {"people": "update"} == sets.refresh().steps
    kept = sets.kept["people"]
    assert (dict.fromkeys(TEN[3:], GOLD), {user(11): BRONZE, user(1): BRONZE}) == (
        kept.outs["protected"],
        kept.outs["adopted"],
    )
    assert kept.inputs["assignments"] == {**dict.fromkeys(TEN[3:], "Gold"), user(11): BRONZE, user(1): BRONZE}
    same = {name: value for name, value in inputs.items() if name not in {"assignments", "resource_ids", "policy_ids"}}
    assert same == {name: kept.inputs[name] for name in same}


def test_what_drifted_is_mended_by_the_next_up_and_nothing_else_is_written(sets: Sets, emulator: Emulator) -> None:
    program = assigned({name_of(emulator, 9): "Gold", **dict.fromkeys(TEN[1:], "Gold")})
    sets.up(people=program)
    unprotect(emulator, user(9))
    protect(emulator, BRONZE, user(10))
    sets.refresh()
    assert {"people": "update"} == sets.preview(people=program).steps
    emulator.clear_requests()
    assert {"people": "update"} == sets.up(people=program).steps
    assert {user(9), user(10)} == {request["path"].split("/")[-2] for request in emulator.writes()}
    assert {"people": "same"} == sets.up(people=program).steps
    assert dict.fromkeys(TEN, GOLD) == sets.kept["people"].outs["protected"]


def test_what_drifted_is_mended_where_nothing_is_checked_in_a_preview(hurried: Servicer, emulator: Emulator) -> None:
    sets = Sets(hurried, emulator, previewChecks="false")
    program = members(name_of(emulator, 9), name_of(emulator, 10))
    sets.up(people=program)
    unprotect(emulator, user(9))
    sets.refresh()
    assert {"people": "update"} == sets.up(people=program).steps
    assert [GOLD] == policies(emulator)[user(9)]
    assert {"people": "same"} == sets.up(people=program).steps


def test_a_drift_of_the_whole_set_keeps_the_set(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*TEN))
    unprotect(emulator, *TEN)
    sets.refresh()
    assert (TENANT, {}) == (sets.kept["people"].id, sets.kept["people"].outs["protected"])
    sets.up(people=members(*TEN))
    assert dict.fromkeys(TEN, GOLD) == sets.kept["people"].outs["protected"]


def test_a_refresh_of_what_an_earlier_one_saw_changes_nothing(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*TEN))
    unprotect(emulator, *TEN[:2])
    protect(emulator, SILVER, TEN[2])
    assert ["update", "same"] == [sets.refresh().steps["people"] for _ in range(2)]


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_the_order_of_a_list_is_no_drift(sets: Sets, emulator: Emulator, order: str) -> None:
    sets.up(people=members(*TEN, user(3)))
    emulator.set_dialect(page_order=order, page_fill="short")
    assert {"people": "same"} == sets.refresh().steps


def test_a_refresh_costs_the_pages_of_the_protections(hurried: Servicer, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, pageSize="20")
    sets.up(people={**members(*EVERYONE), "tenant_id": LARGE})
    emulator.clear_requests()
    sets.refresh()
    assert Counter(list_protections=5) == Counter(request["operation"] for request in emulator.requests())


def test_a_refresh_after_a_drift_costs_no_call_for_each_that_drifted(hurried: Servicer, emulator: Emulator) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, pageSize="20")
    sets.up(people={**members(*EVERYONE), "tenant_id": LARGE})
    unprotect(emulator, *EVERYONE[:40])
    emulator.clear_requests()
    sets.refresh()
    called = Counter(request["operation"] for request in emulator.requests())
    # The second listing is a page shorter.
    once = ("list_policies", "get_tenant", "get_resource_stats")
    assert {"list_protections": 3 + 3, "list_resources": 5, **dict.fromkeys(once, 1)} == called
    assert 60 == len(sets.kept["people"].outs["protected"])


FAILURES = [
    {"operation": "list_protections", "do": ["status:401"]},
    {"operation": "list_protections", "do": ["status:403"]},
    {"operation": "list_protections", "do": ["status:404"]},
    {"operation": "list_protections", "do": ["status:503"] * 8},
    {"operation": "list_protections", "do": ["reset"] * 8},
    {"operation": "list_protections", "do": [{"status": 200, "body": "<h1>Welcome</h1>", "content_type": "text/html"}]},
]


@pytest.mark.parametrize("fault", FAILURES, ids=lambda fault: str(fault["do"][0]))
def test_a_list_that_cannot_be_read_does_not_empty_the_state(
    sets: Sets, emulator: Emulator, fault: dict[str, object]
) -> None:
    sets.up(people=members(*TEN))
    kept = sets.kept["people"]
    with emulator.faults(fault):
        turn = sets.refresh()
    assert (True, kept) == (bool(turn.error), sets.kept["people"])


def test_a_tenant_that_is_gone_does_not_empty_the_state(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*TEN))
    kept = sets.kept["people"]
    emulator.patch({"tenants": [{"id": TENANT, "deleted": True}]})
    assert "The tenant is not there" in sets.refresh().error
    assert kept == sets.kept["people"]


@pytest.mark.parametrize("reply", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
@pytest.mark.parametrize("count", [3, 10])
def test_what_is_not_the_service_does_not_empty_the_state(hurried: Servicer, reply: Reply, count: int) -> None:
    outs = {**members(), "protected": dict.fromkeys(TEN[:count], GOLD), "adopted": {}, "schema_version": 1}
    with ScriptedServer(otherwise=reply) as server:
        wire = hurried.run({"apiKey": "key", "baseUrl": server.url}).protection_set
        calls: list[Callable[[], object]] = [
            lambda: wire.read(TENANT, outs, members(*TEN[:count])),
            lambda: wire.delete(TENANT, outs),
            lambda: wire.update(TENANT, outs, members(*TEN[: count - 1])),
        ]
        for call in calls:
            with pytest.raises(OperationError) as raised:
                call()
            assert raised.value.half_done is None or outs["protected"] == raised.value.half_done.outs["protected"]
        assert [] == server.writes


def test_odd_pages_are_no_drift(hurried: Servicer, emulator: Emulator) -> None:
    sets = Sets(hurried, emulator, pageSize="3")
    sets.up(people=members(*TEN))
    with emulator.faults({"operation": "list_protections", "do": ["doubled_item", "empty_page"]}):
        assert {"people": "same"} == sets.refresh().steps
