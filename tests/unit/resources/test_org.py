"""Organizations, as the engine drives them over the provider's wire."""

from typing import Any

import pytest

from support import Emulator
from support.resources.runs import operations
from support.resources.scripted import NOT_THE_SERVICE, Reply, ScriptedServer, items, reply
from support.resources.servicer import UNKNOWN, Engine, OperationError, Run, Servicer

NEW: dict[str, Any] = {"external_id": "crm-7", "name": "Shop", "parent_org_id": "org-alpine"}
NORTHWIND: dict[str, Any] = {
    "external_id": "crm-1001",
    "name": "Northwind Traders",
    "kind": "basic",
    "parent_org_id": "org-alpine",
    "schema_version": 1,
}


def offline(servicer: Servicer, emulator: Emulator) -> Run:
    return servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "false"})


# check: a new organization


def test_a_new_organization_is_checked_against_its_siblings_alone(run: Run, emulator: Emulator) -> None:
    checked = run.org.check({}, NEW)
    assert (NEW, [], ["list_orgs"]) == (*checked, operations(emulator))


def test_an_organization_without_parent_gets_the_one_that_the_key_is_installed_for(run: Run) -> None:
    checked = run.org.check({}, {"external_id": "crm-7", "name": "Shop"})
    assert ({**NEW, "parent_org_id": "org-meridian"}, []) == checked


def test_an_organization_that_can_be_taken_over_is_no_failure(run: Run) -> None:
    inputs = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
    assert (inputs, []) == run.org.check({}, inputs)


BAD_TEXT: list[tuple[object, str]] = [
    ("", "must not be empty"),
    (" \t", "must not be empty"),
    ("a\nb", "must not hold control characters"),
    (7, "must be text"),
    (1.5, "must be text"),
    (True, "must be text"),
    (["a"], "must be text"),
    ({"a": "b"}, "must be text"),
]


@pytest.mark.parametrize("name", ["external_id", "name", "parent_org_id", "admin_email", "profile"])
@pytest.mark.parametrize(("value", "reason"), BAD_TEXT)
def test_what_is_no_text_fails_on_its_property(run: Run, name: str, value: object, reason: str) -> None:
    assert [(name, reason)] == run.org.check({}, {**NEW, name: value}).failures


@pytest.mark.parametrize("name", ["external_id", "name"])
def test_what_is_missing_fails_on_its_property(run: Run, name: str) -> None:
    inputs = {key: value for key, value in NEW.items() if key != name}
    assert [(name, "is required")] == run.org.check({}, inputs).failures


@pytest.mark.parametrize("name", ["parent_org_id", "admin_email", "profile"])
def test_an_argument_that_is_null_is_left_out(servicer: Servicer, emulator: Emulator, name: str) -> None:
    assert [] == offline(servicer, emulator).org.check({}, {**NEW, name: None}).failures


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_asked(run: Run, emulator: Emulator) -> None:
    failures = run.org.check({}, {"name": "", "admin_email": 5}).failures
    expected = [("external_id", "is required"), ("name", "must not be empty"), ("admin_email", "must be text")]
    assert (expected, []) == (failures, emulator.requests())


def test_a_number_is_not_taken_for_a_text_that_it_may_have_been(run: Run) -> None:
    checked = run.org.check({}, {**NEW, "external_id": 12345678901234567890})
    assert [("external_id", "must be text")] == checked.failures


def test_an_external_id_that_another_name_has_fails_on_the_name(run: Run) -> None:
    failures = run.org.check({}, {**NEW, "external_id": "crm-1001"}).failures
    reason = (
        'the external_id "crm-1001" belongs to the organization "Northwind Traders" (org-northwind), '
        'and this asks for "Shop"'
    )
    assert [("name", reason)] == failures


def test_a_name_that_another_external_id_has_fails_on_the_external_id(run: Run) -> None:
    failures = run.org.check({}, {**NEW, "name": "Contoso"}).failures
    reason = (
        'an organization named "Contoso" exists already, with the external_id "crm-1002" (org-contoso), '
        'and this asks for the external_id "crm-7"'
    )
    assert [("external_id", reason)] == failures


