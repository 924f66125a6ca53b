"""The life of a protection set on each variant of the service, and behind reads that lag."""

from collections.abc import Iterator

import pytest

from pulumi_dataprotection.emulator.dialect.presets import PRESETS
from support import Emulator
from support.resources.arguments import assigned
from support.resources.contoso import BRONZE, GOLD, SILVER, change, name_of, policies, protect, unprotect, user
from support.resources.effects import moments_without_policy
from support.resources.servicer import Servicer
from support.resources.sets import Sets

LAG = 0.4


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """A provider process that knows how long reads lag behind."""
    log = tmp_path_factory.mktemp("patient") / "log"
    with Servicer(log, variables={"DATAPROTECTION_READ_LAG": str(LAG + 0.1)}) as servicer:
        yield servicer


def live(sets: Sets, emulator: Emulator, second_policy: str) -> None:
    """Create a set, change it, let it drift, refresh, fix, shrink and destroy it."""
    before = policies(emulator)
    named = name_of(emulator, 9)
    first = {named: "Gold", "ext$usr-1010": "Gold", **dict.fromkeys(map(user, range(11, 21)), "Gold"), user(1): SILVER}
    on = {**dict.fromkeys(map(user, range(9, 21)), GOLD), user(1): SILVER}
    up(sets, emulator, first, on)
    assert {user(1): SILVER} == sets.adopted()

    second = {**first, named: "Silver", user(12): "Bronze", user(13): "Silver"}
    on |= {user(9): SILVER, user(12): BRONZE, user(13): SILVER}
    assert "" == sets.up(people=assigned(second, max_removals=8)).error
    one_moment = second_policy in {"invalid_argument", "conflict"}
    for id in (user(9), user(12), user(13)):
        assert one_moment == moments_without_policy(emulator, id, [GOLD], second_policy)
    up(sets, emulator, second, on)

    unprotect(emulator, user(9), user(14))
    protect(emulator, BRONZE, user(15))
    change(emulator, user(16), name="renamed@contoso.example")
    assert "" == sets.refresh().error
    expected = {id: policy for id, policy in on.items() if id not in {user(9), user(14)}} | {user(15): BRONZE}
    assert expected == {**sets.protected(), **sets.adopted()}
    up(sets, emulator, second, on)

    left = {named: "Silver", **dict.fromkeys(map(user, range(13, 17)), "Gold"), user(1): "Silver"}
    on = {user(9): SILVER, **dict.fromkeys(map(user, range(13, 17)), GOLD), user(1): SILVER}
    up(sets, emulator, left, on)
    assert {"people": "delete"} == sets.destroy().steps
    assert before == policies(emulator)


def up(sets: Sets, emulator: Emulator, assignments: dict[str, str], on: dict[str, str]) -> None:
    """Carry out assignments; after that nothing is left to do, and service and state have the policies."""
    program = assigned(assignments, max_removals=8)
    assert "" == sets.preview(people=program).error
    sets.converge(people=program)
    assert on == {**sets.protected(), **sets.adopted()}
    users = {user(number) for number in (1, *range(9, 21))}
    assert on == {id: one for id, (one, *_) in policies(emulator).items() if id in users}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_set_lives_under_each_preset(sets: Sets, emulator: Emulator, preset: str) -> None:
    emulator.set_dialect(preset, read_lag=0)
    live(sets, emulator, PRESETS[preset].second_policy)


@pytest.mark.parametrize("second_policy", ["invalid_argument", "replaces", "adds"])
def test_a_set_lives_behind_reads_that_lag(patient: Servicer, emulator: Emulator, second_policy: str) -> None:
    emulator.set_dialect(second_policy=second_policy, read_lag=LAG)
    live(Sets(patient, emulator), emulator, second_policy)
