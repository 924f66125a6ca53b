"""Any id and any text arrives as it was: on the wire, and at the emulator."""

import inspect
import re
from datetime import UTC, datetime
from urllib.parse import unquote, unquote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pulumi_dataprotection.client import Client, calls
from pulumi_dataprotection.client.errors import CallError, NotFoundError
from pulumi_dataprotection.client.records import Policy
from pulumi_dataprotection.spec import OPERATIONS, Operation
from support import Emulator
from support.client.examples import Built
from support.scripted import Scripted, page, told

TEXTS = (
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
    | st.text("/.%#?;+&=$@:\\~ 2F\u00e9\U0001f984", min_size=1, max_size=8)
    | st.sampled_from([".", "..", "...", "../..", "//", "%2F", "%", "%%", "+", "ext$", "ext$..", "a b", "\ufeff"])
).filter(str.strip)

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)

# What RFC 3986 lets stand in a segment, and what of it a query may hold besides "=" and "&".
SEGMENT = re.compile(r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+")
VALUE = re.compile(r"([A-Za-z0-9._~!$'()*,;:@/?-]|%[0-9A-F]{2})+")


@st.composite
def built(draw: st.DrawFn) -> tuple[Built, dict[str, str]]:
    """Build a call of any operation, with any text for each argument that takes one."""
    row = draw(st.sampled_from([row for row in OPERATIONS if hasattr(calls, row.id)]))
    function = getattr(calls, row.id)
    times = {query.name: NOON for query in row.query if query.type == "date-time"}
    texts = {name: draw(TEXTS) for name in inspect.signature(function).parameters if name not in times}
    return function(**texts, **times), texts


def sent(client: Client, server: Scripted, call: Built) -> tuple[list[str], list[tuple[str, str]]]:
    """Send a call to a service that has nothing of the kind, and return the path's segments and the query as sent."""
    server.script(told({}, 404))
    with pytest.raises(NotFoundError):
        client.send(call)
    (request,) = server.requests
    path, _, query = request.target.partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    return path.split("/"), [(name, value) for name, _, value in pairs]


def in_path(operation: Operation, segments: list[str]) -> dict[str, str]:
    pattern = operation.path.split("/")
    return {part[1:-1]: segment for part, segment in zip(pattern, segments, strict=True) if part.startswith("{")}


@given(drawn=built())
def test_each_argument_arrives_as_it_was(client: Client, server: Scripted, drawn: tuple[Built, dict[str, str]]) -> None:
    call, texts = drawn
    segments, query = sent(client, server, call)
    times = {name for name, _ in query} - texts.keys()
    arrived = [*in_path(call.operation, segments).items(), *(pair for pair in query if pair[0] not in times)]
    assert texts == {name: unquote(value, errors="strict") for name, value in arrived}
    assert len(texts) == len(arrived)


@given(drawn=built())
def test_nothing_but_the_arguments_changes_the_path(
    client: Client, server: Scripted, drawn: tuple[Built, dict[str, str]]
) -> None:
    call, _ = drawn
    segments, _ = sent(client, server, call)
    filled = in_path(call.operation, segments)
    assert call.operation.path.format(**filled).split("/") == segments
    assert all(SEGMENT.fullmatch(segment) for segment in filled.values())


@given(drawn=built())
def test_a_query_means_the_same_to_services_that_take_a_plus_for_a_blank(
    client: Client, server: Scripted, drawn: tuple[Built, dict[str, str]]
) -> None:
    _, query = sent(client, server, drawn[0])
    assert all(VALUE.fullmatch(value) for _, value in query)
    assert [unquote(value) for _, value in query] == [unquote_plus(value) for _, value in query]


def plant(emulator: Emulator, tenant_id: str, **sections: dict[str, object]) -> None:
    """Make a tenant with one record of each section the only content."""
    emulator.reset("empty")
    tenant = {"id": tenant_id, "org_id": "org-root"}
    of_tenant = {name: [{"tenant_id": tenant_id, **record}] for name, record in sections.items()}
    emulator.patch({"tenants": [tenant], **of_tenant})


@given(tenant_id=TEXTS, id=TEXTS, external_id=TEXTS)
def test_the_emulator_finds_a_resource_by_any_id(
    live: Client, emulator: Emulator, tenant_id: str, id: str, external_id: str
) -> None:
    plant(emulator, tenant_id, resources={"id": id, "external_id": external_id})
    found = live.send(calls.get_resource(tenant_id, id))
    assert (tenant_id, id, external_id) == (found.tenant_id, found.id, found.external_id)


@given(tenant_id=TEXTS, id=TEXTS, external_id=TEXTS)
def test_the_emulator_finds_a_resource_by_any_external_id(
    live: Client, emulator: Emulator, tenant_id: str, id: str, external_id: str
) -> None:
    plant(emulator, tenant_id, resources={"id": id, "external_id": external_id})
    assert id == live.send(calls.get_resource(tenant_id, f"ext${external_id}")).id


@given(id=TEXTS, near=TEXTS)
def test_the_emulator_does_not_find_what_has_another_id(live: Client, emulator: Emulator, id: str, near: str) -> None:
    assume(near != id)
    plant(emulator, "t-1", resources={"id": id})
    with pytest.raises(NotFoundError):
        live.send(calls.get_resource("t-1", near))


@given(tenant_id=TEXTS, id=TEXTS, policy_id=TEXTS)
def test_the_emulator_protects_any_resource_with_any_policy(
    live: Client, emulator: Emulator, tenant_id: str, id: str, policy_id: str
) -> None:
    plant(emulator, tenant_id, resources={"id": id}, policies={"id": policy_id})
    live.send(calls.protect_resource(tenant_id, id, policy_id=policy_id))
    found = live.send(calls.list_protections(tenant_id, resource_id=id))
    assert [(id, policy_id)] == [(one.resource_id, one.policy_id) for one in found]


@given(name=TEXTS)
def test_the_emulator_filters_by_any_name(live: Client, emulator: Emulator, name: str) -> None:
    plant(emulator, "t-1", policies={"id": "p-1", "name": name})
    assert [Policy(id="p-1", tenant_id="t-1", name=name)] == live.send(calls.list_policies("t-1", name=name))


@pytest.mark.parametrize("call", [calls.get_org("x" * 65536), calls.list_policies("t-1", name="x" * 65536)])
def test_an_address_that_is_too_long_is_an_error_of_ours(client: Client, server: Scripted, call: Built) -> None:
    server.script(told({}, 404))
    with pytest.raises(CallError):
        client.send(call)


def test_a_token_that_is_too_long_is_an_error_of_ours(client: Client, server: Scripted) -> None:
    server.script(page({"id": "1"}, following="t" * 65536), page())
    with pytest.raises(CallError):
        client.send(calls.list_resources("t-1"))
