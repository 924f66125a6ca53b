"""References to the items of a tenant; an item is gone only with evidence, and a contradiction is an error."""

from collections.abc import Sequence
from contextlib import suppress

import pytest

from pulumi_dataprotection.client import TenantCache, errors
from pulumi_dataprotection.client.cache.listing import MAX_PROOFS
from support.client.tenants import (
    EMPTY_OBJECT,
    GONE,
    PROTECTIONS,
    RESOURCES,
    STATISTICS,
    TENANT,
    Serve,
    item,
    last_parts,
    protection,
    single,
)
from support.resources.scripted import reply
from support.scripted import DrivenClock, Reply, Scripted, counted, page

MANY = MAX_PROOFS + 5
JANE = "res-contoso-user-01"
FREE = "res-contoso-user-20"
USER_2 = "user2@contoso.example"


def single_reads(server: Scripted) -> int:
    return len([part for part in last_parts(server) if part.startswith("r-")])


@pytest.mark.parametrize("name", ["..", "Sales/../EMEA", "Contoso Inc.", "100%2f", "x" * 1001, "ext$/Sales/"])
def test_a_reference_that_cannot_stand_in_a_path_is_found_in_the_list(serve: Serve, name: str) -> None:
    named = {"id": "r-1", "name": name, "external_id": name.removeprefix("ext$")}
    tenant, server = serve({RESOURCES: [page(named, following="2"), page()]})
    assert "r-1" == tenant.items.find(name).id
    assert ["resources", "resources"] == last_parts(server)


