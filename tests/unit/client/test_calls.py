"""Calls are built without being sent: their targets, refused values, and any id and text arrive unchanged."""

import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pulumi_dataprotection.client import Client, calls, errors, path_problem
from pulumi_dataprotection.client.errors import CallError, NotFoundError
from pulumi_dataprotection.client.records import Policy
from pulumi_dataprotection.spec import Operation
from support import Emulator
from support.client.examples import NOON, ROWS, Built, Exchange, arguments, build, error_of, times
from support.scripted import page, told

LATER = datetime(2026, 2, 1, 0, 0, 0, 500_000, tzinfo=timezone(timedelta(hours=1)))
WINDOW = "2026-01-31T12%3A00%3A00Z", "2026-01-31T23%3A00%3A00.500000Z"

ORG = "/api/v1/orgs/o-1"
TENANT = "/api/v1/tenants/t-1"

TARGETS: list[tuple[Built, str]] = [
    (
        calls.create_org(parent_org_id="o-1", external_id="a/1", name="R&D + ü=1", admin_email="a@b.example"),
        "POST /api/v1/orgs?parent_org_id=o-1&external_id=a%2F1&name=R%26D%20%2B%20%C3%BC%3D1&admin_email=a%40b.example",
    ),
    (
        calls.get_subscription_history("o-1", start=NOON, end=LATER),
        f"GET {ORG}/licensing/subscriptions/history?start={WINDOW[0]}&end={WINDOW[1]}",
    ),
    (calls.list_archives("t-1", resource_id="r-1"), f"GET {TENANT}/archives?resource_id=r-1"),
    (calls.delete_archive("t-1", "a-1", reason="left us"), f"DELETE {TENANT}/archives/a-1?reason=left%20us"),
    (
        calls.list_audit_events("t-1", start_time=NOON, end_time=LATER),
        f"GET {TENANT}/audit/events?start_time={WINDOW[0]}&end_time={WINDOW[1]}",
    ),
    (calls.list_policies("t-1", name="Gold+"), f"GET {TENANT}/policies?name=Gold%2B"),
    (calls.list_protections("t-1", resource_id="r-1"), f"GET {TENANT}/protections?resource_id=r-1"),
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
]

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)

SEGMENTS = {
    "ACME/West": "ACME%2FWest",
    "a#b": "a%23b",
    ".well-known": ".well-known",
    "a..b": "a..b",
    "50%41": "50%2541",
    "x y": "x%20y",
    "Ünï": "%C3%9Cn%C3%AF",
    "ext$ACME/West": "ext$ACME%2FWest",
    "{id}": "%7Bid%7D",
}

REFUSED: list[object] = ["", " ", "\t", "\u2003", "a\nb", "a\r", "a\x00b", "\x7f", "\x85", "\ud800", 7]

# A gateway may read each of these as the path of another entity.
UNSAFE_IDS = [
    *(".", "..", "...", " ..", ".. ", ". .", "a.", "a..", " a", "a ", "a\u00a0"),
    *("/", "//", "/a", "a/", "a//b", "a/..", "../a", "a/./b", "a/ /b", "a/../../b", "a/..;x", ";x", "..;x", "?x", "#x"),
    *("\\", "..\\a", "a\\..\\b", "a/..\\b", "ext$a/..", "ext$/"),
    *("%2e%2e", "%2E%2e", ".%2e", "%252e%252e", "%25252E.", "a%2f..", "a%5C..%5cb", "%20", "a%20", "%2f"),
    *("x" * 1001, "\u00fc" * 501),
]

# None leaves out an optional argument.
CASES = [
    pytest.param(row, name, value, id=f"{row.id}-{name}-{value!a}")
    for row in ROWS
    for name, argument in arguments(row).items()
    if name not in times(row)
    for value in (*REFUSED, *([None] if argument.default is argument.empty else []))
]


