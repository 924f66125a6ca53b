"""Calls are built without being sent: their targets, refused values, and any id and text arrive unchanged."""

import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import Client, calls, errors, path_problem
from pulumi_dataprotection.spec import Operation
from support import Emulator
from support.client.examples import NOON, ROWS, Built, Exchange, arguments, build, times
from support.scripted import page, told

LATER = datetime(2026, 2, 1, 0, 0, 0, 500_000, tzinfo=timezone(timedelta(hours=1)))
WINDOW = "2026-01-31T12%3A00%3A00Z", "2026-01-31T23%3A00%3A00.500000Z"

TENANT = "/api/v1/tenants/t-1"

TARGETS: list[tuple[Built, str]] = [
    (
        calls.create_org(parent_org_id="o-1", external_id="a/1", name="R&D + ü=1", admin_email="a@b.example"),
        "POST /api/v1/orgs?parent_org_id=o-1&external_id=a%2F1&name=R%26D%20%2B%20%C3%BC%3D1&admin_email=a%40b.example",
    ),
    (
        calls.get_subscription_history("o-1", start=NOON, end=LATER),
        f"GET /api/v1/orgs/o-1/licensing/subscriptions/history?start={WINDOW[0]}&end={WINDOW[1]}",
    ),
    (calls.delete_archive("t-1", "a-1", reason="left us"), f"DELETE {TENANT}/archives/a-1?reason=left%20us"),
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


@each_row
def test_an_argument_that_is_not_printable_text_is_refused(row: Operation) -> None:
    for name in arguments(row).keys() - times(row):
        # None leaves out an optional argument.
        optional = arguments(row)[name].default is None
        for value in REFUSED if optional else [*REFUSED, None]:
            with pytest.raises(errors.InvalidIdError, match=f"{row.does}: {name} "):
                build(row, **{name: value})


@pytest.mark.parametrize("id", UNSAFE_IDS)
def test_an_id_that_is_not_one_step_of_a_path_is_refused(id: str) -> None:
    for operation in ROWS:
        for name in operation.path_parameters:
            expected = f"{operation.does}: {name} .* cannot stand in a path"
            with pytest.raises(errors.InvalidIdError, match=expected):
                build(operation, **{name: id})


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
def test_each_argument_arrives_unchanged(exchange: Exchange, drawn: tuple[Built, dict[str, str]]) -> None:
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


@given(tenant_id=IDS, id=IDS, external_id=EXTERNAL_IDS, policy_id=TEXTS)
def test_the_emulator_understands_any_id(
    live: Client, emulator: Emulator, *, tenant_id: str, id: str, external_id: str, policy_id: str
) -> None:
    emulator.reset("empty")
    emulator.patch(
        {
            "tenants": [{"id": tenant_id, "org_id": "org-root"}],
            "resources": [{"tenant_id": tenant_id, "id": id, "external_id": external_id}],
            "policies": [{"tenant_id": tenant_id, "id": policy_id}],
        }
    )
    assert id == live.send(calls.get_resource(tenant_id, f"ext${external_id}")).id
    live.send(calls.protect_resource(tenant_id, id, policy_id=policy_id))
    found = live.send(calls.list_protections(tenant_id, resource_id=id))
    assert [(id, policy_id)] == [(one.resource_id, one.policy_id) for one in found]


@pytest.mark.parametrize("call", [calls.list_policies("t-1", name="x" * 65536), calls.list_resources("t-1")])
def test_an_address_that_is_too_long_is_an_error_of_the_client(exchange: Exchange, call: Built) -> None:
    exchange.error(call, errors.CallError, page({"id": "1"}, following="t" * 65536), page())
