"""The members of a tenant to adopt, and the items that are left out."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.adoption.members import KINDS, plan_tenant
from pulumi_dataprotection.client.records import Policy, Resource
from pulumi_dataprotection.inventory import TenantContents
from support.adoption import contents, contents_of

GOLD, SILVER = Policy(id="policy-1", name="Gold"), Policy(id="policy-2", name="Silver")
ITEMS = [
    Resource(id="res-1", name="jane"),
    Resource(id="res-2", name="support"),
    Resource(id="res-3", name="Support"),
    Resource(id="res-4", name="former", archived=True),
    Resource(id="res-5", name="bare"),
    Resource(id="res-6", name="two"),
    Resource(id="res-7", name="hidden"),
    Resource(id="res-8", name="bare and archived", archived=True),
]


def test_each_item_is_adopted_or_has_a_reason() -> None:
    tenant = contents_of(ITEMS, [GOLD, SILVER], {f"res-{number}": "policy-1" for number in (1, 2, 4, 9)})
    policy_ids = {**tenant.policy_ids, "res-6": ["policy-2", "policy-1"], "res-7": ["policy-9"]}
    plan = plan_tenant(TenantContents(tenant.tenant, tenant.items, tenant.policies, policy_ids))
    assert {"res-1": "policy-1", "res-2": "policy-1"} == plan.policy_of
    assert {
        "by_id": [("res-2", ["Gold"])],
        "unprotected": [("res-5", []), ("res-3", [])],
        "archived": [("res-4", ["Gold"])],
        "several_policies": [("res-6", ["Gold", "Silver"])],
        "unknown_policy": [("res-7", ["policy-9"])],
        "gone": [("res-9", ["Gold"])],
    } == {kind: [(entry.id, entry.policies) for entry in entries] for kind, entries in plan.entries.items()}


def test_two_protections_with_the_same_policy_are_one() -> None:
    tenant = contents_of(ITEMS, [GOLD], {})
    plan = plan_tenant(TenantContents(tenant.tenant, tenant.items, tenant.policies, {"res-1": ["policy-1"] * 2}))
    assert {"res-1": "policy-1"} == plan.policy_of


@given(contents(), st.randoms())
def test_no_item_is_forgotten_whatever_the_order_of_the_lists(tenant: TenantContents, random: Random) -> None:
    plan = plan_tenant(tenant)
    left = [entry.id for kind, entries in plan.entries.items() for entry in entries if kind != "by_id"]
    bare_archived = [item.id for item in tenant.items if item.archived and item.id not in tenant.policy_ids]
    assert sorted(item.id for item in tenant.items) == sorted([*plan.policy_of, *left, *bare_archived])
    assert plan.entries.keys() <= KINDS.keys()
    shuffled = [*tenant.items]
    random.shuffle(shuffled)
    assert plan == plan_tenant(TenantContents(tenant.tenant, shuffled, tenant.policies, tenant.policy_ids))
