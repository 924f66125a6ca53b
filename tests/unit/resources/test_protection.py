"""Protections, as the engine drives them over the provider's wire."""

from typing import Any

import pytest

from support import Emulator
from support.history import policies_on
from support.resources.runs import operations
from support.resources.scripted import NOT_THE_SERVICE, Reply, ScriptedServer, items
from support.resources.servicer import UNKNOWN, Engine, OperationError, Run, Servicer

TENANT = "tenant-contoso"
GOLD, SILVER, BRONZE = "policy-contoso-gold", "policy-contoso-silver", "policy-contoso-bronze"
JANE, HANNAH, FORMER = "res-contoso-user-01", "res-contoso-user-20", "res-contoso-user-29"
JANE_ID, HANNAH_ID = f"{TENANT}/{JANE}", f"{TENANT}/{HANNAH}"
ALIAS = (
    "If a resource of this program put it there under another name, give this one an alias; "
    "if one gives it up, declare that one first"
)
READS = ["list_resources", "list_policies", "list_protections"]

FREE: dict[str, Any] = {
    "tenant_id": TENANT,
    "resource": "hannah.cohen@contoso.example",
    "policy": "Gold",
    "on_conflict": "fail",
    "on_destroy": "unprotect",
}
"""The arguments for a resource without a policy."""

PROTECTED = {**FREE, "resource": "jane.doe@contoso.example", "policy": "Silver"}
"""The arguments for a resource with the policy that is on it."""

RESOLVED = {**PROTECTED, "resource_id": JANE, "policy_id": SILVER}
"""The same, as check leaves them."""

OWN: dict[str, Any] = {
    **RESOLVED,
    "job_id": "job-contoso-01",
    "protection_id": "prot-contoso-01",
    "own_policy_id": SILVER,
    "schema_version": 1,
}
"""The outputs of what this resource made."""

ADOPTED = {name: value for name, value in OWN.items() if name != "own_policy_id"}
"""The outputs of what was there before."""


def without(properties: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name not in names}


def put_policy(emulator: Emulator, policy_id: str) -> None:
    """Change the policy on Jane's mailbox behind the back of all runs."""
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "prot-contoso-01", "policy_id": policy_id}]})


def remove_protection(emulator: Emulator) -> None:
    """Take the policy off Jane's mailbox behind the back of all runs."""
    emulator.patch({"protections": [{"tenant_id": TENANT, "id": "prot-contoso-01", "deleted": True}]})


def offline(servicer: Servicer, emulator: Emulator) -> Run:
    return servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"})


BAD_TEXT: list[tuple[object, str]] = [
    ("", "must not be empty"),
    (" \t", "must not be empty"),
    ("a\nb", "must not hold control characters"),
    (7, "must be text"),
    (True, "must be text"),
    (["a"], "must be text"),
]


@pytest.mark.parametrize("name", ["tenant_id", "resource", "policy", "profile"])
@pytest.mark.parametrize(("value", "reason"), BAD_TEXT)
def test_what_is_no_text_fails_on_its_property(run: Run, name: str, value: object, reason: str) -> None:
    assert [(name, reason)] == run.protection.check({}, {**FREE, name: value}).failures


@pytest.mark.parametrize("name", ["tenant_id", "resource", "policy"])
def test_what_is_missing_fails_on_its_property(run: Run, name: str) -> None:
    assert [(name, "is required")] == run.protection.check({}, without(FREE, name)).failures


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("on_conflict", "must be one of: fail, take_over, accept"),
        ("on_destroy", "must be one of: unprotect, keep"),
    ],
)
@pytest.mark.parametrize("value", ["", "delete", "FAIL", 1, None])
def test_a_choice_that_there_is_not_fails_on_its_property(run: Run, name: str, value: object, reason: str) -> None:
    assert [(name, reason)] == run.protection.check({}, {**FREE, name: value}).failures


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_asked(run: Run, emulator: Emulator) -> None:
    failures = run.protection.check({}, {"tenant_id": TENANT, "policy": "", "on_conflict": "fail"}).failures
    expected = [
        ("resource", "is required"),
        ("policy", "must not be empty"),
        ("on_destroy", "must be one of: unprotect, keep"),
    ]
    assert (expected, []) == (failures, emulator.requests())


def test_references_are_resolved_in_the_check(run: Run) -> None:
    expected = {**FREE, "resource_id": HANNAH, "policy_id": GOLD}
    assert (expected, []) == run.protection.check({}, FREE)


@pytest.mark.parametrize(
    "resource", ["hannah.cohen@contoso.example", "Hannah.Cohen@CONTOSO.example", HANNAH, "ext$usr-1020"]
)
def test_every_kind_of_reference_means_the_same_resource(run: Run, resource: str) -> None:
    assert HANNAH == run.protection.check({}, {**FREE, "resource": resource}).inputs["resource_id"]


