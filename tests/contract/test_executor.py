"""Plans that are carried out: whatever the service says on the way, at the end there is exactly what was wanted."""

from collections.abc import Callable

import pytest

from pulumi_dataprotection.client import calls, same_text
from pulumi_dataprotection.client.errors import DataProtectionError, InvalidArgumentError
from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.core.protection.apply import protect, unprotect
from pulumi_dataprotection.core.protection.plan import Step
from support.contract.flows import EXTERNAL_ID, ORG_NAME, assign_policy, ensure_org, remove_policy
from support.contract.service import Content, EmulatedService, Service


@pytest.fixture(params=[False, True], ids=["at once", "later"])
def pause(request: pytest.FixtureRequest, changeable: Service) -> Callable[[], None]:
    """Wait between two processes, or not, until reads certainly show the writes of the first one."""
    return changeable.wait_out_lag if request.param else lambda: None


def on_it(service: Service, *expected: str) -> list[str]:
    return service.policies_on(service.scene.free_id, [*expected])


def orgs(service: Service) -> list[Org]:
    service.wait_out_lag()
    return [org for org in service.send(calls.list_orgs(service.scene.org_id)) if org.external_id == EXTERNAL_ID]


def test_protecting_leaves_the_wanted_policy_and_says_which(changeable: Service) -> None:
    wanted = changeable.scene.policy_id
    protection = assign_policy(changeable, wanted)
    assert (changeable.scene.free_id, wanted, [wanted]) == (
        protection.resource_id,
        protection.policy_id,
        on_it(changeable, wanted),
    )
    assert protection.job_id


def test_protecting_again_leaves_the_wanted_policy(changeable: Service, pause: Callable[[], None]) -> None:
    wanted = changeable.scene.policy_id
    first = assign_policy(changeable, wanted)
    pause()
    second = assign_policy(changeable, wanted)
    assert ([wanted], first.job_id) == (on_it(changeable, wanted), second.job_id)


def test_swapping_leaves_only_the_new_policy(changeable: Service, pause: Callable[[], None]) -> None:
    old, new = changeable.scene.policy_id, changeable.scene.other_policy_id
    assign_policy(changeable, old)
    pause()
    protection = assign_policy(changeable, new, own={old})
    assert (new, [new]) == (protection.policy_id, on_it(changeable, new))


def test_swapping_in_the_same_process_leaves_only_the_new_policy(changeable: Service) -> None:
    old, new = changeable.scene.policy_id, changeable.scene.other_policy_id
    account = changeable.account()
    assign_policy(changeable, old, account=account)
    assign_policy(changeable, new, own={old}, account=account)
    assert [new] == on_it(changeable, new)


def test_swapping_there_and_back_leaves_only_the_first_policy(changeable: Service, pause: Callable[[], None]) -> None:
    first, second = changeable.scene.policy_id, changeable.scene.other_policy_id
    for wanted, own in ((first, second), (second, first), (first, second)):
        assign_policy(changeable, wanted, own={own})
        pause()
    assert [first] == on_it(changeable, first)


def test_taking_over_leaves_only_the_own_policy(changeable: Service) -> None:
    scene = changeable.scene
    changeable.send(calls.protect_resource(scene.tenant_id, scene.free_id, policy_id=scene.other_policy_id))
    changeable.wait_out_lag()
    assign_policy(changeable, scene.policy_id)
    assert [scene.policy_id] == on_it(changeable, scene.policy_id)


def test_removing_leaves_none(changeable: Service, pause: Callable[[], None]) -> None:
    policy_id = changeable.scene.policy_id
    assign_policy(changeable, policy_id)
    pause()
    remove_policy(changeable, policy_id)
    assert [] == on_it(changeable)


def test_removing_a_policy_that_another_process_removed_is_a_success(
    changeable: Service, pause: Callable[[], None]
) -> None:
    scene = changeable.scene
    assign_policy(changeable, scene.policy_id)
    for _ in range(2):
        pause()
        unprotect(changeable.account().tenant(scene.tenant_id), scene.free_id, scene.policy_id)
    assert [] == on_it(changeable)


def test_protecting_after_a_removal_leaves_the_wanted_policy(changeable: Service, pause: Callable[[], None]) -> None:
    wanted = changeable.scene.policy_id
    assign_policy(changeable, wanted)
    pause()
    remove_policy(changeable, wanted)
    pause()
    assign_policy(changeable, wanted)
    assert [wanted] == on_it(changeable, wanted)


def test_adopting_takes_the_own_old_policy_off(changeable: Service, emulated: EmulatedService) -> None:
    scene = changeable.scene
    both = {"old": scene.other_policy_id, "new": scene.policy_id}
    emulated.emulator.patch(
        {
            "protections": [
                {
                    "tenant_id": scene.tenant_id,
                    "id": name,
                    "resource_id": scene.free_id,
                    "policy_id": policy_id,
                    "job_id": f"job-{name}",
                }
                for name, policy_id in both.items()
            ]
        }
    )
    protection = assign_policy(changeable, both["new"], own={both["old"]})
    assert ("new", [both["new"]]) == (protection.id, on_it(changeable, both["new"]))


def test_an_archived_resource_is_protected_or_refused(changeable: Service, content: Content) -> None:
    del content
    scene, plan = changeable.scene, [Step("protect", changeable.scene.policy_id)]
    expected = [scene.policy_id]
    if changeable.variants["archived_resource"] == "accepted":
        protect(changeable.account().tenant(scene.tenant_id), scene.archived_id, plan)
    else:
        expected = []
        with pytest.raises(InvalidArgumentError):
            protect(changeable.account().tenant(scene.tenant_id), scene.archived_id, plan)
    assert expected == changeable.policies_on(scene.archived_id, expected)


def test_creating_an_organization_makes_one(forgetful: Service) -> None:
    org, invitation_url = ensure_org(forgetful)
    assert [org] == orgs(forgetful)
    assert same_text(ORG_NAME, org.name)
    assert invitation_url


def test_creating_it_again_brings_the_same_one(forgetful: Service, pause: Callable[[], None]) -> None:
    first, _ = ensure_org(forgetful)
    pause()
    second, _ = ensure_org(forgetful)
    assert ([first], first) == (orgs(forgetful), second)


def test_an_external_id_that_has_another_name_makes_nothing(forgetful: Service, pause: Callable[[], None]) -> None:
    first, _ = ensure_org(forgetful)
    pause()
    with pytest.raises(DataProtectionError):
        ensure_org(forgetful, name="Fifth Coffee")
    assert [first] == orgs(forgetful)


def test_a_name_that_another_external_id_has_makes_nothing(forgetful: Service) -> None:
    first, _ = ensure_org(forgetful)
    forgetful.wait_out_lag()
    with pytest.raises(DataProtectionError):
        ensure_org(forgetful, external_id="crm-4712")
    assert first.id in {org.id for org in orgs(forgetful)}
