"""A protection, as the engine drives it over the provider's wire."""

from itertools import product

import pytest

from support import Emulator
from support.resources.arguments import protection
from support.resources.contoso import (
    BRONZE,
    GOLD,
    HANNAH,
    JANE,
    JANE_ID,
    SILVER,
    TENANT,
    policies,
    unprotect,
    user,
)
from support.resources.servicer import UNKNOWN, Engine, Properties, Run, assert_names, failure_of

HANNAH_NAME, JANE_NAME = "hannah.cohen@contoso.example", "jane.doe@contoso.example"
FORMER = user(29)
READS = ["list_resources", "list_policies", "list_protections"]

FREE = protection(HANNAH_NAME, "Gold")
"""The arguments for a resource without a policy."""
FREE_IDS = {"resource_id": HANNAH, "policy_id": GOLD}
PROTECTED = protection(JANE_NAME, "Silver")
"""The arguments for a resource with the policy that is on it."""
RESOLVED = {**PROTECTED, "resource_id": JANE, "policy_id": SILVER}
"""The checked arguments."""
ADOPTED = {**RESOLVED, "job_id": "job-contoso-01", "schema_version": 2}
"""The outputs of a protection that was there before."""
OWN = {**ADOPTED, "own_policy_id": SILVER}
"""The outputs of a protection that this resource made."""
TO_GOLD = {**RESOLVED, "policy": "Gold", "policy_id": GOLD}
ACCEPTING = {**PROTECTED, "resource_id": JANE, "policy": "Gold", "on_conflict": "accept"}
"""The checked arguments that name a policy, and accept any other."""
ACCEPTED = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}


def assign(emulator: Emulator, policy_id: str) -> None:
    """Change the policy on Jane's mailbox in the portal."""
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "prot-contoso-01", "policy_id": policy_id}]})


def archive(emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})


# check


@pytest.mark.parametrize(
    "change",
    [
        *({"resource": reference} for reference in (HANNAH_NAME, HANNAH_NAME.title(), HANNAH, "ext$usr-1020")),
        {"policy": GOLD},
    ],
)
def test_every_form_of_a_reference_is_resolved(run: Run, change: Properties) -> None:
    assert ({**FREE, **change, **FREE_IDS}, []) == run.protection.check({}, {**FREE, **change})


POLICIES = [f'"Bronze" ({BRONZE})', f'"Gold" ({GOLD})', f'"Silver" ({SILVER})']
CONFLICT = [f"{JANE_NAME} ({JANE})", *POLICIES[1:], "on_conflict", '"take_over"', '"accept"', "alias", "declare"]
PROBLEMS: list[tuple[Properties, str, list[str]]] = [
    ({"resource": "nobody@contoso.example"}, "resource", ['"nobody@contoso.example"', TENANT, "ext$"]),
    ({"resource": "support@contoso.example"}, "resource", [TENANT, "office_teamdrive", user(30), "office_user"]),
    ({"policy": "Platinum"}, "policy", ['"Platinum"', TENANT, *POLICIES]),
    ({"resource": FORMER}, "resource", [f"former.employee@contoso.example ({FORMER})", "archived"]),
    ({"resource": JANE}, "policy", CONFLICT),
]


@pytest.mark.parametrize(("change", "name", "names"), PROBLEMS)
def test_a_problem_fails_in_the_check_and_in_a_creation(
    run: Run, later_run: Run, emulator: Emulator, *, change: Properties, name: str, names: list[str]
) -> None:
    checked = run.protection.check({}, {**FREE, **change})
    assert [name] == checked.names
    failure = failure_of(later_run.protection.create, {**FREE, **change})
    for message in (checked.reason, failure):
        assert_names(message, *names)
    assert [] == emulator.writes()


@pytest.mark.parametrize(
    ("change", "names"), [({"policy": "Platinum"}, ["policy", "resource"]), ({"policy": UNKNOWN}, ["resource"])]
)
def test_all_wrong_references_are_reported_together(run: Run, change: Properties, names: list[str]) -> None:
    assert names == run.protection.check({}, {**FREE, "resource": "nobody", **change}).names


@pytest.mark.parametrize("on_conflict", ["take_over", "accept", UNKNOWN])
def test_another_policy_passes_if_the_program_does_not_fail_on_conflicts(run: Run, on_conflict: str) -> None:
    inputs = {**FREE, "resource": JANE, "on_conflict": on_conflict}
    checked = run.protection.check({}, inputs)
    # An accepted policy is not an input.
    ids = {"resource_id": JANE} if on_conflict == "accept" else {"resource_id": JANE, "policy_id": GOLD}
    assert ({**inputs, **ids}, []) == checked