@pytest.mark.parametrize("policy", ["Gold", GOLD])
def test_a_policy_is_meant_by_name_or_by_id(run: Run, policy: str) -> None:
    assert GOLD == run.protection.check({}, {**FREE, "policy": policy}).inputs["policy_id"]


def test_many_checks_read_a_tenant_once(run: Run, emulator: Emulator) -> None:
    for number in range(15, 25):
        run.protection.check({}, {**FREE, "resource": f"res-contoso-user-{number}"})
    assert READS == operations(emulator)


BAD_REFERENCES = [
    (
        {"resource": "nobody@contoso.example"},
        "resource",
        (
            'no resource "nobody@contoso.example" in tenant tenant-contoso: it is no id, no name, '
            "and no ext$ with an external id"
        ),
    ),
    (
        {"resource": "support@contoso.example"},
        "resource",
        (
            '"support@contoso.example" means 2 resources in tenant tenant-contoso: '
            "office_teamdrive res-contoso-drive-11, office_user res-contoso-user-30. Use the id of one"
        ),
    ),
    (
        {"policy": "Platinum"},
        "policy",
        (
            'no policy "Platinum" in tenant tenant-contoso; there are: "Bronze" (policy-contoso-bronze), '
            '"Gold" (policy-contoso-gold), "Silver" (policy-contoso-silver)'
        ),
    ),
    (
        {"tenant_id": "tenant-nowhere"},
        "tenant_id",
        (
            "cannot list resources: 404 not found (GET /api/v1/tenants/tenant-nowhere/resources): "
            'there is no tenant "tenant-nowhere". Check the ids, and that the base URL is the service\'s'
        ),
    ),
    (
        {"resource": FORMER},
        "resource",
        (
            f"former.employee@contoso.example ({FORMER}) is archived and cannot be backed up any more: "
            "take it out of the program"
        ),
    ),
    (
        {"resource": JANE},
        "policy",
        (
            f'jane.doe@contoso.example ({JANE}) is protected with policy "Silver" ({SILVER}) already, and this asks '
            f'for "Gold" ({GOLD}): set on_conflict to "take_over" to swap it, or to "accept" to leave it. {ALIAS}'
        ),
    ),
]


@pytest.mark.parametrize(("change", "name", "reason"), BAD_REFERENCES)
def test_what_up_would_fail_on_fails_in_the_check(run: Run, change: dict[str, str], name: str, reason: str) -> None:
    assert [(name, reason)] == run.protection.check({}, {**FREE, **change}).failures


def test_a_policy_that_several_have_fails_with_all_of_them(run: Run, emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": "policy-2", "name": "Gold"}]})
    reason = f'"Gold" means 2 policies in tenant tenant-contoso: policy-2, {GOLD}. Use the id'
    assert [("policy", reason)] == run.protection.check({}, FREE).failures


def test_two_references_that_mean_nothing_are_both_told(run: Run) -> None:
    failures = run.protection.check({}, {**FREE, "resource": "nobody", "policy": "Platinum"}).failures
    assert ["policy", "resource"] == [name for name, _ in failures]


def test_a_policy_that_the_service_does_not_list_is_told_by_its_id(servicer: Servicer) -> None:
    there = {"id": "prot-1", "resource_id": "r-1", "policy_id": "hidden"}
    script = {
        "GET /api/v1/tenants/t-1/resources": [items({"id": "r-1", "name": "jane"})],
        "GET /api/v1/tenants/t-1/policies": [items({"id": "p-1", "name": "Gold"})],
        "GET /api/v1/tenants/t-1/protections": [items(there)],
    }
    with ScriptedServer(script) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        failures = run.protection.check({}, {**FREE, "tenant_id": "t-1", "resource": "jane"}).failures
    reason = (
        'jane (r-1) is protected with policy hidden already, and this asks for "Gold" (p-1): '
        f'set on_conflict to "take_over" to swap it, or to "accept" to leave it. {ALIAS}'
    )
    assert [("policy", reason)] == failures


@pytest.mark.parametrize("on_conflict", ["take_over", "accept"])
def test_a_foreign_policy_is_no_failure_where_it_may_be_taken_over_or_accepted(run: Run, on_conflict: str) -> None:
    assert [] == run.protection.check({}, {**FREE, "resource": JANE, "on_conflict": on_conflict}).failures


def test_a_foreign_policy_on_an_archived_resource_cannot_be_taken_over(run: Run, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})
    failures = run.protection.check({}, {**FREE, "resource": JANE, "on_conflict": "take_over"}).failures
    assert ["resource"] == [name for name, _ in failures]


