"""Odd turns that a run can take: refreshes within, late reads, somebody else at the same time."""

import contextlib
from collections.abc import Iterator
from contextlib import closing

import pytest

from pulumi_dataprotection.client import Account, Client, Settings
from support import Emulator
from support.history import policies_on
from support.resources.runs import GOLD, JANE, JANE_ID, SILVER, TENANT, called, inputs_of, protection, state, told
from support.resources.servicer import UNKNOWN, Engine, OperationError, Run, Servicer


def refreshed(run: Run, name: str = "jane") -> dict[str, object]:
    """Refresh a protection as the engine does: it asks afterwards how the old inputs differ from what was read."""
    wire = called(run.protection, name)
    found = wire.read(JANE_ID, state())
    wire.diff(JANE_ID, found.outs, inputs_of(state()))
    return found.outs


def test_a_destroy_that_refreshes_first_takes_the_policy_off(run: Run, emulator: Emulator) -> None:
    outs = refreshed(run)
    run.protection.delete(JANE_ID, outs)
    assert [] == policies_on(emulator, JANE)


def test_a_protection_renamed_in_an_up_that_refreshes_first_is_not_declared_twice(run: Run) -> None:
    refreshed(run, "old")
    assert [] == called(run.protection, "new").check({}, protection()).failures


@pytest.mark.parametrize("unknown", ["resource", "tenant_id"])
def test_what_moves_to_something_unknown_does_not_declare_what_it_leaves(run: Run, unknown: str) -> None:
    moving = called(run.protection, "moving")
    checked = moving.check(inputs_of(state()), {**protection(), unknown: UNKNOWN})
    moving.diff(JANE_ID, state(), checked.inputs)
    assert [] == called(run.protection, "new").check({}, protection()).failures


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servicer]:
    """A provider process that knows how long reads lag behind: the shared one takes it for nothing."""
    log = tmp_path_factory.mktemp("patient") / "log"
    with Servicer(log, variables={"DATAPROTECTION_READ_LAG": "2"}) as servicer:
        yield servicer


def settings(emulator: Emulator) -> dict[str, str]:
    return {"apiKey": emulator.api_key, "baseUrl": emulator.url}


def swapped(run: Run, emulator: Emulator) -> dict[str, object]:
    """The outputs of a policy that an earlier process swapped; reads do not show that yet."""
    emulator.set_dialect(read_lag=1.5)
    return run.protection.update(
        JANE_ID, state(), {**protection(policy="Gold"), "policy_id": GOLD, "resource_id": JANE}
    )


def test_a_policy_that_does_not_show_yet_is_taken_off(patient: Servicer, run: Run, emulator: Emulator) -> None:
    patient.run(settings(emulator)).protection.delete(JANE_ID, swapped(run, emulator))
    assert [] == policies_on(emulator, JANE)


def test_a_policy_that_does_not_show_yet_has_not_drifted(patient: Servicer, run: Run, emulator: Emulator) -> None:
    outs = swapped(run, emulator)
    assert GOLD == patient.run(settings(emulator)).protection.read(JANE_ID, outs).outs["policy_id"]


def test_a_list_that_is_not_found_in_a_tenant_that_is_there_is_no_evidence(run: Run, emulator: Emulator) -> None:
    with emulator.faults({"operation": "list_protections", "do": ["status:404"]}), pytest.raises(OperationError):
        run.protection.delete(JANE_ID, state())
    assert [SILVER] == policies_on(emulator, JANE)


def test_a_swap_whose_removal_is_unclear_ends_with_a_policy(run: Run, emulator: Emulator) -> None:
    run.protection.check(inputs_of(state()), protection(policy="Gold"))
    faults = (
        {"operation": "unprotect_resource", "do": [{"status": 400, "body": {"message": "no"}, "after": True}]},
        {"operation": "list_protections", "nth": 2, "do": ["status:403"]},
    )
    with emulator.faults(*faults):
        try:
            run.protection.update(
                JANE_ID, state(), {**protection(policy="Gold"), "policy_id": GOLD, "resource_id": JANE}
            )
            text = ""
        except OperationError as error:
            text = str(error)
    assert policies_on(emulator, JANE) or "NOT PROTECTED" in text, text


def test_an_organization_whose_name_ends_with_a_blank_fails_before_anybody_is_invited(run: Run) -> None:
    news = {"external_id": "crm-7", "name": "Shop ", "parent_org_id": "org-alpine", "admin_email": "it@shop.example"}
    assert [("name", "must not begin or end with a blank")] == run.org.check({}, news).failures


