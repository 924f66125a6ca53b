"""What a listing brings whose content changes from page to page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle, repeat
from urllib.parse import unquote_to_bytes

from hypothesis import given, settings
from hypothesis import strategies as st

from pulumi_dataprotection.client import Client
from pulumi_dataprotection.client.errors import AnswerError
from support.client.examples import LIST, refused
from support.scripted import Reply, Request, Scripted, page, told

ENDINGS: list[dict[str, object]] = [{"next_page_token": ""}, {"next_page_token": None}, {}]
NO_ITEMS: list[dict[str, object]] = [{"items": []}, {"items": None}, {}]

# Pages after which a client has certainly not noticed that they never end.
FAR_TOO_MANY = 200

NUMBERS = st.integers(0, 20)
TOKENS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text("+/=%&# ", min_size=1)


@dataclass(frozen=True)
class Step:
    """How one page comes about.

    Attributes:
        token: what leads to the page after this one.
        size: how many items it has at most.
        inserted: what is new since the page before.
        deleted: what is gone since then.
        doubled: how many of the items before it come once more.
        nothing: how it writes that it has no items.
    """

    token: str
    size: int
    inserted: frozenset[int]
    deleted: frozenset[int]
    doubled: int
    nothing: Mapping[str, object]


@dataclass
class Story:
    """A listing, and what happens to it while it is read.

    Attributes:
        first: what is there at the beginning.
        steps: the pages but the last.
        ending: how the last page says that it is the last.
        by_offset: whether a token stands for a number of items, not for the last one.
        given: the tokens that were given out.
    """

    first: frozenset[int]
    steps: Sequence[Step]
    ending: Mapping[str, object]
    by_offset: bool
    given: list[str] = field(default_factory=list[str])

    @property
    def always_there(self) -> set[int]:
        """What was there all the time."""
        return set(self.first.difference(*(step.deleted for step in self.steps)))

    @property
    def ever_there(self) -> set[int]:
        """What was there at any time."""
        return set(self.first.union(*(step.inserted for step in self.steps)))

    def answers(self, requests: Sequence[Request]) -> Iterator[Reply]:
        """Answer the requests of one listing, each from what its token stands for."""
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
    """Think of a listing; only where tokens stand for items is anything deleted, since counting then skips some."""
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


def listed(client: Client, server: Scripted, story: Story) -> list[int]:
    server.script(then=story.answers(server.requests))
    return [int(resource.id) for resource in client.send(LIST)]


@given(story=stories())
def test_each_item_is_listed_once(client: Client, server: Scripted, story: Story) -> None:
    found = listed(client, server, story)
    assert sorted(set(found)) == sorted(found)


@given(story=stories())
def test_what_is_there_all_the_time_is_listed(client: Client, server: Scripted, story: Story) -> None:
    assert story.always_there <= set(listed(client, server, story))


@given(story=stories())
def test_what_is_never_there_is_not_listed(client: Client, server: Scripted, story: Story) -> None:
    assert story.ever_there >= set(listed(client, server, story))


@given(story=stories())
def test_each_token_goes_back_once_byte_for_byte(client: Client, server: Scripted, story: Story) -> None:
    listed(client, server, story)
    expected = [None, *(token.encode() for token in story.given)]
    assert expected == [token_of(request) for request in server.requests]


@given(
    tokens=st.lists(TOKENS, min_size=1, max_size=6, unique=True),
    back=st.integers(0, 5),
    full=st.lists(st.booleans(), min_size=1),
)
def test_pages_that_lead_back_to_any_earlier_one_are_an_error(
    client: Client, server: Scripted, tokens: list[str], back: int, full: list[bool]
) -> None:
    ring = tokens[min(back, len(tokens) - 1) :]
    numbered = zip(range(FAR_TOO_MANY), chain(tokens, cycle(ring)), cycle(full))
    server.script(then=(page(*[{"id": str(n)}] * has_items, following=token) for n, token, has_items in numbered))
    assert isinstance(refused(client, LIST), AnswerError)
    assert len(tokens) + 1 == len(server.requests)


@settings(max_examples=4)  # of a hundred requests each
@given(before=st.lists(st.integers(0, 2), max_size=4))
def test_empty_pages_without_an_end_are_an_error(client: Client, server: Scripted, before: list[int]) -> None:
    sizes = [*before, *repeat(0, FAR_TOO_MANY)]
    pages = ([{"id": f"{number}-{place}"} for place in range(size)] for number, size in enumerate(sizes))
    server.script(then=(page(*items, following=f"t{number}") for number, items in enumerate(pages)))
    assert isinstance(refused(client, LIST), AnswerError)
    assert len(server.requests) <= len(before) + 101


def test_pages_without_anything_new_and_without_an_end_are_an_error(client: Client, server: Scripted) -> None:
    server.script(then=(page({"id": "1"}, following=f"t{number}") for number in range(FAR_TOO_MANY)))
    assert isinstance(refused(client, LIST), AnswerError)