@pytest.mark.parametrize(
    ("name", "resolved", "asked"),
    [
        ("tenant_id", {}, []),
        ("resource", {"policy_id": GOLD}, ["list_policies"]),
        ("policy", {"resource_id": HANNAH}, ["list_resources"]),
        ("on_destroy", FREE_IDS, [*READS, "get_resource_stats"]),
    ],
)
def test_a_check_resolves_the_known_references(
    run: Run, emulator: Emulator, name: str, resolved: Properties, asked: list[str]
) -> None:
    inputs = {**FREE, name: UNKNOWN}
    assert ({**inputs, **resolved}, [], asked) == (*run.protection.check({}, inputs), emulator.operations())


# check: references that were resolved before


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, {"resource_id": JANE, "policy_id": SILVER}),
        ({"resource": HANNAH_NAME}, {"policy_id": SILVER}),
        ({"policy": "Gold"}, {"resource_id": JANE}),
        ({"tenant_id": "tenant-adatum"}, {}),
    ],
    ids=["nothing", "resource", "policy", "tenant"],
)
def test_an_offline_preview_keeps_the_ids_of_unchanged_references(
    offline: Run, emulator: Emulator, change: Properties, kept: Properties
) -> None:
    inputs = {**PROTECTED, **change}
    assert ({**inputs, **kept}, [], []) == (*offline.protection.check(RESOLVED, inputs), emulator.requests())


def test_a_policy_that_was_assigned_in_the_portal_is_a_conflict(run: Run, emulator: Emulator) -> None:
    assign(emulator, BRONZE)
    checked = run.protection.check(RESOLVED, {**PROTECTED, "policy": "Gold"})
    assert_names(checked.reason, f'"Bronze" ({BRONZE})')
    assert ["policy"] == checked.names


def test_an_archived_resource_without_its_policy_passes(run: Run, emulator: Emulator) -> None:
    archive(emulator)
    unprotect(emulator, JANE)
    assert [] == run.protection.check(RESOLVED, PROTECTED).failures


def test_an_accepted_policy_becomes_a_conflict_if_conflicts_fail(run: Run, emulator: Emulator) -> None:
    assert ["policy"] == run.protection.check(ACCEPTING, {**PROTECTED, "policy": "Gold"}).names
    failure = failure_of(run.protection.update, JANE_ID, ACCEPTED, {**PROTECTED, "policy": "Gold"})
    assert_names(failure, '"Silver"')
    assert [] == emulator.writes()


# diff


DIFFERENCES: list[tuple[Properties, Properties, str, list[str]]] = [
    (OWN, RESOLVED, "none", []),
    (OWN, {**RESOLVED, "tenant_id": "tenant-adatum"}, "some", ["tenant_id"]),
    (OWN, {**RESOLVED, "resource": HANNAH_NAME, "resource_id": HANNAH}, "some", ["resource"]),
    *((OWN, {**RESOLVED, "resource": reference}, "none", []) for reference in ("ext$usr-1001", JANE)),
    (OWN, {**RESOLVED, "policy": SILVER}, "none", []),
    (OWN, TO_GOLD, "unknown", []),
    (OWN, {**RESOLVED, "on_conflict": "take_over"}, "unknown", []),
    (OWN, {**RESOLVED, "on_destroy": "keep"}, "unknown", []),
    (OWN, {**RESOLVED, "profile": "second"}, "unknown", []),
    # References without ids are compared as text.
    (OWN, PROTECTED, "none", []),
    (OWN, {**PROTECTED, "resource": JANE}, "unknown", []),
    (OWN, {**PROTECTED, "policy": SILVER}, "unknown", []),
    # An unknown value may be a change, and replaces nothing.
    *((OWN, {**RESOLVED, name: UNKNOWN}, "unknown", []) for name in ("tenant_id", "on_conflict", "on_destroy")),
    *((OWN, {**RESOLVED, name: UNKNOWN}, "unknown", []) for name in ("resource_id", "policy_id")),
    (OWN, {**PROTECTED, "policy_id": SILVER, "resource": UNKNOWN}, "unknown", []),
    (OWN, {**PROTECTED, "resource_id": JANE, "policy": UNKNOWN}, "unknown", []),
    (OWN, dict.fromkeys(FREE, UNKNOWN), "unknown", []),
    (OWN, {**dict.fromkeys(FREE, UNKNOWN), "tenant_id": "tenant-adatum"}, "some", ["tenant_id"]),
    (ACCEPTED, ACCEPTING, "none", []),
]