def existing(tenant: TenantCache, numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the items that exist."""
    found: list[int] = []
    for number in numbers:
        with suppress(errors.ReferenceNotFoundError):
            tenant.items.find(f"user{number}@contoso.example", f"r-{number}")
            found.append(number)
    return found


@pytest.mark.parametrize(
    ("reference", "known_id", "expected"),
    [
        ("jane.doe@contoso.example", None, JANE),
        ("jane.doe@contoso.example", FREE, JANE),
        ("JANE.DOE@CONTOSO.EXAMPLE", FREE, JANE),
        ("ext$usr-1001", FREE, JANE),
        ("jane.doe@contoso.example", "res-gone", JANE),
        ("no.longer@contoso.example", FREE, FREE),
        ("ext$no-longer", FREE, FREE),
        ("former.employee@contoso.example", FREE, FREE),
        (FREE, FREE, FREE),
    ],
)
def test_a_reference_passes_on_only_to_a_living_item_of_that_name(
    contoso: TenantCache, reference: str, known_id: str | None, expected: str
) -> None:
    assert expected == contoso.items.find(reference, known_id).id


def test_a_reference_does_not_pass_on_after_a_check(contoso: TenantCache) -> None:
    assert FREE == contoso.items.find("jane.doe@contoso.example", FREE, follow=False).id


def test_a_reference_of_several_items_is_ambiguous(contoso: TenantCache) -> None:
    with pytest.raises(errors.AmbiguousReferenceError, match="office_teamdrive res-contoso-drive-11"):
        contoso.items.find("support@contoso.example")


def test_a_known_item_that_is_not_listed_is_read_by_its_id(serve: Serve) -> None:
    tenant, server = serve({RESOURCES: [page(item(1))], single(2): [reply(200, item(2))]})
    assert ["r-2", "r-2"] == [tenant.items.find(USER_2, "r-2").id for _ in range(2)]
    assert ["resources", "r-2"] == last_parts(server)


def test_a_known_archived_item_that_is_not_listed_keeps_its_reference(serve: Serve) -> None:
    lists = [page(item(1), following="2"), page(item(1))]
    tenant, server = serve({RESOURCES: lists, single(2): [reply(200, {**item(2), "archived": True})]})
    assert "r-2" == tenant.items.find(USER_2, "r-2").id
    assert ["resources", "r-2", "resources"] == last_parts(server)


@pytest.mark.parametrize("answer", [GONE, reply(400)], ids=["404", "400"])
def test_a_known_item_is_gone_if_the_tenant_exists(serve: Serve, answer: Reply) -> None:
    tenant, server = serve({RESOURCES: [page(item(1))], single(2): [answer]})
    for _ in range(2):
        with pytest.raises(errors.ReferenceNotFoundError):
            tenant.items.find(USER_2, "r-2")
    assert ["resources", "r-2", "t-1"] == last_parts(server)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(GONE, errors.NotFoundError), (reply(200, item(3)), errors.AnswerError)],
    ids=["no tenant", "another item"],
)
def test_a_known_item_is_not_gone_without_evidence(serve: Serve, answer: Reply, kind: type[errors.CallError]) -> None:
    tenant, _ = serve({RESOURCES: [page(item(1))], single(2): [answer], TENANT: [GONE]})
    with pytest.raises(kind):
        tenant.items.find(USER_2, "r-2")


def test_the_list_decides_if_the_service_accepts_names_in_place_of_ids(serve: Serve) -> None:
    lists = [page(item(1), following="2"), page(item(1), item(2))]
    tenant, server = serve({RESOURCES: lists, f"{RESOURCES}/Finance": [reply(200, item(2))]})
    with pytest.raises(errors.ReferenceNotFoundError):
        tenant.items.find("Finance")
    assert ["resources", "Finance", "resources"] == last_parts(server)


def test_a_second_list_decides_about_many_missing_items(serve: Serve) -> None:
    script = {single(number): [GONE] for number in range(MANY)}
    tenant, server = serve({**script, RESOURCES: [page(), page(item(MAX_PROOFS + 1))]})
    assert [MAX_PROOFS + 1] == existing(tenant, range(MANY))
    assert (MAX_PROOFS, 2) == (single_reads(server), last_parts(server).count("resources"))


def test_a_second_list_without_an_existing_item_is_an_error(serve: Serve) -> None:
    script = {single(number): [reply(200, item(number)) if number == 7 else GONE] for number in range(MAX_PROOFS)}
    tenant, _ = serve({**script, RESOURCES: [page()]})
    with pytest.raises(errors.IncompleteListError, match=r"user7@contoso\.example \(r-7\)"):
        existing(tenant, range(MANY))


@pytest.mark.parametrize(
    "lists",
    [[page(item(1), item(2))], [page(item(1)), page(), page(item(1), item(2))]],
    ids=["complete", "incomplete twice"],
)
def test_a_list_is_read_again_until_it_has_each_protected_item(serve: Serve, lists: list[Reply]) -> None:
    script = {RESOURCES: [*lists], PROTECTIONS: [page(protection(2))], single(2): [reply(200, item(2))]}
    tenant, server = serve(script)
    assert ["r-1", "r-2"] == [found.id for found in tenant.complete_items()]
    assert (len(lists), 1) == (last_parts(server).count("resources"), last_parts(server).count("protections"))


def test_a_list_without_a_protected_item_after_the_lag_is_an_error(serve: Serve, clock: DrivenClock) -> None:
    script = {RESOURCES: [page()], PROTECTIONS: [page(protection(2))], single(2): [reply(200, item(2))]}
    tenant, server = serve(script)
    with pytest.raises(errors.IncompleteListError, match=r"user2@contoso\.example"):
        tenant.complete_items()
    assert (3, [5]) == (last_parts(server).count("resources"), clock.waits)


def test_a_list_need_not_have_protected_items_that_are_gone(serve: Serve) -> None:
    script = {single(number): [GONE] for number in range(MANY)}
    protections = page(*map(protection, range(MANY)))
    tenant, server = serve({**script, RESOURCES: [page(item(99))], PROTECTIONS: [protections]})
    for _ in range(2):
        assert ["r-99"] == [found.id for found in tenant.complete_items()]
    assert MAX_PROOFS == single_reads(server)


def test_an_empty_list_is_an_error_if_the_service_counts_items(serve: Serve) -> None:
    script = {RESOURCES: [EMPTY_OBJECT], PROTECTIONS: [EMPTY_OBJECT], STATISTICS: [counted(0, items=7)]}
    tenant, _ = serve(script)
    with pytest.raises(errors.IncompleteListError, match="any of 7"):
        tenant.complete_items()


@pytest.mark.parametrize(
    "counts", [counted(0, items=0), reply(403), reply(404), reply(400), reply(200, {"tenants": []})]
)
def test_an_empty_list_is_complete_if_the_service_counts_no_item_or_has_no_counts(serve: Serve, counts: Reply) -> None:
    tenant, _ = serve({RESOURCES: [EMPTY_OBJECT], PROTECTIONS: [EMPTY_OBJECT], STATISTICS: [counts]})
    assert [] == tenant.complete_items()