@pytest.mark.parametrize(("policy", "on_conflict"), [("Silver", "fail"), ("Gold", "accept")])
def test_an_archived_resource_that_is_protected_already_is_no_failure(
    run: Run, emulator: Emulator, policy: str, on_conflict: str
) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})
    inputs = {**PROTECTED, "policy": policy, "on_conflict": on_conflict}
    assert [] == run.protection.check({}, inputs).failures


def test_an_accepted_policy_is_no_input(run: Run) -> None:
    inputs = {**FREE, "resource": JANE, "on_conflict": "accept"}
    assert {**inputs, "resource_id": JANE} == run.protection.check({}, inputs).inputs


def test_a_service_that_refuses_the_key_ends_the_check(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": "stale", "baseUrl": emulator.url})
    with pytest.raises(OperationError, match=r"cannot list resources: 401 unauthenticated .* has not expired$"):
        run.protection.check({}, FREE)


def test_without_preview_checks_nothing_is_asked(servicer: Servicer, emulator: Emulator) -> None:
    inputs = {**FREE, "resource": "nobody", "policy": "Platinum"}
    checked = offline(servicer, emulator).protection.check({}, inputs)
    assert (inputs, [], []) == (*checked, emulator.requests())


# check: references that were resolved before


def test_a_renamed_mailbox_and_a_renamed_policy_mean_what_they_meant(run: Run, emulator: Emulator) -> None:
    emulator.patch(
        {
            "resources": [{"tenant_id": TENANT, "id": JANE, "name": "jane.roe@contoso.example"}],
            "policies": [{"tenant_id": TENANT, "id": SILVER, "name": "Silver 2"}],
        }
    )
    assert (RESOLVED, []) == run.protection.check(RESOLVED, PROTECTED)


def test_what_was_resolved_before_is_known_without_preview_checks(servicer: Servicer, emulator: Emulator) -> None:
    checked = offline(servicer, emulator).protection.check(RESOLVED, PROTECTED)
    assert (RESOLVED, [], []) == (*checked, emulator.requests())


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"resource": "hannah.cohen@contoso.example"}, {"policy_id": SILVER}),
        ({"policy": "Gold"}, {"resource_id": JANE}),
        ({"tenant_id": "tenant-adatum"}, {}),
    ],
    ids=["resource", "policy", "tenant"],
)
def test_what_is_written_anew_is_not_taken_for_what_it_meant(
    servicer: Servicer, emulator: Emulator, change: dict[str, str], kept: dict[str, str]
) -> None:
    inputs = {**PROTECTED, **change}
    assert {**inputs, **kept} == offline(servicer, emulator).protection.check(RESOLVED, inputs).inputs


def test_a_person_who_came_back_under_the_same_address_is_somebody_new(run: Run) -> None:
    checked = run.protection.check({**RESOLVED, "resource_id": "res-of-before"}, PROTECTED)
    assert (RESOLVED, []) == checked


def test_the_policy_of_before_may_be_swapped_without_asking_for_it(run: Run) -> None:
    checked = run.protection.check(RESOLVED, {**PROTECTED, "policy": "Gold"})
    assert ({**RESOLVED, "policy": "Gold", "policy_id": GOLD}, []) == checked


def test_a_policy_that_somebody_else_put_there_is_a_conflict(run: Run, emulator: Emulator) -> None:
    put_policy(emulator, BRONZE)
    ((name, reason),) = run.protection.check(RESOLVED, {**PROTECTED, "policy": "Gold"}).failures
    assert ("policy", True) == (name, f'"Bronze" ({BRONZE}) already' in reason)


