"""Look-ups of protections."""

import pulumi
import pytest

from pulumi_dataprotection import get_protection, get_protections
from pulumi_dataprotection.client.records import Protection
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"
JANE = "res-contoso-user-01"
PROTECTION = Protection(
    id="prot-contoso-01", resource_id=JANE, policy_id="policy-contoso-silver", job_id="job-contoso-01"
)
SECOND = {
    "tenant_id": TENANT,
    "id": "prot-2",
    "resource_id": JANE,
    "policy_id": "policy-contoso-gold",
    "job_id": "job-2",
}


@pytest.mark.parametrize("reference", [JANE, "ext$usr-1001", "jane.doe@contoso.example", "Jane.Doe@Contoso.Example"])
def test_what_protects_a_resource_is_found_by_every_kind_of_reference(shop: Program, reference: str) -> None:
    assert PROTECTION == shop.run(lambda: get_protection(TENANT, reference))


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (
            "maria.papadopoulou@contoso.example",
            (
                'get_protection: nothing protects "maria.papadopoulou@contoso.example" (res-contoso-user-27) in tenant '
                "tenant-contoso; get_protections lists what is protected"
            ),
        ),
        (
            "nobody",
            (
                'get_protection: no resource "nobody" in tenant tenant-contoso: it is no id, no name, '
                "and no ext$ with an external id"
            ),
        ),
        (
            "support@contoso.example",
            (
                'get_protection: "support@contoso.example" means 2 resources in tenant tenant-contoso: '
                "office_teamdrive res-contoso-drive-11, office_user res-contoso-user-30. Use the id of one"
            ),
        ),
    ],
)
def test_a_protection_that_cannot_be_found_ends_the_program_with_the_reason(
    shop: Program, reference: str, expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_protection(TENANT, reference))
    assert expected == str(raised.value)


def test_several_policies_on_a_resource_end_the_program_with_their_names(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"protections": [SECOND]})
    with pytest.raises(pulumi.RunError) as raised:
        shop.run(lambda: get_protection(TENANT, "jane.doe@contoso.example"))
    expected = (
        f'get_protection: 2 policies protect "jane.doe@contoso.example" ({JANE}) in tenant {TENANT}: '
        '"Gold" (policy-contoso-gold), "Silver" (policy-contoso-silver). Choose from what get_protections lists'
    )
    assert expected == str(raised.value)


def test_all_protections_of_a_tenant_are_listed(shop: Program, emulator: Emulator) -> None:
    emulator.patch({"protections": [SECOND]})
    expected = {"prot-2", *(f"prot-contoso-{number:02}" for number in range(1, 11))}
    found = [protection.id for protection in shop.run(lambda: get_protections(TENANT)).items]
    assert (expected, 11) == ({*found}, len(found))


def test_many_protections_are_looked_up_with_the_calls_of_two_lists(shop: Program, emulator: Emulator) -> None:
    protected = [f"res-contoso-user-{number:02}" for number in range(1, 9)]
    found = shop.run(lambda: [get_protection(TENANT, resource).resource_id for resource in protected])
    assert (protected, ["list_resources", "list_protections"]) == (
        found,
        [request["operation"] for request in emulator.requests()],
    )


def test_protections_of_a_tenant_that_does_not_exist_end_the_program(shop: Program) -> None:
    with pytest.raises(pulumi.RunError, match=r"^get_protections: cannot list protections: 404 not found"):
        shop.run(lambda: get_protections("tenant-nowhere"))
