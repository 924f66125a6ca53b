"""The references of a protection set: a preview resolves them, and reports all problems together."""

import pytest

from support import Emulator
from support.resources.arguments import assigned, members
from support.resources.contoso import BRONZE, GOLD, SILVER, TENANT, name_of, user
from support.resources.servicer import UNKNOWN, Engine, Properties, Run, Servicer, assert_names
from support.resources.sets import Sets

CHIARA = "chiara.rossi@contoso.example"
SHARED = "support@contoso.example"
"""The name of a user and of a drive."""


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        *(
            (members(user(10), reference, user(11)), ["1 cannot be members: ", user(10), reference])
            for reference in (CHIARA, CHIARA.title(), "ext$usr-1010")
        ),
        (assigned({user(10): "Gold", CHIARA: "Silver"}), [user(10), CHIARA]),
        (members(*map(user, range(9, 15)), policy="Golden"), ["1 ", '"Golden"', TENANT]),
        (members(user(9), policy="Golden"), [f'"Bronze" ({BRONZE})', f'"Gold" ({GOLD})', f'"Silver" ({SILVER})']),
        (
            assigned({user(9): "gold", user(10): "GOLD", user(11): "Gold", user(12): GOLD}),
            ["2 not", '"gold"', '"GOLD"'],
        ),
        (members(user(9), SHARED), [f'"{SHARED}" means 2', user(30), "res-contoso-drive-11"]),
        (members(user(9), SHARED, on_missing="warn"), [f'"{SHARED}" means 2']),
    ],
)
def test_a_wrong_reference_fails_with_all_names(run: Run, inputs: Properties, names: list[str]) -> None:
    checked = run.protection_set.check({}, inputs)
    assert [""] == checked.names, "the engine would print all members"
    assert_names(checked.reason, *names)


def test_problems_of_all_kinds_are_reported_together(run: Run) -> None:
    inputs = assigned({user(9): "Golden", "nobody": "Gold", user(29): "Gold", user(10): "Gold", user(1): "Gold"})
    assert_names(run.protection_set.check({}, inputs).failures, "Golden", "nobody", user(29), f"({user(1)})", SILVER)


def test_a_failure_names_20_members_in_order_and_counts_the_others(run: Run) -> None:
    names = [f"nobody-{number:02}" for number in range(30)]
    first, *lines = run.protection_set.check({}, members(*reversed(names))).reason.splitlines()
    named = [line.partition(":")[0].strip() for line in lines[:21]]
    assert ("30 cannot be members:", [*names[:20], "and 10 more"]) == (first, named)


@pytest.mark.parametrize("reference", [user(9), "ext$usr-1009"])
def test_another_reference_to_the_same_member_writes_nothing(sets: Sets, emulator: Emulator, reference: str) -> None:
    sets.up(people=members(name_of(emulator, 9), user(10)))
    assert [] == sets.up(people=members(reference, user(10))).written
    assert {user(9): GOLD, user(10): GOLD} == sets.protected()


def test_an_unknown_policy_passes_and_the_others_are_checked(run: Run) -> None:
    checked = run.protection_set.check({}, assigned({user(9): UNKNOWN, user(10): "Gold", "nobody": UNKNOWN}))
    assert ("nobody" in checked.reason, user(9) in checked.reason) == (True, False)
    assert UNKNOWN == checked.inputs["assignments"][user(9)]


@pytest.mark.parametrize(
    "news",
    [{**members(), "assignments": UNKNOWN}, {**members(user(9)), "tenant_id": UNKNOWN}, assigned({user(9): UNKNOWN})],
    ids=["members", "tenant", "policy"],
)
def test_a_preview_of_an_unknown_argument_shows_an_update(sets: Sets, news: Properties) -> None:
    sets.up(people=members(user(9)))
    outcome = sets.preview(people=news)
    assert ({"people": "update"}, "") == (outcome.steps, outcome.error)


def test_a_member_with_an_unknown_policy_does_not_count_as_removed(sets: Sets) -> None:
    sets.up(people=members(*map(user, range(9, 21))))
    news = assigned(dict.fromkeys(map(user, range(9, 21)), UNKNOWN), max_removals=0)
    assert "" == sets.preview(people=news).error


@pytest.mark.parametrize(
    ("program", "step"),
    [
        ({"people": members(CHIARA.title(), user(9))}, "same"),
        ({"people": members("nobody", "nothing", policy="Golden")}, "update"),
        ({"people": members(user(9)), "others": members(CHIARA)}, "update"),
        ({"people": {**members(user(9), max_removals="100%"), "tenant_id": "tenant-adatum"}}, "replace"),
    ],
)
def test_an_offline_preview_calls_nothing(offline_sets: Sets, program: dict[str, Properties], step: str) -> None:
    offline_sets.up(people=members(CHIARA.title(), user(9)))
    outcome = offline_sets.preview(**program)
    assert (step, []) == (outcome.steps["people"], outcome.operations)


def test_an_offline_preview_needs_no_key(servicer: Servicer, engine: Engine) -> None:
    run = servicer.run(previewChecks="false")
    inputs = run.protection_set.check({}, members(user(9))).inputs
    assert ("unknown", []) == run.protection_set.diff(TENANT, {**members(), "protected": {}, "adopted": {}}, inputs)
    assert [] == engine.messages