def test_a_parent_that_does_not_exist_fails_on_the_parent(run: Run) -> None:
    failures = run.org.check({}, {**NEW, "parent_org_id": "org-nowhere"}).failures
    reason = (
        "404 not found (GET /api/v1/orgs/org-nowhere/orgs): "
        'there is no organization "org-nowhere". Check the ids, and that the base URL is the service\'s'
    )
    assert [("parent_org_id", reason)] == failures


def test_a_key_that_is_installed_for_no_organization_fails_on_the_parent(run: Run, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "deleted": True}]})
    failures = run.org.check({}, {"external_id": "crm-7", "name": "Shop"}).failures
    reason = "the key is installed for none where one organization is needed: name it"
    assert [("parent_org_id", reason)] == failures


def test_a_key_that_is_installed_for_several_organizations_fails_on_the_parent(run: Run, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-3", "key_name": "Full access", "org_id": "org-harbor"}]})
    failures = run.org.check({}, {"external_id": "crm-7", "name": "Shop"}).failures
    reason = "the key is installed for 2 (org-meridian, org-harbor) where one organization is needed: name it"
    assert [("parent_org_id", reason)] == failures


def test_a_service_that_refuses_the_key_ends_the_check_with_its_advice(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": "stale", "baseUrl": emulator.url})
    with pytest.raises(OperationError) as raised:
        run.org.check({}, {"external_id": "crm-7", "name": "Shop"})
    expected = (
        "cannot list the installations of this application: 401 unauthenticated "
        "(GET /api/v1/applications/me/installations): the API key is not valid. "
        "Check that the API key from the config key dataprotection:apiKey is whole and has not expired"
    )
    assert expected == str(raised.value)


def test_without_preview_checks_nothing_is_asked(servicer: Servicer, emulator: Emulator) -> None:
    inputs = {"external_id": "crm-1001", "name": "Shop"}
    checked = offline(servicer, emulator).org.check({}, inputs)
    assert (inputs, [], []) == (*checked, emulator.requests())


def test_preview_checks_that_are_neither_on_nor_off_are_an_error(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.api_key, "baseUrl": emulator.url, "previewChecks": "maybe"})
    with pytest.raises(OperationError) as raised:
        run.org.check({}, NEW)
    expected = "the config key dataprotection:previewChecks is 'maybe', and must be true or false"
    assert expected == str(raised.value)


# check: what is not known yet


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("external_id", []),
        ("name", []),
        ("parent_org_id", []),
        ("admin_email", ["list_orgs"]),
    ],
)
def test_what_is_not_known_yet_is_passed_on_and_not_asked_for(
    run: Run, emulator: Emulator, name: str, asked: list[str]
) -> None:
    inputs = {**NEW, name: UNKNOWN}
    checked = run.org.check({}, inputs)
    assert (inputs, [], asked) == (*checked, operations(emulator))


def test_nothing_is_asked_where_nothing_is_known(run: Run, emulator: Emulator) -> None:
    inputs = dict.fromkeys([*NEW, "admin_email"], UNKNOWN)
    checked = run.org.check({}, inputs)
    assert (inputs, [], []) == (*checked, emulator.requests())


def test_what_is_wrong_is_told_beside_what_is_not_known_yet(run: Run) -> None:
    assert [("admin_email", "must be text")] == run.org.check({}, {**NEW, "name": UNKNOWN, "admin_email": 5}).failures


@pytest.mark.parametrize("name", ["external_id", "name", "parent_org_id", "admin_email"])
def test_what_is_not_known_yet_is_no_change_that_cannot_be(run: Run, name: str) -> None:
    olds = {**NEW, "admin_email": "it@shop.example"}
    inputs = {**olds, name: UNKNOWN}
    assert (inputs, []) == run.org.check(olds, inputs)


# check: an organization that exists


WRITE_THAT = "write that name in the program, or rename it in the portal and run `pulumi refresh`"
ONLY_AT_CREATION = 'it counts at creation alone: write the old one, or set ignore_changes=["admin_email"]'
CHANGES: list[tuple[str, object, object, str]] = [
    ("external_id", "crm-7", "crm-8", 'it is "crm-7": declare another resource for another organization'),
    (
        "name",
        "Shop",
        "Deli",
        f'it is "Shop": {WRITE_THAT}',
    ),
    ("name", "Shop", "shop", f'it is "Shop": {WRITE_THAT}'),
    (
        "parent_org_id",
        "org-alpine",
        "org-harbor",
        'it is "org-alpine": declare another resource for an organization elsewhere',
    ),
    (
        "admin_email",
        "it@shop.example",
        "new@shop.example",
        f"it is another address: {ONLY_AT_CREATION}",
    ),
    (
        "admin_email",
        None,
        "it@shop.example",
        f"it is empty: {ONLY_AT_CREATION}",
    ),
    (
        "admin_email",
        "it@shop.example",
        None,
        f"it is another address: {ONLY_AT_CREATION}",
    ),
]