@pytest.mark.parametrize(("olds", "news", "changes", "replaces"), DIFFERENCES)
def test_a_diff_compares_what_references_mean(
    run: Run, emulator: Emulator, *, olds: Properties, news: Properties, changes: str, replaces: list[str]
) -> None:
    assert (changes, replaces, []) == (*run.protection.diff(JANE_ID, olds, news), emulator.requests())


# create


@pytest.mark.parametrize("policy", [GOLD, BRONZE])
def test_a_creation_follows_the_preview_and_has_all_outputs(run: Run, emulator: Emulator, policy: str) -> None:
    inputs = {**FREE, "resource_id": HANNAH, "policy_id": policy}
    id, outs = run.protection.create(inputs)
    (made,) = (one for one in emulator.state()["protections"] if one["resource_id"] == HANNAH)
    ids = {"job_id": made["job_id"], "own_policy_id": policy, "schema_version": 2}
    assert (f"{TENANT}/{HANNAH}", {**inputs, **ids}, policy) == (id, outs, made["policy_id"])


def test_many_creations_cost_one_call_each(run: Run, emulator: Emulator) -> None:
    free = [one["id"] for one in emulator.state()["resources"] if one["id"] not in policies(emulator)]
    free = [id for id in free if id.startswith("res-contoso-user")][:15]
    for id in free:
        run.protection.create({**FREE, "resource": id})
    created = emulator.operations()
    assert len(free) == 15 == created.count("protect_resource")
    assert created[-8:] == ["protect_resource"] * 8


def test_a_policy_that_is_there_is_adopted_without_a_write(run: Run, emulator: Emulator) -> None:
    assert (JANE_ID, ADOPTED, []) == (*run.protection.create(RESOLVED), emulator.writes())


def test_another_policy_stays_if_the_program_accepts_it(run: Run, emulator: Emulator) -> None:
    _, outs = run.protection.create({**PROTECTED, "policy": "Gold", "on_conflict": "accept"})
    assert (ACCEPTED, []) == (outs, emulator.writes())


# read


@pytest.mark.parametrize("state", [OWN, ADOPTED], ids=["own", "adopted"])
def test_a_refresh_of_an_unchanged_protection_changes_nothing(run: Run, state: Properties) -> None:
    assert (JANE_ID, state, RESOLVED) == run.protection.read(JANE_ID, state)


def test_a_refresh_shows_a_policy_of_others_and_an_up_replaces_it(run: Run, later_run: Run, emulator: Emulator) -> None:
    assign(emulator, BRONZE)
    changed = {"policy": BRONZE, "policy_id": BRONZE}
    found = run.protection.read(JANE_ID, OWN)
    # The own policy is gone.
    assert (JANE_ID, {**ADOPTED, **changed}, {**RESOLVED, **changed}) == found
    later_run.protection.update(JANE_ID, found.outs, RESOLVED)
    assert [SILVER] == policies(emulator)[JANE]


def test_an_accepted_policy_may_change_without_drift(run: Run, emulator: Emulator) -> None:
    assign(emulator, BRONZE)
    assert (JANE_ID, {**ACCEPTED, "policy_id": BRONZE}, ACCEPTING) == run.protection.read(JANE_ID, ACCEPTED)


def test_many_protections_are_read_with_one_listing(run: Run, emulator: Emulator) -> None:
    for number in range(1, 9):
        run.protection.read(f"{TENANT}/{user(number)}", OWN)
    assert ["list_protections"] == emulator.operations()


@pytest.mark.parametrize("hook", ["read", "delete"])
def test_a_second_look_confirms_that_a_protection_is_gone(run: Run, emulator: Emulator, hook: str) -> None:
    for number in range(15, 25):
        getattr(run.protection, hook)(f"{TENANT}/{user(number)}", OWN)
    assert ["list_protections", "get_tenant", *["list_protections"] * 10] == emulator.operations()


def test_a_get_returns_the_outputs(run: Run) -> None:
    inputs = {**RESOLVED, "resource": JANE, "policy": SILVER}
    assert (JANE_ID, {**ADOPTED, "resource": JANE, "policy": SILVER}, inputs) == run.protection.get(JANE_ID)


def test_a_get_of_an_unprotected_resource_fails(run: Run) -> None:
    assert_names(failure_of(run.protection.get, f"{TENANT}/{HANNAH}"), HANNAH, TENANT)


def test_a_tenant_that_is_gone_does_not_empty_the_state(run: Run, emulator: Emulator) -> None:
    assert_names(failure_of(run.protection.read, "tenant-nowhere/r-1", OWN), '"tenant-nowhere"')
    assert ["list_protections", "get_tenant", "list_installations"] == emulator.operations()


