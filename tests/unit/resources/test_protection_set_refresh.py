"""A refresh of a protection set: it sees drift, and never forgets a member because of an answer it cannot trust."""

from collections import Counter

import pytest

from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import BRONZE, GOLD, SILVER, TENANT, name_of, protect, unprotect, user
from support.resources.servicer import Servicer
from support.resources.sets import Sets

TEN = [user(number) for number in range(9, 19)]
EVERYONE = [f"res-{number:07}" for number in range(1, 101)]


def test_a_refresh_without_drift_changes_nothing(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=assigned({name_of(emulator, 9): "Gold", user(10): "Silver", user(1): SILVER}))
    assert {"people": "same"} == sets.refresh().steps


@pytest.mark.parametrize("page_size", ["1", "3", "500"])
def test_a_refresh_changes_exactly_what_drifted(hurried: Servicer, emulator: Emulator, page_size: str) -> None:
    sets = Sets(hurried, emulator, pageSize=page_size)
    sets.up(people=assigned({name_of(emulator, 9): "Gold", **dict.fromkeys(TEN[1:], "Gold"), user(1): "Silver"}))
    inputs = sets.kept["people"].inputs
    unprotect(emulator, user(9), user(10))
    protect(emulator, BRONZE, user(11), user(1))
    protect(emulator, GOLD, user(20))
    assert ["update", "same"] == [sets.refresh().steps["people"] for _ in range(2)]
    others = {user(11): BRONZE, user(1): BRONZE}
    assert (dict.fromkeys(TEN[3:], GOLD), others) == (sets.protected(), sets.adopted())
    kept = sets.kept["people"].inputs
    assert kept["assignments"] == {**dict.fromkeys(TEN[3:], "Gold"), **others}
    same = {name: value for name, value in inputs.items() if name not in {"assignments", "resource_ids", "policy_ids"}}
    assert same == {name: kept[name] for name in same}


def test_drift_of_all_members_keeps_the_set(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(*TEN))
    unprotect(emulator, *TEN)
    sets.refresh()
    assert (TENANT, {}) == (sets.kept["people"].id, sets.protected())
    sets.up(people=members(*TEN))
    assert dict.fromkeys(TEN, GOLD) == sets.protected()


ONCE = dict.fromkeys(("list_policies", "get_tenant", "get_resource_stats"), 1)


@pytest.mark.parametrize(
    ("drifted", "calls"),
    # The second listing of the protections is a page shorter.
    [(0, {"list_protections": 5}), (40, {"list_protections": 3 + 3, "list_resources": 5, **ONCE})],
)
def test_a_refresh_costs_pages_and_no_call_for_each_member(
    hurried: Servicer, emulator: Emulator, drifted: int, calls: dict[str, int]
) -> None:
    emulator.reset("large:1x100")
    sets = Sets(hurried, emulator, pageSize="20")
    sets.up(people={**members(*EVERYONE), "tenant_id": "tenant-0001"})
    unprotect(emulator, *EVERYONE[:drifted])
    assert calls == Counter(sets.refresh().operations)
    assert 100 - drifted == len(sets.protected())
