"""What a key can see is read at most once, by however many threads, and kept up with what was written."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from pulumi_dataprotection.client import (
    Account,
    Client,
    TenantCache,
    calls,
    errors,
)
from pulumi_dataprotection.client.cache.single_flight import SingleFlight
from pulumi_dataprotection.client.records import Installation, Policy, Protection
from support import HANG, Emulator
from support.scripted import Reply, Scripted, page, told

T = TypeVar("T")

TENANT = "tenant-contoso"
PROTECTED = "res-contoso-user-01"
FREE = "res-contoso-user-20"
SILVER = "policy-contoso-silver"
THREADS = 4

READS: list[tuple[str, Callable[[Account], object], str]] = [
    ("resources", lambda account: account.tenant(TENANT).items.all(), "list_resources"),
    ("a resource", lambda account: account.tenant(TENANT).items.find("jane.doe@contoso.example"), "list_resources"),
    ("policies", lambda account: account.tenant(TENANT).policies.all(), "list_policies"),
    ("a policy", lambda account: account.tenant(TENANT).policies.find("Gold"), "list_policies"),
    ("a policy's label", lambda account: account.tenant(TENANT).policies.label(SILVER), "list_policies"),
    ("protections", lambda account: account.tenant(TENANT).protections.all(), "list_protections"),
    ("protections of one", lambda account: account.tenant(TENANT).protections.of(PROTECTED), "list_protections"),
    ("the tenant", lambda account: account.tenant(TENANT).witness.require_tenant(), "get_tenant"),
    ("children", lambda account: account.children("org-alpine"), "list_orgs"),
    ("any call", lambda account: account.ask(calls.get_task(TENANT, "task-contoso-01")), "get_task"),
    ("installations", lambda account: account.installations(), "list_installations"),
    ("the home", lambda account: account.home_org_id(), "list_installations"),
    ("the service", lambda account: account.require_installation(), "list_installations"),
]

each_read = pytest.mark.parametrize(
    ("read", "operation"), [(read, operation) for _, read, operation in READS], ids=[what for what, _, _ in READS]
)


@pytest.fixture
def account(live: Client) -> Account:
    return Account(live)


@pytest.fixture
def view(account: Account) -> TenantCache:
    return account.tenant(TENANT)


@pytest.fixture
def scripted(client: Client) -> Account:
    return Account(client)


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
    account: Account, emulator: Emulator, read: Callable[[Account], object], operation: str
) -> None:
    at_the_same_time(lambda: read(account))
    assert [operation] == asked(emulator)


@each_read
def test_all_threads_get_the_same(account: Account, read: Callable[[Account], object], operation: str) -> None:
    del operation
    first, *others = at_the_same_time(lambda: read(account))
    assert [first] * (THREADS - 1) == others


def test_nothing_is_read_before_it_is_needed(account: Account, emulator: Emulator) -> None:
    account.tenant(TENANT)
    assert asked(emulator) == []


def test_all_threads_share_one_view_of_a_tenant(account: Account) -> None:
    assert len({id(view) for view in at_the_same_time(lambda: account.tenant(TENANT))}) == 1


def test_each_tenant_has_its_own_view(account: Account) -> None:
    assert account.tenant("tenant-adatum").id == "tenant-adatum"
    assert account.tenant(TENANT).policies.find("Gold").id == "policy-contoso-gold"
    assert account.tenant("tenant-adatum").policies.find("Gold").id == "policy-adatum-gold"


def test_the_children_of_each_organization_are_its_own(account: Account) -> None:
    expected = [["org-adatum"], ["org-contoso", "org-northwind"]]
    assert expected == [[org.id for org in account.children(id)] for id in ("org-harbor", "org-alpine")]


def test_calls_with_other_arguments_are_asked_by_themselves(account: Account, emulator: Emulator) -> None:
    different = [
        calls.list_archives(TENANT),
        calls.list_archives(TENANT, resource_id=PROTECTED),
        calls.list_archives(TENANT, resource_id=FREE),
        calls.list_archives("tenant-adatum"),
    ]
    assert [10, 1, 0, 10] == [len(account.ask(call)) for call in different]
    assert [10, 1, 0, 10] == [len(account.ask(call)) for call in different]
    assert len(different) == len(asked(emulator))


@each_read
def test_a_read_that_failed_is_tried_again(
    scripted: Account, server: Scripted, read: Callable[[Account], object], operation: str
) -> None:
    del operation
    server.script(told({"message": "not now"}, 403))
    with pytest.raises(errors.ForbiddenError, match="not now"):
        read(scripted)
    server.script(told({"message": "nor now"}, 403))
    with pytest.raises(errors.ForbiddenError, match="nor now"):
        read(scripted)


def test_after_a_failed_read_the_next_one_counts(scripted: Account, server: Scripted) -> None:
    server.script(told({}, 403), page({"id": "p-1"}))
    with pytest.raises(errors.ForbiddenError):
        scripted.tenant("t-1").policies.all()
    expected = [Policy(id="p-1")]
    assert [expected, expected] == [scripted.tenant("t-1").policies.all(), scripted.tenant("t-1").policies.all()]


def test_who_waited_for_a_read_that_failed_shares_its_failure() -> None:
    turns = SingleFlight()
    first, second = turns.enter(), turns.enter()
    with pytest.raises(ValueError, match="not now"), first:
        raise ValueError("not now")
    with pytest.raises(ValueError, match="not now"), second:
        pytest.fail("it was tried again")
    with turns.enter():
        pass


def test_who_waited_for_a_read_that_went_well_has_a_turn_too() -> None:
    turns = SingleFlight()
    first, second = turns.enter(), turns.enter()
    with first:
        pass
    with second:
        pass


def test_an_empty_list_is_not_read_again(scripted: Account, server: Scripted) -> None:
    server.script(page(), page())
    assert [scripted.tenant("t-1").policies.all() for _ in range(2)] == [[], []]
    assert len(server.requests) == 1


def test_a_tenant_that_is_gone_is_not_confirmed(account: Account) -> None:
    with pytest.raises(errors.NotFoundError):
        account.tenant("tenant-nowhere").witness.require_tenant()


def test_archived_resources_are_among_the_resources(view: TenantCache) -> None:
    archived = [resource.name for resource in view.items.all() if resource.archived]
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
    view: TenantCache, reference: str, known_id: str | None, expected: str
) -> None:
    assert expected == view.items.find(reference, known_id).id


def test_a_reference_that_a_check_resolved_does_not_pass_on(view: TenantCache) -> None:
    assert FREE == view.items.find("jane.doe@contoso.example", FREE, follow=False).id


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
    view: TenantCache, reference: str, known_id: str | None, *, follow: bool, expected: str
) -> None:
    assert expected == view.policies.find(reference, known_id, follow=follow).id


def test_a_reference_that_nothing_has_is_not_found(view: TenantCache) -> None:
    with pytest.raises(errors.ReferenceNotFoundError):
        view.items.find("nobody@contoso.example", "res-gone")
    with pytest.raises(errors.ReferenceNotFoundError):
        view.policies.find("Platinum", "policy-gone")


def test_a_reference_that_several_have_is_ambiguous(view: TenantCache) -> None:
    with pytest.raises(errors.AmbiguousReferenceError, match="office_teamdrive res-contoso-drive-11"):
        view.items.find("support@contoso.example")


@pytest.mark.parametrize(
    ("id", "expected"), [("p-1", '"Gold" (p-1)'), ("p-2", "p-2"), ("p-gone", "p-gone")], ids=["named", "not", "gone"]
)
def test_a_policy_is_labelled_by_name_and_id(scripted: Account, server: Scripted, id: str, expected: str) -> None:
    server.script(page({"id": "p-1", "name": "Gold"}, {"id": "p-2", "name": None}))
    assert expected == scripted.tenant("t-1").policies.label(id)


def test_protections_are_those_of_the_tenant(view: TenantCache) -> None:
    assert len(view.protections.all()) == 10


def test_protections_of_a_resource_are_its_own(view: TenantCache) -> None:
    expected = [Protection(id="prot-contoso-01", resource_id=PROTECTED, policy_id=SILVER, job_id="job-contoso-01")]
    assert [expected, []] == [view.protections.of(PROTECTED), view.protections.of(FREE)]


def test_what_was_listed_is_not_changed_by_who_asks(view: TenantCache) -> None:
    view.protections.of(PROTECTED).clear()
    view.protections.all().clear()
    view.items.all().clear()
    assert (len(view.protections.all()), len(view.protections.of(PROTECTED)), len(view.items.all())) == (10, 1, 41)


def test_protections_read_anew_replace_what_was_listed(view: TenantCache, live: Client) -> None:
    view.protections.all()
    live.send(calls.protect_resource(TENANT, FREE, policy_id=SILVER))
    fresh = view.protections.after_write(FREE)
    assert [protection.policy_id for protection in fresh] == [SILVER]
    assert (fresh, 11) == (view.protections.of(FREE), len(view.protections.all()))


def test_reading_protections_anew_asks_for_that_resource_alone(view: TenantCache, emulator: Emulator) -> None:
    view.protections.all()
    view.protections.after_write(FREE)
    assert [request["query"].get("resource_id") for request in emulator.requests()] == [None, FREE]


def test_a_resource_that_lost_its_protection_elsewhere_has_none_when_read_anew(view: TenantCache, live: Client) -> None:
    view.protections.all()
    live.send(calls.unprotect_resource(TENANT, PROTECTED, policy_id=SILVER))
    assert (view.protections.after_write(PROTECTED), view.protections.of(PROTECTED)) == ([], [])


def test_a_forgotten_protection_is_not_listed(view: TenantCache, emulator: Emulator) -> None:
    view.protections.remove(PROTECTED, SILVER)
    assert (view.protections.of(PROTECTED), len(view.protections.all())) == ([], 9)
    assert asked(emulator) == ["list_protections"]


def test_forgetting_leaves_the_other_policies_of_a_resource(view: TenantCache) -> None:
    view.protections.remove(PROTECTED, "policy-contoso-gold")
    assert len(view.protections.of(PROTECTED)) == 1


def test_forgetting_what_is_not_there_changes_nothing(view: TenantCache) -> None:
    view.protections.remove(FREE, SILVER)
    assert len(view.protections.all()) == 10


def test_the_home_is_the_organization_of_the_installation(account: Account) -> None:
    assert account.home_org_id() == "org-meridian"


def test_installations_are_as_the_service_lists_them(account: Account) -> None:
    expected = [Installation(tenant_id="", org_id="org-meridian")]
    assert expected == account.installations()


def test_installations_for_one_tenant_are_no_home(account: Account, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-9", "key_name": "Full access", "tenant_id": TENANT}]})
    assert (account.home_org_id(), len(account.installations())) == ("org-meridian", 2)


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
    account: Account, emulator: Emulator, installations: list[dict[str, object]], found: str
) -> None:
    emulator.patch({"installations": installations})
    with pytest.raises(errors.DataProtectionError) as caught:
        account.home_org_id()
    expected = f"the key is installed {found} where one organization is needed: name it"
    assert expected == str(caught.value)


@pytest.mark.parametrize("answer", [told({}), page()], ids=["{}", "no items"])
def test_what_lists_no_installation_is_not_taken_for_the_service(
    scripted: Account, server: Scripted, answer: Reply
) -> None:
    server.script(answer)
    with pytest.raises(errors.DataProtectionError) as caught:
        scripted.require_installation()
    expected = "the service lists no installation of this application: check the base URL"
    assert expected == str(caught.value)


def test_an_application_of_one_tenant_is_the_services(account: Account, emulator: Emulator) -> None:
    emulator.patch({"installations": [{"id": "installation-1", "org_id": None, "tenant_id": TENANT}]})
    account.require_installation()
    assert asked(emulator) == ["list_installations"]
