"""A listing is all its pages, each item once, and never a part of the list."""

from collections.abc import Callable, Sequence
from itertools import chain, count, cycle, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client._client import MAX_READINGS
from pulumi_dataprotection.client.records import Installation, Resource
from support.client.examples import LIST, Exchange
from support.resources.servicer import assert_names
from support.scripted import Reply, html, page, told


def resources(*ids: str) -> list[dict[str, str]]:
    return [{"id": id} for id in ids]


def test_the_filter_and_the_token_are_encoded_on_the_next_page(exchange: Exchange) -> None:
    exchange.send(calls.list_protections("t-1", resource_id="r&1"), page(following="a+b c/=="), page())
    first, second = [request.target.partition("?")[2] for request in exchange.requests]
    assert ("resource_id=r%261&limit=500", f"{first}&page_token=a%2Bb%20c%2F%3D%3D") == (first, second)


def test_a_token_that_is_not_text_is_an_error(exchange: Exchange) -> None:
    assert "next_page_token" in str(exchange.error(LIST, errors.AnswerError, told({"items": [], "next_page_token": 5})))


def test_items_without_an_id_are_compared_by_all_their_fields(exchange: Exchange) -> None:
    one, other = {"tenant_id": "t-1", "org_id": ""}, {"tenant_id": "t-2", "org_id": ""}
    assert [Installation(**one), Installation(**other)] == exchange.send(
        calls.list_installations(), page(one, other, following="A"), page(one)
    )


def items_at(*numbers: int) -> Callable[[int], Reply]:
    return lambda number: page(*resources("1") if number in numbers else (), following=str(number))


@pytest.mark.parametrize(("pages", "number"), [(100, 100), (150, 75)])
def test_a_listing_continues_after_a_hundred_empty_pages(exchange: Exchange, pages: int, number: int) -> None:
    assert [Resource(id="1")] == exchange.send(
        LIST, then=chain(map(items_at(number), range(pages)), [page(*resources("1"))])
    )


@pytest.mark.parametrize(("numbers", "requests"), [((), 101), ((0,), 102), (range(200), 102)])
def test_endless_pages_without_new_items_are_an_error(
    exchange: Exchange, numbers: Sequence[int], requests: int
) -> None:
    exchange.error(LIST, errors.AnswerError, then=map(items_at(*numbers), count()))
    assert requests == len(exchange.requests)


def test_a_failure_on_a_later_page_is_an_error(exchange: Exchange) -> None:
    exchange.error(LIST, errors.ForbiddenError, page(*resources("1"), following="A"), html("forbidden", 403))


EXPIRED = {
    "400": [told({"message": "token expired"}, 400)] * 2,  # with a limit, and without it
    "404": [told({"message": "token expired"}, 404)],
    "410": [told({"message": "token expired"}, 410)],
}
"""The replies to a page token that a service does not know any more."""

each_refusal = pytest.mark.parametrize("refusals", EXPIRED.values(), ids=EXPIRED)


@each_refusal
def test_a_list_whose_page_token_expired_is_read_from_its_first_page(exchange: Exchange, refusals: list[Reply]) -> None:
    first, second = page(*resources("1", "2"), following="A"), page(*resources("3"), following="B")
    found = exchange.send(
        LIST, first, second, *refusals, page(*resources("4"), following="C"), *refusals, first, page(*resources("5"))
    )
    assert [Resource(id="1"), Resource(id="2"), Resource(id="5")] == found
    last = exchange.requests[-2:]
    assert [{"limit": "500"}, {"limit": "500", "page_token": "A"}] == [request.query for request in last]


@each_refusal
def test_a_list_whose_page_tokens_always_expire_is_an_error(exchange: Exchange, refusals: list[Reply]) -> None:
    error = exchange.error(LIST, errors.AnswerError, then=cycle([page(*resources("1"), following="A"), *refusals]))
    assert MAX_READINGS * (1 + len(refusals)) == len(exchange.requests)
    refused = f"{refusals[0].status}: token expired"
    assert_names(error, LIST.operation.does, LIST.request, refused, "4 readings", "pageSize")


