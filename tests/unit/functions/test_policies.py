"""Look-ups of policies."""

from collections.abc import Callable

import pulumi
import pytest

from pulumi_dataprotection import get_policies, get_policy
from pulumi_dataprotection.client.records import Policy
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"
GOLD = Policy(id="policy-contoso-gold", tenant_id=TENANT, name="Gold")


def get_gold(tenant_id: str) -> Policy:
    return get_policy(tenant_id, "Gold")


@pytest.mark.parametrize("policy", ["Gold", "policy-contoso-gold"])
def test_a_policy_is_found_by_name_and_by_id(shop: Program, policy: str) -> None:
    assert GOLD == shop.run(lambda: get_policy(TENANT, policy))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (
            "gold",
            (
                'get_policy: no policy "gold" in tenant tenant-contoso; there are: "Bronze" (policy-contoso-bronze), '
                '"Gold" (policy-contoso-gold), "Silver" (policy-contoso-silver)'
            ),
        ),
        ("", "get_policy: policy must not be empty; leave it out where it is not wanted"),
    ],
)
def test_a_policy_that_cannot_be_found_ends_the_program_with_the_reason(
    shop: Program, policy: str, expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_policy(TENANT, policy))
    assert expected == str(raised.value)


def test_a_name_that_several_policies_have_ends_the_program_with_their_ids(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": "policy-2", "name": "Gold"}]})
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_policy(TENANT, "Gold"))
    expected = 'get_policy: "Gold" means 2 policies in tenant tenant-contoso: policy-2, policy-contoso-gold. Use the id'
    assert expected == str(raised.value)


@pytest.mark.parametrize(
    ("name", "expected"),
    [(None, ["Bronze", "Gold", "Silver"]), ("Gold", ["Gold"]), ("gold", []), ("G*", [])],
)
def test_policies_are_listed_by_exact_name(shop: Program, name: str | None, expected: list[str]) -> None:
    assert expected == [policy.name for policy in shop.run(lambda: get_policies(TENANT, name=name)).items]


def test_a_policys_name_may_be_written_in_another_unicode_form(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": "policy-2", "name": "Café"}]})
    policies = shop.run(lambda: get_policies(TENANT, name="Cafe\u0301")).items
    assert ["policy-2"] == [policy.id for policy in policies]


@pytest.mark.parametrize("function", [get_policies, get_gold])
def test_policies_of_a_tenant_that_does_not_exist_end_the_program(
    shop: Program, function: Callable[[str], object]
) -> None:
    with pytest.raises(pulumi.RunError, match="cannot list policies: 404 not found"):
        shop.run(lambda: function("tenant-nowhere"))
