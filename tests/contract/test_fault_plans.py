"""Plans among faults: what a process wants comes about all the same, or an error says why not, and nothing is lost."""

import pytest

from pulumi_dataprotection.client.errors import DataProtectionError
from support.contract.faults import DIALECTS_WITH_FAULTS, FAULTS, Fault, go_wrong, rule
from support.contract.flows import EXTERNAL_ID, assign_policy, ensure_org, remove_policy
from support.contract.service import EmulatedService, Service

pytestmark = pytest.mark.parametrize("dialect", DIALECTS_WITH_FAULTS, indirect=True, scope="module")

QUICK = {name: fault for name, fault in FAULTS.items() if not fault.slow}

each_fault = pytest.mark.parametrize("fault", QUICK.values(), ids=QUICK)


def policies(service: EmulatedService) -> list[str]:
    protections = service.emulator.state()["protections"]
    return [row["policy_id"] for row in protections if row["resource_id"] == service.scene.free_id]


def orgs(service: EmulatedService) -> list[str]:
    return [row["id"] for row in service.emulator.state()["orgs"] if row["external_id"] == EXTERNAL_ID]


def is_lie(fault: Fault) -> bool:
    """Whether it looks like a success, and nothing was done."""
    return fault.outcome == "garbage" and not fault.done


@each_fault
@pytest.mark.parametrize("present", [False, True], ids=["assigning", "removing"])
def test_a_policy_is_assigned_or_removed_unless_a_success_was_false(
    changeable: Service, emulated: EmulatedService, fault: Fault, *, present: bool
) -> None:
    policy_id, failed = changeable.scene.policy_id, False
    if present:
        assign_policy(changeable, policy_id)
        changeable.wait_out_lag()
    change = remove_policy if present else assign_policy
    with go_wrong(emulated, rule("unprotect_resource" if present else "protect_resource", fault)):
        try:
            change(changeable, policy_id)
        except DataProtectionError:
            failed = True
    assert is_lie(fault) == failed
    assert ([policy_id] if present == failed else []) == policies(emulated)


@each_fault
@pytest.mark.parametrize("write", ["first protect", "second protect", "unprotect"])
def test_swapping_leaves_a_policy_or_reports_its_absence_and_ends_when_it_is_run_again(
    changeable: Service, emulated: EmulatedService, fault: Fault, write: str
) -> None:
    old, new = changeable.scene.policy_id, changeable.scene.other_policy_id
    assign_policy(changeable, old)
    changeable.wait_out_lag()
    operation_id = "unprotect_resource" if write == "unprotect" else "protect_resource"
    # Where both can be on it, nothing has to be tried twice.
    twice = write == "second protect" and emulated.variants["second_policy"] != "adds"
    text = ""
    with go_wrong(emulated, rule(operation_id, fault, nth=2 if twice else 1)):
        try:
            assign_policy(changeable, new, own={old})
        except DataProtectionError as error:
            text = str(error)
    found = policies(emulated)
    if "IS NOT PROTECTED" in text:
        assert [] == found
    elif text:
        # Where both can be on it, the new one may be there already.
        assert found in ([old], [new], [old, new])
    else:
        assert [new] == found
    changeable.wait_out_lag()
    assign_policy(changeable, new, own={old})
    assert [new] == policies(emulated)


@each_fault
def test_an_organization_is_never_created_twice(forgetful: Service, emulated: EmulatedService, fault: Fault) -> None:
    made = []
    with go_wrong(emulated, rule("create_org", fault)):
        try:
            made = [ensure_org(forgetful)[0].id]
        except DataProtectionError:
            assert is_lie(fault)
    assert made == orgs(emulated)
