"""Calls are built without being sent: their targets, and what is refused before anything is sent."""

import inspect
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import unquote

import pytest

from pulumi_dataprotection.client import Call, Client, calls
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.spec import OPERATIONS

Built = Call[object]

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 2, 1, 0, 0, 0, 500_000, tzinfo=timezone(timedelta(hours=1)))
WINDOW = "2026-01-31T12%3A00%3A00Z", "2026-01-31T23%3A00%3A00.500000Z"

ORG = "/api/v1/orgs/o-1"
TENANT = "/api/v1/tenants/t-1"

TARGETS: list[tuple[Built, str]] = [
    (calls.list_installations(), "GET /api/v1/applications/me/installations"),
    (calls.create_org(), "POST /api/v1/orgs"),
    (
        calls.create_org(parent_org_id="o-1", external_id="a/1", name="R&D + ü=1", admin_email="a@b.example"),
        "POST /api/v1/orgs?parent_org_id=o-1&external_id=a%2F1&name=R%26D%20%2B%20%C3%BC%3D1&admin_email=a%40b.example",
    ),
    (calls.get_org("o-1"), f"GET {ORG}"),
    (calls.list_orgs("o-1"), f"GET {ORG}/orgs"),
    (calls.list_tenants("o-1"), f"GET {ORG}/tenants"),
    (calls.list_subscriptions("o-1"), f"GET {ORG}/licensing/subscriptions"),
    (calls.get_subscription_history("o-1"), f"GET {ORG}/licensing/subscriptions/history"),
    (
        calls.get_subscription_history("o-1", start=NOON, end=LATER),
        f"GET {ORG}/licensing/subscriptions/history?start={WINDOW[0]}&end={WINDOW[1]}",
    ),
    (calls.get_tenant("t-1"), f"GET {TENANT}"),
    (calls.get_tenant_quotas("t-1"), f"GET {TENANT}/quotas"),
    (calls.list_archives("t-1"), f"GET {TENANT}/archives"),
    (calls.list_archives("t-1", resource_id="r-1"), f"GET {TENANT}/archives?resource_id=r-1"),
    (calls.delete_archive("t-1", "a-1", reason="left us"), f"DELETE {TENANT}/archives/a-1?reason=left%20us"),
    (calls.list_audit_events("t-1"), f"GET {TENANT}/audit/events"),
    (
        calls.list_audit_events("t-1", start_time=NOON, end_time=LATER),
        f"GET {TENANT}/audit/events?start_time={WINDOW[0]}&end_time={WINDOW[1]}",
    ),
    (calls.trigger_job("t-1", "j-1"), f"PUT {TENANT}/jobs/j-1/trigger"),
    (calls.list_policies("t-1"), f"GET {TENANT}/policies"),
    (calls.list_policies("t-1", name="Gold+"), f"GET {TENANT}/policies?name=Gold%2B"),
    (calls.list_protections("t-1"), f"GET {TENANT}/protections"),
    (calls.list_protections("t-1", resource_id="r-1"), f"GET {TENANT}/protections?resource_id=r-1"),
    (calls.list_resources("t-1"), f"GET {TENANT}/resources"),
    (calls.get_resource_stats("t-1"), f"GET {TENANT}/resources/statistics/summary"),
    (calls.get_resource("t-1", "r-1"), f"GET {TENANT}/resources/r-1"),
    (
        calls.protect_resource("t-1", "r-1", policy_id="p-1"),
        f"POST {TENANT}/resources/r-1/protect?policy_id=p-1",
    ),
    (
        calls.unprotect_resource("t-1", "r-1", policy_id="p-1"),
        f"DELETE {TENANT}/resources/r-1/protect?policy_id=p-1",
    ),
    (
        calls.get_task_stats("t-1", start_time=NOON, end_time=LATER),
        f"GET {TENANT}/tasks/statistics/summary?start_time={WINDOW[0]}&end_time={WINDOW[1]}",
    ),
    (calls.get_task("t-1", "task-1"), f"GET {TENANT}/tasks/task-1"),
]

SEGMENTS = {
    "ACME/West": "ACME%2FWest",
    "a#b": "a%23b",
    "a?b=c": "a%3Fb%3Dc",
    ".": "%2E",
    "..": "%2E%2E",
    "...": "...",
    "../../orgs": "..%2F..%2Forgs",
    "50%41": "50%2541",
    "%2F": "%252F",
    "x y": "x%20y",
    "a+b": "a%2Bb",
    "Ünï": "%C3%9Cn%C3%AF",
    "🦄": "%F0%9F%A6%84",
    "ext$ACME/West": "ext$ACME%2FWest",
    "ext$ext$": "ext$ext$",
    "jane@contoso.example": "jane%40contoso.example",
    "spiffe://d/ns": "spiffe%3A%2F%2Fd%2Fns",
    "a\\b;c|d": "a%5Cb%3Bc%7Cd",
    "{id}": "%7Bid%7D",
}

