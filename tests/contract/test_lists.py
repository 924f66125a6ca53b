"""Lists: whatever the pages, tokens, limits, orders and endings, all items come, and none comes twice."""

from typing import Any

import pytest

from pulumi_dataprotection.client import calls
from pulumi_dataprotection.client.errors import NotFoundError
from support.contract.examples import NOTHING, lists
from support.contract.facts import facts_held, facts_of
from support.contract.service import SMALL, Content, Service


@pytest.mark.parametrize("page_size", [500, SMALL])
def test_a_list_shows_all_that_is_there_and_nothing_twice(service: Service, content: Content, page_size: int) -> None:
    for name, call in lists(service.scene).items():
        found = facts_of(name, service.read(call, page_size=page_size), service)
        assert (name, facts_held(name, content, service)) == (name, found)


def test_a_list_in_small_pages_is_the_same_list_in_the_same_order(service: Service) -> None:
    whole = {name: service.read(call) for name, call in lists(service.scene).items()}
    # Of a long list of a real service, not that many.
    sizes = {name: max(SMALL, len(items) // 25) for name, items in whole.items()}
    assert whole == {name: service.read(call, page_size=sizes[name]) for name, call in lists(service.scene).items()}


def test_each_list_has_several_pages_here(content: Content, service: Service) -> None:
    assert [] == [name for name in lists(service.scene) if len(facts_held(name, content, service)) <= SMALL]


def test_a_list_without_items_is_an_empty_list(service: Service) -> None:
    scene = service.scene
    children = service.read(calls.list_orgs(scene.childless_id))
    protections = service.read(calls.list_protections(scene.tenant_id, resource_id=scene.free_id))
    assert ([], []) == (children, protections)


def test_a_filter_by_resource_shows_only_its_items(service: Service) -> None:
    tenant_id, resource_id = service.scene.tenant_id, service.scene.protected_id
    for listing in (calls.list_protections, calls.list_archives):
        items: list[Any] = service.read(listing(tenant_id))
        expected = [item for item in items if item.resource_id == resource_id]
        assert expected == service.read(listing(tenant_id, resource_id=resource_id))


def test_a_filter_by_a_resource_that_is_not_there_brings_nothing_or_says_so(service: Service) -> None:
    tenant_id = service.scene.tenant_id
    for listing in (calls.list_protections, calls.list_archives):
        found: list[Any]
        try:
            found = service.read(listing(tenant_id, resource_id=NOTHING))
        except NotFoundError:
            found = []
        assert [] == found


def test_a_filter_by_name_brings_each_policy_of_that_name_and_none_without_it(service: Service) -> None:
    """Whether policies come whose name only contains it is up to the service; who needs one name compares it."""
    tenant_id, name = service.scene.tenant_id, service.scene.policy_name
    policies = service.read(calls.list_policies(tenant_id))
    exact = [policy for policy in policies if policy.name == name]
    alike = [policy for policy in policies if name.casefold() in (policy.name or "").casefold()]
    found = service.read(calls.list_policies(tenant_id, name=name))
    assert exact == [policy for policy in found if policy.name == name]
    assert [] == [policy for policy in found if policy not in alike]
