"""The scene: objects of a service that the tests of the contract need, found in the service itself."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from pulumi_dataprotection.client import Call, calls
from pulumi_dataprotection.client.records import Org, Resource, Tenant

__all__ = ["Scene", "find_scene"]

_MOST_ORGS = 50
"""Organizations that are looked through for a tenant."""

Send = Callable[[Call[Any]], Any]


class _Part:
    """The id of a part; a test that asks for what the service has not is skipped."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, scene: "Scene", _owner: type) -> str:
        if self._name not in scene.found:
            pytest.skip(f"this service shows no {self._what}")
        return scene.found[self._name]


class Scene:
    """Ids of what is there.

    Attributes:
        found: the ids by the names of the other attributes, without those of what is not there.
    """

    def __init__(self, found: Mapping[str, str]) -> None:
        self.found = found

    org_id = _Part("organization for which the application is installed")
    parent_id = _Part("organization with organizations below it")
    child_id = _Part("organization below an organization")
    childless_id = _Part("organization without any below it")
    owner_id = _Part("organization that owns the tenant")
    tenant_id = _Part("tenant with policies, protections and resources")
    protected_id = _Part("resource that is protected")
    protected_by = _Part("policy on a resource")
    job_id = _Part("job of a protection")
    free_id = _Part("resource that could be protected, and is not")
    archived_id = _Part("archived resource without a policy")
    external_id = _Part("resource with an external id")
    policy_id = _Part("policy")
    policy_name = _Part("policy with a name")
    other_policy_id = _Part("second policy")
    archive_id = _Part("archive that is not pending")
    task_id = _Part("task, since none can be listed")


def find_scene(send: Send, *, tenant_id: str | None = None, task_id: str | None = None) -> Scene:
    """Look around in a service.

    Args:
        send: sends a call.
        tenant_id: the tenant; by default the first suitable tenant.
        task_id: a task of it, since none can be looked for.
    """
    found = {"task_id": task_id} if task_id else {}
    installations = send(calls.list_installations())
    homes = [installation.org_id for installation in installations if installation.org_id]
    found |= {"org_id": homes[0]} if homes else {}
    for org_id in islice(_orgs(homes, send, found), _MOST_ORGS):
        tenants: list[Tenant] = send(calls.list_tenants(org_id))
        for tenant in tenants:
            if tenant_id in {None, tenant.id} and "tenant_id" not in found:
                inside = _look_into(tenant.id, send)
                found |= {"owner_id": org_id, "tenant_id": tenant.id, **inside} if inside or tenant_id else {}
        if {"parent_id", "childless_id", "tenant_id"} <= found.keys():
            break
    installed = [installation.tenant_id for installation in installations if installation.tenant_id]
    for id in [tenant_id] if tenant_id else installed:
        if "tenant_id" not in found:
            inside = _look_into(id, send)
            found |= {"tenant_id": id, **inside} if inside else {}
    return Scene(found)


def _orgs(homes: list[str], send: Send, found: dict[str, str]) -> Iterator[str]:
    """Give the organizations below some, these first, and note a parent and a childless organization."""
    waiting = list(homes)
    while waiting:
        org_id = waiting.pop(0)
        children: list[Org] = send(calls.list_orgs(org_id))
        if children:
            found.setdefault("parent_id", org_id)
            found.setdefault("child_id", children[0].id)
        else:
            found.setdefault("childless_id", org_id)
        waiting += [child.id for child in children]
        yield org_id


def _look_into(tenant_id: str, send: Send) -> dict[str, str]:
    """Find the objects in a tenant; nothing if it lacks policies, protections or resources."""
    policies = send(calls.list_policies(tenant_id))
    protections = send(calls.list_protections(tenant_id))
    resources: list[Resource] = send(calls.list_resources(tenant_id))
    if not policies or not protections or not resources:
        return {}
    protected = {protection.resource_id for protection in protections}
    free = [resource for resource in resources if resource.id not in protected]
    archives = send(calls.list_archives(tenant_id))
    candidates = {
        "protected_id": [protections[0].resource_id],
        "protected_by": [protections[0].policy_id],
        # Of another protection than the one above, if there are several.
        "job_id": [protection.job_id for protection in reversed(protections) if protection.job_id],
        "free_id": [resource.id for resource in free if not resource.archived],
        "archived_id": [resource.id for resource in free if resource.archived],
        "external_id": [resource.external_id for resource in resources if resource.external_id],
        "policy_id": [policy.id for policy in policies],
        "policy_name": [policy.name for policy in policies if policy.name],
        "other_policy_id": [policy.id for policy in policies[1:]],
        "archive_id": [archive.id for archive in archives if not archive.delete_pending],
    }
    return {name: ids[0] for name, ids in candidates.items() if ids}