@pytest.mark.parametrize(("call", "expected"), TARGETS, ids=lambda value: str(value) if isinstance(value, str) else "")
def test_a_call_has_its_method_path_and_query(call: Built, expected: str) -> None:
    assert expected == f"{call.operation.method} {call.target()}"


@each_row
def test_a_call_fills_the_path_and_the_query_of_its_row(row: Operation) -> None:
    texts = {name: f"{name}/1" for name in arguments(row) if name not in times(row)}
    values = {**dict.fromkeys(times(row), WINDOW[0]), **{name: f"{name}%2F1" for name in texts}}
    query = "&".join(f"{one.name}={values[one.name]}" for one in row.query if one.name in values)
    call = build(row, **texts)
    assert (row, row.path.format(**values) + (f"?{query}" if query else "")) == (call.operation, call.target())


@each_row
def test_a_call_sends_no_argument_that_is_not_given(row: Operation) -> None:
    required = [name for name, argument in arguments(row).items() if argument.default is argument.empty]
    given = {name: times(row).get(name, "x") for name in required}
    call: Built = getattr(calls, row.id)(**given)
    assert {*required} - {*row.path_parameters} == {*parse_qs(urlsplit(call.target()).query)}


def test_paging_joins_an_existing_query() -> None:
    following = "a+b/c=="
    expected = f"{TENANT}/protections?resource_id=r-1&limit=5&page_token=a%2Bb%2Fc%3D%3D"
    assert expected == calls.list_protections("t-1", resource_id="r-1").target(limit=5, page_token=following)


def test_the_name_of_a_call_has_no_query() -> None:
    expected = f"POST {TENANT}/resources/r%2F1/protect"
    assert expected == calls.protect_resource("t-1", "r/1", policy_id="p-1").request


@pytest.mark.parametrize(("id", "segment"), SEGMENTS.items())
def test_an_id_is_one_segment_of_the_path(id: str, segment: str) -> None:
    assert f"{TENANT}/resources/{segment}" == calls.get_resource("t-1", id).target()


@pytest.mark.parametrize("id", SEGMENTS)
def test_an_id_arrives_unchanged(live: Client, id: str) -> None:
    assert f'"{id}"' in error_of(live, calls.get_task("tenant-contoso", id), errors.NotFoundError).message


@pytest.mark.parametrize(("row", "name", "value"), CASES)
def test_an_argument_that_is_not_printable_text_is_refused_with_its_name(
    row: Operation, name: str, value: object
) -> None:
    with pytest.raises(errors.DataProtectionError, match=f"{row.does}: {name} "):
        build(row, **{name: value})


@pytest.mark.parametrize("id", UNSAFE_IDS)
@pytest.mark.parametrize(
    ("row", "name"), [pytest.param(row, name, id=f"{row.id}-{name}") for row in ROWS for name in row.path_parameters]
)
def test_an_id_that_is_not_one_step_of_a_path_is_refused(row: Operation, name: str, id: str) -> None:
    with pytest.raises(errors.DataProtectionError, match=f"{row.does}: {name} .* cannot stand in a path"):
        build(row, **{name: id})


TEXTS = (
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
    | st.text("/.%#?;+&=$@:\\~ 2F\u00e9\U0001f984", min_size=1, max_size=8)
    | st.sampled_from([".", "..", "...", "../..", "//", "%2F", "%", "%%", "+", "ext$", "ext$..", "a b", "\ufeff"])
).filter(str.strip)
IDS = TEXTS.filter(lambda text: not path_problem(text))
EXTERNAL_IDS = TEXTS.filter(lambda text: not path_problem(f"ext${text}"))

