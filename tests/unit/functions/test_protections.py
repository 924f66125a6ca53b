"""The functions for protections."""

import pulumi
import pytest

from pulumi_dataprotection import get_protection, get_protections
from pulumi_dataprotection.client.records import Protection
from support import Emulator
from support.functions.program import Program
from support.resources.contoso import GOLD, TENANT, user

JANE = user(1)
PROTECTION = Protection(
    id="prot-contoso-01", resource_id=JANE, policy_id="policy-contoso-silver", job_id="job-contoso-01"
)
SECOND = {"tenant_id": TENANT, "id": "prot-2", "resource_id": JANE, "policy_id": GOLD, "job_id": "job-2"}


@pytest.mark.parametrize("reference", [JANE, "ext$usr-1001", "jane.doe@contoso.example", "Jane.Doe@Contoso.Example"])
def test_a_protection_is_found_by_each_kind_of_reference(shop: Program, reference: str) -> None:
    assert PROTECTION == shop.run(lambda: get_protection(TENANT, reference))


@pytest.mark.parametrize(
    ("reference", "named"),
    [
        ("maria.papadopoulou@contoso.example", r"maria.papadopoulou@contoso.example.*res-contoso-user-27"),
        ("jane.doe@contoso.example", rf'2 policies .*{JANE}.*"Gold" \(policy-contoso-gold\), "Silver" '),
    ],
    ids=["none", "several"],
)
def test_a_resource_without_exactly_one_protection_ends_the_program(
    shop: Program, emulator: Emulator, reference: str, named: str
) -> None:
    emulator.patch({"protections": [SECOND]})
    with pytest.raises(pulumi.RunError, match=f"^get_protection: .*{named}"):
        shop.run(lambda: get_protection(TENANT, reference))


def test_all_protections_of_a_tenant_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"protections": [SECOND]})
    expected = {"prot-2", *(f"prot-contoso-{number:02}" for number in range(1, 11))}
    found = [protection.id for protection in shop.run(lambda: get_protections(TENANT)).items]
    assert (expected, 11) == ({*found}, len(found))


def test_many_protections_are_found_with_the_calls_of_two_lists(shop: Program, emulator: Emulator) -> None:
    protected = [user(number) for number in range(1, 9)]
    found = shop.run(lambda: [get_protection(TENANT, resource).resource_id for resource in protected])
    asked = [request["operation"] for request in emulator.requests()]
    assert (protected, ["list_resources", "list_protections"]) == (found, asked)
