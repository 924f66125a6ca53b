"""Plans that are carried out: whatever the service says on the way, at the end there is exactly what was wanted."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from pulumi_dataprotection.client import calls, same_text
from pulumi_dataprotection.client.errors import DataProtectionError, InvalidArgumentError
from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.core.protection.apply import protect, unprotect
from pulumi_dataprotection.core.protection.plan import Step
from support.contract.flows import EXTERNAL_ID, ORG_NAME, assign_policy, ensure_org, remove_policy
from support.contract.service import Content, EmulatedService, Service

# The policies that one process after the other wants: the (F)irst, the (S)econd or none (-).
FLOWS = {
    "protecting": "F",
    "protecting again": "FF",
    "swapping": "FS",
    "swapping there and back": "FSF",
    "removing": "F-",
    "protecting after a removal": "F-F",
}


@pytest.fixture(params=[False, True], ids=["at once", "later"])
def pause(request: pytest.FixtureRequest, changeable: Service) -> Callable[[], None]:
    """Wait between two processes, or not, until reads certainly show the writes of the first one."""
    return changeable.wait_out_lag if request.param else lambda: None


def on_it(service: Service, *expected: str) -> list[str]:
    return service.policies_on(service.scene.free_id, [*expected])


def orgs(service: Service) -> list[Org]:
    service.wait_out_lag()
    return [org for org in service.send(calls.list_orgs(service.scene.org_id)) if org.external_id == EXTERNAL_ID]


@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS)
def test_the_policy_that_the_last_process_wants_is_the_only_one(
    changeable: Service, pause: Callable[[], None], flow: str
) -> None:
    scene = changeable.scene
    policies = {"F": scene.policy_id, "S": scene.other_policy_id}
    before, own, job_id = "", set[str](), ""
    for wanted in flow:
        if before:
            pause()
        if wanted == "-":
            remove_policy(changeable, policies[before])
        else:
            policy_id = policies[wanted]
            protection = assign_policy(changeable, policy_id, own=own - {policy_id})
            assert (scene.free_id, policy_id) == (protection.resource_id, protection.policy_id)
            assert protection.job_id
            # A policy that is on it keeps its job.
            assert wanted != before or job_id == protection.job_id
            job_id = protection.job_id
            own.add(policy_id)
        before = wanted
    expected = [policies[wanted] for wanted in flow[-1] if wanted != "-"]
    assert expected == on_it(changeable, *expected)


def test_swapping_in_the_same_process_leaves_only_the_new_policy(changeable: Service) -> None:
    old, new = changeable.scene.policy_id, changeable.scene.other_policy_id
    account = changeable.account()
    assign_policy(changeable, old, account=account)
    assign_policy(changeable, new, own={old}, account=account)
    assert [new] == on_it(changeable, new)


def test_taking_over_leaves_only_the_own_policy(changeable: Service) -> None:
    scene = changeable.scene
    changeable.send(calls.protect_resource(scene.tenant_id, scene.free_id, policy_id=scene.other_policy_id))
    changeable.wait_out_lag()
    assign_policy(changeable, scene.policy_id)
    assert [scene.policy_id] == on_it(changeable, scene.policy_id)


def test_removing_a_policy_that_another_process_removed_is_a_success(
    changeable: Service, pause: Callable[[], None]
) -> None:
    scene = changeable.scene
    assign_policy(changeable, scene.policy_id)
    for _ in range(2):
        pause()
        unprotect(changeable.account().tenant(scene.tenant_id), scene.free_id, scene.policy_id)
    assert [] == on_it(changeable)


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
    accepted = changeable.variants["archived_resource"] == "accepted"
    with nullcontext() if accepted else pytest.raises(InvalidArgumentError):
        protect(changeable.account().tenant(scene.tenant_id), scene.archived_id, plan)
    expected = [scene.policy_id] if accepted else []
    assert expected == changeable.policies_on(scene.archived_id, expected)


def test_creating_an_organization_again_brings_the_same_one(forgetful: Service, pause: Callable[[], None]) -> None:
    first, invitation_url = ensure_org(forgetful)
    assert same_text(ORG_NAME, first.name)
    assert invitation_url
    pause()
    second, _ = ensure_org(forgetful)
    assert ([first], first) == (orgs(forgetful), second)


@pytest.mark.parametrize(
    "changed", [{"name": "Fifth Coffee"}, {"external_id": "crm-4712"}], ids=["name", "external id"]
)
def test_an_organization_that_differs_in_its_name_or_external_id_is_not_created(
    forgetful: Service, pause: Callable[[], None], changed: dict[str, Any]
) -> None:
    first, _ = ensure_org(forgetful)
    pause()
    with pytest.raises(DataProtectionError):
        ensure_org(forgetful, **changed)
    assert [first] == orgs(forgetful)
