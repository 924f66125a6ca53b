"""Missing from a list: gone only if a second witness says so, and an error if the service contradicts itself."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest

from pulumi_dataprotection.client import Account, TenantCache, errors
from pulumi_dataprotection.client.cache.listing import MAX_PROOFS
from support.resources.scripted import ScriptedServer, items, reply
from support.scripted import Connect, DrivenClock, Reply, counted, page

RESOURCES = "GET /api/v1/tenants/t-1/resources"
PROTECTIONS = "GET /api/v1/tenants/t-1/protections"
STATISTICS = f"{RESOURCES}/statistics/summary"
TENANT = "GET /api/v1/tenants/t-1"
NOTHING = reply(200, {})
GONE = reply(404, {"message": "no such resource"})
MANY = MAX_PROOFS + 5

Script = dict[str, Sequence[Reply]]


def item(number: int) -> dict[str, object]:
    return {"id": f"r-{number}", "name": f"user{number}@contoso.example"}


def protection(number: int) -> dict[str, object]:
    return {"id": f"p-{number}", "resource_id": f"r-{number}", "policy_id": "gold", "job_id": f"j-{number}"}


def alone(number: int) -> str:
    return f"{RESOURCES}/r-{number}"


def asked(server: ScriptedServer) -> list[str]:
    """The last part of each path that was asked for."""
    return [urlsplit(request.target).path.rpartition("/")[2] for request in server.requests]


@pytest.fixture
def serve(connect: Connect) -> Iterator[Callable[[Script], tuple[TenantCache, ScriptedServer]]]:
    """Opens the tenant of a service that answers as a script says."""
    with ExitStack() as servers:

        def start(script: Script) -> tuple[TenantCache, ScriptedServer]:
            script = {TENANT: [reply(200, {"id": "t-1"})], **script}
            server = servers.enter_context(ScriptedServer(script))
            return Account(connect(server.url)).tenant("t-1"), server

        yield start


Serve = Callable[[Script], tuple[TenantCache, ScriptedServer]]


def test_a_known_item_that_the_list_lacks_is_asked_for(serve: Serve) -> None:
    view, server = serve({RESOURCES: [items(item(1))], alone(2): [reply(200, item(2))]})
    assert "r-2" == view.items.find("user2@contoso.example", "r-2").id
    assert "r-2" == view.items.find("user2@contoso.example", "r-2").id
    assert ["resources", "r-2"] == asked(server)


@pytest.mark.parametrize("answer", [GONE, reply(400)], ids=["404", "400"])
def test_a_known_item_is_gone_if_the_tenant_is_there(serve: Serve, answer: Reply) -> None:
    view, server = serve({RESOURCES: [items(item(1))], alone(2): [answer]})
    for _ in range(2):
        with pytest.raises(errors.ReferenceNotFoundError):
            view.items.find("user2@contoso.example", "r-2")
    assert ["resources", "r-2", "t-1"] == asked(server)


def test_a_known_item_is_not_gone_if_the_tenant_does_not_answer(serve: Serve) -> None:
    view, _ = serve({RESOURCES: [items(item(1))], alone(2): [GONE], TENANT: [reply(404, {"message": "no tenant"})]})
    with pytest.raises(errors.NotFoundError):
        view.items.find("user2@contoso.example", "r-2")


def test_another_item_in_its_place_is_an_error(serve: Serve) -> None:
    view, _ = serve({RESOURCES: [items(item(1))], alone(2): [reply(200, item(3))]})
    with pytest.raises(errors.AnswerError):
        view.items.find("user2@contoso.example", "r-2")


def test_a_name_that_the_service_looks_up_in_its_own_way_is_left_to_the_list(serve: Serve) -> None:
    more = page(item(1), following="2")
    view, server = serve({RESOURCES: [more, items(item(1), item(2))], f"{RESOURCES}/Finance": [reply(200, item(2))]})
    with pytest.raises(errors.ReferenceNotFoundError):
        view.items.find("Finance")
    assert ["resources", "Finance", "resources"] == asked(server)


def known(view: TenantCache, numbers: Sequence[int]) -> list[int]:
    """Those of some items that are there."""
    found: list[int] = []
    for number in numbers:
        with suppress(errors.ReferenceNotFoundError):
            view.items.find(f"user{number}@contoso.example", f"r-{number}")
            found.append(number)
    return found


def test_of_many_missing_items_few_are_asked_for_and_a_second_list_decides(serve: Serve) -> None:
    numbers = range(MANY)
    script = {alone(number): [GONE] for number in numbers}
    view, server = serve({**script, RESOURCES: [items(), items(item(MAX_PROOFS + 1))]})
    assert [MAX_PROOFS + 1] == known(view, numbers)
    assert MAX_PROOFS == len([name for name in asked(server) if name.startswith("r-")])
    assert 2 == asked(server).count("resources")


def test_a_second_list_that_lacks_what_exists_is_an_error(serve: Serve) -> None:
    script = {alone(number): [reply(200, item(number)) if number == 7 else GONE] for number in range(MAX_PROOFS)}
    view, _ = serve({**script, RESOURCES: [items()]})
    with pytest.raises(errors.IncompleteListError, match=r"does not list user7@contoso.example \(r-7\), and shows it"):
        known(view, range(MANY))


def test_a_complete_list_is_read_once(serve: Serve) -> None:
    view, server = serve({RESOURCES: [items(item(1), item(2))], PROTECTIONS: [items(protection(2))]})
    assert ["r-1", "r-2"] == [found.id for found in view.complete_items()]
    assert ["resources", "protections"] == asked(server)


def test_a_list_that_lacks_who_is_protected_is_read_again(serve: Serve) -> None:
    lists = [items(item(1)), items(), items(item(1), item(2))]
    view, server = serve({RESOURCES: lists, PROTECTIONS: [items(protection(2))], alone(2): [reply(200, item(2))]})
    assert ["r-1", "r-2"] == [found.id for found in view.complete_items()]
    assert 3 == asked(server).count("resources")


def test_a_list_that_still_lacks_who_is_protected_after_the_lag_is_an_error(serve: Serve, clock: DrivenClock) -> None:
    view, server = serve({RESOURCES: [items()], PROTECTIONS: [items(protection(2))], alone(2): [reply(200, item(2))]})
    with pytest.raises(errors.IncompleteListError, match=r"user2@contoso\.example"):
        view.complete_items()
    assert (3, [5]) == (asked(server).count("resources"), clock.waits)


def test_protections_of_items_that_are_gone_are_no_contradiction(serve: Serve) -> None:
    numbers = range(MANY)
    script = {alone(number): [GONE] for number in numbers}
    view, server = serve({**script, RESOURCES: [items(item(99))], PROTECTIONS: [items(*map(protection, numbers))]})
    for _ in range(2):
        assert ["r-99"] == [found.id for found in view.complete_items()]
    assert MAX_PROOFS == len([name for name in asked(server) if name.startswith("r-")])


@pytest.mark.parametrize(("counts", "complete"), [(counted(0, items=7), False), (counted(0, items=0), True)])
def test_an_empty_list_is_compared_with_the_counts(serve: Serve, counts: Reply, *, complete: bool) -> None:
    view, _ = serve({RESOURCES: [NOTHING], PROTECTIONS: [NOTHING], STATISTICS: [counts]})
    if complete:
        assert [] == view.complete_items()
    else:
        with pytest.raises(errors.IncompleteListError, match="does not list any of 7 resources"):
            view.complete_items()


@pytest.mark.parametrize("answer", [reply(403), reply(404), reply(400), reply(200, {"tenants": []})])
def test_an_empty_list_is_believed_if_there_are_no_counts(serve: Serve, answer: Reply) -> None:
    view, _ = serve({RESOURCES: [items()], PROTECTIONS: [items()], STATISTICS: [answer]})
    assert [] == view.complete_items()


def test_a_protection_that_a_list_lacks_is_asked_for(serve: Serve) -> None:
    view, server = serve({PROTECTIONS: [items(), items(protection(1))]})
    assert ["gold"] == [found.policy_id for found in view.protections.proven("r-1")]
    assert [] == view.protections.bare(["r-1"])
    assert ["protections", "t-1", "protections"] == asked(server)


def test_an_answer_that_states_nothing_proves_nothing(serve: Serve) -> None:
    lists = [NOTHING, NOTHING, items(protection(1))]
    view, server = serve({PROTECTIONS: lists, STATISTICS: [counted(1)]})
    assert ["gold"] == [found.policy_id for found in view.protections.proven("r-1")]
    assert ["protections", "t-1", "protections", "protections", "summary"] == asked(server)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (counted(1), "it has 0 of 1 protected resources"),
        (counted(60), "it has 0 of 60 protected resources"),
        (reply(403), "it states nothing, and the service has no counts"),
    ],
)
def test_a_list_that_states_nothing_is_an_error_if_the_counts_do_not_agree(
    serve: Serve, counts: Reply, words: str
) -> None:
    view, _ = serve({PROTECTIONS: [NOTHING], STATISTICS: [counts]})
    with pytest.raises(errors.IncompleteListError, match=words):
        view.protections.proven("r-1")


def test_a_list_that_states_nothing_is_believed_if_the_counts_say_so(serve: Serve) -> None:
    view, server = serve({PROTECTIONS: [NOTHING], STATISTICS: [counted(0)]})
    assert ["r-1", "r-2"] == view.protections.bare(["r-1", "r-2"])
    assert 1 == asked(server).count("summary")


@pytest.mark.parametrize(("counts", "believed"), [(0, True), (70, True), (77, True), (78, False), (100, False)])
def test_of_many_a_second_list_decides_unless_the_counts_contradict_it(
    serve: Serve, counts: int, *, believed: bool
) -> None:
    listed, missing = [protection(number) for number in range(70)], [f"gone-{number}" for number in range(MANY)]
    view, server = serve({PROTECTIONS: [items(*listed)], STATISTICS: [counted(counts)]})
    if believed:
        assert missing == view.protections.bare(missing)
        assert ["protections", "t-1", "protections", "summary"] == asked(server)
    else:
        with pytest.raises(errors.IncompleteListError, match=f"it has 70 of {counts} protected resources"):
            view.protections.bare(missing)


def test_a_second_list_that_has_them_wins(serve: Serve) -> None:
    ids = [f"r-{number}" for number in range(MANY)]
    view, _ = serve({PROTECTIONS: [items(), items(*map(protection, range(MANY)))], STATISTICS: [counted(MANY)]})
    assert [] == view.protections.bare(ids)


def test_a_write_is_not_settled_by_an_answer_that_states_nothing(serve: Serve) -> None:
    view, _ = serve({PROTECTIONS: [items(protection(1)), NOTHING], STATISTICS: [counted(1)]})
    view.protections.of("r-1")
    assert ["gold"] == [found.policy_id for found in view.protections.after_write("r-1")]


def test_an_archived_item_that_only_the_list_lacks_is_still_meant(serve: Serve) -> None:
    archived = {**item(2), "archived": True}
    lists = [page(item(1), following="2"), items(item(1))]
    view, server = serve({RESOURCES: lists, alone(2): [reply(200, archived)]})
    assert "r-2" == view.items.find("user2@contoso.example", "r-2").id
    assert ["resources", "r-2", "resources"] == asked(server)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(serve: Serve, *, enabled: bool) -> None:
    view, _ = serve({RESOURCES: [items(item(1))]})
    if not enabled:
        gc.disable()
    try:
        view.items.all()
        assert enabled == gc.isenabled()
    finally:
        gc.enable()


def test_a_list_that_was_read_too_early_is_read_again_after_the_lag(serve: Serve, clock: DrivenClock) -> None:
    view, server = serve({PROTECTIONS: [items(), items(protection(1))]})
    assert [] == view.protections.of("r-1")
    for _ in range(2):
        assert ["gold"] == [found.policy_id for found in view.protections.after_lag("r-1")]
    assert (["protections"] * 2, [5]) == (asked(server), clock.waits)


def test_a_resource_that_was_read_too_early_is_read_again_after_the_lag(serve: Serve, clock: DrivenClock) -> None:
    view, server = serve({PROTECTIONS: [page(protection(2), following="2"), items(), items(protection(1))]})
    assert ["gold"] == [found.policy_id for found in view.protections.after_lag("r-1")]
    assert ["resource_id=r-1" in request.target for request in server.requests] == [False, True, True]
    assert [5] == clock.waits
