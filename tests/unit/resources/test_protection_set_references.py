"""How a protection set takes what its program names: in a preview, with all that is wrong at once."""

import pytest

from support import Emulator
from support.resources.contoso import GOLD, TENANT, change, name_of, policies, user
from support.resources.runs import told
from support.resources.servicer import UNKNOWN, Engine, Properties, Run, Servicer
from support.resources.sets import Sets, assigned, members


def failures(run: Run, inputs: Properties, olds: Properties | None = None) -> list[tuple[str, str]]:
    return run.protection_set.check(olds or {}, inputs).failures


@pytest.mark.parametrize("reference", ["chiara.rossi@contoso.example", "Chiara.Rossi@CONTOSO.example", "ext$usr-1010"])
def test_two_references_to_one_member_fail_and_name_each_other(run: Run, reference: str) -> None:
    ((name, reason),) = failures(run, members(user(10), reference, user(11)))
    assert "" == name, "the engine would print all members"
    assert "1 cannot be members: " in reason
    assert {user(10), reference} <= {*reason.replace('"', " ").replace(":", " ").replace(",", " ").split()}


def test_two_references_to_one_member_fail_though_they_ask_for_one_policy_each(run: Run) -> None:
    ((_, reason),) = failures(run, assigned({user(10): "Gold", "chiara.rossi@contoso.example": "Silver"}))
    assert f'means the same as "{user(10)}"' in reason or 'the same as "chiara.rossi@contoso.example"' in reason


def test_a_policy_that_does_not_exist_fails_and_says_which_there_are(run: Run) -> None:
    expected = (
        f'1 not to be found: no policy "Golden" in tenant {TENANT}; there are: "Bronze" (policy-contoso-bronze), '
        '"Gold" (policy-contoso-gold), "Silver" (policy-contoso-silver)'
    )
    assert [("", expected)] == failures(run, members(*map(user, range(9, 15)), policy="Golden"))


def test_policies_are_named_as_they_are_written(run: Run) -> None:
    ((_, reason),) = failures(run, assigned({user(9): "gold", user(10): "GOLD", user(11): "Gold", user(12): GOLD}))
    assert ('no policy "gold" ' in reason, 'no policy "GOLD" ' in reason, "2 not to be found" in reason) == (True,) * 3


