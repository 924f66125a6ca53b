"""Faults of lists: pages, tokens and deletions never lead to an item twice, or to an unknown item."""

import pytest

from pulumi_dataprotection.client import Call
from pulumi_dataprotection.client import calls as calls_of_the_client
from pulumi_dataprotection.client.errors import AnswerError
from pulumi_dataprotection.client.records import Record
from pulumi_dataprotection.spec import OPERATIONS
from support.contract.examples import lists
from support.contract.faults import DIALECTS_WITH_FAULTS, FAULTS, Fault, go_wrong, rule
from support.contract.service import SMALL, EmulatedService, Service

pytestmark = pytest.mark.parametrize("dialect", DIALECTS_WITH_FAULTS, indirect=True, scope="module")

LISTS = [operation.id for operation in OPERATIONS if operation.answers == "page"]

FILTERED = ("list_protections", "list_archives")

on_each_page = pytest.mark.parametrize("page", [1, 2])

# One of each kind: of what may happen to any answer, more happens elsewhere.
KINDS = {name: FAULTS[name] for name in ("503", "429", "423", "cut", "truncated", "nothing", "another content type")}


def listed(
    emulated: EmulatedService, *faults: Fault | str, nth: int = 1
) -> dict[str, list[Record] | type[AnswerError]]:
    """Return each list in pages of two, among faults, or the error that the client came to."""
    calls, client = lists(emulated.scene), emulated.client(page_size=SMALL)

    def send(call: Call[list[Record]]) -> list[Record] | type[AnswerError]:
        try:
            return client.send(call)
        except AnswerError:
            return AnswerError

    with go_wrong(emulated, *(rule(name, *faults, nth=nth) for name in calls)):
        return {name: send(call) for name, call in calls.items()}


def whole(emulated: EmulatedService) -> dict[str, list[Record]]:
    """Return each list as it is without faults."""
    return {name: emulated.read(call, page_size=SMALL) for name, call in lists(emulated.scene).items()}


@pytest.mark.parametrize("fault", KINDS.values(), ids=KINDS)
def test_a_fault_on_the_second_page_is_an_error_or_changes_nothing(emulated: EmulatedService, fault: Fault) -> None:
    found = listed(emulated, fault, nth=2)
    garbage = fault.outcome in {"garbage", "nothing"}
    assert found == {name: AnswerError if garbage else items for name, items in whole(emulated).items()}


@on_each_page
@pytest.mark.parametrize("fault", ["empty_page", "doubled_item", "repeat_token", "token_cycle"])
def test_only_a_token_that_leads_back_is_an_error(emulated: EmulatedService, fault: str, page: int) -> None:
    found = listed(emulated, fault, nth=page)
    errors = {name: AnswerError for name in found if found[name] is AnswerError}
    assert whole(emulated) | errors == found
    assert not errors or fault in {"repeat_token", "token_cycle"}


@pytest.mark.parametrize("status", [400, 404, 410])
@pytest.mark.parametrize("refusals", [2, 6])
def test_an_expired_page_token_comes_to_the_whole_list(emulated: EmulatedService, status: int, refusals: int) -> None:
    """A 400 can be about the limit, too, so that a page is asked for with and without it."""
    attempts = 1 if status == 400 else 2
    calls, client = lists(emulated.scene), emulated.client(page_size=SMALL)
    faults = [f"expired_token:{status}"] * (refusals // attempts)
    with go_wrong(emulated, *(rule(name, *faults) for name in calls)):
        found = {name: client.send(call) for name, call in calls.items()}
    assert whole(emulated) == found


@on_each_page
@pytest.mark.parametrize("listing", LISTS)
def test_a_deletion_meanwhile_hides_at_most_one_item_and_shows_none_twice(
    changeable: Service, emulated: EmulatedService, listing: str, page: int
) -> None:
    """Where a token stands for a number of items, the next one moves up into a page that was read already."""
    call = lists(changeable.scene)[listing]
    before = changeable.read(call, page_size=SMALL)
    with go_wrong(emulated, rule(listing, "shrink", nth=page)):
        found = changeable.client(page_size=SMALL).send(call)
    hidden = [item for item in before if item not in found]
    assert found == [item for item in before if item not in hidden]
    assert len(hidden) <= (emulated.variants["page_tokens"] == "offset")


@pytest.mark.parametrize("count", [0, 1])
def test_a_list_that_ends_too_early_is_shorter(emulated: EmulatedService, count: int) -> None:
    found = listed(emulated, f"short_list:{count}")
    # A page may be empty in this dialect though others follow.
    fewer = 0 if emulated.variants["page_fill"] == "short" else count
    assert {name: items[:fewer] for name, items in whole(emulated).items()} == found


@on_each_page
def test_an_empty_object_reads_as_an_empty_page_and_proves_nothing(emulated: EmulatedService, page: int) -> None:
    calls = lists(emulated.scene)
    client = emulated.client(page_size=1)
    with go_wrong(emulated, *(rule(name, "no_items", nth=page) for name in calls)):
        found = {name: client.send_listing(call) for name, call in calls.items()}
    assert dict.fromkeys(calls, (True, False)) == {name: (one.complete, one.explicit) for name, one in found.items()}


@pytest.mark.parametrize("listing", FILTERED)
def test_an_unfiltered_list_is_an_error(emulated: EmulatedService, listing: str) -> None:
    build = getattr(calls_of_the_client, listing)
    call = build(emulated.scene.tenant_id, resource_id=emulated.scene.free_id)
    # The first page may be empty though others follow.
    pages = 2 if emulated.variants["page_fill"] == "short" else 1
    with go_wrong(emulated, rule(listing, *["unfiltered"] * pages)), pytest.raises(AnswerError):
        emulated.client(page_size=50).send(call)