def with_value(name: str, value: object) -> dict[str, Any]:
    inputs = {**NEW, name: value}
    return {key: one for key, one in inputs.items() if one is not None}


@pytest.mark.parametrize(("name", "old", "new", "reason"), CHANGES)
def test_a_change_that_the_service_cannot_make_fails_in_the_preview(
    run: Run, name: str, old: object, new: object, reason: str
) -> None:
    failures = run.org.check(with_value(name, old), with_value(name, new)).failures
    assert [(name, f"cannot be changed, the service has no operation for it; {reason}")] == failures


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("admin_email", "it@shop.example", "IT@Shop.example"),
        ("admin_email", "it@shop.example", " it@shop.example "),
        ("name", "Café", "Cafe\u0301"),
        ("name", "Shop", "Shop"),
    ],
)
def test_another_spelling_of_the_same_is_no_change(run: Run, name: str, old: str, new: str) -> None:
    inputs = {**NEW, name: new}
    assert (inputs, []) == run.org.check({**NEW, name: old}, inputs)


def test_another_profile_is_no_change_of_the_organization(servicer: Servicer, emulator: Emulator) -> None:
    profiles = f'{{"second": {{"apiKey": "{emulator.api_key}", "baseUrl": "{emulator.url}"}}}}'
    inputs = {**NEW, "profile": "second"}
    assert (inputs, []) == servicer.run({"profiles": profiles}).org.check({**NEW, "profile": "first"}, inputs)


def test_a_profile_that_does_not_exist_is_found_in_the_check(run: Run) -> None:
    with pytest.raises(OperationError, match="profile 'second' is asked for"):
        run.org.check(NEW, {**NEW, "profile": "second"})


def test_a_parent_that_was_found_before_is_kept(run: Run, emulator: Emulator) -> None:
    checked = run.org.check(NEW, {"external_id": "crm-7", "name": "Shop"})
    assert (NEW, [], []) == (*checked, emulator.requests())


def test_a_parent_that_was_never_found_stays_open(run: Run) -> None:
    inputs = {"external_id": "crm-7", "name": "Shop"}
    assert (inputs, []) == run.org.check(inputs, inputs)


# diff


def test_the_engine_compares_an_organization_by_itself(run: Run, emulator: Emulator) -> None:
    difference = run.org.diff("org-northwind", NORTHWIND, {**NEW, "name": UNKNOWN})
    assert ("unknown", [], []) == (*difference, emulator.requests())


# create


def test_a_created_organization_has_all_outputs(run: Run) -> None:
    id, outs = run.org.create({**NEW, "admin_email": "it@shop.example"})
    invitation_url = outs.pop("invitation_url")
    expected = {**NEW, "admin_email": "it@shop.example", "kind": "basic", "schema_version": 1}
    assert (True, expected, True) == (
        id.startswith("org-"),
        outs,
        invitation_url.startswith("https://portal.example/invitations/"),
    )


def test_a_created_organization_is_what_was_asked_for(run: Run, emulator: Emulator) -> None:
    id, _ = run.org.create(NEW)
    (org,) = (org for org in emulator.state()["orgs"] if org["id"] == id)
    assert ("crm-7", "Shop", "org-alpine") == (org["external_id"], org["name"], org["parent_org_id"])


def test_an_organization_is_created_with_one_write(run: Run, emulator: Emulator) -> None:
    run.org.create(NEW)
    assert ["create_org"] == [request["operation"] for request in emulator.writes()]


def test_an_organization_without_parent_is_created_below_the_keys_own(run: Run) -> None:
    _, outs = run.org.create({"external_id": "crm-7", "name": "Shop"})
    assert outs["parent_org_id"] == "org-meridian"