def test_an_unchanged_protection_of_an_archived_resource_stays(run: Run, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": JANE, "archived": True}]})
    remove_protection(emulator)
    assert [] == run.protection.check(RESOLVED, PROTECTED).failures


def test_a_policy_that_was_accepted_is_a_conflict_as_soon_as_conflicts_fail(run: Run) -> None:
    olds = {**without(RESOLVED, "policy_id"), "policy": "Gold", "on_conflict": "accept"}
    failures = run.protection.check(olds, {**PROTECTED, "policy": "Gold"}).failures
    assert ["policy"] == [name for name, _ in failures]


# check: what is not known yet


@pytest.mark.parametrize(
    ("name", "resolved", "asked"),
    [
        ("tenant_id", {}, []),
        ("resource", {"policy_id": GOLD}, ["list_policies"]),
        ("policy", {"resource_id": HANNAH}, ["list_resources"]),
        ("on_destroy", {"resource_id": HANNAH, "policy_id": GOLD}, READS),
    ],
)
def test_what_is_not_known_yet_is_passed_on_and_not_asked_for(
    run: Run, emulator: Emulator, name: str, resolved: dict[str, str], asked: list[str]
) -> None:
    inputs = {**FREE, name: UNKNOWN}
    checked = run.protection.check({}, inputs)
    assert ({**inputs, **resolved}, [], asked) == (*checked, operations(emulator))


def test_nothing_is_asked_where_nothing_is_known(run: Run, emulator: Emulator) -> None:
    inputs = dict.fromkeys(FREE, UNKNOWN)
    checked = run.protection.check({}, inputs)
    assert (inputs, [], []) == (*checked, emulator.requests())


@pytest.mark.parametrize("name", FREE)
def test_what_is_not_known_yet_is_no_failure_on_what_exists(run: Run, name: str) -> None:
    checked = run.protection.check(RESOLVED, {**PROTECTED, name: UNKNOWN})
    assert (UNKNOWN, []) == (checked.inputs[name], checked.failures)


def test_an_unknown_way_with_conflicts_is_no_conflict_yet(run: Run) -> None:
    assert [] == run.protection.check({}, {**FREE, "resource": JANE, "on_conflict": UNKNOWN}).failures


def test_what_is_wrong_is_told_beside_what_is_not_known_yet(run: Run) -> None:
    failures = run.protection.check({}, {**FREE, "policy": UNKNOWN, "resource": "nobody"}).failures
    assert ["resource"] == [name for name, _ in failures]


# diff


@pytest.mark.parametrize(
    ("change", "changes", "replaces"),
    [
        ({}, "none", []),
        ({"tenant_id": "tenant-adatum"}, "some", ["tenant_id"]),
        ({"resource": "hannah.cohen@contoso.example", "resource_id": HANNAH}, "some", ["resource"]),
        ({"resource": "ext$usr-1001"}, "none", []),
        ({"resource": JANE}, "none", []),
        ({"policy": SILVER}, "none", []),
        ({"policy": "Gold", "policy_id": GOLD}, "unknown", []),
        ({"on_conflict": "take_over"}, "unknown", []),
        ({"on_destroy": "keep"}, "unknown", []),
        ({"profile": "second"}, "unknown", []),
    ],
)
def test_what_references_mean_is_compared_and_not_how_they_are_written(
    run: Run, emulator: Emulator, change: dict[str, str], changes: str, replaces: list[str]
) -> None:
    difference = run.protection.diff(JANE_ID, OWN, {**RESOLVED, **change})
    assert (changes, replaces, []) == (*difference, emulator.requests())


@pytest.mark.parametrize(
    ("change", "changes"),
    [({}, "none"), ({"resource": JANE}, "unknown"), ({"policy": SILVER}, "unknown")],
    ids=["nothing", "resource", "policy"],
)
def test_what_was_not_resolved_is_compared_as_it_is_written(run: Run, change: dict[str, str], changes: str) -> None:
    assert (changes, []) == run.protection.diff(JANE_ID, OWN, {**PROTECTED, **change})


@pytest.mark.parametrize("name", [*FREE, "resource_id", "policy_id"])
def test_what_is_not_known_yet_may_be_a_change_and_replaces_nothing(run: Run, name: str) -> None:
    inputs = {**RESOLVED, name: UNKNOWN}
    inputs = without(inputs, f"{name}_id")
    assert ("unknown", []) == run.protection.diff(JANE_ID, OWN, inputs)


def test_nothing_is_replaced_where_nothing_is_known(run: Run) -> None:
    assert ("unknown", []) == run.protection.diff(JANE_ID, OWN, dict.fromkeys(FREE, UNKNOWN))


def test_another_tenant_replaces_though_the_rest_is_not_known_yet(run: Run) -> None:
    inputs = {**dict.fromkeys(FREE, UNKNOWN), "tenant_id": "tenant-adatum"}
    assert ("some", ["tenant_id"]) == run.protection.diff(JANE_ID, OWN, inputs)


def test_an_accepted_policy_is_no_difference(run: Run) -> None:
    olds = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}
    inputs = {**without(RESOLVED, "policy_id"), "policy": "Gold", "on_conflict": "accept"}
    assert ("none", []) == run.protection.diff(JANE_ID, olds, inputs)


# create


def test_a_created_protection_has_all_outputs(run: Run, emulator: Emulator) -> None:
    inputs = {**FREE, "resource_id": HANNAH, "policy_id": GOLD}
    id, outs = run.protection.create(inputs)
    (made,) = (one for one in emulator.state()["protections"] if one["resource_id"] == HANNAH)
    expected = {
        **inputs,
        "job_id": made["job_id"],
        "protection_id": made["id"],
        "own_policy_id": GOLD,
        "schema_version": 1,
    }
    assert (HANNAH_ID, expected) == (id, outs)


def test_creating_needs_no_check_before_it(run: Run, emulator: Emulator) -> None:
    run.protection.create(FREE)
    assert [GOLD] == policies_on(emulator, HANNAH)


