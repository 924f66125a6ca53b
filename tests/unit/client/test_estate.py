"""What a key can see is read at most once, by however many threads, and kept up with what was written."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from pulumi_dataprotection.client import (
    Client,
    Estate,
    Settings,
    TenantView,
    calls,
    close_estates,
    errors,
    open_estate,
)
from pulumi_dataprotection.client.cache.single_flight import Turns
from pulumi_dataprotection.client.records import Installation, Policy, Protection
from support import HANG, Emulator
from support.scripted import Reply, Scripted, page, told

T = TypeVar("T")

TENANT = "tenant-contoso"
PROTECTED = "res-contoso-user-01"
FREE = "res-contoso-user-20"
SILVER = "policy-contoso-silver"
THREADS = 4

READS: list[tuple[str, Callable[[Estate], object], str]] = [
    ("resources", lambda estate: estate.tenant(TENANT).resources(), "list_resources"),
    ("a resource", lambda estate: estate.tenant(TENANT).resource("jane.doe@contoso.example"), "list_resources"),
    ("policies", lambda estate: estate.tenant(TENANT).policies(), "list_policies"),
    ("a policy", lambda estate: estate.tenant(TENANT).policy("Gold"), "list_policies"),
    ("a policy's label", lambda estate: estate.tenant(TENANT).policy_label(SILVER), "list_policies"),
    ("protections", lambda estate: estate.tenant(TENANT).protections(), "list_protections"),
    ("protections of one", lambda estate: estate.tenant(TENANT).protections_of(PROTECTED), "list_protections"),
    ("the tenant", lambda estate: estate.tenant(TENANT).confirm(), "get_tenant"),
    ("children", lambda estate: estate.children("org-alpine"), "list_orgs"),
    ("any call", lambda estate: estate.ask(calls.get_task(TENANT, "task-contoso-01")), "get_task"),
    ("installations", lambda estate: estate.installations(), "list_installations"),
    ("the home", lambda estate: estate.home_org_id(), "list_installations"),
    ("the service", lambda estate: estate.confirm(), "list_installations"),
]

each_read = pytest.mark.parametrize(
    ("read", "operation"), [(read, operation) for _, read, operation in READS], ids=[what for what, _, _ in READS]
)


@pytest.fixture
def estate(live: Client) -> Estate:
    return Estate(live)


@pytest.fixture
def view(estate: Estate) -> TenantView:
    return estate.tenant(TENANT)


@pytest.fixture
def scripted(client: Client) -> Estate:
    return Estate(client)


def at_the_same_time(what: Callable[[], T]) -> list[T]:
    together = Barrier(THREADS, timeout=HANG)

    def run() -> T:
        together.wait()
        return what()

    with ThreadPoolExecutor(THREADS) as pool:
        return [future.result(timeout=HANG) for future in [pool.submit(run) for _ in range(THREADS)]]


def asked(emulator: Emulator) -> list[str]:
    return [request["operation"] for request in emulator.requests()]


@each_read
def test_a_list_is_read_once_for_all_threads(
    estate: Estate, emulator: Emulator, read: Callable[[Estate], object], operation: str
) -> None:
    at_the_same_time(lambda: read(estate))
    assert [operation] == asked(emulator)


@each_read
def test_all_threads_get_the_same(estate: Estate, read: Callable[[Estate], object], operation: str) -> None:
    del operation
    first, *others = at_the_same_time(lambda: read(estate))
    assert [first] * (THREADS - 1) == others


def test_nothing_is_read_before_it_is_needed(estate: Estate, emulator: Emulator) -> None:
    estate.tenant(TENANT)
    assert asked(emulator) == []


def test_all_threads_share_one_view_of_a_tenant(estate: Estate) -> None:
    assert len({id(view) for view in at_the_same_time(lambda: estate.tenant(TENANT))}) == 1


def test_each_tenant_has_its_own_view(estate: Estate) -> None:
    assert estate.tenant("tenant-adatum").id == "tenant-adatum"
    assert estate.tenant(TENANT).policy("Gold").id == "policy-contoso-gold"
    assert estate.tenant("tenant-adatum").policy("Gold").id == "policy-adatum-gold"


def test_the_children_of_each_organization_are_its_own(estate: Estate) -> None:
    expected = [["org-adatum"], ["org-contoso", "org-northwind"]]
    assert expected == [[org.id for org in estate.children(id)] for id in ("org-harbor", "org-alpine")]


def test_calls_with_other_arguments_are_asked_by_themselves(estate: Estate, emulator: Emulator) -> None:
    different = [
        calls.list_archives(TENANT),
        calls.list_archives(TENANT, resource_id=PROTECTED),
        calls.list_archives(TENANT, resource_id=FREE),
        calls.list_archives("tenant-adatum"),
    ]
    assert [10, 1, 0, 10] == [len(estate.ask(call)) for call in different]
    assert [10, 1, 0, 10] == [len(estate.ask(call)) for call in different]
    assert len(different) == len(asked(emulator))


@each_read
def test_a_read_that_failed_is_tried_again(
    scripted: Estate, server: Scripted, read: Callable[[Estate], object], operation: str
) -> None:
    del operation
    server.script(told({"message": "not now"}, 403))
    with pytest.raises(errors.ForbiddenError, match="not now"):
        read(scripted)
    server.script(told({"message": "nor now"}, 403))
    with pytest.raises(errors.ForbiddenError, match="nor now"):
        read(scripted)


def test_after_a_failed_read_the_next_one_counts(scripted: Estate, server: Scripted) -> None:
    server.script(told({}, 403), page({"id": "p-1"}))
    with pytest.raises(errors.ForbiddenError):
        scripted.tenant("t-1").policies()
    expected = [Policy(id="p-1")]
    assert [expected, expected] == [scripted.tenant("t-1").policies(), scripted.tenant("t-1").policies()]


def test_who_waited_for_a_read_that_failed_shares_its_failure() -> None:
    turns = Turns()
    first, second = turns.take(), turns.take()
    with pytest.raises(ValueError, match="not now"), first:
        raise ValueError("not now")
    with pytest.raises(ValueError, match="not now"), second:
        pytest.fail("it was tried again")
    with turns.take():
        pass


def test_who_waited_for_a_read_that_went_well_has_a_turn_too() -> None:
    turns = Turns()
    first, second = turns.take(), turns.take()
    with first:
        pass
    with second:
        pass


def test_an_empty_list_is_not_read_again(scripted: Estate, server: Scripted) -> None:
    server.script(page(), page())
    assert [scripted.tenant("t-1").policies() for _ in range(2)] == [[], []]
    assert len(server.requests) == 1


def test_a_tenant_that_is_gone_is_not_confirmed(estate: Estate) -> None:
    with pytest.raises(errors.NotFoundError):
        estate.tenant("tenant-nowhere").confirm()


def test_archived_resources_are_among_the_resources(view: TenantView) -> None:
    archived = [resource.name for resource in view.resources() if resource.archived]
    expected = ["former.employee@contoso.example"]
    assert expected == archived


@pytest.mark.parametrize(
    ("reference", "known_id", "expected"),
    [
        ("jane.doe@contoso.example", None, PROTECTED),
        ("jane.doe@contoso.example", FREE, PROTECTED),
        ("JANE.DOE@CONTOSO.EXAMPLE", FREE, PROTECTED),
        ("ext$usr-1001", FREE, PROTECTED),
        ("jane.doe@contoso.example", "res-gone", PROTECTED),
        ("no.longer@contoso.example", FREE, FREE),
        ("ext$no-longer", FREE, FREE),
        ("former.employee@contoso.example", FREE, FREE),
        (FREE, FREE, FREE),
    ],
)
def test_a_reference_passes_on_only_to_a_living_item_that_has_it(
    view: TenantView, reference: str, known_id: str | None, expected: str
) -> None:
    assert expected == view.resource(reference, known_id).id


def test_a_reference_that_a_check_resolved_does_not_pass_on(view: TenantView) -> None:
    assert FREE == view.resource("jane.doe@contoso.example", FREE, follow=False).id


@pytest.mark.parametrize(
    ("reference", "known_id", "follow", "expected"),
    [
        ("Silver", None, True, SILVER),
        ("Silver", "policy-contoso-gold", True, SILVER),
        ("Silver", "policy-contoso-gold", False, "policy-contoso-gold"),
        ("Silver", "policy-gone", True, SILVER),
        ("Silver", "policy-gone", False, SILVER),
        ("Renamed", SILVER, True, SILVER),
    ],
)
def test_the_name_of_a_policy_passes_on_only_to_a_policy_that_has_it(
    view: TenantView, reference: str, known_id: str | None, *, follow: bool, expected: str
) -> None:
    assert expected == view.policy(reference, known_id, follow=follow).id


def test_a_reference_that_nothing_has_is_not_found(view: TenantView) -> None:
    with pytest.raises(errors.ReferenceNotFoundError):
        view.resource("nobody@contoso.example", "res-gone")
    with pytest.raises(errors.ReferenceNotFoundError):
        view.policy("Platinum", "policy-gone")


def test_a_reference_that_several_have_is_ambiguous(view: TenantView) -> None:
    with pytest.raises(errors.AmbiguousReferenceError, match="office_teamdrive res-contoso-drive-11"):
        view.resource("support@contoso.example")


@pytest.mark.parametrize(
    ("id", "expected"), [("p-1", '"Gold" (p-1)'), ("p-2", "p-2"), ("p-gone", "p-gone")], ids=["named", "not", "gone"]
)
def test_a_policy_is_labelled_by_name_and_id(scripted: Estate, server: Scripted, id: str, expected: str) -> None:
    server.script(page({"id": "p-1", "name": "Gold"}, {"id": "p-2", "name": None}))
    assert expected == scripted.tenant("t-1").policy_label(id)


def test_protections_are_those_of_the_tenant(view: TenantView) -> None:
    assert len(view.protections()) == 10


def test_protections_of_a_resource_are_its_own(view: TenantView) -> None:
    expected = [Protection(id="prot-contoso-01", resource_id=PROTECTED, policy_id=SILVER, job_id="job-contoso-01")]
    assert [expected, []] == [view.protections_of(PROTECTED), view.protections_of(FREE)]


def test_what_was_listed_is_not_changed_by_who_asks(view: TenantView) -> None:
    view.protections_of(PROTECTED).clear()
    view.protections().clear()
    view.resources().clear()
    assert (len(view.protections()), len(view.protections_of(PROTECTED)), len(view.resources())) == (10, 1, 41)


def test_protections_read_anew_replace_what_was_listed(view: TenantView, live: Client) -> None:
    view.protections()
    live.send(calls.protect_resource(TENANT, FREE, policy_id=SILVER))
    fresh = view.read_protections_of(FREE)
    assert [protection.policy_id for protection in fresh] == [SILVER]
    assert (fresh, 11) == (view.protections_of(FREE), len(view.protections()))


def test_reading_protections_anew_asks_for_that_resource_alone(view: TenantView, emulator: Emulator) -> None:
    view.protections()
    view.read_protections_of(FREE)
    assert [request["query"].get("resource_id") for request in emulator.requests()] == [None, FREE]


def test_a_resource_that_lost_its_protection_elsewhere_has_none_when_read_anew(view: TenantView, live: Client) -> None:
    view.protections()
    live.send(calls.unprotect_resource(TENANT, PROTECTED, policy_id=SILVER))
    assert (view.read_protections_of(PROTECTED), view.protections_of(PROTECTED)) == ([], [])


def test_a_forgotten_protection_is_not_listed(view: TenantView, emulator: Emulator) -> None:
    view.forget_protection(PROTECTED, SILVER)
    assert (view.protections_of(PROTECTED), len(view.protections())) == ([], 9)
    assert asked(emulator) == ["list_protections"]


def test_forgetting_leaves_the_other_policies_of_a_resource(view: TenantView) -> None:
    view.forget_protection(PROTECTED, "policy-contoso-gold")
    assert len(view.protections_of(PROTECTED)) == 1


def test_forgetting_what_is_not_there_changes_nothing(view: TenantView) -> None:
    view.forget_protection(FREE, SILVER)
    assert len(view.protections()) == 10


def test_the_home_is_the_organization_of_the_installation(estate: Estate) -> None:
    assert estate.home_org_id() == "org-meridian"


def test_installations_are_as_the_service_lists_them(estate: Estate) -> None:
    expected = [Installation(tenant_id="", org_id="org-meridian")]
    assert expected == estate.installations()


def test_installations_for_one_tenant_are_no_home(estate: Estate, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-9", "key_name": "Full access", "tenant_id": TENANT}]})
    assert (estate.home_org_id(), len(estate.installations())) == ("org-meridian", 2)


@pytest.mark.parametrize(
    ("installations", "found"),
    [
        ([{"id": "installation-1", "deleted": True}], "for none"),
        ([{"id": "installation-1", "org_id": None, "tenant_id": TENANT}], "for none"),
        (
            [{"id": "installation-9", "key_name": "Full access", "org_id": "org-alpine"}],
            "for 2 (org-meridian, org-alpine)",
        ),
    ],
    ids=["none", "a tenant", "two"],
)
def test_without_exactly_one_organization_there_is_no_home(
    estate: Estate, emulator: Emulator, installations: list[dict[str, object]], found: str
) -> None:
    emulator.patch({"installations": installations})
    with pytest.raises(errors.DataProtectionError) as caught:
        estate.home_org_id()
    expected = f"the key is installed {found} where one organization is needed: name it"
    assert expected == str(caught.value)


@pytest.mark.parametrize("answer", [told({}), page()], ids=["{}", "no items"])
def test_what_lists_no_installation_is_not_taken_for_the_service(
    scripted: Estate, server: Scripted, answer: Reply
) -> None:
    server.script(answer)
    with pytest.raises(errors.DataProtectionError) as caught:
        scripted.confirm()
    expected = "the service lists no installation of this application: check the base URL"
    assert expected == str(caught.value)


def test_an_application_of_one_tenant_is_the_services(estate: Estate, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": TENANT}]})
    estate.confirm()
    assert asked(emulator) == ["list_installations"]


def test_the_same_settings_have_one_estate() -> None:
    settings = [Settings("key-of-one-estate", f"https://api.example.com{end}") for end in ("", "/", "/api/v1")]
    estates = at_the_same_time(lambda: [open_estate(each) for each in settings])
    assert len({id(estate) for of_one_thread in estates for estate in of_one_thread}) == 1


@pytest.mark.parametrize(
    "other",
    [
        Settings("another-key", "https://api.example.com"),
        Settings("key-of-one-estate", "https://other.example.com"),
        Settings("key-of-one-estate", "https://api.example.com", page_size=5),
    ],
    ids=["key", "service", "page size"],
)
def test_other_settings_have_another_estate(other: Settings) -> None:
    assert open_estate(other) is not open_estate(Settings("key-of-one-estate", "https://api.example.com"))


def test_estates_that_were_closed_know_nothing_any_more(emulator: Emulator) -> None:
    settings = Settings(emulator.api_key, emulator.url, calls_per_second=0)
    open_estate(settings).installations()
    close_estates()
    open_estate(settings).installations()
    close_estates()
    assert ["list_installations"] * 2 == asked(emulator)
