"""The functions for policies."""

import pulumi
import pytest

from pulumi_dataprotection import get_policies, get_policy
from pulumi_dataprotection.client.records import Policy
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"
GOLD = Policy(id="policy-contoso-gold", tenant_id=TENANT, name="Gold")


@pytest.mark.parametrize("policy", ["Gold", "policy-contoso-gold"])
def test_a_policy_is_found_by_name_and_by_id(shop: Program, policy: str) -> None:
    assert GOLD == shop.run(lambda: get_policy(TENANT, policy))


@pytest.mark.parametrize(
    ("policy", "named"),
    [
        ("gold", r'"gold".*"Bronze" \(policy-contoso-bronze\), "Gold" \(policy-contoso-gold\), "Silver" '),
        ("Twin", r'"Twin" means 2 policies.*policy-1, policy-2\.'),
    ],
)
def test_a_policy_that_is_not_found_ends_the_program_and_names_the_candidates(
    shop: Program, emulator: Emulator, policy: str, named: str
) -> None:
    emulator.patch({"policies": [{"tenant_id": TENANT, "id": f"policy-{n}", "name": "Twin"} for n in (1, 2)]})
    with pytest.raises(pulumi.RunError, match=f"^get_policy: .*{named}"):
        shop.run(lambda: get_policy(TENANT, policy))


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
