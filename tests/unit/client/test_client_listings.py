"""A listing is all its pages, each item once, and never a part of the list."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, cycle, repeat
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import calls, errors
from pulumi_dataprotection.client._client import MAX_READINGS
from pulumi_dataprotection.client.errors import AnswerError
from pulumi_dataprotection.client.records import Installation, Resource
from support.client.examples import LIST, Exchange
from support.scripted import Reply, Request, html, page, told


def resources(*ids: str) -> list[dict[str, str]]:
    return [{"id": id} for id in ids]


@pytest.mark.parametrize(
    ("token", "encoded"), [("a+b c/==", "a%2Bb%20c%2F%3D%3D"), ("t" * 3000, "t" * 3000)], ids=["reserved", "long"]
)
def test_the_filter_and_the_token_are_encoded_on_the_next_page(exchange: Exchange, token: str, encoded: str) -> None:
    exchange.send(calls.list_protections("t-1", resource_id="r&1"), page(following=token), page())
    first, second = [request.target.partition("?")[2] for request in exchange.requests]
    assert ("resource_id=r%261&limit=500", f"{first}&page_token={encoded}") == (first, second)


def test_a_token_that_is_not_text_is_an_error(exchange: Exchange) -> None:
    assert "next_page_token" in str(exchange.error(LIST, errors.AnswerError, told({"items": [], "next_page_token": 5})))


def test_a_repeated_item_is_listed_once(exchange: Exchange) -> None:
    assert [Resource(id="1"), Resource(id="2"), Resource(id="3")] == exchange.send(
        LIST, page(*resources("1", "2"), following="A"), page(*resources("2", "3"))
    )


def test_items_without_an_id_are_compared_by_all_their_fields(exchange: Exchange) -> None:
    one, other = {"tenant_id": "t-1", "org_id": ""}, {"tenant_id": "t-2", "org_id": ""}
    assert [Installation(**one), Installation(**other)] == exchange.send(
        calls.list_installations(), page(one, other, following="A"), page(one)
    )


def items_at(*numbers: int) -> Callable[[int], Reply]:
    return lambda number: page(*resources("1") if number in numbers else (), following=str(number))


@pytest.mark.parametrize(("pages", "number"), [(100, 100), (150, 75)], ids=["at the end", "in the middle"])
def test_a_listing_continues_after_a_hundred_empty_pages(exchange: Exchange, pages: int, number: int) -> None:
    assert [Resource(id="1")] == exchange.send(
        LIST, then=chain(map(items_at(number), range(pages)), [page(*resources("1"))])
    )


@pytest.mark.parametrize(("numbers", "requests"), [((), 101), ((0,), 102), (range(200), 102)])
def test_a_listing_without_new_items_and_without_an_end_is_an_error(
    exchange: Exchange, numbers: range | tuple[int, ...], requests: int
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
    names = (LIST.operation.does, LIST.request, f"{refusals[0].status}: token expired", "4 readings", "pageSize")
    assert [] == [name for name in names if name not in str(error)]


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


ENDINGS: list[dict[str, object]] = [{"next_page_token": ""}, {"next_page_token": None}, {}]
NO_ITEMS: list[dict[str, object]] = [{"items": []}, {"items": None}, {}]

# More pages than a client may need to notice that they have no end.
FAR_TOO_MANY = 200

NUMBERS = st.integers(0, 20)
TOKENS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text("+/=%&# ", min_size=1)


@dataclass(frozen=True)
class Step:
    """One page of a listing.

    Attributes:
        token: the token of the next page.
        size: the maximum number of items.
        inserted: the items that are new since the page before.
        deleted: the items that are gone since the page before.
        doubled: the number of earlier items that the page repeats.
        nothing: the fields of the page if it has no items.
    """

    token: str
    size: int
    inserted: frozenset[int]
    deleted: frozenset[int]
    doubled: int
    nothing: Mapping[str, object]


@dataclass
class Story:
    """A listing, and its changes during the read.

    Attributes:
        first: the items at the beginning.
        steps: all pages except the last page.
        ending: the fields that end the last page.
        by_offset: whether a token stands for a number of items, not for the last item.
        given: the tokens of the pages so far.
    """

    first: frozenset[int]
    steps: Sequence[Step]
    ending: Mapping[str, object]
    by_offset: bool
    given: list[str] = field(default_factory=list[str])

    @property
    def always_there(self) -> set[int]:
        """The items that existed all the time."""
        return set(self.first.difference(*(step.deleted for step in self.steps)))

    @property
    def ever_there(self) -> set[int]:
        """The items that existed at any time."""
        return set(self.first.union(*(step.inserted for step in self.steps)))

    def answers(self, requests: Sequence[Request]) -> Iterator[Reply]:
        """Answer the requests of a listing, each from the place of its token."""
        there = set(self.first)
        places: dict[bytes | None, int] = {None: 0 if self.by_offset else -1}
        before: list[int] = []
        for step in self.steps:
            there = (there | step.inserted) - step.deleted
            place = places[token_of(requests[-1])]
            rest = self._rest(there, place)
            items = rest[: step.size]
            place = place + len(items) if self.by_offset else max([place, *items])
            places[step.token.encode()] = place
            self.given.append(step.token)
            shown = before[len(before) - step.doubled :] + items
            before += items
            yield told({**(records(shown) if shown else step.nothing), "next_page_token": step.token})
        yield told({**records(self._rest(there, places[token_of(requests[-1])])), **self.ending})

    def _rest(self, there: set[int], place: int) -> list[int]:
        return sorted(there)[place:] if self.by_offset else sorted(number for number in there if number > place)


def records(numbers: Sequence[int]) -> dict[str, object]:
    return {"items": [{"id": str(number)} for number in numbers]}


def token_of(request: Request) -> bytes | None:
    pairs = [pair.partition("=") for pair in request.target.partition("?")[2].split("&")]
    tokens = [unquote_to_bytes(value) for name, _, value in pairs if name == "page_token"]
    return tokens[0] if tokens else None


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Draw a listing; items are deleted only if tokens stand for items, because an offset would skip items."""
    by_offset = draw(st.booleans())
    step = st.builds(
        Step,
        token=TOKENS,
        size=st.integers(0, 4),
        inserted=st.frozensets(NUMBERS, max_size=3),
        deleted=st.just(frozenset[int]()) if by_offset else st.frozensets(NUMBERS, max_size=3),
        doubled=st.integers(0, 2),
        nothing=st.sampled_from(NO_ITEMS),
    )
    return Story(
        first=draw(st.frozensets(NUMBERS)),
        steps=draw(st.lists(step, max_size=8, unique_by=lambda step: step.token)),
        ending=draw(st.sampled_from(ENDINGS)),
        by_offset=by_offset,
    )


@given(story=stories())
def test_a_changing_listing_has_each_item_once_and_each_token_is_sent_once(exchange: Exchange, story: Story) -> None:
    found = [int(resource.id) for resource in exchange.send(LIST, then=story.answers(exchange.requests))]
    assert sorted(set(found)) == sorted(found)
    assert story.always_there <= set(found) <= story.ever_there
    expected = [None, *(token.encode() for token in story.given)]
    assert expected == [token_of(request) for request in exchange.requests]


@given(
    tokens=st.lists(TOKENS, min_size=1, max_size=6, unique=True),
    back=st.integers(0, 5),
    full=st.lists(st.booleans(), min_size=1),
)
def test_a_page_that_leads_back_to_an_earlier_page_is_an_error(
    exchange: Exchange, tokens: list[str], back: int, full: list[bool]
) -> None:
    ring = tokens[min(back, len(tokens) - 1) :]
    numbered = zip(range(FAR_TOO_MANY), chain(tokens, cycle(ring)), cycle(full))
    exchange.error(
        LIST,
        AnswerError,
        then=(page(*[{"id": str(n)}] * has_items, following=token) for n, token, has_items in numbered),
    )
    assert len(tokens) + 1 == len(exchange.requests)