# Each argument that is text, of each call; what an absent optional one means is its own matter. A row without a call
# fails a test of the rows.
IDS = [
    (row.id, name)
    for row in OPERATIONS
    if hasattr(calls, row.id)
    for name in inspect.signature(getattr(calls, row.id)).parameters
    if not any(query.name == name and query.type == "date-time" for query in row.query)
]

REQUIRED = [
    (row.id, name)
    for row in OPERATIONS
    for name in (*row.path_parameters, *(query.name for query in row.query if query.required))
    if (row.id, name) in IDS
]

REFUSED: list[object] = ["", " ", "\t", "\u2003", "a\nb", "a\r", "a\x00b", "\x7f", "\x85", "\ud800", 7]


@pytest.mark.parametrize(("call", "expected"), TARGETS, ids=lambda value: str(value) if isinstance(value, str) else "")
def test_a_call_has_its_method_path_and_query(call: Built, expected: str) -> None:
    assert expected == f"{call.operation.method} {call.target()}"


def test_each_operation_has_a_line_in_the_table_of_targets() -> None:
    expected = {operation.id for operation in OPERATIONS}
    assert expected == {call.operation.id for call, _ in TARGETS}


def test_paging_joins_a_query_that_is_there() -> None:
    following = "a+b/c=="
    expected = f"{TENANT}/protections?resource_id=r-1&limit=5&page_token=a%2Bb%2Fc%3D%3D"
    assert expected == calls.list_protections("t-1", resource_id="r-1").target(limit=5, page_token=following)


def test_a_calls_name_has_no_query() -> None:
    expected = f"POST {TENANT}/resources/r%2F1/protect"
    assert expected == calls.protect_resource("t-1", "r/1", policy_id="p-1").request


@pytest.mark.parametrize(("id", "segment"), SEGMENTS.items())
def test_an_id_is_one_segment_of_the_path(id: str, segment: str) -> None:
    expected = f"{TENANT}/resources/{segment}"
    assert expected == calls.get_resource("t-1", id).target()


@pytest.mark.parametrize("id", SEGMENTS)
def test_an_id_is_encoded_exactly_once(id: str) -> None:
    assert id == unquote(calls.get_resource("t-1", id).target().rpartition("/")[2])


@pytest.mark.parametrize("id", SEGMENTS)
def test_an_id_arrives_as_it_is(live: Client, id: str) -> None:
    with pytest.raises(DataProtectionError) as caught:
        live.send(calls.get_task("tenant-contoso", id))
    assert f'there is no task "{id}" in the tenant "tenant-contoso"' in str(caught.value)


@pytest.mark.parametrize("value", REFUSED, ids=ascii)
@pytest.mark.parametrize(("operation", "name"), IDS, ids=str)
def test_a_value_that_names_nothing_is_refused_with_its_name(operation: str, name: str, value: object) -> None:
    given = dict.fromkeys(inspect.signature(getattr(calls, operation)).parameters, "x")
    with pytest.raises(DataProtectionError, match=f": {name} must be text that is not empty, without control"):
        getattr(calls, operation)(**{**given, name: value})


@pytest.mark.parametrize(("operation", "name"), REQUIRED)
def test_none_stands_for_no_required_value(operation: str, name: str) -> None:
    given = dict.fromkeys(inspect.signature(getattr(calls, operation)).parameters, "x")
    with pytest.raises(DataProtectionError, match=f": {name} must be text"):
        getattr(calls, operation)(**{**given, name: None})


def test_the_refusal_says_what_cannot_be_done() -> None:
    with pytest.raises(DataProtectionError) as caught:
        calls.unprotect_resource("t-1", "", policy_id="p-1")
    expected = "cannot unprotect a resource: resource_id must be text that is not empty, without control characters"
    assert expected == str(caught.value)


def test_what_a_call_carries_in_its_query_is_not_shown() -> None:
    call = calls.create_org(name="Fabrikam", admin_email="it@fabrikam.example")
    assert not any(text in repr(call) for text in ("Fabrikam", "it@fabrikam.example"))