def test_a_choice_that_is_not_known_yet_takes_nothing_over(run: Run, engine: Engine) -> None:
    run.protection.check({}, {**protection(policy="Gold"), "on_conflict": UNKNOWN})
    assert [] == told(engine)


@pytest.mark.parametrize(("own", "other"), [(SILVER, GOLD), (GOLD, SILVER)])
def test_what_accepts_anything_goes_on_owning_its_own(run: Run, emulator: Emulator, own: str, other: str) -> None:
    """Where both are on it, whichever is listed first."""
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "a-0", "resource_id": JANE, "policy_id": GOLD}]})
    choice = {"on_conflict": "accept", "resource_id": JANE, "on_destroy": "unprotect"}
    outs = run.protection.update(JANE_ID, {**state(JANE, own, own), **choice}, {**protection(policy=other), **choice})
    assert own == outs.get("own_policy_id")


def test_ours_is_not_taken_off_where_the_one_that_is_wanted_is_gone(run: Run, emulator: Emulator) -> None:
    emulator.set_dialect(second_policy="adds")
    gold = {"tenant_id": TENANT, "id": "a-0", "resource_id": JANE, "policy_id": GOLD}
    emulator.patch({"protections": [gold]})
    checked = run.protection.check(inputs_of(state()), protection(policy="Gold"))
    run.protection.diff(JANE_ID, state(), checked.inputs)
    emulator.patch({"protections": [{**gold, "deleted": True}]})
    with contextlib.suppress(OperationError):
        run.protection.update(JANE_ID, state(), checked.inputs)
    assert policies_on(emulator, JANE)


def test_a_policy_that_is_gone_and_still_shows_is_no_conflict(patient: Servicer, run: Run, emulator: Emulator) -> None:
    emulator.set_dialect(read_lag=1.5)
    run.protection.delete(JANE_ID, state())
    assert [] == policies_on(emulator, JANE)
    assert [] == patient.run(settings(emulator)).protection.check({}, protection(policy="Gold")).failures


def test_a_policy_that_somebody_else_put_back_is_not_ours(run: Run, later_run: Run, emulator: Emulator) -> None:
    one = next(one for one in emulator.state()["protections"] if one["resource_id"] == JANE)
    emulator.patch({"protections": [{**one, "policy_id": GOLD}]})
    outs = run.protection.read(JANE_ID, state()).outs
    emulator.patch({"protections": [one]})
    later_run.protection.delete(JANE_ID, outs)
    assert [SILVER] == policies_on(emulator, JANE)


def test_two_big_tenants_in_turn_do_not_read_all_again_and_again(emulator: Emulator) -> None:
    settings = Settings(emulator.api_key, emulator.url, calls_per_second=0, page_size=5)
    with closing(Client(settings)) as client:
        account = Account(client, max_records=50)
        for number in range(1, 21):
            for tenant in ("contoso", "adatum"):
                account.tenant(f"tenant-{tenant}").items.find(f"res-{tenant}-user-{number:02}")
    calls = len(emulator.requests())
    assert calls <= 40 * 2, calls


def test_a_policy_that_was_put_back_is_seen(run: Run, emulator: Emulator) -> None:
    news = {**protection(policy="Gold"), "policy_id": GOLD, "resource_id": JANE}
    fault = {"operation": "protect_resource", "nth": 2, "do": ["status:403"]}
    with emulator.faults(fault), pytest.raises(OperationError, match="is on it again"):
        run.protection.update(JANE_ID, state(), news)
    assert [SILVER] == policies_on(emulator, JANE)
    assert JANE_ID == run.protection.read(JANE_ID, state()).id


def test_a_take_over_in_an_update_of_something_else_is_told(run: Run, emulator: Emulator, engine: Engine) -> None:
    one = next(one for one in emulator.state()["protections"] if one["resource_id"] == JANE)
    emulator.patch({"protections": [{**one, "policy_id": GOLD}]})
    olds = {**state(), "on_conflict": "take_over"}
    news = protection(on_conflict="take_over", on_destroy="keep")
    checked = run.protection.check(inputs_of(olds), news)
    run.protection.diff(JANE_ID, olds, checked.inputs)
    run.protection.update(JANE_ID, olds, checked.inputs)
    assert [SILVER] == policies_on(emulator, JANE)
    assert any("takes" in text for text in told(engine))