def test_creating_follows_the_preview_though_names_changed_since(run: Run, emulator: Emulator) -> None:
    run.protection.create({**FREE, "resource_id": HANNAH, "policy_id": BRONZE})
    assert [BRONZE] == policies_on(emulator, HANNAH)


def test_what_is_protected_as_wanted_is_adopted_without_a_write(run: Run, emulator: Emulator) -> None:
    id, outs = run.protection.create(RESOLVED)
    assert (JANE_ID, ADOPTED, []) == (id, outs, emulator.writes())


def test_a_foreign_policy_is_taken_over_where_that_is_wanted(run: Run, emulator: Emulator) -> None:
    _, outs = run.protection.create({**PROTECTED, "policy": "Gold", "on_conflict": "take_over"})
    assert (GOLD, GOLD, [GOLD]) == (outs["policy_id"], outs["own_policy_id"], policies_on(emulator, JANE))


def test_a_foreign_policy_is_left_where_it_is_accepted(run: Run, emulator: Emulator) -> None:
    _, outs = run.protection.create({**PROTECTED, "policy": "Gold", "on_conflict": "accept"})
    expected = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}
    assert (expected, []) == (outs, emulator.writes())


def test_accepting_any_policy_protects_what_has_none(run: Run, emulator: Emulator) -> None:
    run.protection.create({**FREE, "on_conflict": "accept"})
    assert [GOLD] == policies_on(emulator, HANNAH)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            {"resource": JANE},
            (
                f'cannot protect jane.doe@contoso.example in tenant {TENANT} with policy "Gold": '
                f'jane.doe@contoso.example ({JANE}) is protected with policy "Silver" ({SILVER}) already, and this '
                f'asks for "Gold" ({GOLD}): set on_conflict to "take_over" to swap it, or to "accept" to leave it. '
                f"{ALIAS}"
            ),
        ),
        (
            {"resource": FORMER},
            (
                f'cannot protect former.employee@contoso.example in tenant {TENANT} with policy "Gold": '
                f"former.employee@contoso.example ({FORMER}) is archived and cannot be backed up any more: "
                "take it out of the program"
            ),
        ),
        (
            {"policy": "Platinum"},
            (
                f'no policy "Platinum" in tenant {TENANT}; there are: "Bronze" ({BRONZE}), "Gold" ({GOLD}), '
                f'"Silver" ({SILVER})'
            ),
        ),
    ],
    ids=["conflict", "archived", "no policy"],
)
def test_what_cannot_be_protected_says_why_and_is_not_tried(
    run: Run, emulator: Emulator, change: dict[str, str], expected: str
) -> None:
    with pytest.raises(OperationError) as raised:
        run.protection.create({**FREE, **change})
    assert (expected, []) == (str(raised.value), emulator.writes())


def test_a_missing_permission_to_protect_says_what_to_do(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.read_only_key, "baseUrl": emulator.url})
    with pytest.raises(OperationError) as raised:
        run.protection.create(FREE)
    expected = (
        f'cannot protect hannah.cohen@contoso.example in tenant {TENANT} with policy "Gold": 403 forbidden '
        f'(POST /api/v1/tenants/{TENANT}/resources/{HANNAH}/protect): the application "Read-only" lacks the '
        'permission "write". The application of the API key from the config key dataprotection:apiKey lacks the '
        "permission to write this: use a key that has it, and that is installed where this belongs"
    )
    assert expected == str(raised.value)


def test_an_id_holds_tenant_and_resource_with_special_characters(run: Run, emulator: Emulator) -> None:
    emulator.patch({"resources": [{"tenant_id": TENANT, "id": "a/b c%", "name": "odd", "kind": "office_user"}]})
    id, outs = run.protection.create({**FREE, "resource": "odd"})
    assert (f"{TENANT}/a%2Fb%20c%25", "a/b c%") == (id, outs["resource_id"])


# read


def test_reading_an_unchanged_protection_changes_nothing(run: Run) -> None:
    assert (JANE_ID, OWN, RESOLVED) == run.protection.read(JANE_ID, OWN)


def test_reading_an_adopted_protection_does_not_make_it_ours(run: Run) -> None:
    assert (JANE_ID, ADOPTED, RESOLVED) == run.protection.read(JANE_ID, ADOPTED)


def test_a_special_id_is_read_as_what_it_stands_for(run: Run, emulator: Emulator) -> None:
    emulator.patch(
        {
            "resources": [{"tenant_id": TENANT, "id": "a/b c", "name": "odd", "kind": "office_user"}],
            "protections": [{"tenant_id": TENANT, "id": "p-1", "resource_id": "a/b c", "policy_id": GOLD}],
        }
    )
    assert run.protection.get(f"{TENANT}/a%2Fb%20c").outs["resource_id"] == "a/b c"