def test_an_organization_that_exists_is_taken_over(run: Run, emulator: Emulator) -> None:
    inputs = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
    id, outs = run.org.create({**inputs, "admin_email": "it@northwind.example"})
    expected = {**NORTHWIND, "admin_email": "it@northwind.example"}
    assert ("org-northwind", expected, []) == (id, outs, emulator.writes())


def test_creating_says_what_failed_and_what_to_do(servicer: Servicer, emulator: Emulator) -> None:
    run = servicer.run({"apiKey": emulator.read_only_key, "baseUrl": emulator.url})
    with pytest.raises(OperationError) as raised:
        run.org.create(NEW)
    expected = (
        'cannot create the organization "Shop" with the external_id "crm-7": 403 forbidden (POST /api/v1/orgs): '
        'the application "Read-only" lacks the permission "write". The application of the API key from the config key '
        "dataprotection:apiKey lacks the permission to write this: use a key that has it, and that is installed where "
        "this belongs"
    )
    assert expected == str(raised.value)


def test_an_organization_that_another_name_has_is_not_created(run: Run, emulator: Emulator) -> None:
    with pytest.raises(OperationError) as raised:
        run.org.create({**NEW, "external_id": "crm-1001"})
    expected = (
        'cannot create the organization "Shop" with the external_id "crm-1001": the external_id "crm-1001" belongs to '
        'the organization "Northwind Traders" (org-northwind), and this asks for "Shop"'
    )
    assert (expected, []) == (str(raised.value), emulator.writes())


# read


def test_reading_an_unchanged_organization_changes_nothing(run: Run) -> None:
    inputs = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
    assert ("org-northwind", NORTHWIND, inputs) == run.org.read("org-northwind", NORTHWIND)


