"""The data of a key is read at most once, for any number of threads."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from pulumi_dataprotection.client import Account, calls, errors
from pulumi_dataprotection.client.records import Installation, Org
from support import Emulator
from support.client.examples import THREADS, at_the_same_time
from support.resources.servicer import assert_names
from support.scripted import DrivenClock, Reply, Scripted, html, page, told

TENANT = "tenant-contoso"
PROTECTED = "res-contoso-user-01"
FREE = "res-contoso-user-20"
NOT_FOUND = told({"message": "not found"}, 404)

Read = Callable[[Account], object]

# Changes of the installations of the emulator's key, which has one for an organization.
OF_A_TENANT = {"id": "installation-1", "org_id": None, "tenant_id": TENANT}
OF_ANOTHER = {"id": "installation-8", "key_name": "Full access", "tenant_id": "tenant-adatum"}
OF_AN_ORG = {"id": "installation-9", "key_name": "Full access", "org_id": "org-harbor"}

READS: dict[str, tuple[Read, str]] = {
    "resources": (lambda account: account.tenant(TENANT).items.all(), "list_resources"),
    "a resource": (lambda account: account.tenant(TENANT).items.find("jane.doe@contoso.example"), "list_resources"),
    "policies": (lambda account: account.tenant(TENANT).policies.all(), "list_policies"),
    "a policy": (lambda account: account.tenant(TENANT).policies.find("Gold"), "list_policies"),
    "a policy's label": (lambda account: account.tenant(TENANT).policies.label("policy-contoso-gold"), "list_policies"),
    "protections": (lambda account: account.tenant(TENANT).protections.all(), "list_protections"),
    "a protection": (lambda account: account.tenant(TENANT).protections.of(PROTECTED), "list_protections"),
    "the tenant": (lambda account: account.tenant(TENANT).witness.require_tenant(), "get_tenant"),
    "children": (lambda account: account.children("org-alpine"), "list_orgs"),
    "any call": (lambda account: account.ask(calls.get_task(TENANT, "task-contoso-01")), "get_task"),
    "installations": (lambda account: account.installations(), "list_installations"),
    "the home": (lambda account: account.home_org_id(), "list_installations"),
    "the service": (lambda account: account.require_installation(), "list_installations"),
}

each_read = pytest.mark.parametrize(("read", "operation"), READS.values(), ids=READS)


@each_read
def test_forgetting_tenants_forgets_only_their_contents(
    live_account: Account, emulator: Emulator, read: Read, operation: str
) -> None:
    first = read(live_account)
    live_account.forget_tenants()
    of_tenant = operation not in {"list_orgs", "list_installations"}
    assert (first, [operation] * (1 + of_tenant)) == (read(live_account), emulator.operations())


@each_read
def test_all_threads_share_one_read(live_account: Account, emulator: Emulator, read: Read, operation: str) -> None:
    first, *others = at_the_same_time(lambda: read(live_account))
    assert ([first] * (THREADS - 1), [operation]) == (others, emulator.operations())


@each_read
def test_a_failed_read_is_repeated_until_it_succeeds(
    live_account: Account, emulator: Emulator, read: Read, operation: str
) -> None:
    with emulator.faults({"operation": operation, "do": ["status:403"] * 2}):
        for _ in range(2):
            with pytest.raises(errors.ForbiddenError):
                read(live_account)
    assert read(live_account) == read(live_account)
    assert 3 == emulator.operations().count(operation)


def test_an_empty_list_is_not_read_again(account: Account, server: Scripted) -> None:
    server.script(page(), page())
    assert ([[], []], 1) == ([account.tenant("t-1").policies.all() for _ in range(2)], len(server.requests))


def test_all_threads_share_one_tenant_that_is_not_read_yet(live_account: Account, emulator: Emulator) -> None:
    assert 1 == len({id(tenant) for tenant in at_the_same_time(lambda: live_account.tenant(TENANT))})
    assert [] == emulator.operations()


def test_each_tenant_and_each_organization_has_its_own_content(live_account: Account) -> None:
    found = [live_account.tenant(id).policies.find("Gold").id for id in ("tenant-adatum", TENANT)]
    assert ["policy-adatum-gold", "policy-contoso-gold"] == found
    children = [[org.id for org in live_account.children(id)] for id in ("org-harbor", "org-alpine")]
    assert [["org-adatum"], ["org-contoso", "org-northwind"]] == children


def test_a_reader_cannot_change_the_lists_of_a_tenant(live_account: Account) -> None:
    tenant = live_account.tenant(TENANT)
    tenant.protections.of(PROTECTED).clear()
    tenant.protections.all().clear()
    tenant.items.all().clear()
    found = (len(tenant.protections.all()), len(tenant.protections.of(PROTECTED)), len(tenant.items.all()))
    assert (10, 1, 41) == found


def test_calls_with_different_arguments_are_sent_separately(live_account: Account, emulator: Emulator) -> None:
    different = [
        calls.list_archives(TENANT),
        calls.list_archives(TENANT, resource_id=PROTECTED),
        calls.list_archives(TENANT, resource_id=FREE),
        calls.list_archives("tenant-adatum"),
    ]
    for _ in range(2):
        assert [10, 1, 0, 10] == [len(live_account.ask(call)) for call in different]
    assert len(different) == len(emulator.requests())


@pytest.mark.parametrize("of_a_tenant", [False, True])
def test_the_home_is_the_organization_of_the_key(
    live_account: Account, emulator: Emulator, *, of_a_tenant: bool
) -> None:
    expected = [Installation(tenant_id="", org_id="org-meridian")]
    if of_a_tenant:
        emulator.patch({"installations": [{"id": "installation-9", "key_name": "Full access", "tenant_id": TENANT}]})
        expected = [*expected, Installation(tenant_id=TENANT, org_id="")]
    assert ("org-meridian", expected) == (live_account.home_org_id(), live_account.installations())


@pytest.mark.parametrize(
    ("installation", "found"),
    [
        ({"id": "installation-1", "deleted": True}, []),
        (OF_A_TENANT, []),
        ({**OF_AN_ORG, "org_id": "org-alpine"}, ["2", "org-meridian", "org-alpine"]),
    ],
    ids=["none", "a tenant", "two"],
)
def test_a_key_without_exactly_one_organization_has_no_home(
    live_account: Account, emulator: Emulator, installation: dict[str, object], found: list[str]
) -> None:
    emulator.patch({"installations": [installation]})
    with pytest.raises(errors.UnresolvedReferenceError) as caught:
        live_account.home_org_id()
    assert found == [name for name in ("2", "org-meridian", "org-alpine") if name in str(caught.value)]


@pytest.mark.parametrize("answer", [told({}), page()], ids=["{}", "no items"])
def test_a_service_without_an_installation_is_not_confirmed(account: Account, server: Scripted, answer: Reply) -> None:
    server.script(answer)
    with pytest.raises(errors.DataProtectionError, match="base URL"):
        account.require_installation()


# What needs an organization.
NEEDS_ORG: dict[str, Read] = {
    "the organization": lambda account: account.org("org-contoso"),
    "an organization that does not exist": lambda account: account.org("org-nowhere"),
    "its children": lambda account: account.children("org-contoso"),
    "its tenants": lambda account: account.ask(calls.list_tenants("org-contoso")),
    "its subscriptions": lambda account: account.ask(calls.list_subscriptions("org-contoso")),
    "its history": lambda account: account.ask(calls.get_subscription_history("org-contoso")),
    "a child": lambda account: account.send(calls.create_org(parent_org_id="org-contoso", name="Deli")),
    "the home": lambda account: account.home_org_id(),
}


@pytest.mark.parametrize(
    ("installations", "tenants"), [([OF_A_TENANT], f"the tenant {TENANT}"), ([OF_A_TENANT, OF_ANOTHER], "2 tenants")]
)
@pytest.mark.parametrize("need", NEEDS_ORG.values(), ids=NEEDS_ORG)
def test_a_key_of_tenants_is_named_where_an_organization_is_needed(
    live_account: Account,
    emulator: Emulator,
    need: Read,
    installations: list[dict[str, object]],
    tenants: str,
) -> None:
    emulator.patch({"installations": installations})
    with pytest.raises(errors.UnresolvedReferenceError) as caught:
        need(live_account)
    assert_names(caught.value, tenants, "organization", "key")
    assert [] == [request for request in emulator.writes() if request["status"] == 200]


@pytest.mark.parametrize("need", [need for need in NEEDS_ORG if need != "the home"])
def test_a_key_of_an_organization_too_is_forbidden(live_account: Account, emulator: Emulator, need: str) -> None:
    emulator.patch({"installations": [OF_A_TENANT, OF_AN_ORG]})
    if need == "an organization that does not exist":
        assert NEEDS_ORG[need](live_account) is None
    else:
        with pytest.raises(errors.ForbiddenError):
            NEEDS_ORG[need](live_account)


def test_a_refusal_stays_if_the_installations_cannot_be_read(live_account: Account, emulator: Emulator) -> None:
    emulator.patch({"installations": [OF_A_TENANT]})
    rule = {"operation": "list_installations", "do": ["status:403"]}
    with emulator.faults(rule), pytest.raises(errors.ForbiddenError):
        live_account.children("org-contoso")


def test_a_refusal_of_a_tenant_costs_no_other_call(live_account: Account, emulator: Emulator) -> None:
    emulator.patch({"installations": [OF_A_TENANT]})
    with pytest.raises(errors.ForbiddenError):
        live_account.ask(calls.get_tenant("tenant-adatum"))
    assert 1 == len(emulator.requests())


def test_a_service_with_an_installation_for_a_tenant_is_confirmed(live_account: Account, emulator: Emulator) -> None:
    emulator.patch({"installations": [OF_A_TENANT]})
    live_account.require_installation()
    assert ["list_installations"] == emulator.operations()


def test_an_organization_is_read_again_until_it_shows(account: Account, server: Scripted, clock: DrivenClock) -> None:
    server.script(NOT_FOUND, page({"org_id": "o-0"}), NOT_FOUND, NOT_FOUND, told({"id": "o-1"}))
    assert (Org(id="o-1"), [0.25, 0.5]) == (account.org("o-1"), clock.waits)


def test_an_organization_is_gone_if_no_read_shows_it(account: Account, server: Scripted, clock: DrivenClock) -> None:
    server.script(NOT_FOUND, page({"org_id": "o-0"}), then=[NOT_FOUND] * 10)
    assert account.org("o-1") is None
    assert ([0.25, 0.5, 1, 2, 1.25], 5) == (clock.waits, sum(clock.waits))


@pytest.mark.parametrize("reply", [NOT_FOUND, html("404 page not found", 404), page(), told({})])
def test_an_organization_is_not_gone_for_another_service(account: Account, server: Scripted, reply: Reply) -> None:
    server.script(NOT_FOUND, then=[reply] * 3)
    with pytest.raises(errors.DataProtectionError):
        account.org("o-1")
    _, *others = server.requests
    assert {"/api/v1/applications/me/installations"} == {urlsplit(request.target).path for request in others}