def test_a_foreign_policy_is_seen_in_outputs_and_inputs(run: Run, emulator: Emulator) -> None:
    put_policy(emulator, BRONZE)
    changed = {"policy": BRONZE, "policy_id": BRONZE}
    # What we put there is gone.
    assert (JANE_ID, {**ADOPTED, **changed}, {**RESOLVED, **changed}) == run.protection.read(JANE_ID, OWN)


def test_an_accepted_policy_may_change_without_a_difference(run: Run, emulator: Emulator) -> None:
    put_policy(emulator, BRONZE)
    state = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}
    inputs = {**without(RESOLVED, "policy_id"), "policy": "Gold", "on_conflict": "accept"}
    assert (JANE_ID, {**state, "policy_id": BRONZE}, inputs) == run.protection.read(JANE_ID, state)


def test_our_policy_is_found_beside_others(servicer: Servicer) -> None:
    protections = [
        {"id": f"prot-{policy}", "resource_id": "r-1", "policy_id": policy} for policy in ("foreign", SILVER)
    ]
    with ScriptedServer({"GET /api/v1/tenants/t-1/protections": [items(*protections)]}) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        assert SILVER == run.protection.read("t-1/r-1", OWN).outs["policy_id"]


def test_a_resource_that_is_not_protected_any_more_leaves_the_state(run: Run, emulator: Emulator) -> None:
    remove_protection(emulator)
    assert ("", {}, {}) == run.protection.read(JANE_ID, OWN)


def test_a_resource_that_is_gone_leaves_the_state(run: Run) -> None:
    assert ("", {}, {}) == run.protection.read(f"{TENANT}/res-of-before", OWN)


def test_many_protections_are_read_with_one_listing(run: Run, emulator: Emulator) -> None:
    for number in range(1, 9):
        run.protection.read(f"{TENANT}/res-contoso-user-0{number}", OWN)
    assert ["list_protections"] == operations(emulator)


def test_each_of_a_few_protections_that_are_gone_is_confirmed_by_a_look(run: Run, emulator: Emulator) -> None:
    for number in range(15, 25):
        run.protection.read(f"{TENANT}/res-contoso-user-{number}", OWN)
    assert ["list_protections", "get_tenant", *["list_protections"] * 10] == operations(emulator)


def test_getting_a_protection_gives_its_outputs(run: Run) -> None:
    ids = {"tenant_id": TENANT, "resource": JANE, "policy": SILVER, "resource_id": JANE, "policy_id": SILVER}
    inputs = {**ids, "on_conflict": "fail", "on_destroy": "unprotect"}
    outs = {**inputs, "job_id": "job-contoso-01", "protection_id": "prot-contoso-01", "schema_version": 1}
    assert (JANE_ID, outs, inputs) == run.protection.get(JANE_ID)


def test_getting_what_is_not_protected_is_an_error(run: Run) -> None:
    with pytest.raises(OperationError) as raised:
        run.protection.get(HANNAH_ID)
    expected = f"cannot read what protects {HANNAH} in tenant {TENANT}: nothing protects it"
    assert expected == str(raised.value)


