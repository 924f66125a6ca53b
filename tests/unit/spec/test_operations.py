"""The rows of the operations agree with each other and with the calls that are built from them."""

import pytest

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation, Query
from support.client.examples import arguments

THIS_FILE = "tests/unit/spec/test_operations.py"
PAGING = {"limit", "page_token"}

# The table of section 4 of the interface once more, and the outcomes after which a write may be repeated.
INTERFACE = {
    "list_installations": "read: GET /applications/me/installations",
    "create_org": "write: POST /orgs",
    "get_org": "read: GET /orgs/{id}",
    "list_orgs": "read: GET /orgs/{org_id}/orgs",
    "list_tenants": "read: GET /orgs/{org_id}/tenants",
    "list_subscriptions": "billing: GET /orgs/{org_id}/licensing/subscriptions",
    "get_subscription_history": "billing: GET /orgs/{org_id}/licensing/subscriptions/history",
    "get_tenant": "read: GET /tenants/{id}",
    "get_tenant_quotas": "read: GET /tenants/{id}/quotas",
    "list_archives": "read: GET /tenants/{tenant_id}/archives",
    "delete_archive": "write: DELETE /tenants/{tenant_id}/archives/{id}",
    "list_audit_events": "read: GET /tenants/{tenant_id}/audit/events",
    "trigger_job": "write: PUT /tenants/{tenant_id}/jobs/{job_id}/trigger",
    "list_policies": "read: GET /tenants/{tenant_id}/policies",
    "list_protections": "read: GET /tenants/{tenant_id}/protections",
    "list_resources": "read: GET /tenants/{tenant_id}/resources",
    "get_resource_stats": "read: GET /tenants/{tenant_id}/resources/statistics/summary",
    "get_resource": "read: GET /tenants/{tenant_id}/resources/{id}",
    "protect_resource": "write: POST /tenants/{tenant_id}/resources/{resource_id}/protect",
    "unprotect_resource": "write: DELETE /tenants/{tenant_id}/resources/{resource_id}/protect",
    "get_task_stats": "read: GET /tenants/{tenant_id}/tasks/statistics/summary",
    "get_task": "read: GET /tenants/{tenant_id}/tasks/{task_id}",
}
REFUSALS = {400, 401, 403, 404, 429}
NOTHING_DONE = {"not_sent", "too_many_requests"}
ANY = NOTHING_DONE | {"busy", "service_error", "answer_lost"}
READ = ANY | {"conflict"}
SUCCESS = {"delete_archive": {200, 204}, "unprotect_resource": {200, 204}}
REPEAT_AFTER = {
    "create_org": NOTHING_DONE,
    "delete_archive": ANY,
    "trigger_job": NOTHING_DONE,
    "protect_resource": ANY,
    "unprotect_resource": ANY,
}

each_operation = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.id)


def test_the_rows_are_numbered_from_1_to_22_in_order() -> None:
    assert list(range(1, 23)) == [row.number for row in OPERATIONS]


@each_operation
def test_a_row_has_a_call(row: Operation) -> None:
    assert row.id in calls.__all__, f"write the function {row.id} in client/calls.py, and add it to __all__ there"


def test_each_row_has_an_id_of_its_own_and_a_call_in_the_same_order() -> None:
    assert [*calls.__all__] == [row.id for row in OPERATIONS]
    assert [*OPERATIONS] == [*BY_ID.values()]


@each_operation
def test_a_row_states_its_permission_its_method_and_its_path(row: Operation) -> None:
    assert row.id in INTERFACE, f"add {row.id} to INTERFACE in {THIS_FILE}"
    assert INTERFACE[row.id] == f"{row.permission}: {row.method} {row.path.removeprefix('/api/v1')}"


@each_operation
def test_a_row_states_the_outcomes_after_which_it_may_be_repeated(row: Operation) -> None:
    assert row.writes == (row.id in REPEAT_AFTER), f"add {row.id} to REPEAT_AFTER in {THIS_FILE}"
    assert REPEAT_AFTER.get(row.id, READ) == row.repeat_after


@each_operation
def test_the_positional_arguments_of_a_call_are_the_parameters_of_the_path(row: Operation) -> None:
    positional = [one.name for one in arguments(row).values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert list(row.path_parameters) == positional


@each_operation
def test_the_keyword_arguments_of_a_call_are_the_parameters_of_the_query_without_paging(row: Operation) -> None:
    keywords = [(one.name, one.default is one.empty) for one in arguments(row).values() if one.kind is one.KEYWORD_ONLY]
    assert [(query.name, query.required) for query in row.query if query.name not in PAGING] == keywords


@each_operation
def test_exactly_the_lists_answer_with_pages_and_take_a_limit_and_a_page_token(row: Operation) -> None:
    lists = row.id.startswith("list_")
    expected: tuple[bool, set[str]] = (lists, PAGING if lists else set())
    assert expected == (row.answers == "page", {query.name for query in row.query} & PAGING)


@each_operation
def test_exactly_the_gets_and_the_lists_do_not_write(row: Operation) -> None:
    assert row.id.startswith(("get_", "list_")) == (not row.writes)


@each_operation
def test_a_row_states_the_statuses_of_a_success_and_of_a_refusal(row: Operation) -> None:
    assert SUCCESS.get(row.id, {200}) == row.success
    assert row.refusals - {409} == REFUSALS


@each_operation
def test_exactly_the_deletions_answer_with_nothing(row: Operation) -> None:
    assert (row.method == "DELETE") == (row.answers == "nothing")


@each_operation
def test_a_row_answers_with_a_record_exactly_if_the_id_of_the_record_ends_its_path(row: Operation) -> None:
    assert (row.method == "GET" and row.path.endswith("}")) == (row.answers == "record")


def test_only_protecting_takes_a_body() -> None:
    assert ["protect_resource"] == [row.id for row in OPERATIONS if row.body]


def test_the_required_query_parameters_are_those_of_the_interface() -> None:
    expected = {
        "delete_archive": {"reason"},
        "protect_resource": {"policy_id"},
        "unprotect_resource": {"policy_id"},
        "get_task_stats": {"start_time", "end_time"},
    }
    found = {row.id: {query.name for query in row.query if query.required} for row in OPERATIONS}
    assert expected == {id: required for id, required in found.items() if required}


def test_the_times_are_those_of_the_interface() -> None:
    expected = {
        "get_subscription_history": ["start", "end"],
        "list_audit_events": ["start_time", "end_time"],
        "get_task_stats": ["start_time", "end_time"],
    }
    found = {row.id: [query.name for query in row.query if query.type == "date-time"] for row in OPERATIONS}
    assert expected == {id: times for id, times in found.items() if times}


def test_a_limit_is_a_number() -> None:
    assert {Query("limit", "int32")} == {query for row in OPERATIONS for query in row.query if query.name == "limit"}
