"""A success proves that it is the answer to the call, or it is an error."""

from dataclasses import replace

import pytest

from pulumi_dataprotection.client import Call, calls, errors
from support.client.examples import (
    CREATE,
    DELETE,
    GET,
    LIST,
    NOON,
    PROTECT,
    ROWS,
    TRIGGER,
    UNPROTECT,
    Built,
    Exchange,
    build,
    name,
    success,
)
from support.scripted import Reply, empty, told

CALLS = [build(row) for row in ROWS]

TENANT = calls.get_tenant("t-1")
QUOTAS = calls.get_tenant_quotas("t-1")
RESOURCE = calls.get_resource("t-1", "r-1")
EXTERNAL = calls.get_resource("t-1", "ext$e-1")
TASK = calls.get_task("t-1", "task-1")
TASK_STATS = calls.get_task_stats("t-1", start_time=NOON, end_time=NOON)
ARCHIVES = calls.list_archives("t-1", resource_id="r-1")
PROTECTIONS = calls.list_protections("t-1", resource_id="r-1")

each_call = pytest.mark.parametrize("call", CALLS, ids=name)
each_list = pytest.mark.parametrize("call", [call for call in CALLS if call.operation.answers == "page"], ids=name)
each_deletion = pytest.mark.parametrize("call", [DELETE, UNPROTECT], ids=name)


@each_call
@pytest.mark.parametrize(
    "body",
    [
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
    ],
    ids=str,
)
def test_an_error_as_a_success_is_an_error(exchange: Exchange, call: Built, body: object) -> None:
    exchange.error(call, errors.AnswerError, told(body))


@each_call
@pytest.mark.parametrize("status", [200, 201, 202, 203, 204, 206, 207, 226])
def test_only_a_status_of_the_row_is_a_success(exchange: Exchange, call: Built, status: int) -> None:
    exchange.server.script(replace(success(call), status=status))
    if status in call.operation.success:
        exchange.send(call)
    else:
        assert f"({status}, " in str(exchange.error(call, errors.AnswerError))


@each_deletion
@pytest.mark.parametrize("reply", [empty(204), empty(200), told({})], ids=["204", "200", "{}"])
def test_a_deletion_succeeds_with_and_without_a_body(exchange: Exchange, call: Call[None], reply: Reply) -> None:
    nothing: object = exchange.send(call, reply)
    assert nothing is None


@each_deletion
@pytest.mark.parametrize("body", [{"id": "a-1"}, {"success": False}, {"job_id": "j-1"}], ids=str)
def test_a_deletion_with_another_answer_is_an_error(exchange: Exchange, call: Built, body: object) -> None:
    exchange.error(call, errors.AnswerError, told(body))


@each_list
@pytest.mark.parametrize(
    "body", [{"detail": "maintenance"}, {"result": []}, {"data": {"items": []}}, {"total": 0}, {"Items": []}], ids=str
)
def test_an_object_without_items_is_not_a_page(exchange: Exchange, call: Built, body: object) -> None:
    assert "next_page_token" in str(exchange.error(call, errors.AnswerError, told(body)))


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
def test_an_empty_page_with_items_is_explicit(exchange: Exchange, call: Built, body: object, *, explicit: bool) -> None:
    exchange.server.script(told(body))
    listed = exchange.client.send_listing(call)
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
def test_a_page_that_reports_a_failure_is_an_error(exchange: Exchange, call: Built, body: object) -> None:
    exchange.error(call, errors.AnswerError, told(body))


def shown(value: object) -> str:
    return value.operation.id if isinstance(value, Call) else str(value)


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (GET, {"id": "o-2"}),
        (GET, {"id": "O-1"}),
        (TENANT, {"id": "t-2"}),
        (TENANT, {"tenant_id": "t-2", "kind": "gsuite"}),
        (TASK, {"id": "task-2", "status": "done"}),
        (TASK, {"status": "failed", "message": "try again"}),
        (RESOURCE, {"id": "r-2"}),
        (RESOURCE, {"id": "r-1", "tenant_id": "t-2"}),
        (EXTERNAL, {"id": "r-1", "external_id": "e-2"}),
        (EXTERNAL, {"id": "r-1", "external_id": None}),
        (calls.get_resource_stats("t-1"), {"tenants": [{"tenant_id": "t-2"}]}),
        (LIST, {"items": [{"id": "r-1", "tenant_id": "t-1"}, {"id": "r-2", "tenant_id": "t-2"}]}),
        (calls.list_policies("t-1"), {"items": [{"id": "p-1", "tenant_id": "t-2"}]}),
        (calls.list_policies("t-1", name="Gold"), {"items": [{"id": "p-1", "name": "Silver"}]}),
        (calls.list_archives("t-1"), {"items": [{"id": "a-1", "tenant_id": "t-2"}]}),
        (ARCHIVES, {"items": [{"id": "a-1", "resource_id": "r-2"}]}),
        (PROTECTIONS, {"items": [{"id": "p-1", "resource_id": "r-2", "policy_id": "gold"}]}),
        (PROTECT, {}),
        (PROTECT, {"job_id": None}),
        (PROTECT, {"job": "j-1"}),
        (PROTECT, {"job_id": "j-1", "error": "no"}),
        (TRIGGER, {"id": "request-17", "code": 403, "message": "forbidden"}),
    ],
    ids=shown,
)
def test_an_answer_to_another_call_is_an_error(exchange: Exchange, call: Built, body: object) -> None:
    exchange.error(call, errors.AnswerError, told(body))


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (TENANT, {"tenant_id": "t-1", "status": "active", "message": ""}),
        (TASK, {"task_id": "task-1", "state": "failed", "error": "disk full"}),
        (EXTERNAL, {"id": "ext$e-1", "external_id": "e-2"}),
        (EXTERNAL, {"id": "r-1", "external_id": "e-1", "tenant_id": ""}),
        (calls.list_policies("t-1", name="gold"), {"items": [{"id": "p-1", "name": "GOLD 365"}]}),
        (ARCHIVES, {"items": [{"id": "a-1"}]}),
        (TASK_STATS, {"error": 3, "done": 4}),
        (TASK_STATS, {"total": {"done": 1}, "status": True, "message": "ok"}),
        (PROTECT, {"job_id": "j-1", "message": "ok", "status": "success", "code": "0"}),
        (CREATE, {"org": {"id": "o-1"}, "message": "created", "status": 200}),
        (QUOTAS, {"quotas": [], "status": "active", "code": 0}),
        (TRIGGER, {"task_id": "task-1", "status": "open", "message": "queued"}),
        (TRIGGER, {"task": {"id": "task-1"}, "status": "open"}),
        (TRIGGER, {"id": "task-1"}),
    ],
    ids=shown,
)
def test_an_answer_may_have_fields_of_errors(exchange: Exchange, call: Built, body: object) -> None:
    exchange.send(call, told(body))