@pytest.mark.parametrize("reply", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
def test_what_is_not_the_service_never_empties_the_state(servicer: Servicer, reply: Reply) -> None:
    with ScriptedServer(otherwise=reply) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        with pytest.raises(OperationError, match=r"base URL|API key"):
            run.protection.read(JANE_ID, OWN)


def test_a_tenant_that_is_gone_does_not_empty_the_state(run: Run, emulator: Emulator) -> None:
    with pytest.raises(OperationError, match='there is no tenant "tenant-nowhere"'):
        run.protection.read("tenant-nowhere/r-1", OWN)
    assert ["list_protections", "get_tenant", "list_installations"] == operations(emulator)


BAD_IDS = ["", "/", " / ", "tenant-contoso", "tenant-contoso/", f"/{JANE}", "a/b/c", "%20/x"]


@pytest.mark.parametrize("id", BAD_IDS)
@pytest.mark.parametrize("name", ["read", "delete"])
def test_an_id_that_no_protection_has_is_not_sent(run: Run, emulator: Emulator, name: str, id: str) -> None:
    with pytest.raises(OperationError) as raised:
        getattr(run.protection, name)(id, OWN)
    expected = f'"{id}" is no id of a protection, which is TENANT_ID/RESOURCE_ID'
    assert (expected, []) == (str(raised.value), emulator.requests())


def test_an_id_with_control_characters_is_not_sent(run: Run, emulator: Emulator) -> None:
    with pytest.raises(OperationError, match="tenant_id must be text that is not empty, without control characters"):
        run.protection.read("a%0Ab/c", OWN)
    assert [] == emulator.requests()


# update


def test_a_changed_policy_is_swapped_in_place(run: Run, emulator: Emulator) -> None:
    outs = run.protection.update(JANE_ID, OWN, {**RESOLVED, "policy": "Gold", "policy_id": GOLD})
    (made,) = (one for one in emulator.state()["protections"] if one["resource_id"] == JANE)
    expected = {
        **RESOLVED,
        "policy": "Gold",
        "policy_id": GOLD,
        "own_policy_id": GOLD,
        "job_id": made["job_id"],
        "protection_id": made["id"],
        "schema_version": 1,
    }
    assert (expected, GOLD) == (outs, made["policy_id"])


def test_a_changed_policy_of_what_was_adopted_is_ours_afterwards(run: Run) -> None:
    outs = run.protection.update(JANE_ID, ADOPTED, {**RESOLVED, "policy": "Gold", "policy_id": GOLD})
    assert GOLD == outs["own_policy_id"]


@pytest.mark.parametrize("state", [OWN, ADOPTED], ids=["ours", "adopted"])
@pytest.mark.parametrize("change", [{"on_destroy": "keep"}, {"policy": SILVER}, {"resource": "ext$usr-1001"}])
def test_what_needs_no_other_policy_writes_nothing(
    run: Run, emulator: Emulator, state: dict[str, Any], change: dict[str, str]
) -> None:
    outs = run.protection.update(JANE_ID, state, {**RESOLVED, **change})
    assert ({**state, **change}, []) == (outs, emulator.writes())


def test_a_profile_that_is_taken_out_of_the_program_goes_out_of_the_state(run: Run) -> None:
    assert OWN == run.protection.update(JANE_ID, {**OWN, "profile": "old"}, RESOLVED)


def test_a_protection_that_was_removed_elsewhere_is_made_again(run: Run, emulator: Emulator) -> None:
    remove_protection(emulator)
    run.protection.update(JANE_ID, OWN, {**RESOLVED, "on_destroy": "keep"})
    assert [SILVER] == policies_on(emulator, JANE)


def test_a_foreign_policy_that_no_refresh_showed_is_not_replaced(run: Run, emulator: Emulator) -> None:
    put_policy(emulator, BRONZE)
    with pytest.raises(OperationError, match='is protected with policy "Bronze"'):
        run.protection.update(JANE_ID, OWN, {**RESOLVED, "policy": "Gold", "policy_id": GOLD})
    assert ([BRONZE], []) == (policies_on(emulator, JANE), emulator.writes())


def test_a_foreign_policy_that_a_refresh_showed_is_replaced(run: Run, later_run: Run, emulator: Emulator) -> None:
    put_policy(emulator, BRONZE)
    state = run.protection.read(JANE_ID, OWN).outs
    later_run.protection.update(JANE_ID, state, RESOLVED)
    assert [SILVER] == policies_on(emulator, JANE)


@pytest.mark.parametrize("change", [{"on_destroy": "keep"}, {"policy": "Bronze"}, {"resource": JANE}])
def test_an_accepted_policy_is_never_replaced(run: Run, emulator: Emulator, change: dict[str, str]) -> None:
    state = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}
    inputs = {**without(RESOLVED, "policy_id"), "policy": "Gold", "on_conflict": "accept", **change}
    outs = run.protection.update(JANE_ID, state, inputs)
    assert ({**state, **change}, []) == (outs, emulator.writes())


def test_an_accepted_policy_is_not_replaced_where_conflicts_begin_to_fail(run: Run, emulator: Emulator) -> None:
    state = {**ADOPTED, "policy": "Gold", "on_conflict": "accept"}
    with pytest.raises(OperationError, match='is protected with policy "Silver"'):
        run.protection.update(JANE_ID, state, {**PROTECTED, "policy": "Gold"})
    assert [] == emulator.writes()


def test_a_policy_of_ours_stays_ours_where_any_policy_is_accepted(run: Run, emulator: Emulator) -> None:
    inputs = {**without(RESOLVED, "policy_id"), "policy": "Gold", "on_conflict": "accept"}
    outs = run.protection.update(JANE_ID, OWN, inputs)
    assert (SILVER, []) == (outs["own_policy_id"], emulator.writes())


def test_a_reference_that_means_another_resource_is_not_followed_in_an_update(run: Run, emulator: Emulator) -> None:
    with pytest.raises(OperationError) as raised:
        run.protection.update(JANE_ID, OWN, {**PROTECTED, "resource": "hannah.cohen@contoso.example"})
    expected = (
        f'"hannah.cohen@contoso.example" is {HANNAH}, and this resource protects {JANE}: '
        "set previewChecks to true, so that the preview can see that another one is meant"
    )
    assert (expected, []) == (str(raised.value), emulator.writes())