BAD_IDS = ["", "/", " / ", "tenant-contoso", "tenant-contoso/", f"/{JANE}", "a/b/c", "%20/x", "a%0Ab/c"]


@pytest.mark.parametrize("id", BAD_IDS)
@pytest.mark.parametrize("hook", ["read", "delete"])
def test_an_impossible_id_is_not_sent(run: Run, emulator: Emulator, hook: str, id: str) -> None:
    failure = failure_of(getattr(run.protection, hook), id, OWN)
    assert_names(failure, *(["tenant_id", "control"] if "%0A" in id else [f'"{id}"', "TENANT_ID/RESOURCE_ID"]))
    assert [] == emulator.requests()


# update


@pytest.mark.parametrize("state", [OWN, ADOPTED], ids=["own", "adopted"])
def test_a_changed_policy_is_swapped_in_place_and_owned(run: Run, emulator: Emulator, state: Properties) -> None:
    outs = run.protection.update(JANE_ID, state, TO_GOLD)
    (made,) = (one for one in emulator.state()["protections"] if one["resource_id"] == JANE)
    ids = {"own_policy_id": GOLD, "job_id": made["job_id"], "schema_version": 2}
    assert ({**TO_GOLD, **ids}, GOLD) == (outs, made["policy_id"])


@pytest.mark.parametrize(
    ("state", "inputs", "change"),
    [
        *product([OWN, ADOPTED], [RESOLVED], [{"on_destroy": "keep"}, {"policy": SILVER, "resource": "ext$usr-1001"}]),
        *product([ACCEPTED], [ACCEPTING], [{"on_destroy": "keep"}, {"policy": "Bronze", "resource": JANE}]),
        ({**OWN, "profile": "old"}, RESOLVED, {}),
    ],
)
def test_an_update_to_the_same_policy_writes_nothing(
    run: Run, emulator: Emulator, state: Properties, inputs: Properties, change: Properties
) -> None:
    outs = run.protection.update(JANE_ID, state, {**inputs, **change})
    kept = {name: value for name, value in state.items() if name != "profile"}
    assert ({**kept, **change}, []) == (outs, emulator.writes())


def test_a_policy_of_others_that_no_refresh_showed_is_not_replaced(run: Run, emulator: Emulator) -> None:
    assign(emulator, BRONZE)
    assert_names(failure_of(run.protection.update, JANE_ID, OWN, TO_GOLD), '"Bronze"')
    assert ([BRONZE], []) == (policies(emulator)[JANE], emulator.writes())


def test_an_update_does_not_follow_a_reference_to_another_resource(run: Run, emulator: Emulator) -> None:
    failure = failure_of(run.protection.update, JANE_ID, OWN, {**PROTECTED, "resource": HANNAH_NAME})
    assert_names(failure, f'"{HANNAH_NAME}"', HANNAH, JANE, "previewChecks")
    assert [] == emulator.writes()


# delete


def test_a_deletion_removes_the_own_policy_and_keeps_the_archives(run: Run, emulator: Emulator, engine: Engine) -> None:
    before = emulator.state()["archives"]
    run.protection.delete(JANE_ID, OWN)
    assert (False, []) == (JANE in policies(emulator), engine.messages)
    assert before == emulator.state()["archives"]


@pytest.mark.parametrize(
    ("state", "assigned", "names"), [(ADOPTED, SILVER, ["adopted"]), (OWN, BRONZE, [BRONZE])], ids=["adopted", "others"]
)
def test_a_deletion_leaves_a_policy_that_is_not_its_own_with_a_warning(
    run: Run, emulator: Emulator, engine: Engine, *, state: Properties, assigned: str, names: list[str]
) -> None:
    assign(emulator, assigned)
    run.protection.delete(JANE_ID, state)
    (warning,) = engine.warnings
    assert_names(warning, JANE_NAME, TENANT, "stays protected", *names)
    assert ([assigned], []) == (policies(emulator)[JANE], emulator.writes())


@pytest.mark.parametrize("state", [OWN, ADOPTED], ids=["own", "adopted"])
def test_a_deletion_keeps_a_policy_on_request(run: Run, emulator: Emulator, engine: Engine, state: Properties) -> None:
    run.protection.delete(JANE_ID, {**state, "on_destroy": "keep"})
    assert ([], []) == (engine.messages, emulator.requests())


def test_a_deletion_without_a_policy_succeeds(run: Run, emulator: Emulator, engine: Engine) -> None:
    unprotect(emulator, JANE)
    run.protection.delete(JANE_ID, OWN)
    assert ([], []) == (engine.messages, emulator.writes())