def test_a_list_that_is_gone_when_its_page_token_expires_is_not_found(exchange: Exchange) -> None:
    gone = told({"message": "no such tenant"}, 404)
    error = exchange.error(LIST, errors.NotFoundError, page(*resources("1"), following="A"), then=repeat(gone))
    assert ("no such tenant", 3) == (error.message, len(exchange.requests))


def test_a_page_token_that_is_refused_only_with_a_limit_is_sent_without_it(exchange: Exchange) -> None:
    assert [Resource(id="1"), Resource(id="2")] == exchange.send(
        LIST, page(*resources("1"), following="A"), told({}, 400), page(*resources("2"))
    )
    exchange.send(LIST, page())
    assert {"limit": "500"} == exchange.requests[-1].query


def test_a_refused_limit_is_left_out_from_then_on(exchange: Exchange) -> None:
    refusal = told({"message": "limit too large"}, 400)
    assert [Resource(id="1"), Resource(id="2")] == exchange.send(
        LIST, refusal, page(*resources("1"), following="A"), page(*resources("2")), page()
    )
    exchange.send(calls.list_policies("t-1", name="Gold"))
    assert [{"limit": "500"}, {}, {"page_token": "A"}, {"name": "Gold"}] == [one.query for one in exchange.requests]


def test_a_listing_that_is_refused_without_a_limit_too_keeps_its_limit(exchange: Exchange) -> None:
    assert (
        "no such tenant"
        == exchange.error(
            LIST, errors.InvalidArgumentError, told({}, 400), told({"message": "no such tenant"}, 400), page()
        ).message
    )
    exchange.send(LIST)
    assert {"limit": "500"} == exchange.requests[-1].query


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
def test_items_of_another_shape_are_an_error_with_the_place(exchange: Exchange, items: object, problem: str) -> None:
    assert problem in str(exchange.error(LIST, errors.AnswerError, told({"items": items})))


def test_an_item_may_have_unknown_kinds_and_fields(exchange: Exchange) -> None:
    exchange.server.script(
        page(
            {"id": "1", "kind": "office_holograms"},
            {"id": "2", "name": None, "external_id": None},
            {"id": "3", "depth": {"x": [1]}, "archived": None},
            {"id": "4", "archived": False},
        )
    )
    first, last = Resource(id="1", kind="office_holograms"), Resource(id="4", archived=False)
    assert [first, Resource(id="2"), Resource(id="3"), last] == exchange.send(LIST)


# Few and many characters, and those that an address reserves.
TOKENS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text("+/=%&# ", min_size=1)


ENDINGS: list[dict[str, object]] = [{"next_page_token": ""}, {"next_page_token": None}, {}]
NO_ITEMS: list[dict[str, object]] = [{"items": []}, {"items": None}, {}]


@given(
    tokens=st.lists(TOKENS, max_size=8, unique=True),
    ending=st.sampled_from(ENDINGS),
    nothing=st.sampled_from(NO_ITEMS),
    data=st.data(),
)
def test_a_list_has_each_item_once_and_each_token_is_sent_once(
    exchange: Exchange, tokens: list[str], ending: dict[str, object], nothing: dict[str, object], data: st.DataObject
) -> None:
    # A list that changes during the read may repeat items of all earlier pages.
    pages = [data.draw(st.lists(st.integers(0, 9), max_size=4)) for _ in range(len(tokens) + 1)]
    bodies: list[dict[str, object]] = [{"next_page_token": token} for token in tokens]
    bodies.append({**ending})
    for body, numbers in zip(bodies, pages, strict=True):
        # An item that comes again may have changed.
        items = [{"id": str(number), "name": body.get("next_page_token")} for number in numbers]
        body.update({"items": items} if items else nothing)
    found = exchange.send(LIST, *map(told, bodies))
    assert [*dict.fromkeys(chain(*pages))] == [int(resource.id) for resource in found]
    assert [None, *tokens] == [request.query.get("page_token") for request in exchange.requests]


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("tokens", ["AA", "ABB", "ABA", "ABCB"])
def test_a_page_that_leads_back_to_an_earlier_page_is_an_error(exchange: Exchange, tokens: str, *, full: bool) -> None:
    replies = (page(*resources(*[str(n)] * full), following=token) for n, token in enumerate(tokens))
    exchange.error(LIST, errors.AnswerError, *replies)
    assert len(tokens) == len(exchange.requests)
