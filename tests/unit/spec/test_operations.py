"""The rows of the 22 operations agree with each other and with the calls that are built from them."""

import inspect

import pytest

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.spec import BY_ID, OPERATIONS, Operation, Query

PAGING = {"limit", "page_token"}

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)


def arguments(operation: Operation) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(calls, operation.id)).parameters)


def names(operation: Operation) -> list[str]:
    return [query.name for query in operation.query if query.name not in PAGING]


def test_the_rows_are_numbered_from_1_to_22_in_order() -> None:
    expected = list(range(1, 23))
    assert expected == [operation.number for operation in OPERATIONS]


def test_no_two_rows_have_the_same_id() -> None:
    assert len(OPERATIONS) == len({operation.id for operation in OPERATIONS})


def test_no_two_rows_have_the_same_method_and_path() -> None:
    assert len(OPERATIONS) == len({(operation.method, operation.path) for operation in OPERATIONS})


def test_a_row_is_found_by_its_id() -> None:
    expected = {operation.id: operation for operation in OPERATIONS}
    assert expected == BY_ID


def test_each_row_has_its_call_in_the_same_order() -> None:
    expected = [operation.id for operation in OPERATIONS]
    assert expected == calls.__all__


PERMISSIONS = {
    "write": {"create_org", "delete_archive", "trigger_job", "protect_resource", "unprotect_resource"},
    "billing": {"list_subscriptions", "get_subscription_history"},
}


@each_operation
def test_a_row_says_which_permission_it_takes(operation: Operation) -> None:
    expected = next((name for name, ids in PERMISSIONS.items() if operation.id in ids), "read")
    assert expected == operation.permission


@each_operation
def test_a_calls_positional_arguments_are_the_paths_parameters(operation: Operation) -> None:
    positional = [
        argument.name for argument in arguments(operation).values() if argument.kind is argument.POSITIONAL_OR_KEYWORD
    ]
    expected = list(operation.path_parameters)
    assert expected == positional


@each_operation
def test_a_calls_keyword_arguments_are_the_querys_parameters_without_paging(operation: Operation) -> None:
    keywords = [argument.name for argument in arguments(operation).values() if argument.kind is argument.KEYWORD_ONLY]
    expected = names(operation)
    assert expected == keywords


@each_operation
def test_a_calls_argument_is_optional_where_the_querys_parameter_is(operation: Operation) -> None:
    given = arguments(operation)
    expected = {query.name: query.required for query in operation.query if query.name not in PAGING}
    assert expected == {name: given[name].default is inspect.Parameter.empty for name in expected}


@each_operation
def test_no_parameter_is_in_both_path_and_query(operation: Operation) -> None:
    assert set() == {query.name for query in operation.query} & set(operation.path_parameters)


@each_operation
def test_a_row_is_paged_exactly_if_it_takes_a_limit_and_a_page_token(operation: Operation) -> None:
    expected = {query.name for query in operation.query} >= PAGING
    assert expected == (operation.answers == "page")


@each_operation
def test_a_row_is_paged_exactly_if_it_lists(operation: Operation) -> None:
    expected = operation.id.startswith("list_")
    assert expected == (operation.answers == "page")


@each_operation
def test_all_rows_but_readings_write(operation: Operation) -> None:
    expected = not operation.id.startswith(("get_", "list_"))
    assert expected == operation.writes


@each_operation
def test_a_row_reads_a_record_exactly_if_its_path_ends_with_the_records_id(operation: Operation) -> None:
    expected = operation.id in {"get_org", "get_tenant", "get_resource", "get_task"}
    assert expected == (operation.answers == "record")


@each_operation
def test_all_paths_begin_with_the_interfaces_version(operation: Operation) -> None:
    assert operation.path.startswith("/api/v1/")


NOTHING_DONE = {"not_sent", "too_many_requests"}
ANY = NOTHING_DONE | {"service_error", "answer_lost"}


@pytest.mark.parametrize(
    ("id", "outcomes"),
    [
        ("list_installations", ANY),
        ("create_org", NOTHING_DONE),
        ("get_org", ANY),
        ("list_orgs", ANY),
        ("list_tenants", ANY),
        ("list_subscriptions", ANY),
        ("get_subscription_history", ANY),
        ("get_tenant", ANY),
        ("get_tenant_quotas", ANY),
        ("list_archives", ANY),
        ("delete_archive", ANY),
        ("list_audit_events", ANY),
        ("trigger_job", NOTHING_DONE),
        ("list_policies", ANY),
        ("list_protections", ANY),
        ("list_resources", ANY),
        ("get_resource_stats", ANY),
        ("get_resource", ANY),
        ("protect_resource", ANY),
        ("unprotect_resource", ANY),
        ("get_task_stats", ANY),
        ("get_task", ANY),
    ],
)
def test_an_operation_may_be_repeated_after(id: str, outcomes: set[str]) -> None:
    assert outcomes == BY_ID[id].repeat_after


def test_only_protecting_takes_a_body() -> None:
    expected = ["protect_resource"]
    assert expected == [operation.id for operation in OPERATIONS if operation.body]


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
    expected = {Query("limit", "int32")}
    assert expected == {query for row in OPERATIONS for query in row.query if query.name == "limit"}