# delete


def test_deleting_takes_our_policy_off(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.protection.delete(JANE_ID, OWN)
    assert ([], []) == (policies_on(emulator, JANE), engine.messages)


def test_deleting_leaves_the_archives_alone(run: Run, emulator: Emulator) -> None:
    before = emulator.state()["archives"]
    run.protection.delete(JANE_ID, OWN)
    assert before == emulator.state()["archives"]


LABEL = f"jane.doe@contoso.example in tenant {TENANT}"


def test_deleting_leaves_what_was_adopted_and_says_so(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.protection.delete(JANE_ID, ADOPTED)
    expected = f"{LABEL} stays protected: this resource did not make the protection, it adopted it."
    assert ([expected], []) == ([message.message for message in engine.messages], emulator.requests())


def test_deleting_leaves_a_foreign_policy_and_says_so(run: Run, emulator: Emulator, engine: Engine) -> None:
    put_policy(emulator, BRONZE)
    run.protection.delete(JANE_ID, OWN)
    expected = f"{LABEL} stays protected: another policy is on it now, {BRONZE}."
    assert ([expected], []) == ([message.message for message in engine.messages], emulator.writes())


@pytest.mark.parametrize("state", [OWN, ADOPTED], ids=["ours", "adopted"])
def test_deleting_leaves_what_is_to_be_kept(
    run: Run, emulator: Emulator, engine: Engine, state: dict[str, Any]
) -> None:
    run.protection.delete(JANE_ID, {**state, "on_destroy": "keep"})
    assert ([], []) == (engine.messages, emulator.requests())


def test_deleting_what_is_not_protected_any_more_is_a_success(run: Run, emulator: Emulator, engine: Engine) -> None:
    remove_protection(emulator)
    run.protection.delete(JANE_ID, OWN)
    assert ([], []) == (engine.messages, emulator.writes())


def test_deleting_each_of_a_few_that_are_not_protected_any_more_is_confirmed_by_a_look(
    run: Run, emulator: Emulator
) -> None:
    for number in range(15, 25):
        run.protection.delete(f"{TENANT}/res-contoso-user-{number}", OWN)
    assert ["list_protections", "get_tenant", *["list_protections"] * 10] == operations(emulator)


def test_deleting_in_a_tenant_that_is_gone_is_a_success(run: Run, emulator: Emulator) -> None:
    run.protection.delete("tenant-nowhere/r-1", OWN)
    assert ["list_protections", "get_tenant", "list_installations"] == operations(emulator)


@pytest.mark.parametrize("reply", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
def test_deleting_from_what_is_not_the_service_is_an_error(servicer: Servicer, reply: Reply) -> None:
    with ScriptedServer(otherwise=reply) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        with pytest.raises(OperationError, match=f"^cannot unprotect {LABEL}: "):
            run.protection.delete(JANE_ID, OWN)


def test_deleting_without_the_permission_is_an_error(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.read_only_key, "baseUrl": emulator.url})
    with pytest.raises(OperationError, match=f"^cannot unprotect {LABEL}: 403 forbidden"):
        run.protection.delete(JANE_ID, OWN)
    assert [SILVER] == policies_on(emulator, JANE)


@pytest.mark.parametrize("how", ["adopted", "created", "updated"])
def test_deleting_leaves_what_another_resource_of_the_run_claims(run: Run, emulator: Emulator, how: str) -> None:
    if how == "updated":
        run.protection.update(JANE_ID, OWN, {**RESOLVED, "on_destroy": "keep"})
    else:
        if how == "created":
            remove_protection(emulator)
        run.protection.create(RESOLVED)
    emulator.clear_requests()
    run.protection.delete(JANE_ID, OWN)
    assert ([SILVER], []) == (policies_on(emulator, JANE), emulator.requests())


def test_a_claim_ends_with_the_run(run: Run, later_run: Run, emulator: Emulator) -> None:
    run.protection.create(RESOLVED)
    later_run.protection.delete(JANE_ID, OWN)
    assert [] == policies_on(emulator, JANE)


# the whole life


def test_what_was_created_is_read_unchanged_in_the_next_run(run: Run, later_run: Run) -> None:
    inputs = run.protection.check({}, FREE).inputs
    id, outs = run.protection.create(inputs)
    assert (id, outs, inputs) == later_run.protection.read(id, outs)


def test_what_was_created_is_no_difference_in_the_next_run(run: Run, later_run: Run) -> None:
    inputs = run.protection.check({}, FREE).inputs
    id, outs = run.protection.create(inputs)
    assert ("none", []) == later_run.protection.diff(id, outs, later_run.protection.check(inputs, FREE).inputs)
