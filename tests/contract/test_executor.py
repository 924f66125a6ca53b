"""Plans that are carried out: whatever the service says on the way, at the end there is exactly what was wanted."""

from collections.abc import Callable
from typing import Any

import pytest

from pulumi_dataprotection.client import calls, same_text
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.client.records import Org
from pulumi_dataprotection.core.protection.apply import unprotect
from support.contract.flows import EXTERNAL_ID, ORG_NAME, assign_policy, ensure_org, remove_policy
from support.contract.service import Service

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
def test_only_the_policy_of_the_last_process_stays(changeable: Service, pause: Callable[[], None], flow: str) -> None:
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


def test_a_policy_can_be_removed_twice(changeable: Service, pause: Callable[[], None]) -> None:
    scene = changeable.scene
    assign_policy(changeable, scene.policy_id)
    for _ in range(2):
        pause()
        unprotect(changeable.account().tenant(scene.tenant_id), scene.free_id, scene.policy_id)
    assert [] == on_it(changeable)


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