# The characters of a segment by RFC 3986, and those of a query without "=" and "&".
SEGMENT = re.compile(r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+")
VALUE = re.compile(r"([A-Za-z0-9._~!$'()*,;:@/?-]|%[0-9A-F]{2})+")


@st.composite
def built(draw: st.DrawFn) -> tuple[Built, dict[str, str]]:
    """Build a call of any operation, with any text for each argument that takes one."""
    row = draw(st.sampled_from(ROWS))
    given = [name for name in arguments(row) if name not in times(row)]
    texts = {name: draw(IDS if name in row.path_parameters else TEXTS) for name in given}
    return build(row, **texts), texts


@given(drawn=built())
def test_each_argument_arrives_unchanged_and_nothing_else_changes(
    exchange: Exchange, drawn: tuple[Built, dict[str, str]]
) -> None:
    call, texts = drawn
    exchange.error(call, errors.NotFoundError, told({}, 404))
    path, _, query = exchange.requests[0].target.partition("?")
    pairs = [(name, value) for name, _, value in (pair.partition("=") for pair in query.split("&") if pair)]
    parts = zip(call.operation.path.split("/"), path.split("/"), strict=True)
    filled = {part[1:-1]: segment for part, segment in parts if part.startswith("{")}
    assert call.operation.path.format(**filled) == path
    arrived = [*filled.items(), *(pair for pair in pairs if pair[0] in texts)]
    assert texts == {name: unquote(value, errors="strict") for name, value in arrived}
    assert len(texts) == len(arrived)
    assert all(SEGMENT.fullmatch(segment) for segment in filled.values())
    assert all(VALUE.fullmatch(value) for _, value in pairs)
    # Services that read a plus as a blank understand the same.
    assert [unquote(value) for _, value in pairs] == [unquote_plus(value) for _, value in pairs]


def seed(emulator: Emulator, tenant_id: str, **sections: dict[str, object]) -> None:
    """Replace all content by a tenant with one record of each section."""
    emulator.reset("empty")
    tenant = {"id": tenant_id, "org_id": "org-root"}
    of_tenant = {name: [{"tenant_id": tenant_id, **record}] for name, record in sections.items()}
    emulator.patch({"tenants": [tenant], **of_tenant})


@given(tenant_id=IDS, id=IDS, external_id=EXTERNAL_IDS)
def test_the_emulator_finds_a_resource_by_any_id_and_any_external_id(
    live: Client, emulator: Emulator, tenant_id: str, id: str, external_id: str
) -> None:
    seed(emulator, tenant_id, resources={"id": id, "external_id": external_id})
    found = live.send(calls.get_resource(tenant_id, id))
    assert (tenant_id, id, external_id) == (found.tenant_id, found.id, found.external_id)
    assert found == live.send(calls.get_resource(tenant_id, f"ext${external_id}"))


@given(id=IDS, near=IDS)
def test_the_emulator_does_not_find_a_resource_with_another_id(
    live: Client, emulator: Emulator, id: str, near: str
) -> None:
    assume(near != id)
    seed(emulator, "t-1", resources={"id": id})
    error_of(live, calls.get_resource("t-1", near), NotFoundError)


@given(tenant_id=IDS, id=IDS, policy_id=TEXTS)
def test_the_emulator_protects_any_resource_with_any_policy(
    live: Client, emulator: Emulator, tenant_id: str, id: str, policy_id: str
) -> None:
    seed(emulator, tenant_id, resources={"id": id}, policies={"id": policy_id})
    live.send(calls.protect_resource(tenant_id, id, policy_id=policy_id))
    found = live.send(calls.list_protections(tenant_id, resource_id=id))
    assert [(id, policy_id)] == [(one.resource_id, one.policy_id) for one in found]


@given(name=TEXTS)
def test_the_emulator_filters_by_any_name(live: Client, emulator: Emulator, name: str) -> None:
    seed(emulator, "t-1", policies={"id": "p-1", "name": name})
    assert [Policy(id="p-1", tenant_id="t-1", name=name)] == live.send(calls.list_policies("t-1", name=name))


@pytest.mark.parametrize("call", [calls.list_policies("t-1", name="x" * 65536), calls.list_resources("t-1")])
def test_an_address_that_is_too_long_is_an_error_of_the_client(exchange: Exchange, call: Built) -> None:
    exchange.error(call, CallError, page({"id": "1"}, following="t" * 65536), page())