def test_reading_brings_a_renaming_into_outputs_and_inputs(run: Run, emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-northwind", "name": "Northwind"}]})
    found = run.org.read("org-northwind", NORTHWIND)
    assert ("Northwind", "Northwind") == (found.outs["name"], found.inputs["name"])


def test_reading_keeps_what_is_told_at_creation_alone(run: Run) -> None:
    only_then = {"invitation_url": "https://portal.example/invitations/1", "admin_email": "it@northwind.example"}
    found = run.org.read("org-northwind", {**NORTHWIND, **only_then})
    assert {**NORTHWIND, **only_then} == found.outs


def test_another_unicode_form_of_the_name_is_no_renaming(run: Run, emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-northwind", "name": "Cafe\u0301"}]})
    assert run.org.read("org-northwind", {**NORTHWIND, "name": "Café"}).outs["name"] == "Café"


def test_an_organization_that_is_gone_leaves_the_state(run: Run, emulator: Emulator) -> None:
    emulator.patch({"orgs": [{"id": "org-empty", "name": "Empty", "parent_org_id": "org-alpine"}]})
    emulator.patch({"orgs": [{"id": "org-empty", "deleted": True}]})
    found = run.org.read("org-empty", NORTHWIND)
    assert ("", {}, {}) == found


def test_getting_an_organization_gives_its_outputs(run: Run) -> None:
    expected = {"external_id": "crm-1001", "name": "Northwind Traders", "kind": "basic", "schema_version": 1}
    inputs = {"external_id": "crm-1001", "name": "Northwind Traders"}
    assert ("org-northwind", expected, inputs) == run.org.get("org-northwind")


def test_getting_an_organization_that_does_not_exist_is_an_error(run: Run) -> None:
    with pytest.raises(OperationError) as raised:
        run.org.get("org-nowhere")
    expected = (
        "cannot read an organization: 404 not found (GET /api/v1/orgs/org-nowhere): "
        'there is no organization "org-nowhere". '
        "Check the ids, and that the base URL is the service's"
    )
    assert expected == str(raised.value)


@pytest.mark.parametrize("reply", NOT_THE_SERVICE.values(), ids=NOT_THE_SERVICE)
def test_what_is_not_the_service_never_empties_the_state(servicer: Servicer, reply: Reply) -> None:
    with ScriptedServer(otherwise=reply) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        with pytest.raises(OperationError, match=r"base URL|API key"):
            run.org.read("org-northwind", NORTHWIND)


def test_a_404_that_nothing_confirms_never_empties_the_state(servicer: Servicer) -> None:
    script = {
        "GET /api/v1/orgs/org-1": [reply(404)],
        "GET /api/v1/applications/me/installations": [reply(403)],
    }
    with ScriptedServer(script) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        with pytest.raises(OperationError, match="cannot list the installations of this application: 403"):
            run.org.read("org-1", NORTHWIND)


@pytest.mark.parametrize("id", ["", " ", "org\n1"])
def test_an_id_that_no_organization_can_have_is_not_sent(run: Run, emulator: Emulator, id: str) -> None:
    with pytest.raises(OperationError) as raised:
        run.org.read(id, NORTHWIND)
    expected = "cannot read an organization: id must be text that is not empty, without control characters"
    assert (expected, []) == (str(raised.value), emulator.requests())


@pytest.mark.parametrize("id", ["org/one", "org one", "org?x#y", "..", "ørg-1"])
def test_an_id_with_special_characters_is_one_part_of_the_path(run: Run, emulator: Emulator, id: str) -> None:
    emulator.patch({"orgs": [{"id": id, "external_id": "crm-8", "name": "Odd", "parent_org_id": "org-alpine"}]})
    found = run.org.read(id, NORTHWIND)
    assert (id, "Odd") == (found.id, found.outs["name"])


# update


def test_updating_keeps_what_was_computed(run: Run, emulator: Emulator) -> None:
    olds = {**NORTHWIND, "invitation_url": "https://x", "admin_email": "it@northwind.example"}
    news = {
        "external_id": "crm-1001",
        "name": "Northwind Traders",
        "parent_org_id": "org-alpine",
        "admin_email": "IT@northwind.example",
    }
    outs = run.org.update("org-northwind", olds, news)
    assert ({**olds, "admin_email": "IT@northwind.example"}, []) == (outs, emulator.requests())


def test_updating_from_another_version_of_the_outputs_writes_this_one(run: Run) -> None:
    assert run.org.update("org-northwind", {**NORTHWIND, "schema_version": 0}, NEW)["schema_version"] == 1


def test_a_profile_that_is_taken_out_of_the_program_goes_out_of_the_state(run: Run) -> None:
    inputs = {"external_id": "crm-1001", "name": "Northwind Traders", "parent_org_id": "org-alpine"}
    assert NORTHWIND == run.org.update("org-northwind", {**NORTHWIND, "profile": "old"}, inputs)


# delete


def test_deleting_leaves_the_organization_where_it_is(run: Run, emulator: Emulator, engine: Engine) -> None:
    run.org.delete("org-northwind", NORTHWIND)
    (message,) = engine.messages
    expected = (
        'The organization "Northwind Traders" (org-northwind) stays in the service, if it was not deleted in the '
        "portal: there is no operation for that, and Pulumi only forgets it."
    )
    assert (expected, []) == (message.message, emulator.requests())


# the service that a resource's profile names


def test_a_profile_decides_which_service_is_asked(servicer: Servicer, emulator: Emulator) -> None:
    profiles = f'{{"second": {{"apiKey": "{emulator.api_key}", "baseUrl": "{emulator.url}"}}}}'
    with ScriptedServer() as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url, "profiles": profiles})
        found = run.org.read("org-northwind", {**NORTHWIND, "profile": "second"})
        assert ("second", []) == (found.inputs["profile"], server.requests)


def test_a_profile_that_is_not_configured_is_an_error(run: Run) -> None:
    with pytest.raises(OperationError) as raised:
        run.org.read("org-northwind", {**NORTHWIND, "profile": "second"})
    expected = (
        "profile 'second' is asked for, and there are no profiles: set DATAPROTECTION_PROFILES, or run "
        "`pulumi config set --secret --path dataprotection:profiles.NAME.apiKey` and the same for baseUrl"
    )
    assert expected == str(raised.value)


def test_the_parents_children_are_listed_once_for_all_checks(servicer: Servicer) -> None:
    script = {"GET /api/v1/orgs/org-1/orgs": [items()]}
    with ScriptedServer(script) as server:
        run = servicer.run({"apiKey": "key", "baseUrl": server.url})
        for number in range(3):
            run.org.check({}, {"external_id": f"crm-{number}", "name": f"Shop {number}", "parent_org_id": "org-1"})
        assert len(server.requests) == 1
