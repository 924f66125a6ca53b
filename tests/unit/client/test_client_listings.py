"""A listing is all its pages, each item once, and never a part of it."""

from collections.abc import Iterator, Mapping
from itertools import chain, count, cycle

import pytest

from pulumi_dataprotection.client import Client, calls, errors
from pulumi_dataprotection.client.records import Installation, Resource
from support.client.examples import LIST, refused
from support.scripted import Reply, Scripted, html, page, told


def resources(*ids: str) -> list[dict[str, str]]:
    return [{"id": id} for id in ids]


@pytest.mark.parametrize(
    "middle",
    [
        told({"items": [], "next_page_token": "B"}),
        told({"items": None, "next_page_token": "B"}),
        told({"next_page_token": "B"}),
    ],
    ids=["[]", "null", "missing"],
)
def test_a_page_without_items_does_not_end_a_listing(client: Client, server: Scripted, middle: Reply) -> None:
    server.script(page(*resources("1", "2"), following="A"), middle, page(*resources("3")))
    expected = ["1", "2", "3"]
    assert expected == [resource.id for resource in client.send(LIST)]


@pytest.mark.parametrize("end", [{"next_page_token": ""}, {"next_page_token": None}, {}], ids=['""', "null", "missing"])
def test_a_listing_ends_where_no_page_follows(client: Client, server: Scripted, end: Mapping[str, object]) -> None:
    server.script(page(*resources("1"), following="A"), told({"items": resources("2"), **end}))
    expected = ["1", "2"]
    assert expected == [resource.id for resource in client.send(LIST)]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "token", ["a+b/c==", "%2B", "x&y=1", "a|b", "#", "ü 🦄", "t" * 3000], ids=lambda token: ascii(token[:8])
)
def test_a_token_goes_back_as_it_came(client: Client, server: Scripted, token: str) -> None:
    server.script(page(following=token), page())
    client.send(calls.list_protections("t-1", resource_id="r&1"))
    expected = [{"resource_id": "r&1", "limit": "500"}, {"resource_id": "r&1", "limit": "500", "page_token": token}]
    assert expected == [request.query for request in server.requests]


def test_a_tokens_plus_does_not_go_out_bare(client: Client, server: Scripted) -> None:
    server.script(page(following="a+b c"), page())
    client.send(LIST)
    assert server.requests[1].target.endswith("page_token=a%2Bb%20c")


@pytest.mark.parametrize("tokens", ["AA", "ABA", "ABCB"])
def test_pages_that_lead_in_a_circle_are_an_error(client: Client, server: Scripted, tokens: str) -> None:
    server.script(then=(page(*resources(token), following=token) for token in cycle(tokens)))
    error = refused(client, LIST)
    assert isinstance(error, errors.AnswerError)
    assert "its pages lead in a circle" in str(error)
    assert len(server.requests) == len(tokens)


def test_a_token_that_is_no_text_is_an_error(client: Client, server: Scripted) -> None:
    server.script(told({"items": [], "next_page_token": 5}))
    assert "its next_page_token is not text" in str(refused(client, LIST))


def test_an_item_that_comes_twice_is_listed_once(client: Client, server: Scripted) -> None:
    server.script(page(*resources("1", "2"), following="A"), page(*resources("2", "3")))
    expected = [Resource(id="1"), Resource(id="2"), Resource(id="3")]
    assert expected == client.send(LIST)


def test_items_without_an_id_are_told_apart_by_all_that_they_hold(client: Client, server: Scripted) -> None:
    one, other = {"tenant_id": "t-1", "org_id": ""}, {"tenant_id": "t-2", "org_id": ""}
    server.script(page(one, other, following="A"), page(one))
    expected = [Installation(**one), Installation(**other)]
    assert expected == client.send(calls.list_installations())


def test_a_hundred_empty_pages_are_followed(client: Client, server: Scripted) -> None:
    server.script(then=chain((page(following=str(n)) for n in range(100)), (page(*resources("1")),)))
    assert client.send(LIST) == [Resource(id="1")]


def test_empty_pages_are_counted_anew_after_one_with_items(client: Client, server: Scripted) -> None:
    def pages() -> Iterator[Reply]:
        for number in range(150):
            yield page(*resources("1") if number == 75 else (), following=str(number))
        yield page()

    server.script(then=pages())
    assert client.send(LIST) == [Resource(id="1")]


def test_empty_pages_without_an_end_are_an_error(client: Client, server: Scripted) -> None:
    server.script(then=(page(following=str(number)) for number in count()))
    error = refused(client, LIST)
    assert isinstance(error, errors.AnswerError)
    assert "its pages bring nothing new and never end" in str(error)
    assert len(server.requests) == 101


def test_a_failure_on_a_later_page_is_no_short_list(client: Client, server: Scripted) -> None:
    server.script(page(*resources("1"), following="A"), html("forbidden", 403))
    assert isinstance(refused(client, LIST), errors.ForbiddenError)


def test_a_limit_that_the_service_refuses_is_left_out(client: Client, server: Scripted) -> None:
    server.script(
        told({"message": "limit too large"}, 400), page(*resources("1"), following="A"), page(*resources("2"))
    )
    assert client.send(LIST) == [Resource(id="1"), Resource(id="2")]
    expected = [{"limit": "500"}, {}, {"page_token": "A"}]
    assert expected == [request.query for request in server.requests]


def test_a_refused_limit_is_remembered(client: Client, server: Scripted) -> None:
    server.script(told({}, 400), page(), page())
    client.send(LIST)
    client.send(calls.list_policies("t-1", name="Gold"))
    assert server.requests[-1].query == {"name": "Gold"}


def test_a_listing_that_is_refused_for_another_reason_keeps_its_limit(client: Client, server: Scripted) -> None:
    server.script(told({}, 400), told({"message": "no such tenant"}, 400), page())
    assert "no such tenant" in str(refused(client, LIST))
    client.send(LIST)
    assert server.requests[-1].query == {"limit": "500"}


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ({"1": {}}, "it: Input should be a valid list"),
        ("x", "it: Input should be a valid list"),
        ([{"id": "1"}, {"name": "no id"}], "1.id: Field required"),
        ([{"id": "1"}, "no record"], "1: Input should be"),
        ([{"id": "1", "archived": "perhaps"}], "0.archived (id '1'): Input should be a valid boolean"),
    ],
)
def test_items_of_another_shape_are_an_error(client: Client, server: Scripted, items: object, problem: str) -> None:
    server.script(told({"items": items}))
    assert problem in str(refused(client, LIST))


def test_one_strange_item_does_not_break_a_list(client: Client, server: Scripted) -> None:
    strange = [
        {"id": "1", "kind": "office_holograms"},
        {"id": "2", "name": None, "external_id": None},
        {"id": "3", "depth": {"x": [1]}, "archived": None},
        {"id": "4", "archived": False},
    ]
    server.script(page(*strange))
    expected = [
        Resource(id="1", kind="office_holograms"),
        Resource(id="2"),
        Resource(id="3"),
        Resource(id="4", archived=False),
    ]
    assert expected == client.send(LIST)