def test_a_policy_whose_name_two_have_fails_and_names_both(run: Run, emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": "policy-2", "name": "Gold"}]})
    ((_, reason),) = failures(run, members(user(9), user(10)))
    assert '"Gold" means 2 policies' in reason
    assert ("policy-2" in reason, GOLD in reason) == (True, True)


def test_a_name_that_two_have_fails_and_names_both(run: Run) -> None:
    ((_, reason),) = failures(run, members(user(9), "support@contoso.example"))
    assert '"support@contoso.example" means 2 resources' in reason
    assert (user(30) in reason, "res-contoso-drive-11" in reason) == (True, True)


def test_a_name_that_two_have_fails_also_where_the_missing_are_skipped(run: Run) -> None:
    assert 1 == len(failures(run, members(user(9), "support@contoso.example", on_missing="warn")))


def test_all_that_is_wrong_is_told_at_once(run: Run) -> None:
    inputs = assigned({user(9): "Golden", "nobody": "Gold", user(29): "Gold", user(10): "Gold", user(1): "Gold"})
    found = "\n".join(reason for _, reason in failures(run, inputs))
    assert [True] * 4 == [part in found for part in ("Golden", "nobody", user(29), f"({user(1)}) is protected with")]


def test_the_first_20_of_many_are_named_in_order_and_the_others_counted(run: Run) -> None:
    names = [f"nobody-{number:02}" for number in range(30)]
    ((_, reason),) = failures(run, members(*reversed(names)))
    first, *lines = reason.splitlines()
    assert ("30 cannot be members:", [*names[:20], "and 10 more"]) == (
        first,
        [line.partition(":")[0].strip() for line in lines[:21]],
    )


def test_a_tenant_that_does_not_exist_fails_at_its_property(run: Run) -> None:
    assert ["tenant_id"] == [name for name, _ in failures(run, {**members(user(9)), "tenant_id": "tenant-nowhere"})]


def test_a_mailbox_that_is_renamed_keeps_its_id(sets: Sets, emulator: Emulator) -> None:
    program = members(name_of(emulator, 9), user(10))
    sets.up(people=program)
    change(emulator, user(9), name="married@contoso.example")
    emulator.clear_requests()
    assert {"people": "same"} == sets.up(people=program).steps
    assert [] == emulator.writes()


def test_a_policy_that_is_renamed_keeps_its_id(sets: Sets, emulator: Emulator) -> None:
    sets.up(people=members(user(9)))
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": GOLD, "name": "Platinum"}]})
    assert {"people": "same"} == sets.up(people=members(user(9))).steps


@pytest.mark.parametrize("reference", [user(9), "ext$usr-1009"])
def test_a_member_that_is_named_otherwise_and_is_the_same_is_not_written(
    sets: Sets, emulator: Emulator, reference: str
) -> None:
    sets.up(people=members(name_of(emulator, 9), user(10)))
    emulator.clear_requests()
    sets.up(people=members(reference, user(10)))
    assert [] == emulator.writes()
    assert {user(9): GOLD, user(10): GOLD} == sets.kept["people"].outs["protected"]


def test_a_newcomer_who_got_the_address_of_a_renamed_one_is_another_member(sets: Sets, emulator: Emulator) -> None:
    name = name_of(emulator, 9)
    sets.up(people=members(name))
    change(emulator, user(9), name="old@contoso.example")
    emulator.patch({"resources": [{**newcomer(name), "id": "res-newcomer"}]})
    assert "" == sets.up(people=members("old@contoso.example", name)).error
    expected = {user(9): GOLD, "res-newcomer": GOLD}
    assert expected == sets.kept["people"].outs["protected"]
    assert [[GOLD], [GOLD]] == [policies(emulator)[id] for id in expected]


def newcomer(name: str) -> Properties:
    return {"tenant_id": TENANT, "external_id": "usr-new", "name": name, "kind": "office_user", "archived": False}


@pytest.mark.parametrize("unknown", ["assignments", "tenant_id"])
def test_what_is_not_known_yet_is_let_pass(run: Run, emulator: Emulator, unknown: str) -> None:
    sent = {**members(user(9)), unknown: UNKNOWN}
    checked = run.protection_set.check({}, sent)
    assert ([], UNKNOWN) == (checked.failures, checked.inputs[unknown])
    assert [] == emulator.requests()


def test_a_policy_that_is_not_known_yet_is_let_pass_and_the_others_are_checked(run: Run) -> None:
    inputs = assigned({user(9): UNKNOWN, user(10): "Gold", "nobody": UNKNOWN})
    ((_, reason),) = failures(run, inputs)
    assert ("nobody" in reason, user(9) in reason) == (True, False)
    assert UNKNOWN == run.protection_set.check({}, inputs).inputs["assignments"][user(9)]


@pytest.mark.parametrize("unknown", ["on_conflict", "on_destroy", "on_missing", "max_removals", "profile"])
def test_a_choice_that_is_not_known_yet_is_let_pass(run: Run, unknown: str) -> None:
    assert [] == failures(run, {**members(user(9)), unknown: UNKNOWN})


@pytest.mark.parametrize(
    "news",
    [
        {**members(user(9)), "assignments": UNKNOWN},
        {**members(user(9)), "tenant_id": UNKNOWN},
        assigned({user(9): UNKNOWN}),
    ],
    ids=["members", "tenant", "policy"],
)
def test_a_preview_of_what_is_not_known_yet_shows_an_update(sets: Sets, emulator: Emulator, news: Properties) -> None:
    sets.up(people=members(user(9)))
    writes = len(emulator.writes())
    assert ({"people": "update"}, "") == ((turn := sets.preview(people=news)).steps, turn.error)
    assert writes == len(emulator.writes())


def test_who_gets_an_unknown_policy_is_not_counted_as_removed(sets: Sets) -> None:
    sets.up(people=members(*map(user, range(9, 21))))
    news = assigned(dict.fromkeys(map(user, range(9, 21)), UNKNOWN), max_removals=0)
    assert "" == sets.preview(people=news).error


def test_a_preview_without_checks_asks_nothing(hurried: Servicer, emulator: Emulator) -> None:
    sets = Sets(hurried, emulator, previewChecks="false")
    sets.up(people=members("Chiara.Rossi@contoso.example", user(9)))
    emulator.clear_requests()
    turns = [
        sets.preview(people=members("Chiara.Rossi@contoso.example", user(9))),
        sets.preview(people=members("nobody", "nothing", policy="Golden")),
        sets.preview(people=members(user(9)), others=members("chiara.rossi@contoso.example")),
        sets.preview(people={**members(user(9), max_removals="100%"), "tenant_id": "tenant-adatum"}),
    ]
    assert ["same", "update", "update", "replace"] == [turn.steps["people"] for turn in turns]
    assert [] == emulator.requests()


def test_a_preview_without_checks_needs_no_key(servicer: Servicer, engine: Engine) -> None:
    run = servicer.run({"previewChecks": "false"})
    inputs = run.protection_set.check({}, members(user(9))).inputs
    assert ("unknown", []) == run.protection_set.diff(TENANT, {**members(), "protected": {}, "adopted": {}}, inputs)
    assert [] == told(engine)
