"""A success proves that it is the answer to the call, or it is an error."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from pulumi_dataprotection.client import Client, calls, errors
from pulumi_dataprotection.spec import OPERATIONS
from support.client.examples import CREATE, DELETE, PROTECT, TRIGGER, UNPROTECT, Built, name, refused, success
from support.scripted import Scripted, told

TIME = datetime(2026, 1, 1, tzinfo=UTC)
DURING = {"start_time": TIME, "end_time": TIME}

CALLS: dict[str, Built] = {
    call.operation.id: call
    for call in (
        *(CREATE, DELETE, PROTECT, TRIGGER, UNPROTECT),
        *(calls.get_org("o-1"), calls.get_tenant("t-1"), calls.get_tenant_quotas("t-1")),
        *(calls.get_resource("t-1", "r-1"), calls.get_resource_stats("t-1"), calls.get_task("t-1", "task-1")),
        *(calls.get_subscription_history("o-1"), calls.get_task_stats("t-1", **DURING)),
        *(
            calls.list_installations(),
            calls.list_orgs("o-1"),
            calls.list_tenants("o-1"),
            calls.list_subscriptions("o-1"),
        ),
        *(calls.list_archives("t-1"), calls.list_audit_events("t-1"), calls.list_policies("t-1")),
        *(calls.list_protections("t-1"), calls.list_resources("t-1")),
    )
}

each_call = pytest.mark.parametrize("call", CALLS.values(), ids=name)
each_list = pytest.mark.parametrize(
    "call", [call for call in CALLS.values() if call.operation.answers == "page"], ids=name
)

ERRORS: list[dict[str, object]] = [
    {"message": "temporarily unavailable", "status": 503},
    {"error": {"code": 403, "message": "forbidden"}},
    {"error": "forbidden"},
    {"error": "forbidden", "error_description": "no scope"},
    {"errors": [{"code": "forbidden"}]},
    {"code": "forbidden", "message": "no", "details": []},
    {"status": 403, "code": "forbidden", "message": "no"},
    {"code": 7},
    {"status": "UNAVAILABLE"},
    {"message": "try again"},
]


def test_each_operation_is_tried_here() -> None:
    assert {operation.id for operation in OPERATIONS} == {*CALLS}


@each_call
@pytest.mark.parametrize("body", ERRORS, ids=str)
def test_an_error_with_the_status_of_a_success_is_an_error(
    client: Client, server: Scripted, call: Built, body: Mapping[str, object]
) -> None:
    server.script(told(body))
    assert isinstance(refused(client, call), errors.AnswerError)


@each_call
@pytest.mark.parametrize("status", [201, 202, 203, 204, 206, 207, 226])
def test_another_success_than_that_of_the_interface_is_an_error(
    client: Client, server: Scripted, call: Built, status: int
) -> None:
    server.script(told({} if call.operation.answers == "page" else success_of(call), status))
    if status in call.operation.success:
        client.send(call)
    else:
        assert f"its status is not 200 ({status}" in str(refused(client, call)) or call.operation.method == "DELETE"


def success_of(call: Built) -> object:
    return {"id": call.operation.id}


def test_only_a_deletion_may_have_no_content() -> None:
    assert {"delete_archive", "unprotect_resource"} == {row.id for row in OPERATIONS if row.success != {200}}


@each_list
@pytest.mark.parametrize(
    "body", [{"detail": "maintenance"}, {"result": []}, {"data": {"items": []}}, {"total": 0}, {"Items": []}], ids=str
)
def test_an_object_without_items_is_not_a_page(
    client: Client, server: Scripted, call: Built, body: Mapping[str, object]
) -> None:
    server.script(told(body))
    assert "it has no items, and no next_page_token" in str(refused(client, call))


@each_list
@pytest.mark.parametrize(
    ("body", "explicit"),
    [
        ({}, False),
        ({"next_page_token": ""}, False),
        ({"next_page_token": None}, False),
        ({"items": None}, True),
        ({"items": []}, True),
        ({"items": [], "next_page_token": "", "status": 200, "message": "OK", "error": None, "code": 0}, True),
    ],
    ids=str,
)
def test_an_empty_page_proves_something_if_it_states_its_items(
    client: Client, server: Scripted, call: Built, body: Mapping[str, object], *, explicit: bool
) -> None:
    server.script(told(body))
    listed = client.send_listing(call)
    assert ([], True, explicit) == (listed.items, listed.complete, listed.explicit)


@each_list
@pytest.mark.parametrize(
    "body",
    [
        {"items": None, "message": "temporarily unavailable", "status": 503},
        {"items": [], "error": {"code": 503}},
        {"items": [], "error": "upstream failed"},
        {"items": [], "status": 503},
        {"next_page_token": "2", "error": "upstream failed"},
    ],
    ids=str,
)
def test_a_page_that_reports_a_failure_is_an_error(
    client: Client, server: Scripted, call: Built, body: Mapping[str, object]
) -> None:
    server.script(told(body))
    assert "it describes an error" in str(refused(client, call))


def test_an_error_in_a_success_is_quoted_without_what_is_private(client: Client, server: Scripted) -> None:
    server.script(told({"message": f"no \x1b[2J key {client.settings.api_key}", "status": 503}))
    expected = (
        "cannot list resources: the answer (GET /api/v1/tenants/t-1/resources) is not what the interface describes: "
        "it describes an error (200, application/json): no [2J key [the API key]. "
        "Check that the base URL is the service's"
    )
    assert expected == str(refused(client, CALLS["list_resources"]))


def shown(value: object) -> str:
    return "" if callable(value) else str(value)


def test_an_error_without_words_shows_nothing_of_its_record(client: Client, server: Scripted) -> None:
    server.script(told({"code": 7, "status": 409, "invitation_url": "https://invite.example/SECRET"}))
    text = str(refused(client, CREATE))
    assert "it describes an error (200, application/json): an object, not shown here" in text
    assert "SECRET" not in text


OTHERS: list[tuple[Callable[[], Built], object]] = [
    (lambda: calls.get_org("o-1"), {"id": "o-2"}),
    (lambda: calls.get_org("o-1"), {"id": "O-1"}),
    (lambda: calls.get_tenant("t-1"), {"id": "t-2"}),
    (lambda: calls.get_tenant("t-1"), {"tenant_id": "t-2", "kind": "gsuite"}),
    (lambda: calls.get_task("t-1", "task-1"), {"id": "task-2", "status": "done"}),
    (lambda: calls.get_task("t-1", "task-1"), {"status": "failed", "message": "try again"}),
    (lambda: calls.get_resource("t-1", "r-1"), {"id": "r-2"}),
    (lambda: calls.get_resource("t-1", "r-1"), {"id": "r-1", "tenant_id": "t-2"}),
    (lambda: calls.get_resource("t-1", "ext$e-1"), {"id": "r-1", "external_id": "e-2"}),
    (lambda: calls.get_resource("t-1", "ext$e-1"), {"id": "r-1", "external_id": None}),
    (lambda: calls.get_resource_stats("t-1"), {"tenants": [{"tenant_id": "t-2"}]}),
    (
        lambda: calls.list_resources("t-1"),
        {"items": [{"id": "r-1", "tenant_id": "t-1"}, {"id": "r-2", "tenant_id": "t-2"}]},
    ),
    (lambda: calls.list_policies("t-1"), {"items": [{"id": "p-1", "tenant_id": "t-2"}]}),
    (lambda: calls.list_policies("t-1", name="Gold"), {"items": [{"id": "p-1", "name": "Silver"}]}),
    (lambda: calls.list_archives("t-1"), {"items": [{"id": "a-1", "tenant_id": "t-2"}]}),
    (lambda: calls.list_archives("t-1", resource_id="r-1"), {"items": [{"id": "a-1", "resource_id": "r-2"}]}),
    (
        lambda: calls.list_protections("t-1", resource_id="r-1"),
        {"items": [{"id": "p-1", "resource_id": "r-2", "policy_id": "gold"}]},
    ),
]


@pytest.mark.parametrize(("build", "body"), OTHERS, ids=shown)
def test_an_answer_about_something_else_is_an_error(
    client: Client, server: Scripted, build: Callable[[], Built], body: object
) -> None:
    server.script(told(body))
    assert isinstance(refused(client, build()), errors.AnswerError)


SAME: list[tuple[Callable[[], Built], object]] = [
    (lambda: calls.get_tenant("t-1"), {"tenant_id": "t-1", "status": "active", "message": ""}),
    (lambda: calls.get_task("t-1", "task-1"), {"task_id": "task-1", "state": "failed", "error": "disk full"}),
    (lambda: calls.get_resource("t-1", "ext$e-1"), {"id": "ext$e-1", "external_id": "e-2"}),
    (lambda: calls.get_resource("t-1", "ext$e-1"), {"id": "r-1", "external_id": "e-1", "tenant_id": ""}),
    (lambda: calls.list_policies("t-1", name="gold"), {"items": [{"id": "p-1", "name": "GOLD 365"}]}),
    (lambda: calls.list_archives("t-1", resource_id="r-1"), {"items": [{"id": "a-1"}]}),
    (lambda: calls.get_task_stats("t-1", **DURING), {"error": 3, "done": 4}),
    (lambda: TRIGGER, {"task_id": "task-1", "status": "open", "message": "queued"}),
    (lambda: PROTECT, {"job_id": "j-1", "message": "ok", "status": "success", "code": "0"}),
    (lambda: CREATE, {"org": {"id": "o-1"}, "message": "created", "status": 200}),
    (lambda: calls.get_tenant_quotas("t-1"), {"quotas": [], "status": "active", "code": 0}),
    (lambda: calls.get_task_stats("t-1", **DURING), {"total": {"done": 1}, "status": True, "message": "ok"}),
    (lambda: TRIGGER, {"task": {"id": "task-1"}, "status": "open"}),
]


@pytest.mark.parametrize(("build", "body"), SAME, ids=shown)
def test_an_answer_with_words_of_errors_may_be_the_answer(
    client: Client, server: Scripted, build: Callable[[], Built], body: object
) -> None:
    server.script(told(body))
    client.send(build())


@pytest.mark.parametrize("call", [DELETE, UNPROTECT], ids=name)
@pytest.mark.parametrize("body", [{"id": "a-1"}, {"success": False}, {"job_id": "j-1"}], ids=str)
def test_a_deletion_that_answers_with_something_is_an_error(
    client: Client, server: Scripted, call: Built, body: object
) -> None:
    server.script(told(body))
    assert "it is not an empty object" in str(refused(client, call))


@pytest.mark.parametrize("body", [{}, {"job_id": None}, {"job": "j-1"}, {"job_id": "j-1", "error": "no"}], ids=str)
def test_protecting_answers_with_its_job(client: Client, server: Scripted, body: object) -> None:
    server.script(told(body))
    assert isinstance(refused(client, PROTECT), errors.AnswerError)
    server.script(success(PROTECT))
    client.send(PROTECT)


def test_a_task_is_not_taken_from_the_id_of_an_error(client: Client, server: Scripted) -> None:
    server.script(told({"id": "request-17", "code": 403, "message": "forbidden"}))
    assert isinstance(refused(client, TRIGGER), errors.AnswerError)
    server.script(told({"id": "task-1"}))
    assert "task-1" == client.send(calls.trigger_job("t-1", "j-1")).task_id
