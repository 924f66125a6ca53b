"""Protections: what a policy on a resource comes to, however the service takes a second one or the same again."""

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import ProtectResourceResult
from support.contract.outcomes import attempt
from support.contract.service import Content, Service


def protection(service: Service, policy_id: str) -> Call[ProtectResourceResult]:
    return calls.protect_resource(service.scene.tenant_id, service.scene.free_id, policy_id=policy_id)


def removal(service: Service, policy_id: str) -> Call[None]:
    return calls.unprotect_resource(service.scene.tenant_id, service.scene.free_id, policy_id=policy_id)


def test_an_assigned_policy_is_listed_with_its_job(changeable: Service) -> None:
    scene = changeable.scene
    before = changeable.read(calls.list_protections(scene.tenant_id))
    result = changeable.send(protection(changeable, scene.policy_id))
    assert result.job_id
    changeable.wait_out_lag()
    after = changeable.eventually(
        calls.list_protections(scene.tenant_id), lambda found: any(one.resource_id == scene.free_id for one in found)
    )
    more = [one for one in after if one not in before]
    expected = [(scene.free_id, scene.policy_id, result.job_id)]
    assert expected == [(one.resource_id, one.policy_id, one.job_id) for one in more]
    assert len(before) + 1 == len(after)
    assert more == changeable.send(calls.list_protections(scene.tenant_id, resource_id=scene.free_id))


def test_putting_it_on_twice_leaves_it_there_and_brings_its_job_or_a_refusal(changeable: Service) -> None:
    policy_id = changeable.scene.policy_id
    first = changeable.send(protection(changeable, policy_id))
    second = attempt(changeable, protection(changeable, policy_id), "same_policy", otherwise=first)
    assert first == second
    assert [policy_id] == changeable.policies_on(changeable.scene.free_id, [policy_id])


def test_a_second_policy_is_refused_or_is_there(changeable: Service) -> None:
    old, new = changeable.scene.policy_id, changeable.scene.other_policy_id
    changeable.send(protection(changeable, old))
    done = attempt(changeable, protection(changeable, new), "second_policy", otherwise=None)
    possible = [[new], sorted([old, new])] if done else [[old]]
    assert changeable.policies_on(changeable.scene.free_id, possible[0]) in possible


def test_a_policy_that_was_taken_off_is_gone(changeable: Service) -> None:
    policy_id = changeable.scene.policy_id
    changeable.send(protection(changeable, policy_id))
    answer: object = changeable.send(removal(changeable, policy_id))
    assert (None, []) == (answer, changeable.policies_on(changeable.scene.free_id, []))


def test_removing_an_absent_policy_is_a_success_or_a_refusal(changeable: Service) -> None:
    attempt(changeable, removal(changeable, changeable.scene.policy_id), "absent_protection", otherwise=None)
    assert [] == changeable.policies_on(changeable.scene.free_id, [])


def test_taking_off_another_policy_leaves_the_one_that_is_there(changeable: Service) -> None:
    policy_id = changeable.scene.policy_id
    changeable.send(protection(changeable, policy_id))
    attempt(changeable, removal(changeable, changeable.scene.other_policy_id), "absent_protection", otherwise=None)
    assert [policy_id] == changeable.policies_on(changeable.scene.free_id, [policy_id])


def test_an_archived_resource_is_protected_or_refused(changeable: Service, content: Content) -> None:
    del content
    scene = changeable.scene
    call = calls.protect_resource(scene.tenant_id, scene.archived_id, policy_id=scene.policy_id)
    result = attempt(changeable, call, "archived_resource", otherwise=None)
    expected = [scene.policy_id] if result else []
    assert expected == changeable.policies_on(scene.archived_id, expected)
